"""What the reference says of the fields of records: the comments beside them. An extension of Griffe (`mkdocs.yml`)."""

from __future__ import annotations

import io
import tokenize
from functools import cache
from pathlib import Path
from typing import Any

import griffe


class FieldComments(griffe.Extension):
    """Lets a comment at the end of a field's line be its docstring, where it has no other."""

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        for member in cls.members.values():
            if not member.is_attribute or member.docstring is not None or member.lineno is None:
                continue
            said = comments(Path(str(cls.filepath))).get(member.endlineno or member.lineno)
            if said:
                member.docstring = griffe.Docstring(sentence(said), parent=member)


@cache
def comments(path: Path) -> dict[int, str]:
    """The comments of a file by their lines, but for those to tools."""
    words = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    found = {word.start[0]: word.string.lstrip("# ") for word in words if word.type == tokenize.COMMENT}
    return {line: said for line, said in found.items() if not said.startswith(("type:", "noqa"))}


def sentence(words: str) -> str:
    return words[0].upper() + words[1:].rstrip(".") + "."
