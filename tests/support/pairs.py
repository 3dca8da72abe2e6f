"""Covering arrays: few rows of settings in which any two values of any two factors meet.

Rows are made one by one (greedy, after AETG: Cohen et al. 1997). Each is the best of some candidates: one that begins
with a pair that has not met yet and takes, factor by factor, the value that meets most others for the first time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product

from astragal.rules.dice import Dice

CANDIDATES = 10
Factors = Mapping[str, Sequence[str]]
Row = dict[str, str]
Pair = frozenset[tuple[str, str]]


def pairs_of(row: Row) -> set[Pair]:
    """The pairs of values that meet in a row."""
    return {frozenset(pair) for pair in combinations(row.items(), 2)}


def all_pairs(factors: Factors) -> dict[Pair, None]:
    """The pairs that a covering array must have, in an order of their own."""
    return {
        frozenset([(one, x), (other, y)]): None
        for one, other in combinations(factors, 2)
        for x, y in product(factors[one], factors[other])
    }


def covering_rows(factors: Factors, seed: int = 1) -> list[Row]:
    """Rows with a value of each factor, in which all pairs of values meet."""
    dice, left, rows = Dice(seed), all_pairs(factors), []
    while left:
        candidates = [candidate(factors, left, dice) for _ in range(CANDIDATES)]
        row = max(candidates, key=lambda row: sum(pair in left for pair in pairs_of(row)))
        met = pairs_of(row)
        left = {pair: None for pair in left if pair not in met}
        rows.append(row)
    return rows


def candidate(factors: Factors, left: dict[Pair, None], dice: Dice) -> Row:
    """A row that begins with a pair that has not met yet."""
    row: Row = dict(sorted(list(left)[dice.below(len(left))]))
    names = [name for name in factors if name not in row]
    dice.shuffle(names)
    for name in names:
        values = list(factors[name])
        dice.shuffle(values)
        row[name] = max(values, key=lambda value: sum(frozenset([(name, value), each]) in left for each in row.items()))
    return {name: row[name] for name in factors}


def settings_text(row: Row) -> str:
    """``star2:table=values,null=2``: the value called player, then the others, each of them some settings or none."""
    return f"{row['player']}:{','.join(value for name, value in row.items() if name != 'player' and value)}"
