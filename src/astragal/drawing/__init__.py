"""Pictures of positions (`pictures`) and of search trees: where nodes go (`layout`), and the drawing as SVG (`svg`)."""

import html
import re

NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LIMIT = 3000  # nodes drawn, unless asked for more


def escape(text: str) -> str:
    """A text as XML has it; signs that it cannot have, such as a terminal's commands, are replaced."""
    return html.escape(NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))
