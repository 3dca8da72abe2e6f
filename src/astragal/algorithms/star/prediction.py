"""The model of ChanceProbCut: the value of a chance node, predicted from a search that is less deep.

The model is that of ProbCut (Buro 1995), V_D = a V_d + error, with an error of standard deviation sigma. It has no
constant term: values are those of player 0, and a game looks much the same from the other side. One a and one sigma
serve every depth; the errors of deeper searches are smaller.
"""

from __future__ import annotations

from astragal.algorithms.star.settings import ForwardSettings
from astragal.base.errors import AstragalError
from astragal.games import game_spec
from astragal.rules.decorator import defines
from astragal.rules.protocol import Game


def prediction(game: Game, settings: ForwardSettings) -> tuple[float, float] | None:
    """The slope and the standard deviation for a game, as set or as it declares; None where nothing is known."""
    known: tuple[float, float] | None = game.probcut
    sigma = settings.probcut_sigma if settings.probcut_sigma is not None else known and known[1]
    if sigma is None:
        return None
    slope = settings.probcut_slope if settings.probcut_slope is not None else known[0] if known else 1.0
    return slope, sigma


def refuse_forward(game: Game, settings: ForwardSettings, player: str) -> None:
    """Say in a sentence which forward pruning a game gives no grounds for."""
    spec = game_spec(game)
    if settings.null > 0 and not defines(type(game), "skip"):
        raise AstragalError(f"{player}: null={settings.null} needs a game with a null move (skip), which {spec} lacks")
    if settings.probcut > 0 and game.max_outcomes == 0:
        raise AstragalError(f"{player}: probcut={settings.probcut:g} needs a game with chance, which {spec} has not")
    if settings.probcut > 0 and prediction(game, settings) is None:
        raise AstragalError(
            f"{player}: probcut needs probcut_sigma for {spec}; 'astragal dev probcut {spec}' measures it"
        )
