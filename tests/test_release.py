"""What a release needs: one version everywhere, extras and licences of all that is used, links that lead somewhere."""

from __future__ import annotations

import re
import tomllib
import zipfile
from contextlib import suppress
from html.parser import HTMLParser
from importlib import metadata
from pathlib import Path

import pytest
from markdown_it import MarkdownIt  # which comes with typer
from packaging.requirements import Requirement

from astragal import __version__
from astragal.cli.config import EXTRAS
from support.helpers import script

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
DEVELOPMENT = {"test", "webtest", "docs", "notebooks"}


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def package(requirement: str) -> str:
    return re.split(r"[\[<>=! ]", requirement)[0].lower()


def test_there_is_one_version():
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited
    assert cited[1] == __version__
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_metadata_name_the_versions_of_python_that_are_allowed():
    assert PROJECT["requires-python"] == ">=3.11,<3.16"
    named = {each.rpartition(" ")[2] for each in PROJECT["classifiers"] if "Python :: 3." in each}
    assert named == set(PYTHONS)
    assert PROJECT["scripts"] == {"astragal": "astragal.cli:main"}
    assert (ROOT / "LICENSE").is_file()


def test_config_tells_of_every_extra():
    assert set(PROJECT["optional-dependencies"]) - DEVELOPMENT == set(EXTRAS)


# Licences

LISTED = dict(re.findall(r"^\| ([\w-]+) \|[^|]*\| (.*) \|$", page("releasing"), re.MULTILINE)[1:])  # below the heads
FREE = r"MIT|BSD|Apache|PSF|Python|Matplotlib|ISC|MPL|Unlicense|HPND|CC0|Zlib|0BSD"


def used() -> list[str]:
    """What users install: requirements, and those of extras that are not tools for development."""
    extras = PROJECT["optional-dependencies"]
    return [*PROJECT["dependencies"], *(each for name in set(extras) - DEVELOPMENT for each in extras[name])]


def licence_of(name: str) -> str:
    """What an installed package says of its licence: nothing, often, or a word, or all of it."""
    facts = metadata.metadata(name)
    classified = [line for line in facts.get_all("Classifier") or [] if line.startswith("License")]
    return " ".join([facts.get("License-Expression") or "", *classified]).strip() or (facts.get("License") or "")[:200]


def test_the_licence_of_every_dependency_is_listed():
    assert {name.lower() for name in LISTED} == {package(each) for each in used()}


@pytest.mark.parametrize("name", LISTED)
def test_a_licence_that_is_listed_is_the_packages_own(name):
    try:
        said = licence_of(name)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{name} is not installed")
    family = re.search(FREE, LISTED[name])
    assert family
    assert not said or family[0].lower() in said.lower()


def test_nothing_that_is_installed_with_it_asks_for_more():
    """What packages need in turn: all of it under licences that ask for no more than to be named."""
    todo, seen = used(), set()
    while todo:
        requirement = Requirement(todo.pop())
        wanted = requirement.marker is None or any(
            requirement.marker.evaluate({"extra": extra}) for extra in (requirement.extras or {""})
        )
        with suppress(metadata.PackageNotFoundError):
            if wanted and requirement.name not in seen:
                seen.add(requirement.name)
                said = licence_of(requirement.name)
                assert not said or re.search(FREE, said, re.IGNORECASE), (requirement.name, said)
                todo += [each for each in metadata.requires(requirement.name) or [] if "extra ==" not in each]
    assert len(seen) > 8


# The README on a package index, which shows no files beside it

REPOSITORY = "https://example.org/astragal"


class Links(HTMLParser):
    """What a page links to and shows."""

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.pictures: list[str] = []
        self.feed(MarkdownIt("commonmark").enable("table").render(markdown))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src", "srcset") and value is not None:
                (self.targets if name == "href" else self.pictures).append(value)


def index_page(address: str) -> Links:
    pytest.importorskip("hatchling")
    return Links(script("index_readme").for_an_index(README, address, f"v{__version__}"))


def test_all_links_of_the_readme_lead_into_the_repository_from_anywhere():
    own, there = Links(README), index_page(REPOSITORY)
    assert len(there.targets) == len(own.targets) > 10
    assert len(there.pictures) == len(own.pictures) >= 1
    for kind, links in (("blob", there.targets), ("raw", there.pictures)):
        for link in links:
            assert link.startswith("https://")
            if link.startswith(REPOSITORY):
                path = link.removeprefix(f"{REPOSITORY}/{kind}/v{__version__}/").partition("#")[0]
                assert (ROOT / path).exists(), link
                assert path.split("/")[0] not in ignored()


def test_without_an_address_of_the_repository_no_link_leads_nowhere():
    page = index_page("")
    assert page.pictures == []
    assert [link for link in page.targets if not link.startswith("https://")] == []


def ignored() -> list[str]:
    """What the repository does not keep."""
    return [line.strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_a_wheel_has_all_of_the_package_and_nothing_else(tmp_path):
    """By the build backend itself, so that nothing is downloaded."""
    wheels = pytest.importorskip("hatchling.builders.wheel")
    [wheel] = wheels.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    archive = zipfile.ZipFile(wheel)
    names = {name for name in archive.namelist() if ".dist-info/" not in name}
    package = ROOT / "src" / "astragal"
    files = {path.relative_to(package.parent).as_posix() for path in package.rglob("*") if path.is_file()}
    assert names == {name for name in files if "__pycache__" not in name}
    [told] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    shown = Links(archive.read(told).decode().partition("\n\n")[2])
    assert [link for link in shown.targets + shown.pictures if not link.startswith("https://")] == []
