"""Games in which all players choose at once, for tests: by the rules one after the other, but hidden from one another.

`Pennies` is rounds of a table of odds. `Auction` is Goofspiel with few cards, for two players or for three; its
rules are written a second time in Python, over joint moves (`Bids`), for what searches of it find by definition.
`OpenSquares` is a game that could hide something and does not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from astragal.games.tic_tac_toe.rules import TicTacToe
from astragal.rules.decorator import CHANCE, TERMINAL, game
from astragal.rules.position import Position

WINS = np.array([[0.9, 0.1], [0.3, 0.5]])  # how likely player 0 is to win a round
EQUILIBRIUM = (0.2, 0.4)  # the share of heads of each player
WORTH = -0.16  # to player 0 in equilibrium


class AtOnce:
    """What games of choices made at once have in common. A choice is kept as one more than the action; 0 is none."""

    def chooser(self, state):
        """The first player, from the one who begins, who has not chosen yet."""
        player = np.int64(state.first)
        while state.choice[player] != 0:
            player = (player + 1) % self.players
        return player

    def choices(self, state):
        """How many have chosen."""
        count = 0
        for player in range(self.players):
            count += state.choice[player] != 0
        return count

    def hidden(self, state):
        return self.choices(state)

    def conceal(self, state):
        """The player to move begins, in the rounds to come too."""
        state.first = self.chooser(state)
        self.clear(state)

    def clear(self, state):
        for player in range(self.players):
            state.choice[player] = 0

    def play(self, state, action):
        state.choice[self.chooser(state)] = action + 1
        if self.choices(state) == self.players:
            self.end_round(state)
            self.clear(state)


@game
@dataclass(frozen=True)
class Pennies(AtOnce):
    """Uneven matching pennies: what both chose decides how likely player 0 is to win the round."""

    rounds: int = 1

    state = np.dtype([("won", "i1"), ("choice", "u1", 2), ("first", "u1"), ("left", "u1"), ("odds", "u1")])
    max_actions = 2
    max_outcomes = 2
    max_plies = 30

    def start(self, state, dice):
        state.left = self.rounds

    def turn(self, state):
        return CHANCE if state.odds > 0 else TERMINAL if state.left == 0 else self.chooser(state)

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def end_round(self, state):
        state.odds = 1 + 2 * (state.choice[0] - 1) + state.choice[1] - 1

    def outcomes(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def probability(self, state, outcome):
        wins = WINS[(state.odds - 1) // 2, (state.odds - 1) % 2]
        return wins if outcome == 0 else 1.0 - wins

    def deal(self, state, outcome):
        state.won += 1 - 2 * outcome
        state.odds = 0
        state.left -= 1

    def utility(self, state, player):
        share = state.won / self.rounds
        return share if player == 0 else -share

    def action_name(self, state, action):
        return ("heads", "tails")[action]

    def outcome_name(self, state, outcome):
        return ("won", "lost")[outcome]

    def show(self, state):
        chosen = "".join("-ht"[choice] for choice in state.choice)
        return f"{state.left} rounds to go, {state.won:+d}, chosen {chosen}"


CARDS = 3


@game
@dataclass(frozen=True)
class Auction(AtOnce):
    """Goofspiel: everybody bids a card of their hand for a prize; the highest bid takes it, unless there are two."""

    state = np.dtype([("score", "i1", 3), ("hand", "u1", 3), ("choice", "u1", 3), ("first", "u1"), ("prize", "u1")])
    players = 2
    max_actions = CARDS
    max_plies = 3 * CARDS
    utility_range = (-6.0, 6.0)

    def start(self, state, dice):
        state.prize = CARDS
        for player in range(self.players):
            state.hand[player] = (1 << CARDS) - 1

    def turn(self, state):
        return TERMINAL if state.prize == 0 else self.chooser(state)

    def actions(self, state, out):
        hand, count = state.hand[self.chooser(state)], 0
        for card in range(CARDS):
            if hand >> card & 1:
                out[count] = card
                count += 1
        return count

    def end_round(self, state):
        best, bidders, winner = 0, 0, 0
        for player in range(self.players):
            bid = state.choice[player]
            state.hand[player] -= 1 << (bid - 1)
            if bid > best:
                best, bidders, winner = bid, 0, player
            bidders += bid == best
        if bidders == 1:
            state.score[winner] += state.prize
        state.prize -= 1

    def utility(self, state, player):
        """What the player took, less the mean of what the others took."""
        total = 0
        for other in range(self.players):
            total += np.int64(state.score[other])
        own = np.int64(state.score[player])
        return own - (total - own) / (self.players - 1.0)


@game
@dataclass(frozen=True)
class AuctionForThree(Auction):
    """The same for three."""

    players = 3


# The auction once more, for definitions


@dataclass(frozen=True)
class Bids:
    """Where an auction stands between two rounds."""

    hands: tuple[tuple[int, ...], ...]
    score: tuple[int, ...]
    prize: int = CARDS

    def after(self, bids: tuple[int, ...]) -> Bids:
        """After one bid of every player."""
        score = list(self.score)
        if bids.count(max(bids)) == 1:
            score[bids.index(max(bids))] += self.prize
        hands = tuple(tuple(card for card in hand if card != bid) for hand, bid in zip(self.hands, bids, strict=True))
        return replace(self, hands=hands, score=tuple(score), prize=self.prize - 1)

    def utility(self, player: int) -> float:
        others = [score for other, score in enumerate(self.score) if other != player]
        return self.score[player] - sum(others) / len(others)

    def joint_moves(self, player: int, bid: int) -> list[tuple[int, ...]]:
        """Every choice of everybody in which one player bids this."""
        return [bids for bids in product(*self.hands) if bids[player] == bid]

    def pessimistic(self, player: int) -> dict[int, float]:
        """What each bid is worth to a player against the worst that all others can do knowing it."""
        return {
            bid: min(self.after(bids).best(player) for bids in self.joint_moves(player, bid))
            for bid in self.hands[player]
        }

    def best(self, player: int) -> float:
        return max(self.pessimistic(player).values()) if self.prize else self.utility(player)

    def at_random(self, player: int) -> float:
        """What it is worth to a player when everybody bids at random."""
        if self.prize == 0:
            return self.utility(player)
        after = [self.after(bids).at_random(player) for bids in product(*self.hands)]
        return sum(after) / len(after)


def bids_at(position: Position) -> Bids:
    """Where an auction stands at the beginning of a round."""
    state, players = position.state, range(position.game.players)
    hands = tuple(tuple(card for card in range(CARDS) if state.hand[player] >> card & 1) for player in players)
    return Bids(hands, tuple(int(state.score[player]) for player in players), int(state.prize))


@game
@dataclass(frozen=True)
class OpenSquares(TicTacToe):
    """Tic-tac-toe that says how much it hides: nothing."""

    def hidden(self, state):
        return 0

    def conceal(self, state):
        pass


def chosen(rules: Any, *actions: int) -> Position:
    """A game after these choices from its start."""
    position = Position.start(rules)
    for action in actions:
        position = position.play(action)
    return position
