"""What the second-last turn of a game can bring, by the rules and the solver of the last turn.

The mover has one viking left, another player too, and all others are done. The reply is the turn
with the most points, which `ai.last_turn` finds (`bench.last_turn` judges that). A turn is worth
the mean over what may be revealed when it takes a longship, each of the unseen ones alike.

Every way of placing the viking is tried, with every longship that can be taken and every trophy.
The tiles may be laid in any way without a difference for the reply, which depends on the landscape,
the ocean and the trophies, not on the other's fjord. So of all ways of laying them, and of all
cells for the longship, the one with the most points stands for all.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from ai.last_turn import is_last, solved_turn
from bench.last_turn_judge import won, worth_of
from looot_core import Action, Phase, State


class Expectation(NamedTuple):
    """The mean worth of a turn to its mover: first the share of the victory, then the lead."""

    share: float
    lead: float


class _Best(NamedTuple):
    score: int
    actions: tuple[Action, ...]


def is_second_last(state: State) -> bool:
    """Tell whether the mover has its last turn, and then another player has the last of all."""
    position = state.position()
    hands = [seat.vikings_in_hand for seat in position.seats]
    return (
        position.phase == Phase.VIKING
        and hands[state.current_player] == 1
        and sorted(hands, reverse=True)[1:] == [1] + [0] * (len(hands) - 2)
    )


def best_expectation(state: State) -> Expectation:
    """Give the most that the player to move can reach, from the start of the second-last turn."""
    return max(expectations(state))


def expectations(state: State) -> Iterator[Expectation]:
    """Value the best turn for each way of placing the viking, each longship and each trophy."""
    fjords: dict[tuple[object, ...], list[tuple[Action, ...]]] = {}
    for opening in _openings(state):
        key = (opening.phase, won(opening))
        if key not in fjords:
            fjords[key] = _best_ways_to_end(opening)
        for actions in fjords[key]:
            yield expectation(opening, actions)


def expectation(state: State, turn: Sequence[Action]) -> Expectation:
    """Value the rest of a turn."""
    player = state.current_player
    takes = next((n for n, action in enumerate(turn) if str(action).startswith("longship")), None)
    revealed: Sequence[str | None] = [None]
    if takes is not None and state.unseen:
        revealed = state.unseen
    found = []
    for longship in revealed:
        after = state.clone()
        for n, action in enumerate(turn):
            after.apply(action, longship if n == takes else None)
        assert is_last(after)
        for action in solved_turn(after)[0]:
            after.apply(action)
        found.append(worth_of(after, player))
    return Expectation(fmean(worth.share for worth in found), fmean(worth.lead for worth in found))


def _openings(state: State) -> Iterator[State]:
    """Place the viking in every way."""
    if state.phase not in (Phase.VIKING, Phase.SECOND_VIKING):
        yield state.clone()
        return
    for action in state.legal_actions():
        state.apply(action)
        yield from _openings(state)
        state.undo()


def _best_ways_to_end(state: State) -> list[tuple[Action, ...]]:
    """Give for each longship taken or none, and each trophy or none, the actions of most points."""
    player = state.current_player
    best: dict[tuple[str, ...], _Best] = {}
    seen: set[int] = set()

    def go_on(done: tuple[Action, ...], mark: int) -> None:
        if mark in seen:
            return
        seen.add(mark)
        for action in state.legal_actions():
            if str(action) == "end":
                # "longship 2 d4" and "trophy 4": the slot and the number tell them apart.
                taken = tuple(sorted(str(a)[:10] for a in done if str(a)[:4] in ("long", "trop")))
                score = state.scores()[player]
                if taken not in best or score > best[taken].score:
                    best[taken] = _Best(score, (*done, action))
            else:
                state.apply(action)
                go_on((*done, action), mark | 1 << action.index)
                state.undo()

    go_on((), 0)
    return [found.actions for found in best.values()]
