"""Kalah, plainly: for each player a list of pits and a store."""

from __future__ import annotations

from support.plain_games import OVER


class PlainKalah:
    def __init__(self, text: str, rules: str = "paper", score: str = "margin", **_: object) -> None:
        *sides, player = text.split()
        self.pits = [[int(count) for count in side.split("/")[0].split(",")] for side in sides]
        self.store = [int(side.split("/")[1]) for side in sides]
        self.player, self.rules, self.score, self.over = int(player) - 1, rules, score, False
        self.total = sum(map(sum, self.pits)) + sum(self.store)

    def text(self) -> str:
        sides = [f"{','.join(map(str, self.pits[player]))}/{self.store[player]}" for player in (0, 1)]
        return f"{sides[0]} {sides[1]} {self.player + 1}"

    def mover(self) -> object:
        return OVER if self.over else self.player

    def actions(self) -> list[str]:
        return [f"{'AB'[self.player]}{pit + 1}" for pit, held in enumerate(self.pits[self.player]) if held]

    def play(self, name: str) -> None:
        me, other = self.player, 1 - self.player
        count = len(self.pits[me])
        pit = int(name[1:]) - 1
        stones, self.pits[me][pit] = self.pits[me][pit], 0
        side, place = me, pit
        for _ in range(stones):  # one stone a place: own pits, own store, the other's pits, and round again
            place += 1
            if place == count and side == me:
                self.store[me] += 1
            elif place >= count:
                side, place = 1 - side, 0
                self.pits[side][0] += 1
            else:
                self.pits[side][place] += 1
        again = side == me and place == count
        if side == me and not again and self.pits[me][place] == 1:  # it was empty
            opposite = count - 1 - place
            if self.pits[other][opposite] or self.rules != "standard":
                self.store[me] += 1 + self.pits[other][opposite]
                self.pits[me][place] = self.pits[other][opposite] = 0
        if not any(self.pits[0]) or not any(self.pits[1]):
            self.over = True
            for owner in (0, 1):
                taker = 1 - owner if self.rules == "paper" else owner
                self.store[taker] += sum(self.pits[owner])
                self.pits[owner] = [0] * count
        if not again:
            self.player = other

    def utility(self, player: int) -> float:
        margin = self.store[player] - self.store[1 - player]
        if self.score == "margin":
            return 100.0 * margin / self.total
        return 100.0 if margin > 0 else -100.0 if margin < 0 else 0.0
