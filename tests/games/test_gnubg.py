"""Backgammon against GNU Backgammon, where that is installed: every turn that it plays is one of ours."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import pytest

from astragal import Dice, Position, load_game, start

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
PROGRAM = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="GNU Backgammon is not installed (Debian's gnubg)")
def test_turns_of_gnu_backgammon_are_legal_here_and_ids_mean_the_same():
    from gnubg import Gnubg

    game, chooser = load_game("backgammon"), random.Random(1)
    gnubg = Gnubg(str(PROGRAM))
    try:
        opening = Position.parse(game, "4HPwATDgc/ABMA 1 31")
        assert opening.action_name(gnubg.best_turn(opening)) == "8/5,6/5"
        for seed in range(20):
            dice = Dice(seed)
            position = start(game).settled(dice)
            while not position.is_terminal:
                theirs = gnubg.best_turn(position)  # raises where it is no turn of ours
                chosen = theirs if chooser.random() < 0.4 else chooser.choice(position.actions())
                position = position.follow(chosen).settled(dice)
    finally:
        gnubg.close()
