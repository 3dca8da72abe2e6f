"""The colours behind the roles that pictures name, for light and for dark pages.

A role has three: its own, that of text on it (``on``), and that of its rim (``edge``).
"""

from __future__ import annotations

from dataclasses import dataclass

THEMES = ("light", "dark")
INK, PAPER = "#101317", "#ffffff"  # what text is written in, on light and on dark


@dataclass(frozen=True)
class Colours:
    """What a role looks like in a theme."""

    fill: str
    on: str
    edge: str


# [role] -> its colour on a light page, and on a dark one
ROLES = {
    "page": ("#ffffff", "#161a1f"),
    "board": ("#d9b98c", "#6b5237"),
    "cell": ("#f1e3cb", "#8a6d4b"),
    "cell-light": ("#f1e3cb", "#8c704d"),
    "cell-dark": ("#dfc49c", "#745a3c"),
    "hole": ("#b18f60", "#4c3a27"),
    "panel": ("#f0f2f5", "#242a31"),
    "button": ("#ffffff", "#37414c"),
    "die": ("#fffdf7", "#f3efe4"),
    "badge": ("#1f2328", "#f0f3f6"),
    "ink": ("#1f2328", "#eef1f4"),
    "faint": ("#59636e", "#a9b4bf"),
    "accent": ("#046c43", "#5fe9a9"),
    "last": ("#8a5a00", "#f0c83c"),
    "danger": ("#b3261e", "#f0736a"),
    "player1": ("#c8371f", "#e8583c"),
    "player2": ("#1f5fa8", "#4d97e6"),
    "player3": ("#2b7d3f", "#54b86b"),
    "player4": ("#7d3f98", "#b57fd0"),
    "player5": ("#e0a81c", "#edbe45"),
    "player6": ("#3d4752", "#c3ccd6"),
    "neutral": ("#e9edf1", "#dfe5ea"),
    "white": ("#fbf8f1", "#f4f0e6"),
    "black": ("#2a2e34", "#20242a"),
    "stone": ("#57606a", "#d5dbe1"),
    "red": ("#b8392c", "#d9604f"),
    "orange": ("#d9772b", "#d98a4a"),
    "gold": ("#e6b422", "#dcb143"),
    "green": ("#357f46", "#4f9e61"),
    "teal": ("#147a7a", "#3c9f9f"),
    "blue": ("#2f74c0", "#4f8fd6"),
    "violet": ("#7656b5", "#8f74cc"),
    "rose": ("#b0437a", "#cd6d9d"),
    "sand": ("#d8c095", "#c4aa7b"),
    "grey": ("#8b949e", "#7a848f"),
}


def colours(role: str, theme: str) -> Colours:
    """What a role looks like in a theme."""
    fill = ROLES[role][THEMES.index(theme)]
    on = max((INK, PAPER), key=lambda ink: contrast(ink, fill))
    if role == "page":
        on = ROLES["ink"][THEMES.index(theme)]
    return Colours(fill, on, mixed(fill, "#000000", 0.3))


def stylesheet() -> str:
    """All roles as CSS variables: ``--board``, ``--on-board``, ``--edge-board``, and so on.

    They follow the reader's setting, unless the page says ``data-theme`` at its root.
    """
    light, dark = (variables(theme) for theme in THEMES)
    return (
        f":root {{\n{light}}}\n"
        f'@media (prefers-color-scheme: dark) {{\n:root:not([data-theme="light"]) {{\n{dark}}}\n}}\n'
        f':root[data-theme="dark"] {{\n{dark}}}\n'
    )


def variables(theme: str) -> str:
    lines = [f"  color-scheme: {theme};\n"]
    for role in ROLES:
        found = colours(role, theme)
        lines.append(f"  --{role}: {found.fill}; --on-{role}: {found.on}; --edge-{role}: {found.edge};\n")
    return "".join(lines)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21, as WCAG 2 defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """How light a colour is, from 0 to 1, as WCAG 2 defines it."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def mixed(one: str, other: str, share: float) -> str:
    """A colour mixed with a share of another."""
    both = zip(parts(one), parts(other), strict=True)
    return "#" + "".join(f"{round(255 * ((1 - share) * a + share * b)):02x}" for a, b in both)


def parts(colour: str) -> list[float]:
    """Red, green and blue, from 0 to 1."""
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
