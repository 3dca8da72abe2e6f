"""Ra in words and in one line: names of actions, positions as texts, and why a text is no position."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from astragal.games.ra.rules import AUCTION, DISCARDS, GODS, LAST_RA, RA_AUCTION, SPACES, TURN
from astragal.games.ra.scoring import EPOCHS
from astragal.games.ra.tiles import (
    BOX,
    CIVILISATION_BYTES,
    DISASTERS,
    NAMES,
    RA,
    SUN_COUNT,
    count_of,
    packed,
    sum_of,
    sun_bits,
    suns_in,
    tiles_of,
    word_of,
)
from astragal.rules.decorator import CHANCE, TERMINAL

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        biddable: Any
        decode: Any
        floor: Any
        on_track: Any
        targets: Any
else:
    Rest = object

LETTERS = "gofvwxyzABCDEFGHpnkduqr"
PHASES = ("turn", "gods", "auction", "ra-auction", "discard")


class RaNotation(Rest):
    """Names, texts and the picture in text."""

    def action_name(self, state, action):
        what, which = self.decode(state, action)
        if which is None:
            return what
        return f"bid-{which}" if what == "bid" else f"{what}-{NAMES[which]}"

    def outcome_name(self, state, outcome):
        return NAMES[outcome]

    def show(self, state):
        bag, track = tiles_of(state.bag), tiles_of(state.track)
        lines = [
            f"epoch {state.epoch} of {EPOCHS}   Ra track {'R' * state.ra:.<6}   sun {state.board} on the board",
            f"bag of {sum(bag)}: {in_words(bag, 0, 8)}",
            f"    {in_words(bag, 8, 16)}",
            f"    {in_words(bag, 16, 23)}",
            f"auction track: {in_words(track)}",
        ]
        for player in range(2):
            mark = ">" if state.mover != TERMINAL and state.caller == player else " "
            suns = " ".join(map(str, suns_in(state.up[player]))) or "none"
            down = f", face down {' '.join(map(str, suns_in(state.down[player])))}" if state.down[player] else ""
            lines.append(f"{mark} player {player + 1}: {state.fame[player]} fame, suns {suns}{down}")
            lines.append(f"    {in_words(tiles_of([state.tiles[player, i] for i in range(3)]))}")
        return "\n".join([*lines, self.what_next(state)])

    def what_next(self, state):
        if state.mover == TERMINAL:
            return "the game is over"
        if state.mover == CHANCE:
            return f"player {state.caller + 1} draws a tile"
        mover = f"player {state.mover + 1}"
        if state.phase == DISCARDS:
            kind = "civilisations" if state.owed[0] else "monuments"
            return f"{mover} must discard {state.owed[0] or state.owed[1]} {kind}"
        if state.phase in (AUCTION, RA_AUCTION):
            why = f"player {state.caller + 1} invoked Ra" if state.phase == AUCTION else "a Ra tile was drawn"
            return f"{why}: {mover} to bid, {f'{state.bid} was bid' if state.bid else 'no bid yet'}"
        return f"{mover} may take more tiles" if state.phase == GODS else f"{mover} to move"

    def to_text(self, state):
        """See the notation at the top."""
        sides = [
            f"{written_suns(state.up[player])}/{written_suns(state.down[player])}/{state.fame[player]}/"
            + written_tiles([state.tiles[player, i] for i in range(3)])
            for player in range(2)
        ]
        table = f"{written_tiles(state.bag)} {written_tiles(state.track)} {state.ra} {state.board}"
        return f"{table} {sides[0]} {sides[1]} {state.epoch} {self.phase_text(state)}"

    def phase_text(self, state):
        if state.mover == TERMINAL:
            return "over"
        if state.mover == CHANCE:
            return f"draw {state.caller + 1}"
        text = f"{PHASES[state.phase]} {state.mover + 1}"
        if state.phase in (TURN, GODS):
            return text
        end = f"{state.owed[0]},{state.owed[1]}" if state.phase == DISCARDS else state.bid
        return f"{text} {state.caller + 1} {end}"

    def from_text(self, state, text):
        fame = r"\d{1,3}" if self.floor else r"-?\d{1,3}"
        side = rf"(\w+|-)/(\w+|-)/({fame})/(\w+|-)"
        phase = r"(over|(?:turn|gods|draw) [12]|(?:auction|ra-auction) [12] [12] \d|discard [12] [12] \d,\d)"
        found = re.fullmatch(rf"(\w+|-) (\w+|-) (\d) (\d) {side} {side} ([123]) {phase}", " ".join(text.split()))
        if not found:
            raise ValueError(
                "write bag, track, Ra tiles, board sun, suns/face-down/fame/tiles of both players, epoch and phase, "
                "such as 'g8r30 n2p 0 1 2569/-/10/- 3478/-/10/fA2 1 turn 1'"
            )
        bag, track, ra, board, *sides, epoch, phase = found.groups()
        read_tiles(state.bag, bag)
        read_tiles(state.track, track)
        state.ra, state.board, state.epoch = int(ra), int(board), int(epoch)
        for player in range(2):
            up, down, fame, tiles = sides[4 * player : 4 * player + 4]
            state.up[player], state.down[player] = sun_bits(read_suns(up)), sun_bits(read_suns(down))
            state.fame[player] = int(fame)
            read_tiles(state.tiles[player], tiles)
        self.read_phase(state, phase.split())
        self.refuse_table(state, board + "".join(sides[i] for i in (0, 1, 4, 5)))
        self.refuse_phase(state)

    def read_phase(self, state, words):
        if words[0] == "over":
            state.caller = 0 if state.up[0] > state.up[1] else 1
            state.mover = TERMINAL
            return
        state.phase = PHASES.index(words[0]) if words[0] != "draw" else TURN
        state.caller = int(words[2 if len(words) > 2 else 1]) - 1
        state.mover = int(words[1]) - 1 if words[0] != "draw" else CHANCE
        if words[0] == "discard":
            state.owed[0], state.owed[1] = map(int, words[3].split(","))
        elif len(words) > 2:
            state.bid = int(words[3])

    def refuse_table(self, state, suns):
        """Say in a sentence why tiles and suns cannot lie as they do."""
        bag, track = tiles_of(state.bag), tiles_of(state.track)
        hands = [tiles_of(state.tiles[player]) for player in range(2)]
        if sorted(suns.replace("-", "")) != list("123456789") or any(
            SUN_COUNT[state.up[player] | state.down[player]] != 4 for player in range(2)
        ):
            raise ValueError("each player has four of the suns 1 to 9, and one is on the board")
        if track[RA] or any(hand[RA] for hand in hands):
            raise ValueError("Ra tiles lie only in the bag and on the Ra track")
        for kind, most in enumerate(BOX):
            there = bag[kind] + track[kind] + hands[0][kind] + hands[1][kind] + (state.ra if kind == RA else 0)
            if there > most:
                raise ValueError(f"there are {there} tiles of the kind {NAMES[kind]}; the game has {most}")
        if sum(track) > SPACES:
            raise ValueError(f"{sum(track)} tiles lie on the auction track, which has {SPACES} spaces")
        if state.ra >= LAST_RA:
            raise ValueError("the sixth Ra tile ends an epoch; at most 5 lie on the Ra track")
        least = BOX[RA] - LAST_RA * (state.epoch - (state.mover != TERMINAL)) - state.ra
        if bag[RA] < least:
            raise ValueError(f"at least {least} Ra tiles must be in the bag: no more can have been drawn")
        for player in range(2):
            if any(hands[player][kind] for kind in DISASTERS) and (state.phase, state.mover) != (GODS, player):
                raise ValueError("only a player who is taking tiles with gods can have a disaster to resolve")

    def refuse_phase(self, state):
        """Say in a sentence why the phase does not fit the table."""
        caller, mover, bidding = state.caller, state.mover, state.phase in (AUCTION, RA_AUCTION)
        if mover == TERMINAL:
            left = sum(tiles_of(state.track)) + state.ra + state.down[0] + state.down[1]
            if state.epoch != EPOCHS or left or state.tiles[0, 0] or state.tiles[1, 0]:
                raise ValueError("at the end, after epoch 3, the tracks are empty, suns face up, and epoch tiles gone")
            return
        if state.phase in (TURN, GODS) and not state.up[caller]:
            raise ValueError(f"player {caller + 1} has no face-up sun and is passed over")
        if (mover == CHANCE or state.phase == RA_AUCTION) and self.on_track(state) == SPACES:
            raise ValueError("no tile can be drawn while the auction track is full")
        if state.phase == RA_AUCTION and state.ra == 0:
            raise ValueError("an auction of a Ra tile needs a tile on the Ra track")
        if state.phase == GODS and not self.targets(state):
            raise ValueError(f"player {mover + 1} has no god, or there is nothing to take")
        if bidding and (not state.up[caller] or not self.biddable(state)):
            raise ValueError("the Ra player needs a face-up sun, and the player to bid one that is high enough")
        if bidding and state.bid and (mover != caller or not state.up[1 - caller] >> state.bid & 1):
            raise ValueError("the bid that stands must be a face-up sun of the Ra player's opponent, who bids first")
        if state.phase == DISCARDS:
            owned = [sum_of(state.tiles[mover, 0] & CIVILISATION_BYTES), sum_of(state.tiles[mover, 1])]
            if not any(state.owed) or any(state.owed[i] and state.owed[i] >= owned[i] for i in range(2)):
                raise ValueError("who must discard has a choice: more tiles of the category than must go")


def written_suns(bits):
    return "".join(map(str, suns_in(bits))) or "-"


def read_suns(text):
    if text != "-" and not text.isdecimal():
        raise ValueError(f"suns are written as digits, such as 2569, or - for none; '{text}' is not")
    return {int(digit) for digit in text if digit != "-"}


def in_words(counts, first=0, end=RA + 1):
    kinds = [kind for kind in range(first, end) if counts[kind]]
    return ", ".join(NAMES[kind] + (f" x{counts[kind]}" if counts[kind] > 1 else "") for kind in kinds) or "none"


def written_tiles(words):
    """Letters of the kinds, each with its number of tiles if there are several; - for none."""
    counts = enumerate(tiles_of(words))
    return "".join(LETTERS[kind] + (str(count) if count > 1 else "") for kind, count in counts if count) or "-"


def read_tiles(words, text):
    found = re.findall(r"([A-Za-z])(\d*)", text)
    if text != "-" and "".join(letter + count for letter, count in found) != text:
        raise ValueError(f"tiles are letters with numbers after them, such as g2vA3, or - for none; '{text}' is not")
    for letter, count in found:
        kind = LETTERS.find(letter)
        if kind < 0:
            raise ValueError(f"there is no kind of tile '{letter}'; the kinds are {LETTERS}")
        if count_of(words[word_of(kind)], kind):
            raise ValueError(f"the kind of tile '{letter}' is written twice in '{text}'")
        if count and not 1 <= int(count) <= max(BOX):
            raise ValueError(f"the game does not have {count} tiles of the kind {NAMES[kind]}")
        words[word_of(kind)] += packed(int(count or 1), kind)
