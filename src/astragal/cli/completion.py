"""What a shell offers when somebody presses the tab key: games, players and their settings.

`astragal --install-completion` tells the shell to ask. Games and players are not imported for it before.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from astragal.errors import AstragalError

Offer = tuple[str, str]  # what to write, and what it means


def complete_game(incomplete: str) -> list[Offer]:
    """Built-in games and rule sheets, and the settings of a game after its colon."""
    from astragal.games import find_game_class, game_names, sheet_names

    name, colon, settings = incomplete.partition(":")
    if not colon:
        return [(each, "") for each in [*game_names(), *sheet_names(), "openspiel:"] if each.startswith(name)]
    if name == "openspiel":
        from astragal.openspiel.library import their_names

        with suppress(AstragalError):
            return [(f"openspiel:{each}", "") for each in their_names() if each.startswith(settings)]
        return []
    with suppress(AstragalError):
        return settings_of(find_game_class(name)[0], name, settings)
    return []


def complete_player(incomplete: str) -> list[Offer]:
    """Players, and the settings of one after its colon."""
    from astragal.parameters import record_facts
    from astragal.players import player_classes

    name, colon, settings = incomplete.partition(":")
    classes = player_classes()
    if not colon:
        found = [each for each in classes if each.startswith(name)]
        return [(each, record_facts(each, classes[each])["about"]) for each in found]
    return settings_of(classes[name], name, settings) if name in classes else []


def settings_of(cls: type, name: str, text: str) -> list[Offer]:
    """``name:`` with the settings before the last comma, and what can come after it: a key, or a value of a choice."""
    from astragal.parameters import field_facts, parameter_fields

    before, comma, last = text.rpartition(",")
    start = f"{name}:{before}{comma}"
    used = {item.partition("=")[0] for item in before.split(",")}
    key, equals, value = last.partition("=")
    facts = [field_facts(field) for field in parameter_fields(cls)]
    if not equals:
        return [
            (f"{start}{f['name']}=", f["help"]) for f in facts if f["name"].startswith(key) and f["name"] not in used
        ]
    return [(f"{start}{key}={each}", "") for f in facts if f["name"] == key for each in values_of(f, value)]


def values_of(facts: dict[str, Any], begun: str) -> Iterable[str]:
    known = facts["choices"] or (["on", "off"] if facts["kind"] == "bool" else [])
    return [value for value in known if value.startswith(begun)]
