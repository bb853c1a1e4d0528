"""Every turn that is found is legal, from whatever phase and however odd the table is."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

import pytest

import looot_core as lc
from ai.greedy import ranked_turns
from ai.turn_search import TurnSearch
from ai.weights import hand_evaluation, learned_evaluation
from tests.ai.crowded import crowded_positions, empty_cells, owed
from tests.ai.positions import play
from tests.positions import random_positions

EDITIONS = ("printed", "rulebook")
MEMORY = 1 << 22


SITUATIONS: dict[str, Callable[[lc.Position], bool]] = {
    "start of a turn": lambda at: at.phase == "viking" and not at.active_shields,
    "second viking": lambda at: at.phase == "second_viking",
    "tiles": lambda at: at.phase == "tiles",
    "end of turn": lambda at: at.phase == "end_of_turn",
    "longship taken": lambda at: at.longship_taken,
    "one shield": lambda at: len(at.active_shields) == 1,
    "several shields": lambda at: len(at.active_shields) > 1,
    "full fjord": lambda at: empty_cells(at) == 0,
    "more owed than cells": lambda at: owed(at) > empty_cells(at),
    "empty bag": lambda at: not at.unseen,
    "empty ocean space": lambda at: None in at.ocean_longships,
}


def positions_of(players: int, edition: str, step: int) -> Iterator[lc.Position]:
    """Give some of the positions of games, and all with hardly a cell left."""
    for seed in range(8):
        positions = random_positions(players, edition, seed)[:-1] if seed < 4 else ()
        positions += crowded_positions(players, edition, seed)
        for n, position in enumerate(positions):
            if n % step == seed % step or empty_cells(position) <= 1:
                yield position


def test_the_positions_show_every_situation() -> None:
    met: Counter[str] = Counter()
    for players, edition in product((2, 3, 4), EDITIONS):
        for position in positions_of(players, edition, 4):
            met.update(name for name, is_met in SITUATIONS.items() if is_met(position))
    assert not [name for name in SITUATIONS if not met[name]]


def check_found(state: lc.State, turns: list[list[lc.Action]]) -> None:
    assert turns
    texts = [tuple(map(str, turn)) for turn in turns]
    assert len(set(texts)) == len(texts), "a turn was found twice"
    for turn in turns:
        play(state.clone(), turn)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ["hand", "learned"])
def test_greedy_turns_are_legal_from_everywhere(name: str, players: int, edition: str) -> None:
    evaluation = hand_evaluation() if name == "hand" else learned_evaluation()
    for n, position in enumerate(positions_of(players, edition, 4)):
        state = lc.State.from_position(position, seed=n)
        ranked = ranked_turns(state, evaluation, level=n % 3)
        check_found(state, [turn for turn, _, _, _ in ranked])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_searched_turns_are_legal_from_everywhere(players: int, edition: str) -> None:
    for n, position in enumerate(positions_of(players, edition, 12)):
        state = lc.State.from_position(position, seed=n)
        search = TurnSearch(state, learned_evaluation(), n, MEMORY)
        search.run(30, None, 60.0, None)
        candidates = search.candidates()
        check_found(state, [values[1] for values in candidates])
        assert search.turn() == candidates[0][1]
        for values in candidates:
            turn, line = values[1], values[7]
            assert line[: len(turn)] == turn
            check_line(state.clone(), line)


def check_line(state: lc.State, line: list[lc.Action]) -> None:
    """Play a line as far as no draw decides: through turns that take no longship, and one more."""
    drawn = False
    for action in line:
        if drawn and str(action).startswith("viking"):
            break
        assert action in state.legal_actions()
        drawn = drawn or str(action).startswith("longship")
        state.apply(action)


@pytest.mark.parametrize("level", range(7))
def test_every_level_finds_the_only_turn(level: int) -> None:
    only = [
        state
        for position in random_positions(2, "printed", 3)
        if position.phase == lc.Phase.END_OF_TURN
        for state in [lc.State.from_position(position)]
        if len(state.legal_actions()) == 1
    ]
    for state in only:
        (found,) = ranked_turns(state, learned_evaluation(), level)
        assert [str(action) for action in found[0]] == ["end"]
    assert only


def test_wider_levels_find_no_worse_turns() -> None:
    """Wider by far is better by the same measure, nearly always."""
    better = worse = 0
    for seed in range(6):
        for position in random_positions(2 + seed % 3, "printed", seed)[::25]:
            if position.phase != lc.Phase.VIKING:
                continue
            state = lc.State.from_position(position)
            narrow = ranked_turns(state, learned_evaluation(), 0)[0][2]
            wide = ranked_turns(state, learned_evaluation(), 4)[0][2]
            better += wide > narrow + 0.01
            worse += wide < narrow - 0.01
    assert better > 3 * worse
