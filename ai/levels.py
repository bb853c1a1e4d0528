"""What the levels of strength of the strongest agent are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ai.analysis import Analysis
from looot_core.generator import Generator


@dataclass(frozen=True, slots=True)
class Level:
    """How strongly to play.

    Attributes
    ----------
    foresight : float
        Share of the points still to come that the evaluation sees, from 0 to 1: a beginner looks
        at the points of the turn.
    softness : float
        Points of score lead at which a turn is drawn e times less often than the best one; 0: the
        best one is always taken.
    simulations : int or None
        Most simulations a turn. 0: the turn is chosen without looking further; None: what the
        limits allow.
    """

    foresight: float
    softness: float
    simulations: int | None


LEVELS = {
    1: Level(foresight=0.0, softness=20.0, simulations=0),
    2: Level(foresight=0.0, softness=2.0, simulations=0),
    3: Level(foresight=0.2, softness=2.0, simulations=0),
    4: Level(foresight=0.47, softness=2.0, simulations=0),
    5: Level(foresight=0.8, softness=2.0, simulations=0),
    6: Level(foresight=1.0, softness=0.7, simulations=0),
    7: Level(foresight=1.0, softness=0.0, simulations=30),
    8: Level(foresight=1.0, softness=0.0, simulations=100),
    9: Level(foresight=1.0, softness=0.0, simulations=400),
    10: Level(foresight=1.0, softness=0.0, simulations=None),
}


def softened(analysis: Analysis, softness: float, generator: Generator) -> Analysis:
    """Draw one of the turns, the better ones more often, and rank it first.

    Parameters
    ----------
    analysis : Analysis
        Whose candidates have score leads.
    softness : float
        As in `Level`, above 0.
    generator : Generator

    Returns
    -------
    Analysis
    """
    leads = [candidate.score_lead or 0.0 for candidate in analysis.candidates]
    best = max(leads)
    weights = [round(2**20 * math.exp((lead - best) / softness)) for lead in leads]
    number = generator.below(sum(weights))
    chosen = 0
    while number >= weights[chosen]:
        number -= weights[chosen]
        chosen += 1
    first = analysis.candidates[chosen]
    others = [candidate for candidate in analysis.candidates if candidate is not first]
    return replace(analysis, turn=first.turn, candidates=[first, *others])
