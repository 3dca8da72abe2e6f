"""Backgammon's turns found in the plainest way, to compare with: every order of every move."""

from __future__ import annotations

from itertools import permutations

Board = tuple[tuple[int, ...], tuple[int, ...]]  # men of the mover and of the other, each by his own places, 0 to 25


def board_of(position) -> Board:
    men = [int(count) for count in position.state.men]
    sides = (tuple(men[:26]), tuple(men[26:]))
    return sides if position.state.turn == 0 else (sides[1], sides[0])


def moved(board: Board, place: int, die: int) -> Board | None:
    """The board after one man has moved, or None if he may not."""
    own, other = list(board[0]), list(board[1])
    rear = next((place for place in range(25) if own[place]), 25)
    to = place + die
    if not own[place] or (own[0] and place) or (to < 25 and other[25 - to] > 1):
        return None
    if to >= 25 and (rear < 19 or (to > 25 and place != rear)):
        return None
    own[place] -= 1
    own[min(to, 25)] += 1
    if to < 25 and other[25 - to] == 1:
        other[25 - to] -= 1
        other[0] += 1
    return tuple(own), tuple(other)


def turns(board: Board, dice: tuple[int, int]) -> set[Board]:
    """The boards that a turn can lead to."""
    orders = [(dice[0],) * 4] if dice[0] == dice[1] else list(permutations(dice))
    found: dict[int, set[Board]] = {}
    used: dict[int, set[tuple[int, Board]]] = {}

    def go(board: Board, left: tuple[int, ...], played: tuple[int, ...]) -> None:
        found.setdefault(len(played), set()).add(board)
        if len(played) == 1:
            used.setdefault(played[0], set()).add((played[0], board))
        if left:
            for place in range(25):
                after = moved(board, place, left[0])
                if after is not None:
                    go(after, left[1:], (*played, left[0]))

    for order in orders:
        go(board, order, ())
    most = max(found)
    if most == 1 and dice[0] != dice[1]:  # the higher one, if it can be played
        return {board for _, board in used[max(used)]}
    return found[most]
