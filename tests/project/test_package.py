"""What an installed Tarneeb puts on a machine."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPONENTS = {"engine", "protocol", "server", "client"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)], cwd=ROOT, check=True
    )
    (built,) = target.glob("*.whl")
    return built


def test_a_wheel_holds_the_four_packages_and_nothing_beside_them(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {f"tarneeb_{part}" for part in COMPONENTS}


def test_a_wheel_is_typed_and_holds_every_module_of_the_tree(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for part in COMPONENTS:
        modules = (ROOT / part).rglob("*.py")
        assert {module.relative_to(ROOT / part).as_posix() for module in modules} <= names
        assert f"tarneeb_{part}/py.typed" in names


def test_a_wheel_offers_the_two_commands_and_the_licence(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (entry_points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
    assert set(archive.read(entry_points).decode().split("\n")) >= {
        "tarneeb = tarneeb_client.entry:main",
        "tarneeb-server = tarneeb_server.entry:main",
    }
    assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())
