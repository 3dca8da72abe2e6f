"""Ra for two players, plainly: bags of tiles are counters of letters, suns are sets of numbers."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from support.plain_games import CHANCE, OVER

NAMES = {
    "g": "god",
    "o": "gold",
    "f": "flood",
    "v": "astronomy",
    "w": "agriculture",
    "x": "writing",
    "y": "religion",
    "z": "art",
    "A": "fortress",
    "B": "obelisk",
    "C": "palace",
    "D": "pyramid",
    "E": "temple",
    "F": "statue",
    "G": "steps",
    "H": "sphinx",
    "p": "pharaoh",
    "n": "nile",
    "k": "funeral",
    "d": "drought",
    "u": "unrest",
    "q": "earthquake",
    "r": "ra",
}
LETTER = {name: letter for letter, name in NAMES.items()}
CIVILISATIONS, MONUMENTS, DISASTERS = "vwxyz", "ABCDEFGH", "kduq"
LEAVE = "gof" + CIVILISATIONS  # after each epoch
SPACES, RA_TILES, EPOCHS = 8, 6, 3


class PlainRa:
    def __init__(self, text: str, **parameters: object) -> None:
        """A position at the beginning of a turn; players are 0 and 1."""
        self.god_takes_disasters = parameters.get("god_takes_disasters", True)
        self.empty_auctions = parameters.get("empty_auctions", True)
        self.floor = parameters.get("floor", True)
        self.score, self.ties = parameters.get("score", "win"), parameters.get("ties", "sun")
        bag, track, ra, board, *sides, epoch, _, player = text.split()
        self.bag, self.track = tiles_of(bag), tiles_of(track)
        self.ra, self.board, self.epoch = int(ra), int(board), int(epoch)
        up, down, fame, tiles = zip(*(side.split("/") for side in sides), strict=True)
        self.up, self.down = ([set(map(int, suns.replace("-", ""))) for suns in each] for each in (up, down))
        self.fame, self.tiles = list(map(int, fame)), list(map(tiles_of, tiles))
        self.phase, self.bid, self.owed = "turn", 0, [0, 0]  # civilisations and monuments to discard
        self.player = self.caller = int(player) - 1  # the caller's turn it is, or he called Ra

    # What is seen

    def text(self) -> str:
        sides = [f"{digits(self.up[p])}/{digits(self.down[p])}/{self.fame[p]}/{letters(self.tiles[p])}" for p in (0, 1)]
        player, caller = self.player + 1, self.caller + 1
        phase = {
            "over": "over",
            "draw": f"draw {caller}",
            "discard": f"discard {player} {caller} {self.owed[0]},{self.owed[1]}",
            "auction": f"auction {player} {caller} {self.bid}",
            "ra-auction": f"ra-auction {player} {caller} {self.bid}",
        }.get(self.phase, f"{self.phase} {player}")
        return (
            f"{letters(self.bag)} {letters(self.track)} {self.ra} {self.board} {' '.join(sides)} {self.epoch} {phase}"
        )

    def mover(self) -> object:
        return {"over": OVER, "draw": CHANCE}.get(self.phase, self.player)

    # What can be done

    def actions(self) -> list[str]:
        takes = [f"take-{NAMES[letter]}" for letter in self.targets()]
        if self.phase == "turn":
            draws, invokes = self.track.total() < SPACES, self.empty_auctions or self.track.total()
            return ["draw"] * bool(draws) + ["invoke"] * bool(invokes) + takes
        if self.phase == "gods":
            return ["stop", *takes]
        if self.phase == "discard":
            category = CIVILISATIONS if self.owed[0] else MONUMENTS
            return [f"discard-{NAMES[letter]}" for letter in category if self.tiles[self.player][letter]]
        chose = self.phase == "auction" and self.track.total() < SPACES  # so a player must bid
        must = chose and self.player == self.caller and self.bid == 0
        return ["pass"] * (not must) + [f"bid-{sun}" for sun in self.up[self.player] if sun > self.bid]

    def targets(self) -> list[str]:
        """The kinds on the track that a god of the player takes."""
        if not self.tiles[self.player]["g"]:
            return []
        barred = "g" if self.god_takes_disasters else "g" + DISASTERS
        return [letter for letter in self.track if self.track[letter] and letter not in barred]

    # What happens then

    def play(self, name: str) -> None:
        what, _, which = name.partition("-")
        if what == "draw":
            self.phase = "draw"
        elif what == "invoke":
            self.open_auction("auction")
        elif what == "take":
            self.tiles[self.player]["g"] -= 1
            self.track[LETTER[which]] -= 1
            self.tiles[self.player][LETTER[which]] += 1
            self.phase = "gods"
            if not self.targets():
                self.suffer(self.player)
        elif what == "stop":
            self.suffer(self.player)
        elif what == "discard":
            self.tiles[self.player][LETTER[which]] -= 1
            self.owed[LETTER[which] in MONUMENTS] -= 1
            if self.owed == [0, 0]:
                self.next_turn()
        else:
            self.offer(int(which or 0))

    def open_auction(self, phase: str) -> None:
        """The opponent of the caller bids first, if there is a face-up sun to bid."""
        self.phase, self.bid = phase, 0
        self.player = 1 - self.caller if self.up[1 - self.caller] else self.caller

    def offer(self, sun: int) -> None:
        """A bid, or 0 to pass. Who cannot bid more is not asked."""
        self.bid = sun or self.bid
        if self.player != self.caller and any(own > self.bid for own in self.up[self.caller]):
            self.player = self.caller
        elif self.bid:
            self.win(0 if self.bid in self.up[0] else 1)
        else:
            if self.track.total() == SPACES:
                self.track.clear()
            self.next_turn()

    def win(self, winner: int) -> None:
        self.tiles[winner] += self.track
        self.track.clear()
        self.up[winner].remove(self.bid)
        self.down[winner].add(self.board)
        self.board, self.bid = self.bid, 0
        self.suffer(winner)

    def suffer(self, player: int) -> None:
        """Two tiles are lost for each disaster. Of more civilisations or monuments than that, the player chooses."""
        tiles = self.tiles[player]
        tiles["p"] = max(0, tiles["p"] - 2 * tiles["k"])
        for _ in range(2 * tiles["d"]):  # floods first
            dries = "f" if tiles["f"] else "n"
            tiles[dries] = max(0, tiles[dries] - 1)
        for i, (disaster, category) in enumerate((("u", CIVILISATIONS), ("q", MONUMENTS))):
            lost, owned = 2 * tiles[disaster], sum(tiles[letter] for letter in category)
            self.owed[i] = lost if owned > lost else 0
            for letter in category if lost and owned <= lost else "":
                tiles[letter] = 0
        for disaster in DISASTERS:
            tiles[disaster] = 0
        if self.owed == [0, 0]:
            self.next_turn()
        else:
            self.phase, self.player = "discard", player

    def next_turn(self) -> None:
        if not self.up[0] and not self.up[1]:
            self.end_epoch()
            return
        self.caller = 1 - self.caller if self.up[1 - self.caller] else self.caller
        self.phase, self.player = "turn", self.caller

    def outcomes(self) -> dict[str, Fraction]:
        return {NAMES[k]: Fraction(count, self.bag.total()) for k, count in self.bag.items() if count}

    def deal(self, name: str) -> None:
        letter = LETTER[name]
        self.bag[letter] -= 1
        if letter != "r":
            self.track[letter] += 1
            self.next_turn()
        elif self.ra == RA_TILES - 1:
            self.end_epoch()
        else:
            self.ra += 1
            self.open_auction("ra-auction")

    # Scoring

    def end_epoch(self) -> None:
        gained = [self.points(player) for player in (0, 1)]
        for player in (0, 1):
            self.fame[player] += gained[player]
            if self.floor:
                self.fame[player] = max(0, self.fame[player])
            for letter in LEAVE:
                self.tiles[player][letter] = 0
            self.up[player] |= self.down[player]
            self.down[player] = set()
        self.track.clear()
        self.ra = 0
        self.player = self.caller = 0 if max(self.up[0]) > max(self.up[1]) else 1
        self.phase = "over" if self.epoch == EPOCHS else "turn"
        self.epoch = min(self.epoch + 1, EPOCHS)

    def points(self, player: int) -> int:
        tiles, others = self.tiles[player], self.tiles[1 - player]
        points = 2 * tiles["g"] + 3 * tiles["o"]
        if tiles["f"]:
            points += tiles["f"] + tiles["n"]
        points += (-5, 0, 0, 5, 10, 15)[sum(tiles[letter] > 0 for letter in CIVILISATIONS)]
        points += more_or_less(tiles["p"], others["p"], 5, -2)
        if self.epoch == EPOCHS:
            points += (0, 1, 2, 3, 4, 5, 6, 10, 15)[sum(tiles[letter] > 0 for letter in MONUMENTS)]
            points += sum((0, 0, 0, 5, 10, 15)[tiles[letter]] for letter in MONUMENTS)
            suns = [sum(self.up[p] | self.down[p]) for p in (player, 1 - player)]
            points += more_or_less(*suns, 5, -5)
        return points

    def utility(self, player: int) -> float:
        ahead = self.fame[player] - self.fame[1 - player]
        if self.score == "margin":
            return float(max(-100, min(100, ahead)))
        if ahead == 0 and self.ties == "sun":
            ahead = max(self.up[player]) - max(self.up[1 - player])
        return float(more_or_less(ahead, 0, 100, -100))


def more_or_less(mine: int, theirs: int, more: int, less: int) -> int:
    return more if mine > theirs else less if mine < theirs else 0


def tiles_of(text: str) -> Counter:
    return Counter({letter: int(count or 1) for letter, count in re.findall(r"([A-Za-z])(\d*)", text)})


def letters(tiles: Counter) -> str:
    return "".join(k + (str(tiles[k]) if tiles[k] > 1 else "") for k in NAMES if tiles[k]) or "-"


def digits(suns: set[int]) -> str:
    return "".join(map(str, sorted(suns))) or "-"
