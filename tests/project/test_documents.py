"""The documents say what is true of the tree."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_between_documents_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    broken = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert broken == []


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for ending in ("pytest", "tarneeb demo"):
        assert [line for line in readme if re.fullmatch(rf"python3 -m venv .*{ending}", line)], ending
        assert f"readme_command '{ending}'" in script


def test_the_changelog_has_a_heading_for_the_version_of_the_package() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_no_file_names_a_path_of_one_machine() -> None:
    pattern = re.compile(rb"/(?:home|root|Users|work)/[a-z]")
    marked = [path for path in tracked_files() if path.suffix != ".lock" and pattern.search(path.read_bytes())]
    assert marked == []


def test_module_names_are_words_of_the_field() -> None:
    vague = {"manager", "utils", "util", "helpers", "helper", "info", "data", "common", "misc"}
    named = [path for path in tracked_files() if path.suffix == ".py" and set(path.stem.split("_")) & vague]
    assert named == []


def test_z10_no_program_ends_without_putting_the_terminal_back() -> None:
    tests = ROOT / "tests"
    sources = [path for path in tracked_files() if path.suffix == ".py" and tests not in path.parents]
    texts = {path: path.read_text(encoding="utf-8") for path in sources}
    assert len(texts) > 100
    assert [path for path, text in texts.items() if re.search(r"\bos\.(_exit|abort)\b", text)] == []
    screens = [path for path in sources if path.parent.name == "screens" or path.stem == "full_screen"]
    assert len(screens) > 20
    left = [path for path in screens if re.search(r"\bsys\.exit\b|\bSystemExit\b", texts[path])]
    assert left == [], "a key leaves by the application's own exit"
