"""What a release needs: one version everywhere, extras and licences of all that is used, links that lead somewhere."""

from __future__ import annotations

import re
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from astragal import __version__
from astragal.cli.config import EXTRAS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEVELOPMENT = {"test", "webtest", "docs", "notebooks"}


def package(requirement: str) -> str:
    return re.split(r"[\[<>=! ]", requirement)[0].lower()


def test_there_is_one_version():
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited
    assert cited[1] == __version__
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_metadata_name_the_versions_of_python_that_are_allowed():
    assert PROJECT["requires-python"] == ">=3.11,<3.14"
    named = {each.rpartition(" ")[2] for each in PROJECT["classifiers"] if "Python :: 3." in each}
    assert named == {"3.11", "3.12", "3.13"}
    assert PROJECT["scripts"] == {"astragal": "astragal.cli:main"}
    assert (ROOT / "LICENSE").is_file()


def test_config_tells_of_every_extra():
    assert set(PROJECT["optional-dependencies"]) - DEVELOPMENT == set(EXTRAS)


def test_the_licence_of_every_dependency_is_listed():
    page = (ROOT / "docs" / "releasing.md").read_text(encoding="utf-8")
    listed = {row.lower() for row in re.findall(r"^\| ([\w-]+) \|", page, re.MULTILINE)} - {"package"}
    extras = PROJECT["optional-dependencies"]
    used = {package(each) for name in set(extras) - DEVELOPMENT for each in extras[name]}
    assert listed == used | {package(each) for each in PROJECT["dependencies"]}


def links() -> list[str]:
    """What the README links to and shows, but for places in itself."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"\]\(([^)\s]+)\)", page) + re.findall(r'(?:src|href|srcset)="([^"]+)"', page)
    return sorted({link.partition("#")[0] for link in found} - {""})


@pytest.mark.parametrize("link", links())
def test_a_link_of_the_readme_is_absolute_or_a_file_of_the_source_distribution(link):
    if re.match(r"https?://", link):
        assert link.startswith("https://")
        return
    assert (ROOT / link).exists()
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert link.split("/")[0] not in [line.strip("/") for line in ignored]


@pytest.mark.slow
def test_a_wheel_has_all_of_the_package_and_nothing_else(tmp_path):
    """By the build backend itself, so that nothing is downloaded."""
    wheels = pytest.importorskip("hatchling.builders.wheel")
    [wheel] = wheels.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    package = ROOT / "src" / "astragal"
    files = {path.relative_to(package.parent).as_posix() for path in package.rglob("*") if path.is_file()}
    assert names == {name for name in files if "__pycache__" not in name}
    assert sys.version_info >= (3, 11)
