"""Contests and tournaments as text for people: tables, and a line that is overwritten while games are played."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from astragal.arena.contest import GameRecord
from astragal.arena.statistics.estimates import elo, elo_interval
from astragal.arena.statistics.solo import MeanEstimate, estimate_text
from astragal.arena.summary import SprtWatch, Standing
from astragal.base.terminal import bar, fitted, is_watched, overwrite, width
from astragal.rules.ending import score_text

if TYPE_CHECKING:
    from astragal.arena.meeting import AnyMeeting
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
        faults = f"   {player['forfeits']} lost by forfeit" if player["forfeits"] else ""
        yield f"  {name:<{widest}}  {player_text(player, facts)}{faults}"
        for fault, count in player["faults"].items():
            yield f"    {count} times: {fault}"
    if facts.get("differences"):
        yield from difference_lines(facts["differences"], in_words(facts["pairs"]), contest.label)
    if "elo" in facts:
        yield from duel_lines(facts, names[0], in_words())
    elif len(facts["players"]) > 2 and facts["expected"] is not None:
        yield f"  equal players would have {facts['expected']:.1%} each"
    if standing.repeats:
        yield f"  {repeats_text(standing.different)}: intervals take all of them for new ones, which they are not"
    if watch is not None:
        bounds = f"[{watch.sprt.lower:.2f}, {watch.sprt.upper:.2f}]"
        after = f"{watch.pairs} {in_words(watch.pairs)}"
        yield f"  SPRT: {watch.decision or 'undecided'} after {after}, LLR {watch.llr:+.2f} in {bounds}"


def repeats_text(different: int) -> str:
    """That most games were played before."""
    return f"only {different} different {'game' if different == 1 else 'games'}, again and again"


def player_text(player: dict[str, Any], facts: dict[str, Any]) -> str:
    """How a player did: its share of the wins, with what they were worth where that differs; or its scores."""
    if player["utility"] is None:
        return "-"
    utility = MeanEstimate(**player["utility"])
    if facts["measure"] == "score":
        return f"mean {mean_text(utility)}"
    rate = f"{player['rate']:6.1%} [{player['low']:.1%}, {player['high']:.1%}]"
    return f"{rate}   utility {estimate_text(utility, signed=True)}" if facts["margins"] else rate


def mean_text(mean: MeanEstimate) -> str:
    """A mean score, and how far scores were from it."""
    extremes = f"worst {score_text(mean.worst)}  best {score_text(mean.best)}"
    return f"{estimate_text(mean)}  spread {score_text(mean.spread)}  {extremes}"


def difference_lines(rows: list[dict[str, Any]], seeds: str, label: Label) -> Iterator[str]:
    """How much more players of a game for one scored than others."""
    for row in rows:
        interval = f"[{score_text(row['low'], signed=True)}, {score_text(row['high'], signed=True)}]"
        names = " - ".join(map(label, row["players"]))
        corrected = f", corrected by Holm {row['p_holm']:.2g}" if len(rows) > 1 else ""
        yield (
            f"  {names}: {score_text(row['mean'], signed=True)} {interval} over the same {seeds}"
            f", p = {row['p']:.2g}{corrected}; better with probability {row['superior']:.1%}"
        )


def duel_lines(facts: dict[str, Any], first: str, pairs: str) -> Iterator[str]:
    """What two players' games say of the first one named."""
    elo = facts["elo"]
    interval = f"[{elo['low']:+.0f}, {elo['high']:+.0f}]"
    yield f"  {first}: Elo {elo['elo']:+.0f} {interval}, stronger with probability {facts['superior']:.1%}"
    if "paired" in facts:
        paired = facts["paired"]
        rate = f"{paired['rate']:.1%} ± {paired['standard_error']:.1%} (standard error)"
        helped = paired["pairing_helped"]  # infinitely where all pairs are alike, of which there are few then
        worth = f", as precise as {helped:.2f} times as many games without pairs" if math.isfinite(helped) else ""
        yield f"  over {pairs}: {rate}{worth}"
    if "duplicate" in facts:
        boards = facts["duplicate"]
        taken = f"boards won {boards['taken_by_first']} to {boards['taken_by_second']}"
        yield f"  duplicate: {taken}, {boards['share_set_aside']:.0%} tied"


