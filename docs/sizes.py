"""Print how large the package is, and which files and signatures want a second look: `python docs/sizes.py`.

Code is what is neither blank nor comment nor docstring: docstrings are found by `ast`, all else by the tokens of each
line. `python docs/sizes.py --pages` counts words instead: of all pages but results, notes, decisions and what is made.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "astragal"
LONGEST, SHORTEST, FULL, MANY = 450, 40, 15, 12  # lines of a file, lines of one, files of a folder, arguments
NOT_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
WORD = re.compile(r"\S*\w\S*")  # between spaces; not the lines of a table
UNREAD = ("results", "notes", "decisions")  # folders of documents for few readers
UNCHECKED = re.compile(r"^# mypy: ignore-errors", re.MULTILINE)
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstring_lines(tree: ast.Module) -> set[int]:
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, Documented) and ast.get_docstring(node, clean=False) is not None:
            text = node.body[0]
            found.update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    return found


def code_lines(text: str) -> int:
    """How many lines of a file are neither blank nor comment nor docstring."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstring_lines(ast.parse(text)))


def arguments_of(text: str) -> list[tuple[int, str]]:
    """How many arguments each function has, with its name."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    return [(len([*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs]), f.name) for f in functions]


def pages() -> None:
    """Print the words of each page, the longest last, outside of blocks of code and in all."""
    root = PACKAGE.parents[1]
    docs = [page for page in (root / "docs").rglob("*.md") if page.relative_to(root).parts[1] not in UNREAD]
    counts = []
    for page in [*docs, *(root / f"{name}.md" for name in ("README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG"))]:
        text = page.read_text(encoding="utf-8")
        plain = re.sub(r"^ {4}\S.*$", "", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.M)
        counts.append((len(WORD.findall(plain)), len(WORD.findall(text)), page.relative_to(root)))
    for plain_words, words, name in sorted(counts):
        print(f"{plain_words:>7,} {words:>7,}  {name}")
    outside, words = (sum(count[i] for count in counts) for i in (0, 1))
    print(f"{outside:>7,} {words:>7,}  outside of code, and in all")


def main() -> None:
    if "--pages" in sys.argv[1:]:
        pages()
        return
    texts = {file.relative_to(PACKAGE): file.read_text(encoding="utf-8") for file in sorted(PACKAGE.rglob("*.py"))}
    lines = {file: len(text.splitlines()) for file, text in texts.items()}
    rooms: Counter[str] = Counter()
    for file, text in texts.items():
        rooms[file.parts[0]] += code_lines(text)
    print(f"{len(texts)} files, {sum(lines.values()):,} lines, {sum(rooms.values()):,} of them code")
    if "--rooms" in sys.argv[1:]:
        for room, count in rooms.most_common():
            print(f"  {room:<14}{count:>7,}")
    short = [file for file, count in lines.items() if count <= SHORTEST]
    inits = sum(file.name == "__init__.py" for file in short)
    print(f"{len(short)} files of {SHORTEST} lines or fewer, {inits} of them __init__.py")
    for file, count in lines.items():
        if count > LONGEST:
            print(f"{file} has {count} lines, more than {LONGEST}")
    for folder, count in Counter(file.parent for file in texts).items():
        if count > FULL:
            print(f"{folder}/ has {count} files, more than {FULL}")
    for file, text in texts.items():
        for count, name in arguments_of(text):
            if count > MANY:
                print(f"{name} of {file} has {count} arguments, more than {MANY}")
    unchecked = [str(file) for file, text in texts.items() if UNCHECKED.search(text)]
    print(f"{len(unchecked)} files whose errors mypy ignores: {', '.join(unchecked)}")


if __name__ == "__main__":
    main()
