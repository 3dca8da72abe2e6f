"""Scores of the games of a duel: shares of games, or of boards that a player takes, and differences of those."""

from __future__ import annotations

from astragal.arena.contest import GameRecord
from astragal.arena.statistics.estimates import duplicate_score, paired, taken_boards, win_rate
from astragal.arena.summary import Standing
from astragal.lab.estimators import mean_entry
from astragal.lab.findings import Entry, Paper
from astragal.lab.sequential import USUAL, with_confidence

Pair = list[float]  # the first player's score in each game of a pair
Boards = dict[int, Pair]  # by the number of the pair


def scores_of(standing: Standing) -> Boards:
    """The first player's scores in the games of each whole pair."""
    whole = {pair: games for pair, games in standing.scores.items() if len(games) == len(standing.contest.seatings)}
    return {pair: [games[game][0] for game in sorted(games)] for pair, games in sorted(whole.items())}


def game_entry(pairs: Boards, paper: Paper | None, confidence: float = USUAL) -> Entry | None:
    """The mean score over pairs, or over games where there is but one pair."""
    if not pairs:
        return None
    scores = list(pairs.values())
    estimate = paired(scores, confidence) if len(scores) > 1 else win_rate(scores[0], confidence)
    return Entry(estimate.mean, estimate.low, estimate.high, sum(map(len, scores)), paper)


def board_entry(pairs: Boards, paper: Paper | None, confidence: float = USUAL) -> Entry | None:
    """The share of boards taken, of those that either player took (Ramanujan & Selman 2011)."""
    score = duplicate_score(list(pairs.values()), confidence) if pairs else None
    if score is None or score.rate is None:
        return None
    return Entry(score.rate.mean, score.rate.low, score.rate.high, score.taken_by_a + score.taken_by_b, paper)


def difference_entry(mine: Boards, theirs: Boards, confidence: float = USUAL) -> Entry | None:
    """How much larger one share of boards is than another of the same boards, played on in another way.

    Either share is a ratio of sums over boards, r = sum a / sum n, where a board counts n = 1 if a player took it. To
    first order it changes by (a - r n) / mean n with each board, and the difference by the difference of those.
    """
    numbers = [number for number in mine if number in theirs]
    if len(numbers) < 2:
        return None
    rates, parts = [], []
    for pairs in (mine, theirs):
        won, lost = taken_boards([pairs[number] for number in numbers])
        taken = won | lost
        if not taken.any():
            return None
        rates.append(won.sum() / taken.sum())
        parts.append((won - rates[-1] * taken) / taken.mean())
    around = mean_entry(parts[0] - parts[1])
    mean, reach = float(rates[0] - rates[1]), (around.high - around.low) / 2
    return with_confidence(Entry(mean, mean - reach, mean + reach, len(numbers)), confidence)


def switch_entry(records: list[GameRecord], confidence: float = USUAL) -> Entry:
    """Where games went over to their finishers; one that ended before counts with its whole length."""
    plies = [len(record.steps) if record.finished_from is None else record.finished_from for record in records]
    return with_confidence(mean_entry(plies), confidence)
