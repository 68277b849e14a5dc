"""Certificates and keys: read, refused with a reason, made by the server itself."""

from __future__ import annotations

import datetime as dt
import json
import logging
import signal
import socket
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from support.processes import environment, running_server, server_command
from support.tls import issued, unverified, write_certificate
from tarneeb_protocol.fingerprint import fingerprint_of
from tarneeb_server import self_made
from tarneeb_server.__main__ import settings_from
from tarneeb_server.announce import announcement
from tarneeb_server.settings import Settings
from tarneeb_server.tls import CannotUseTlsError, chosen, load


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return write_certificate(tmp_path, issued("127.0.0.1"))


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory of this test's own."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


def certificate_of(host: str, port: int) -> bytes:
    """The certificate that a server shows, in DER."""
    with (
        socket.create_connection((host, port), timeout=20) as plain,
        unverified().wrap_socket(plain, server_hostname=host) as secured,
    ):
        shown = secured.getpeercert(binary_form=True)
    assert shown is not None
    return shown


# ---------------------------------------------------------------- files


def test_the_fingerprint_is_that_of_the_first_certificate_of_the_file(files: tuple[str, str]) -> None:
    first = x509.load_pem_x509_certificates(Path(files[0]).read_bytes())[0]
    assert load(*files).fingerprint == fingerprint_of(first.public_bytes(serialization.Encoding.DER))


def encrypted(key: bytes) -> bytes:
    return serialization.load_pem_private_key(key, None).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )


def weak_pair() -> tuple[bytes, bytes]:
    key = rsa.generate_private_key(65537, 1024)  # noqa: S505  (weak on purpose)
    name = x509.Name([])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
        .not_valid_after(dt.datetime(2120, 1, 1, tzinfo=dt.UTC))
        .sign(key, hashes.SHA256())
    )
    return (
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    )


@pytest.mark.parametrize(
    ("which", "content", "said"),
    [
        ("cert", None, "--tls-cert: {cert} cannot be read: No such file or directory"),
        ("key", None, "--tls-key: {key} cannot be read: No such file or directory"),
        ("cert", b"", "--tls-cert: {cert} holds no certificate that can be read; accepted is PEM"),
        ("cert", b"\x30\x82\x00\x01", "--tls-cert: {cert} holds no certificate that can be read"),
        (
            "cert",
            b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "--tls-cert: {cert} holds no certificate that can be read",
        ),
        ("cert", b"x" * (1 << 21), "--tls-cert: {cert} is too long; accepted are 1 MiB of PEM"),
        (
            "key",
            b"no key",
            "--tls-key: {key} holds no private key; accepted is the key of the certificate, in PEM",
        ),
        (
            "key",
            b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            "--tls-cert: OpenSSL does not take {cert} with the key in {key}",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_flag_and_what_is_accepted(
    which: str, content: bytes | None, said: str, files: tuple[str, str]
) -> None:
    cert, key = files
    file = Path(cert if which == "cert" else key)
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    with pytest.raises(CannotUseTlsError) as refused:
        load(cert, key)
    assert str(refused.value).startswith(said.format(cert=cert, key=key))


def test_an_encrypted_key_is_refused_without_asking_for_its_password(files: tuple[str, str]) -> None:
    key = Path(files[1])
    key.write_bytes(encrypted(key.read_bytes()))
    with pytest.raises(CannotUseTlsError, match=r"--tls-key: the key in .*key\.pem is encrypted"):
        load(*files)


def test_the_key_of_another_certificate_is_refused(files: tuple[str, str]) -> None:
    Path(files[1]).write_bytes(issued("127.0.0.1").private_key_pem.bytes())
    with pytest.raises(CannotUseTlsError, match=r"--tls-key: the key in .* is not that of the certificate in"):
        load(*files)


def test_files_that_openssl_finds_too_weak_are_refused_with_its_reason(files: tuple[str, str]) -> None:
    for file, content in zip(files, weak_pair(), strict=True):
        Path(file).write_bytes(content)
    with pytest.raises(CannotUseTlsError, match=r"OpenSSL does not take .* too small"):
        load(*files)


def test_a_directory_is_no_file(tmp_path: Path, files: tuple[str, str]) -> None:
    with pytest.raises(CannotUseTlsError, match="cannot be read: Is a directory"):
        load(str(tmp_path), files[1])


def test_a_certificate_out_of_its_time_or_a_key_that_others_can_read_is_used_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "tarneeb.server")
    files = write_certificate(tmp_path, issued("127.0.0.1", ends_in=dt.timedelta(days=-1)))
    Path(files[1]).chmod(0o644)
    load(*files)
    expired, readable = (record.getMessage() for record in caplog.records)
    assert expired.startswith(f"event=tls_certificate_expired file={files[0]} on=")
    assert readable == f"event=tls_key_readable_by_others file={files[1]}"


# ---------------------------------------------------------------- flags


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tls-cert", "c.pem"], "--tls-cert needs --tls-key too"),
        (["--tls-key", "k.pem"], "--tls-key needs --tls-cert too"),
        (
            ["--tls", "self-made", "--tls-cert", "c.pem", "--tls-key", "k.pem"],
            "--tls self-made makes its own certificate",
        ),
        (["--tls", "yes"], "expected one of off, self-made, not 'yes'"),
    ],
)
def test_flags_of_tls_that_do_not_go_together_are_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        settings_from(arguments, {})
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_without_a_flag_there_is_no_tls() -> None:
    assert chosen(Settings()) is None