def meeting_text(meeting: AnyMeeting, label: Label = str) -> str:
    """The first player's share of the wins, or how much more it scored in a game for one, in a line."""
    found, names = meeting.estimate, [label(player) for player in meeting.players]
    if isinstance(found, MeanEstimate):
        score = estimate_text(found, signed=True)
    else:
        score = f"{found.mean:.1%} [{found.low:.1%}, {found.high:.1%}]"
    parts = [f"{score} of {meeting.games} games"]
    if meeting.decision is not None:
        parts.append(f"SPRT {meeting.decision}")
    if meeting.different is not None:
        parts.append(repeats_text(meeting.different))
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
    yield from mean_score_lines(played) if played.is_solo else rating_lines(played)
    yield "\ndifferences (p values, and corrected by Holm for their number)"
    for meeting, corrected in zip(played.meetings, played.p_values, strict=True):
        names = " - ".join(map(label, meeting.players))
        yield f"  {names}: p = {meeting.p_value:.2g}, corrected {corrected:.2g}"
    if played.champion is not None:
        yield f"\nwinner: {label(played.champion)}"


def mean_score_lines(played: Tournament) -> Iterator[str]:
    yield "mean scores (with 95% interval, over the same seeds)"
    widest = max(len(played.label(player)) for player in played.players)
    for player, mean in played.mean_scores.items():
        yield f"  {played.label(player):<{widest}}  {mean_text(mean)}"


def rating_lines(played: Tournament) -> Iterator[str]:
    label = played.label
    points: dict[tuple[str, str], list[float]] = {}
    for meeting in played.duels:
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


def tuned_text(tuned: Tuned) -> str:
    return "\n".join(tuned_lines(tuned))


def tuned_lines(tuned: Tuned) -> Iterator[str]:
    label = tuned.label
    if len(tuned.winners) > 1:
        yield f"best: {', '.join(map(label, tuned.winners))}\n"
    if tuned.confirmation is None:
        yield "the settings that were compared with are the best"
    else:
        found = tuned.confirmation.estimate
        if isinstance(found, MeanEstimate):
            gain = f"{estimate_text(found, signed=True)} in score"
        else:
            elo = elo_interval(found)
            gain = f"Elo {elo.elo:+.0f} [{elo.low:+.0f}, {elo.high:+.0f}]"
        against = f"the best against {label(tuned.default)}, with fresh dice"
        yield f"{against}: {gain}, p = {tuned.confirmation.p_value:.2g}"
    yield f"tuned: {label(tuned.choice)}"


LINE_SECONDS = 0.1


class Live:
    """A line that is overwritten while games are played, and an end to them when a test has decided."""

    def __init__(self, standing: Standing, watch: SprtWatch | None, wanted: int, title: str = "") -> None:
        self.standing, self.watch, self.wanted, self.title = standing, watch, wanted, title
        self.started = clock.perf_counter()
        self.before: int | None = None  # games there were when this run began
        self.next = 0.0  # when the line is written again
        overwrite(self.line())  # before the first game is over, which may take a while

    def hear(self, records: Iterable[GameRecord]) -> bool:
        self.standing.add(records)
        if self.before is None:
            self.before = self.standing.games
        decided = self.watch.decided() if self.watch else False
        if is_watched() and clock.perf_counter() > self.next:
            self.show()
        return decided

    def show(self) -> None:
        """Write the line, ten times a second or, when with many games that takes long, less often."""
        started = clock.perf_counter()
        overwrite(self.line())
        now = clock.perf_counter()
        self.next = now + max(LINE_SECONDS, 30.0 * (now - started))

    def line(self) -> str:
        """What matters most first: what does not fit into the terminal's width is left out."""
        games = self.standing.games
        parts = [f"{bar(games, self.wanted)} {games}/{self.wanted} games"]
        if self.title:
            room = width() - len(parts[0]) - 2
            parts.insert(0, self.title if len(self.title) <= room else self.title[: max(0, room - 1)] + "…")
        rate = self.standing.rate(0)
        if games:
            parts.append(self.standing.in_words(0))
        if rate is not None and self.standing.contest.is_duel:
            parts.append(f"Elo {elo(rate.mean):+.0f}")
        if self.watch:
            parts.append(f"LLR {self.watch.llr:+.2f} in [{self.watch.sprt.lower:.2f}, {self.watch.sprt.upper:.2f}]")
        fresh = games - (self.before or 0)
        if fresh and not self.watch:
            left = (clock.perf_counter() - self.started) / fresh * max(0, self.wanted - games)
            parts.append(f"{left / 60:.0f} min left" if left > 90 else f"{left:.0f} s left")
        return fitted([part for part in parts if part], width())

    def end(self) -> None:
        overwrite("")


def live_meeting(standing: Standing, watch: SprtWatch | None, wanted: int) -> Live:
    """The line of a contest that is one of several: it says whose it is."""
    contest = standing.contest
    return Live(standing, watch, wanted, " - ".join(contest.label(kind) for kind in contest.kinds))
