"""The README as a package index shows it: a hook of the build (`pyproject.toml` names it).

An index has no files beside the page, so links to files get the address of the repository before them, at the release's
own tag: ``Repository`` in ``[project.urls]``. Where none is set, links become their words and pictures are left out, so
that nothing on the page leads nowhere.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
EMPTY_ROWS = re.compile(r"^\|(?:[ -]*\|)+\n\|[-| ]+\n(?:\|(?:\s*\|)+\n)+\n", re.MULTILINE)


class IndexReadme(MetadataHookInterface):
    """Sets what the metadata of a wheel and an sdist have for a description."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        address = metadata.get("urls", {}).get("Repository", "")
        shown = for_an_index(text, address, f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}


def for_an_index(text: str, address: str, tag: str) -> str:
    """The text with links and pictures that work anywhere."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)  # code stays as it is
    parts[::2] = [LINK.sub(lambda found: anywhere(found, address.rstrip("/"), tag), part) for part in parts[::2]]
    return EMPTY_ROWS.sub("", "".join(parts))


def anywhere(found: re.Match[str], address: str, tag: str) -> str:
    """One link that works anywhere, or its words."""
    picture, words, target = found.groups()
    if re.match(r"(https://|#|mailto:)", target):
        return found[0]
    if not address:
        return "" if picture else words
    return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/{tag}/{target})"
