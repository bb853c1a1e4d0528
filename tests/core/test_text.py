"""The text board."""

import re
from pathlib import Path

import pytest

import looot_core as lc
from looot_core.text import draw_text
from tests.reference.game import ReferenceGame

DATA = Path(__file__).parents[1] / "data"


def recorded(edition: str) -> list[lc.GameRecord]:
    return lc.GameRecord.load(DATA / f"{edition}.jsonl")


def played(setup: lc.GameSetup, *actions: str) -> lc.State:
    state = lc.State(setup)
    for action in actions:
        state.apply(lc.Action.parse(action, state))
    return state


def test_board_of_a_fixed_position_is_the_stored_one() -> None:
    state = recorded("printed")[0].replay(stop=30)
    stored = (DATA / "text_board.txt").read_text(encoding="utf-8")
    assert str(state) + "\n" == stored


def test_state_and_its_position_give_the_same_board() -> None:
    state = recorded("rulebook")[0].replay(stop=40)
    assert str(state) == draw_text(state.position())
    assert str(state) == str(state.clone())


@pytest.mark.parametrize("edition", ["printed", "rulebook"])
def test_recorded_final_positions_are_drawn_whole(edition: str) -> None:
    for record in recorded(edition)[::10]:
        state = record.replay()
        board = str(state)
        position = state.position()
        assert "The game is over" in board
        columns = {space.q for space in position.landscape.resource_spaces}
        columns |= {space.q for space in position.landscape.trophy_spaces}
        columns |= {space.q for space in position.landscape.ocean_spaces}
        lines = board.split("\n")
        widest = 80 if position.players == 2 else 120
        assert max(map(len, lines)) <= max(widest, 8 * (max(columns) - min(columns) + 1) + 1)
        assert all(line == line.rstrip() for line in lines)
        for space in (*position.landscape.resource_spaces, *position.landscape.building_spaces):
            assert len(re.findall(rf"[\\_]{space.q},{space.r}[_/]", board)) == 1
        for player, (seat, score) in enumerate(zip(position.seats, state.scores(), strict=True)):
            assert (
                f"Player {player}: {score} points\n" in board
                or f"Player {player}: {score} points  " in board
            )
            for shield in seat.shields:
                assert shield in board
        for longship in position.ocean_longships:
            assert (longship or "empty") in board
        laid = sum(len(seat.longships) for seat in position.seats)
        in_legend = 1
        drawn = re.findall(r"[CTHGSW]\+\d[:=][WSGA]{3}", board)
        assert len(drawn) == laid + in_legend
        standing = re.findall(r"/ *[WSGA](\d+)\+? *\\", board)
        assert sorted(standing) == sorted(
            "".join(str(player) * n for player, n in enumerate(counts))
            for counts in position.vikings.values()
        )


def test_what_is_filled_is_marked() -> None:
    for record in recorded("printed")[::10]:
        state = record.replay()
        game = ReferenceGame(record.setup.to_dict())
        expected = 0
        for seat, sites in zip(state.position().seats, record.setup.sites, strict=True):
            fjord = type(game.fjords[0])(list(sites))
            fjord.tiles = dict(seat.tiles)
            expected += sum(
                fjord.is_filled(cell, text.split(" ")[1]) for cell, text in seat.longships.items()
            )
            expected += sum(fjord.is_filled(*site) for site in site_cells(fjord.sites))
        assert len(re.findall(r"(?:\+\d|[579])=[A-Z]", str(state))) == expected


def site_cells(sites: dict[str, str]) -> list[tuple[str, str]]:
    from tests.reference.components import SITE_CELLS

    return [(SITE_CELLS[kind], letters) for kind, letters in sites.items()]


def test_whose_turn_it_is_and_what_is_owed() -> None:
    setup = lc.GameSetup.random(players=2, seed=3)
    state = lc.State(setup)
    board = str(state)
    assert "turn 0" in board
    assert "Player 0 places a viking." in board
    assert len(re.findall(r"[WSGA]\+", board)) == len(state.landing_spaces())
    space = state.landing_spaces()[0]
    kind = next(s.kind for s in state.landscape.resource_spaces if (s.q, s.r) == space)
    state = played(setup, "shield double")
    assert "Shields in use: double." in str(state)
    state = played(setup, "shield double", f"viking {space[0]},{space[1]}")
    assert "Player 0 lays out what was won." in str(state)
    assert f"Still to lay out: 2 {kind}" in str(state)
    assert "> Player 0" in str(state)
    assert "> Player 1" not in str(state)


def test_second_viking_and_end_of_turn() -> None:
    setup = lc.GameSetup.random(players=2, seed=3)
    state = lc.State(setup)
    state.apply(lc.Action.parse("shield second", state))
    state.apply(state.legal_actions()[0])
    assert "Player 0 places a second viking." in str(state)
    while state.phase is not lc.Phase.END_OF_TURN:
        state.apply(state.legal_actions()[0])
    assert "Player 0 may take a longship, or end the turn." in str(state)
    state.apply(lc.Action.parse("longship 0 d3", state))
    assert "Player 0 ends the turn." in str(state)


def test_trophy_is_offered_when_the_axes_suffice() -> None:
    boards = [
        str(record.replay(stop=record.events.index("trophy 3")))
        for record in recorded("printed")[:20]
        if "trophy 3" in record.events
    ]
    assert boards
    assert all("claim a trophy, or end the turn." in board for board in boards)


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(lc.InvalidPositionError, match=r"position: .* is not a Position"):
        draw_text({"format": 1})  # type: ignore[arg-type]
