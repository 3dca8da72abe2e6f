"""What the documentation site has beside the pages of this folder: a hook of MkDocs (`mkdocs.yml` names it).

- pages of the repository that lie elsewhere (README of the benchmarks, ARCHITECTURE, ...), and the sources that pages
  link to, so that no link leaves the site;
- a page with a line for each file of the package;
- the tables of the reference of games: ``<!-- table: methods -->``;
- a page for each game, made from what the game says of itself: rules, parameters, notation, evaluation and picture;
- functions quoted from the sources: ``<!-- code: algorithms/star/chance.py full_pass -->`` is the function as it
stands,
  ``<!-- file: examples/my_game.py -->`` the whole file.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import posixpath
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import game_reference  # beside this file, which is where MkDocs looks while it loads a hook
import modules
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

if TYPE_CHECKING:
    from astragal import Position

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "astragal"
PAGES = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "readme.md",
    "benchmarks/README.md": "speed.md",
}
PAGES |= {path.relative_to(ROOT).as_posix(): f"{path.parent.name}.md" for path in PACKAGE.glob("games/*/README.md")}
"""Pages of the repository, and where they are in the site; those of a game lie in its folder."""
SOURCES = (".py", ".cpp", ".hpp", ".kif", ".toml", ".cff", ".json", ".ipynb")
LINK = re.compile(r"(?<=\]\()([^)#\s]+)")
QUOTED = re.compile(r"^<!-- code: (\S+) (\w+) -->$", re.MULTILINE)
STARRED = re.compile(r"(?<!\\)\*-Minimax")
TABLE = re.compile(r"^<!-- table: ([\w ]+) -->$", re.MULTILINE)
WHOLE = re.compile(r"^<!-- file: (\S+) -->$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made: pages from elsewhere, sources that are linked to, and the games."""
    for source, target in PAGES.items():
        files.append(File.generated(config, target, content=(ROOT / source).read_text(encoding="utf-8")))
    files.append(File.generated(config, "modules.md", content=modules.page()))
    for source in sorted(set(linked_sources(files))):
        files.append(File.generated(config, source_page(source), content=listing(ROOT / source)))
    for name in game_names():
        text, picture = game_page(name)
        files.append(File.generated(config, f"games/{name}.md", content=text))
        files.append(File.generated(config, f"games/{name}.svg", content=picture))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Quote functions, and turn links that leave the documents' folder into links within the site."""
    homes = {target: source for source, target in PAGES.items()}
    here = homes.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    if page.file.src_uri.startswith("results/"):  # made by the laboratory, which writes the name of \*-Minimax as it is
        markdown = STARRED.sub(r"\\*-Minimax", markdown)
    if TABLE.search(markdown):
        tables = game_reference.tables()
        markdown = TABLE.sub(lambda match: tables[match[1]], markdown)
    quoted = QUOTED.sub(lambda match: quotation(match[1], match[2]), markdown)
    linked = LINK.sub(lambda match: within_site(match[1], here, page.file.src_uri), quoted)
    return WHOLE.sub(lambda match: titled(match[1], (ROOT / match[1]).read_text(encoding="utf-8")), linked)


def within_site(link: str, here: str, page: str) -> str:
    """A link of a file of the repository, as the page of the site needs it that the file became."""
    if ":" in link:
        return link
    target = posixpath.normpath(posixpath.join(posixpath.dirname(here), link))
    if target.startswith("docs/"):
        place = target.removeprefix("docs/")
    elif target in PAGES:
        place = PAGES[target]
    elif (ROOT / target).is_file():
        place = source_page(target)
    else:
        return link
    return posixpath.relpath(place, posixpath.dirname(page) or ".")


def linked_sources(files: Files) -> Iterator[str]:
    """Sources of the repository that some page links to."""
    texts = [(f"docs/{file.src_uri}", file.content_string) for file in files.documentation_pages()]
    for here, text in texts:
        for link in LINK.findall(text):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(here), link))
            if not target.startswith("docs/") and target.endswith(SOURCES) and (ROOT / target).is_file():
                yield target
    for source in PAGES:
        for link in LINK.findall((ROOT / source).read_text(encoding="utf-8")):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
            if target.endswith(SOURCES) and (ROOT / target).is_file():
                yield target


