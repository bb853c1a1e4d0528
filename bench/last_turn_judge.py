"""The best that the last turn of a game can bring, by the rules alone.

Written apart from `ai.last_turn`, which it judges, and simple rather than fast. Every way of
placing the viking is tried, every way of laying what it wins, every longship on every cell, every
trophy; nothing is estimated. Two things are left out, since they cannot change what can be reached:

- Once the viking stands, the landscape does not count any more: the score is of the fjord (R20),
  and nobody moves after this turn. So landings that win the same tiles are one.
- Tiles never move, and what is filled stays filled (R11, R12). So only which tiles lie where
  counts, not in which order they came; ways to the same tiles are followed once.
"""

from collections import Counter
from typing import NamedTuple

from looot_core import Phase, State


class Worth(NamedTuple):
    """What counts for a player when the game is over: first the victory (R21), then the lead.

    Attributes
    ----------
    share : float
        Of the victory, by R21.
    lead : int
        Over the best opponent.
    """

    share: float
    lead: int


def worth_of(state: State, player: int) -> Worth:
    """Value a finished game."""
    scores, winners = state.scores(), state.winners()
    best_opponent = max(score for seat, score in enumerate(scores) if seat != player)
    share = 1 / len(winners) if player in winners else 0.0
    return Worth(share, scores[player] - best_opponent)


def best_worth(state: State) -> Worth:
    """Give the most that the player to move can reach with the last turn of the game.

    The state is changed on the way, and undone.
    """
    player = state.current_player
    return max(_best_after(opening, player) for opening in _openings(state))


def _openings(state: State) -> list[State]:
    """Place the viking in every way: one state for each different set of tiles that is won."""
    found: dict[tuple[Phase, tuple[tuple[str, int], ...]], State] = {}

    def place() -> None:
        if state.phase in (Phase.VIKING, Phase.SECOND_VIKING):
            for action in state.legal_actions():
                state.apply(action)
                place()
                state.undo()
        else:
            found.setdefault((state.phase, won(state)), state.clone())

    place()
    return list(found.values())


def won(state: State) -> tuple[tuple[str, int], ...]:
    owed = state.position().owed
    kind_of = {(space.q, space.r): space.kind for space in state.landscape.building_spaces}
    kinds = Counter(owed.resources)
    for space, count in owed.buildings.items():
        kinds[kind_of[space]] += count
    return tuple(sorted(kinds.items()))


def _best_after(state: State, player: int) -> Worth:
    """Lay what is owed in every way, and end the turn in every way."""
    seen: set[int] = set()
    best = Worth(-1.0, 0)

    def lay(laid: int) -> None:
        nonlocal best
        if laid in seen:
            return
        seen.add(laid)
        for action in state.legal_actions():
            state.apply(action)
            if state.is_over:
                best = max(best, worth_of(state, player))
            else:
                lay(laid | 1 << action.index)
            state.undo()

    lay(0)
    return best
