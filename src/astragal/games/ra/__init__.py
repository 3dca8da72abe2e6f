"""Ra for two players, by Reiner Knizia: auctions of tiles drawn from a bag, paid with numbered suns, over three epochs.

**Material.** 180 tiles of 23 kinds are in the bag: 8 gods, 5 gold, 12 floods, 5 of each of five civilisations, 5 of
each of eight monuments, 25 pharaohs, 25 Nile tiles, 2 funerals, 2 droughts, 4 unrests and 2 earthquakes (the
disasters), and 30 Ra tiles. Player 1 has the suns 2, 5, 6 and 9, player 2 the suns 3, 4, 7 and 8, all face up; sun 1
lies on the board. Each has 10 fame. Player 1, who owns sun 9, begins.

**A turn.** A player with a face-up sun does one of three things.

- *Draw* a tile, if fewer than eight lie on the auction track. It is put there; a Ra tile goes to the Ra track and
  starts an auction, but the sixth ends the epoch at once, and what lies on the auction track is lost.
- *Invoke* Ra, which starts an auction. This and gods are all that is left to do when the auction track is full.
- *Take* tiles: each god tile given up takes one tile from the auction track, any but a god, disasters too. One may take
  several in a turn; each is an action of its own, and *stop* ends the turn if no lack of gods or tiles does.

A player without a face-up sun is passed over; the other then has turn after turn.

**An auction.** Both bid once, the opponent first and the player who drew or invoked, the Ra player, last: a face-up sun
higher than the bid that stands, or *pass*. A Ra player who invoked, and not because the track was full, must bid if the
other has not. The winner takes all tiles on the auction track and the sun from the board, which he lays face down, and
puts the sun he bid in its place. Without a bid the tiles stay, but those of a full track are lost. The next turn is
that of the Ra player's opponent, even if the opponent has won.

**Disasters** are resolved after all tiles of an auction, or of a turn with gods, are placed: each costs two tiles.
Funeral: pharaohs. Drought: floods first, then Nile tiles. Unrest: civilisations. Earthquake: monuments. Which
civilisations or monuments go is their owner's choice, tile by tile, unless all must go.

**The end of an epoch** comes when the last face-up sun is used, or with the sixth Ra tile. Then score: a god 2, gold 3;
a Nile tile or flood 1, if there is a flood; 0 to 5 different civilisations -5, 0, 0, 5, 10 and 15; more pharaohs 5,
fewer -2. After the third epoch also: 1 to 8 different monuments 1, 2, 3, 4, 5, 6, 10 and 15, and 3, 4 or 5 of a kind 5,
10 or 15 more; the higher sum of suns 5, the lower -5. Fame never falls below 0. Then gods, gold, floods, civilisations
and all tiles on the tracks leave the game; all suns are turned face up, and the owner of the highest sun begins. After
the third epoch more fame wins, or, if it is equal, the highest sun.

**Choices where sources differ.** A god may take a disaster but not a god; Ra may be invoked on an empty track; the
floor of 0 applies to all points of an epoch together, in the third with those for monuments and suns (the first, second
and third are parameters). Players without a bid that is high enough are not asked. Which set of suns goes to whom is
not left to chance. Fame, face down on the table, can be worked out and is open here.

**Notation.** Tiles are letters: g god, o gold, f flood, v w x y z civilisations, A to H monuments, p pharaoh, n Nile, k
funeral, d drought, u unrest, q earthquake, r Ra; with a number where there are several. A position is

    bag track ra-tiles board-sun suns/face-down/fame/tiles suns/face-down/fame/tiles epoch phase

where the phase is ``turn P``, ``gods P`` (player P has taken a tile and may go on), ``draw P``, ``auction P R B`` or
``ra-auction P R B`` (P is to bid, R is the Ra player, B the bid that stands or 0), ``discard P R C,M`` (P owes C
civilisations and M monuments) or ``over``.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from astragal.games.ra.evaluation import RaEvaluation
from astragal.games.ra.inputs import RaInputs
from astragal.games.ra.notation import RaNotation
from astragal.games.ra.rules import RaRules
from astragal.rules.decorator import game


@game
class Ra(RaRules, RaEvaluation, RaInputs, RaNotation):
    """Ra: draw tiles or call an auction, and bid your suns for what Egypt has to offer."""