def source_page(source: str) -> str:
    return f"source/{source.removeprefix('src/astragal/')}.md"


def listing(path: Path) -> str:
    """A source as a page of the site, which searches pass over."""
    language = {".kif": "lisp", ".hpp": "cpp", ".ipynb": "json"}.get(path.suffix, path.suffix[1:])
    head = f"---\nsearch:\n  exclude: true\n---\n\n# {path.relative_to(ROOT).as_posix()}\n\n"
    return f'{head}````{language} linenums="1"\n{path.read_text(encoding="utf-8")}````\n'


def quotation(path: str, name: str) -> str:
    """A function or class of a source, of the package or beside it, as it stands."""
    text = (PACKAGE / path if (PACKAGE / path).exists() else ROOT / path).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
            return titled(f"{path}, line {node.lineno}", textwrap.dedent("\n".join(lines)))
    raise PluginError(f"{path} has no {name} to quote")


def titled(title: str, code: str) -> str:
    return f'```python title="{title}"\n{code.rstrip()}\n```'


def game_names() -> list[str]:
    from astragal.games import game_names as names

    return names()


def game_page(name: str) -> tuple[str, str]:
    """The page of a game and its picture."""
    import astragal
    from astragal.drawing.pictures import picture_of
    from astragal.drawing.pictures.svg import picture_svg

    position = astragal.start(name, seed=1).settled(1)
    return "\n".join(game_lines(name, position)) + "\n", picture_svg(picture_of(position), "light", legal=True)


def game_lines(name: str, position: Position) -> Iterator[str]:
    """A game in its own words: rules, parameters, how positions and moves are written, and how they are evaluated."""
    from astragal.base.parameters import record_facts

    cls = type(position.game)
    facts = record_facts(name, cls)
    title, _, about = facts["about"].partition(": ")
    yield f"# {title}\n\n{about[0].upper()}{about[1:]}\n\n![The start of {title}]({name}.svg){{ width=420 }}\n"
    yield (
        f"    astragal play {name} --player star2" if plays(name, "star2") else f"    astragal play {name} --player uct"
    )
    yield f"\n## Rules\n\n{escaped(rules_of(cls))}\n\n## Parameters\n"
    yield from parameter_rows(facts["parameters"])
    yield f"\n## Notation\n\nThe position above as a text, for `--position`:\n\n    {position.text}\n"
    names = ", ".join(f"`{move}`" for move in position.action_names()[:6])
    yield f"Some of its moves: {names}.\n\n## Evaluation\n\n{escaped(evaluation_of(cls))}"


def plays(name: str, player: str) -> bool:
    """Whether a player can play a game."""
    import astragal

    try:
        astragal.load_player(player, astragal.load_game(name))
    except astragal.AstragalError:
        return False
    return True


def rules_of(cls: type) -> str:
    """The rules in words: at the top of the game's file, or of its package."""
    module = inspect.getmodule(cls)
    package = sys.modules[cls.__module__.removesuffix(".rules")]
    return inspect.getdoc(package) or inspect.getdoc(module) or ""


def evaluation_of(cls: type) -> str:
    """The docstring of the game's evaluation: a file of its folder, or a method of its rules."""
    name = cls.__module__.removesuffix("rules") + "evaluation"
    if importlib.util.find_spec(name):
        return inspect.getdoc(importlib.import_module(name)) or ""
    return inspect.getdoc(cls.heuristic) or ""


def parameter_rows(parameters: list[dict[str, Any]]) -> Iterator[str]:
    if not parameters:
        yield "It has none."
        return
    rare = [each for each in parameters if each["rare"]]
    if rare and len(rare) < len(parameters):
        yield from parameter_rows([each for each in parameters if not each["rare"]])
        yield "\nRarely used:\n"
        parameters = rare
    yield "| parameter | default | |\n|---|---|---|"
    for each in parameters:
        values = ": " + ", ".join(f"`{choice}`" for choice in each["choices"]) if each["choices"] else ""
        yield f"| `{each['name']}` | {each['default'] or ''} | {each['help']}{values} |"


def escaped(text: str) -> str:
    """A docstring as Markdown: its double back quotes and lists stand, stars do not."""
    return text.replace("``", "`").replace("*-", "\\*-")
