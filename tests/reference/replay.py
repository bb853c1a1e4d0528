"""Replaying a record on the reference and looking for the first difference."""

from typing import Any

from tests.reference.game import ReferenceGame, hex_text

Record = dict[str, Any]


def replay(record: Record) -> ReferenceGame:
    """Play a record to its end; an `AssertionError` names the first thing that differs."""
    game = ReferenceGame(record)
    actions: list[str] = record["actions"]
    turns = {turn["at"]: turn for turn in record["turns"]}
    turn: dict[str, Any] = {}
    for at, action in enumerate(actions):
        if action.startswith("draw "):
            _, slot, longship = action.split(" ", 2)
            assert game.ocean[int(slot)] == longship, f"action {at}: {action}"
            continue
        if at in turns:
            turn = turns[at]
            assert game.current_player == turn["player"], f"action {at}: whose turn it is"
            landing = [hex_text(space) for space in game.landing_spaces()]
            assert landing == turn["legal"], f"action {at}: landing spaces (R6)"
        assert action in game.legal_actions(), f"action {at}: {action} is not legal"
        game.apply(action)
        if action == "end":
            assert game.scores() == turn["scores"], f"action {at}: scores (R20)"
            left = {hex_text(space): n for space, n in game.buildings().items() if n}
            assert left == turn["buildings"], f"action {at}: building stacks (R8-R11)"
    assert game.turn_number == len(turns), "number of turns"
    final = [game.score_breakdown(player) for player in range(game.players)]
    assert final == record.get("final", final), "final breakdown (R20)"
    assert game.winners() == record.get("winners", game.winners()), "winners (R21)"
    return game