def test_the_fingerprint_stands_behind_the_addresses() -> None:
    lines = announcement("Majlis", ("127.0.0.1",), 4000, [], "SHA256:abc")
    assert lines[-2:] == [
        "Connections are encrypted. Friends see this fingerprint the first time:",
        "  SHA256:abc",
    ]


# ---------------------------------------------------------------- of its own making


def test_a_certificate_is_made_once_for_its_owner_alone_and_used_again(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    first = chosen(Settings(tls="self-made", data_dir=str(folder)))
    again = chosen(Settings(tls="self-made", data_dir=str(folder)))
    assert first is not None
    assert again is not None
    assert first.fingerprint == again.fingerprint
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    other = self_made.self_made(str(tmp_path / "other"))
    assert other.fingerprint != first.fingerprint


def test_without_a_data_directory_it_is_kept_in_the_state_directory(state: Path) -> None:
    fingerprint = self_made.self_made(None).fingerprint
    assert (state / "tarneeb" / "server" / self_made.FILE_NAME).exists()
    assert self_made.self_made(None).fingerprint == fingerprint


def test_where_nothing_can_be_written_it_is_made_for_this_run_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, files: tuple[str, str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", files[0])
    assert self_made.self_made(None).fingerprint != self_made.self_made(None).fingerprint
    assert "event=tls_certificate_not_kept" in caplog.text
    assert "the fingerprint will be another after a restart" in caplog.text


def test_servers_that_start_at_the_same_time_have_one_certificate(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(self_made.self_made, [str(tmp_path)] * 8))
    assert len({tls.fingerprint for tls in made}) == 1
    assert [file.name for file in tmp_path.iterdir()] == [self_made.FILE_NAME]


@pytest.mark.parametrize("content", [b"", b"\xff" * 100, b"-----BEGIN CERTIFICATE-----\n", None])
def test_c08_a_damaged_file_is_refused_with_what_to_do_and_left_as_it_is(
    content: bytes | None, tmp_path: Path
) -> None:
    self_made.self_made(str(tmp_path))
    file = tmp_path / self_made.FILE_NAME
    damaged = file.read_bytes()[:-30] if content is None else content
    file.write_bytes(damaged)
    with pytest.raises(CannotUseTlsError, match="Put the file back from a copy, or delete it"):
        self_made.self_made(str(tmp_path))
    assert file.read_bytes() == damaged


def test_a_certificate_of_its_own_making_never_expires_and_is_no_authority() -> None:
    made = x509.load_pem_x509_certificate(self_made.make())
    assert made.not_valid_after_utc.year == 9999
    assert made.not_valid_before_utc < dt.datetime.now(dt.UTC)
    assert made.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False


# ---------------------------------------------------------------- as a process


@pytest.mark.slow
def test_the_host_and_scripts_are_told_the_fingerprint_that_clients_see(tmp_path: Path) -> None:
    ready = tmp_path / "ready.json"
    process = subprocess.Popen(
        server_command(
            "--host", "127.0.0.1", "--port", "0", "--tls", "self-made", "--data-dir", str(tmp_path / "data"),
            "--ready-file", str(ready),
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        printed = [process.stdout.readline().strip() for _ in range(6)]
        told = json.loads(ready.read_text(encoding="utf-8"))
        assert fingerprint_of(certificate_of("127.0.0.1", told["port"])) == told["fingerprint"] == printed[-1]
    finally:
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=20)
    assert process.returncode == 0
    assert f"event=tls fingerprint={told['fingerprint']}" in log
    assert "PRIVATE KEY" not in log


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["--tls-cert", "/nonexistent", "--tls-key", "/nonexistent"],
        ["--tls-cert", __file__, "--tls-key", __file__],
    ],
)
def test_a_server_that_cannot_have_tls_does_not_start_without(arguments: list[str]) -> None:
    ended = subprocess.run(
        server_command("--host", "127.0.0.1", "--port", "0", *arguments),
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(),
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.splitlines()[-1].startswith("tarneeb-server: --tls-cert: ")
    assert "Traceback" not in ended.stderr


@pytest.mark.slow
def test_a_restarted_server_shows_the_certificate_that_it_had(tmp_path: Path) -> None:
    shown = []
    for _ in range(2):
        with running_server("--tls", "self-made", "--data-dir", str(tmp_path)) as server:
            shown.append(certificate_of(server.host, server.port))
            assert server.stop() == 0
    assert shown[0] == shown[1]


def test_a_server_without_tls_never_imports_what_makes_certificates() -> None:
    script = (
        "import sys; from tarneeb_server import app; from tarneeb_server.tls import chosen;"
        "from tarneeb_server.settings import Settings; chosen(Settings());"
        "print(*(name for name in ('cryptography', 'platformdirs') if name in sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == ""
