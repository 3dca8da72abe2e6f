"""What contests and tournaments say, as text for people: the commands print it, and results are it as `str`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from astragal.arena.statistics import elo_interval
from astragal.arena.summary import SprtWatch, Standing

if TYPE_CHECKING:
    from astragal.arena.meeting import Meeting
    from astragal.arena.tournament import Tournament
    from astragal.arena.tuning import Tuned

Label = Callable[[str], str]  # what a player is called


def standing_text(standing: Standing, watch: SprtWatch | None = None) -> str:
    """How a contest stands."""
    return "\n".join(standing_lines(standing, watch))


def standing_lines(standing: Standing, watch: SprtWatch | None) -> Iterator[str]:
    facts, contest = standing.as_dict(), standing.contest
    in_words = contest.pairs_in_words
    yield f"{facts['contest']['game']}: {facts['games']} games, {facts['pairs']} {in_words(facts['pairs'])}"
    names = [contest.label(player["player"]) for player in facts["players"]]
    widest = max(map(len, names))
    for name, player in zip(names, facts["players"], strict=True):
        known = player["rate"] is not None
        rate = f"{player['rate']:6.1%} [{player['low']:.1%}, {player['high']:.1%}]" if known else "-"
        faults = f"   {player['forfeits']} lost by forfeit" if player["forfeits"] else ""
        yield f"  {name:<{widest}}  {rate}{faults}"
        for fault, count in player["faults"].items():
            yield f"    {count} times: {fault}"
    if "elo" in facts:
        yield from duel_lines(facts, in_words())
    elif len(facts["players"]) > 2:
        yield f"  equal players would have {facts['expected']:.1%} each"
    if watch is not None:
        bounds = f"[{watch.sprt.lower:.2f}, {watch.sprt.upper:.2f}]"
        after = f"{watch.pairs} {in_words(watch.pairs)}"
        yield f"  SPRT: {watch.decision or 'undecided'} after {after}, LLR {watch.llr:+.2f} in {bounds}"


def duel_lines(facts: dict[str, Any], pairs: str) -> Iterator[str]:
    elo = facts["elo"]
    interval = f"[{elo['low']:+.0f}, {elo['high']:+.0f}]"
    yield f"  first player: Elo {elo['elo']:+.0f} {interval}, stronger with probability {facts['superior']:.1%}"
    if "paired" in facts:
        paired = facts["paired"]
        rate = f"{paired['rate']:.1%} ± {paired['standard_error']:.1%} (standard error)"
        yield f"  over {pairs}: {rate}; pairing made it worth {paired['pairing_helped']:.2f} times as many games"
    if "duplicate" in facts:
        boards = facts["duplicate"]
        taken = f"{boards['taken_by_first']} boards to {boards['taken_by_second']}"
        yield f"  duplicate: {taken}, {boards['share_set_aside']:.0%} set aside"


def meeting_text(meeting: Meeting, label: Label = str) -> str:
    """The score of the first player, in a line."""
    rate, names = meeting.estimate, [label(player) for player in meeting.players]
    parts = [f"{rate.mean:.1%} [{rate.low:.1%}, {rate.high:.1%}] of {meeting.games} games"]
    if meeting.decision is not None:
        parts.append(f"SPRT {meeting.decision}")
    for name, count in zip(names, meeting.forfeits, strict=True):
        if count:
            parts.append(f"{name} lost {count} by forfeit")
    occasion = f"{meeting.occasion}: " if meeting.occasion else ""
    return f"  {occasion}{' - '.join(names)}: {', '.join(parts)}"


def crosstable_text(
    points: Mapping[tuple[str, str], Sequence[float]], order: Sequence[str] = (), label: Label = str
) -> str:
    """Points of each player (row) against each other (column), in the order in which they first met or in this one."""
    players = list(order) or list(dict.fromkeys(name for pair in points for name in pair))
    names = [label(player) for player in players]
    widest = max(map(len, names))
    lines = [f"   {'':<{widest}}  {''.join(f'{number:>12}' for number in range(1, len(names) + 1))}"]
    for number, (player, name) in enumerate(zip(players, names, strict=True), 1):
        cells = [
            f"{sum(points[player, other]):g}/{len(points[player, other])}" if (player, other) in points else "-"
            for other in players
        ]
        lines.append(f"{number:2d} {name:<{widest}}  {''.join(f'{text:>12}' for text in cells)}")
    return "\n".join(lines)


def tournament_text(played: Tournament) -> str:
    return "\n".join(tournament_lines(played))


def tournament_lines(played: Tournament) -> Iterator[str]:
    label = played.label
    points: dict[tuple[str, str], list[float]] = {}
    for meeting in played.meetings:
        first, second = meeting.players
        points[first, second] = [score for pair in meeting.scores for score in pair]
        points[second, first] = [1.0 - score for score in points[first, second]]
    yield "points against each other"
    yield crosstable_text(points, played.players, label)
    yield "\nratings (Bradley-Terry, mean 0, with 95% interval)"
    widest = max(len(label(player)) for player in played.players)
    for rating in sorted(played.ratings.players, key=lambda rating: -rating.elo):
        interval = f"[{rating.low:+.0f}, {rating.high:+.0f}]"
        won = f"{rating.points:g}/{rating.games:g}"
        yield f"  {label(rating.player):<{widest}}  {rating.elo:+5.0f} {interval:<14} {won}"
    yield "\ndifferences (p values, and corrected by Holm for their number)"
    for meeting, corrected in zip(played.meetings, played.p_values, strict=True):
        names = " - ".join(map(label, meeting.players))
        yield f"  {names}: p = {meeting.p_value:.2g}, corrected {corrected:.2g}"
    if played.champion is not None:
        yield f"\nwinner: {label(played.champion)}"


def tuned_text(tuned: Tuned) -> str:
    return "\n".join(tuned_lines(tuned))


def tuned_lines(tuned: Tuned) -> Iterator[str]:
    label = tuned.label
    if len(tuned.winners) > 1:
        yield f"best: {', '.join(map(label, tuned.winners))}\n"
    if tuned.confirmation is None:
        yield "the settings that were compared with are the best"
    else:
        elo = elo_interval(tuned.confirmation.estimate)
        against = f"the best against {label(tuned.default)}, with fresh dice: Elo {elo.elo:+.0f}"
        yield f"{against} [{elo.low:+.0f}, {elo.high:+.0f}], p = {tuned.confirmation.p_value:.2g}"
    yield f"tuned: {label(tuned.choice)}"
