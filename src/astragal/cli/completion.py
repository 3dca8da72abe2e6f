"""Completion in a shell: games, players and their settings.

`astragal --install-completion` sets it up. Games and players are imported only when they are completed.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from astragal.base.errors import AstragalError

BASH = r"""
%(complete_func)s() {
    local line="${COMP_LINE:0:COMP_POINT}" words word before
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    word="${words[-1]}"
    local IFS=$'\n'
    COMPREPLY=( $( env COMP_WORDS="$line" COMP_CWORD=$(( ${#words[@]} - 1 )) %(autocomplete_var)s=complete_bash $1 ) )
    before="${word%%"${word##*[:=]}"}"
    before="${before#--*=}"
    COMPREPLY=( "${COMPREPLY[@]#"$before"}" )
    [[ ${COMPREPLY[0]-} == *[:=] ]] && compopt -o nospace
    return 0
}

complete -o default -F %(complete_func)s %(prog_name)s
"""
"""What bash runs. It ends words at colons and equals signs, which ours contain, and writes a space after an offer.

So words are taken from the line, offers lose their part up to the last such sign, and names of settings stay open.
"""

Offer = tuple[str, str]  # what to write, and what it means


def teach_bash() -> None:
    """Let `--install-completion` and `--show-completion` write our words for bash instead of the parser's own."""
    from typer import _completion_shared

    getattr(_completion_shared, "_completion_scripts", {})["bash"] = BASH


def complete_game(incomplete: str) -> list[Offer]:
    """Built-in games and rule sheets, and the settings of a game after its colon."""
    from astragal.games import find_game_class, game_names, sheet_names

    name, colon, settings = incomplete.partition(":")
    if not colon:
        return [(each, "") for each in [*game_names(), *sheet_names(), "openspiel:"] if each.startswith(name)]
    if name == "openspiel":
        from astragal.games.openspiel.library import their_names

        with suppress(AstragalError):
            return [(f"openspiel:{each}", "") for each in their_names() if each.startswith(settings)]
        return []
    with suppress(AstragalError):
        return settings_of(find_game_class(name)[0], name, settings)
    return []


def complete_player(incomplete: str) -> list[Offer]:
    """Players and levels, and the settings of a player after its colon."""
    from astragal.base.parameters import record_facts
    from astragal.players import player_classes
    from astragal.players.ladders import NAMES

    name, colon, settings = incomplete.partition(":")
    classes = player_classes()
    if not colon:
        found = [each for each in classes if each.startswith(name)]
        levels = [(each, "an opponent by level") for each in NAMES if each.startswith(name)]
        return [(each, record_facts(each, classes[each])["about"]) for each in found] + levels
    return settings_of(classes[name], name, settings) if name in classes else []


def settings_of(cls: type, name: str, text: str) -> list[Offer]:
    """``name:`` with the settings before the last comma, and what may follow: a key, or a value of a choice."""
    from astragal.base.parameters import field_facts, parameter_fields

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
