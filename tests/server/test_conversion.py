"""Everything survives the way into a message and back."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import looot_core as lc
from looot.v1 import game_pb2
from looot_core.components import EDITIONS, FJORD_CELLS, FJORD_SITES
from server.conversion import (
    FieldError,
    action_from_message,
    action_to_message,
    draw_from_message,
    draw_to_message,
    position_from_message,
    position_to_message,
    score_to_message,
)
from tests.positions import position_in, random_positions

GAMES = st.tuples(st.sampled_from([2, 3, 4]), st.sampled_from(list(EDITIONS)), st.integers(0, 4))
PHASES = ["viking", "second_viking", "tiles", "end_of_turn", "over"]


@given(GAMES, st.data())
@settings(max_examples=60)
def test_position_survives(game: tuple[int, str, int], data: st.DataObject) -> None:
    position = data.draw(st.sampled_from(random_positions(*game)))
    sent = position_to_message(position).SerializeToString()
    received = game_pb2.Position.FromString(sent)
    assert position_from_message(received, "position") == position
    assert position_to_message(position_from_message(received, "position")) == received


@pytest.mark.parametrize("phase", PHASES)
def test_position_of_every_phase_survives(phase: str) -> None:
    position = position_in(phase)
    assert position_from_message(position_to_message(position), "position") == position


def test_order_of_lists_means_nothing() -> None:
    position = position_in("end_of_turn")
    message = position_to_message(position)
    shuffle = random.Random(1).shuffle
    lists: list[Any] = [message.unseen, message.vikings, message.buildings]
    lists += [seat.tiles for seat in message.seats] + [seat.longships for seat in message.seats]
    lists += [longship.needs for longship in message.unseen]
    lists += [site.jarl_palace for site in message.arrangement.sites]
    for items in lists:
        shuffled = list(items)
        shuffle(shuffled)
        del items[:]
        items.extend(shuffled)
    assert position_from_message(message, "position") == position


@given(GAMES, st.data())
@settings(max_examples=60)
def test_legal_actions_survive(game: tuple[int, str, int], data: st.DataObject) -> None:
    state = lc.State.from_position(data.draw(st.sampled_from(random_positions(*game))))
    for action in state.legal_actions():
        assert action_from_message(action_to_message(action), state, "action") == action


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_action_and_longship_survives(edition: str) -> None:
    setup = lc.GameSetup.random(players=4, edition=edition, seed=1)
    spaces = len(setup.landscape.resource_spaces)
    for index in (*range(spaces), *range(84, lc.ACTION_COUNT)):
        action = lc.Action.from_index(index, setup)
        state = lc.State(setup)
        assert action_from_message(action_to_message(action), state, "action") == action
    for slot, longship in enumerate(EDITIONS[edition].longships):
        draw = draw_to_message(slot % 5, str(longship))
        assert draw_from_message(draw, "draw") == (slot % 5, str(longship))


def test_score_is_the_breakdown() -> None:
    state = lc.State.from_position(position_in("over"))
    score = score_to_message(state)
    assert [seat.total for seat in score.seats] == state.scores()
    assert list(score.winners) == state.winners()
    assert score.game_over
    for seat in score.seats:
        points = sum(kind.points for kind in seat.kinds)
        assert seat.total == points + seat.sites + seat.trophy - seat.penalty
        assert all(kind.points == kind.count * kind.value for kind in seat.kinds)


def test_the_protocol_tells_the_cells_of_the_fjord() -> None:
    comments = Path(game_pb2.__file__).with_name("game.proto").read_text(encoding="utf-8")
    told = re.findall(r"^//   column (\d): rows ([\d ]+)$", comments, re.MULTILINE)
    cells = [(int(column), int(row)) for column, rows in told for row in rows.split()]
    assert cells == [(cell.column, cell.row) for cell in FJORD_CELLS]
    for kind, site in FJORD_SITES.items():
        name = kind.replace("_", " ")
        text = rf"{name} (?:lies )?at column {site.column},\s+(?://\s+)?row {site.row}"
        assert re.search(text, comments), kind


def test_action_without_a_kind_is_refused() -> None:
    state = lc.State.from_position(position_in("viking"))
    with pytest.raises(FieldError, match="one kind of action"):
        action_from_message(game_pb2.Action(), state, "action")
