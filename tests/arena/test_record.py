"""Games as they are kept: shares of the win in every seating, for any number of seats and kinds of player."""

from __future__ import annotations

from itertools import product

import pytest

from astragal.arena.contest import Contest, GameRecord

FIELDS = [("tic_tac_toe", 2), ("focus:players=3", 2), ("focus:players=3", 3), ("focus:players=4", 2)]
FIELDS += [("focus:players=4", 4), ("chinese_checkers:players=6", 6)]


def ended(seats: tuple[int, ...], utilities: tuple[float, ...]) -> GameRecord:
    return GameRecord(0, 0, seats, 0, (), (), utilities)


@pytest.mark.parametrize(("game", "count"), FIELDS)
def test_kinds_share_every_win_and_equally_where_all_seats_do(game, count):
    """However many seats each has: a draw is no reason to call the kind with more seats the better one."""
    kinds = range(count)
    for seats in Contest.of(game, ["random"] * count).seatings:
        for level in (-100.0, 0.0, 0.5):
            drawn = ended(seats, (level,) * len(seats))
            assert [drawn.score_of(kind) for kind in kinds] == [1 / count] * count
        for utilities in product((-1.0, 1.0), repeat=len(seats)):
            record = ended(seats, utilities)
            scores = [record.score_of(kind) for kind in kinds]
            assert sum(scores) == pytest.approx(1.0)
            won = {kind for kind, utility in zip(seats, utilities, strict=True) if utility == max(utilities)}
            assert {kind for kind in kinds if scores[kind] > 0.0} == won
            other = ended(tuple(count - 1 - kind for kind in seats), utilities)  # the kinds under other names
            assert [other.score_of(count - 1 - kind) for kind in kinds] == scores
