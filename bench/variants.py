"""The full player without one of its ingredients, a class each; `bench.ladder` plays them."""

from collections.abc import Mapping
from typing import ClassVar

from ai.ismcts_agent import IsmctsAgent
from ai.weights import hand_evaluation

UNLIMITED = 2**31 - 1


class HandWeights(IsmctsAgent):
    """Evaluates by weights written by hand, not by the learned ones."""

    def __init__(self, *, level: int = 10, threads: int = 1, seed: int | None = None) -> None:
        super().__init__(level=level, threads=threads, seed=seed)
        self._evaluation = hand_evaluation()


class OnePly(IsmctsAgent):
    """Values its own turn only, each with many deals: no tree."""

    parameters: ClassVar[Mapping[str, float]] = {"turns_deep": 1}


class NoPlayouts(IsmctsAgent):
    """Values leaves by the evaluation alone."""

    parameters: ClassVar[Mapping[str, float]] = {"playout": 0.0}


class EqualPriors(IsmctsAgent):
    """Explores all turns that were found alike, not those of a high forecast first."""

    parameters: ClassVar[Mapping[str, float]] = {"temperature": 1e9}


class UnsolvedLastTurn(IsmctsAgent):
    """Searches the last turn of the game like any other."""

    parameters: ClassVar[Mapping[str, float]] = {"last_turn_work": 0}
    solves_last_turn = False


class NewTree(IsmctsAgent):
    """Begins a new tree for every turn."""

    keeps_tree = False


class OneDeal(IsmctsAgent):
    """Reveals longships by the same random numbers in every simulation."""

    parameters: ClassVar[Mapping[str, float]] = {"one_deal": True}


class MostVisits(IsmctsAgent):
    """Chooses the turn of most visits, not that of the highest lower bound."""

    parameters: ClassVar[Mapping[str, float]] = {"caution": 1e9}


class ExpandAtOnce(IsmctsAgent):
    """Looks for turns at a leaf when it is visited for the second time."""

    parameters: ClassVar[Mapping[str, float]] = {"expansion_threshold": 1}


class NoWidening(IsmctsAgent):
    """Looks for turns once at each node, however often it is visited."""

    parameters: ClassVar[Mapping[str, float]] = {"widening": UNLIMITED}


class VictoryOnly(IsmctsAgent):
    """Wants to win, however narrowly."""

    parameters: ClassVar[Mapping[str, float]] = {"share": 1.0}


class LeadOnly(IsmctsAgent):
    """Wants a high lead, whoever wins."""

    parameters: ClassVar[Mapping[str, float]] = {"share": 0.0}


WITHOUT: dict[type[IsmctsAgent], str] = {
    HandWeights: "the learned evaluation",
    OnePly: "the tree",
    NoPlayouts: "playouts",
    EqualPriors: "priors by forecast",
    UnsolvedLastTurn: "the solver of the last turn",
    OneDeal: "a new deal for each simulation",
    MostVisits: "the choice by a lower bound",
    ExpandAtOnce: "waiting before leaves are expanded",
    NoWidening: "widening",
    NewTree: "the tree of the last move",
    VictoryOnly: "the lead in the payoff",
    LeadOnly: "the victory in the payoff",
}
"""What each variant lacks."""
