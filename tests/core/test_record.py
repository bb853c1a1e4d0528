"""Records: read and written unchanged, replayed, and checked against what they store."""

import copy
import json
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

import looot_core as lc
from tests.core.games import DATA, EDITIONS, choose, recorded
from tests.core.hostile import VALUES

Data = dict[str, Any]
HUGE = 10**4000


def record_of(number: int = 0, edition: str = "printed") -> Data:
    return copy.deepcopy(recorded(edition)[number].to_dict())


@pytest.mark.parametrize("edition", EDITIONS)
def test_recorded_games_are_read_and_written_unchanged(edition: str, tmp_path: Path) -> None:
    path = DATA / f"{edition}.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    records = lc.GameRecord.load(path)
    assert [record.to_dict() for record in records] == lines
    copied = tmp_path / "games.jsonl"
    for record in records:
        record.save(copied, append=True)
    assert lc.GameRecord.load(copied) == records
    records[1].save(copied)
    assert lc.GameRecord.load(str(copied)) == [records[1]]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_recorded_game_replays_with_no_difference(edition: str) -> None:
    records = recorded(edition)
    assert len(records) == {"printed": 120, "rulebook": 90}[edition]
    for record in records:
        record.check()
        assert record.replay().is_over


def test_unknown_keys_are_kept(tmp_path: Path) -> None:
    data = {**record_of(), "agents": ["random", {"name": "Ísólfr"}], "level": None}
    record = lc.GameRecord.from_dict(data)
    record.check()
    assert record.to_dict() == data
    assert record.extra["agents"] == data["agents"]
    record.save(tmp_path / "game.jsonl")
    assert lc.GameRecord.load(tmp_path / "game.jsonl")[0].to_dict() == data
    assert record.with_checks().extra["level"] is None


def test_blank_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"\n{json.dumps(record_of(0))}\r\n  \n{json.dumps(record_of(1))}", "utf-8")
    assert lc.GameRecord.load(path) == list(recorded("printed")[:2])
    path.write_text("")
    assert lc.GameRecord.load(path) == []


def test_a_record_is_a_value() -> None:
    record = recorded("printed")[0]
    assert pickle.loads(pickle.dumps(record)) == record
    assert record != recorded("printed")[1]
    assert record != record.to_dict()
    assert repr(record) == (
        f"<GameRecord {DATA / 'printed.jsonl'} line 1: 2 players, {len(record.events)} events>"
    )


# Checks


@pytest.mark.parametrize("edition", EDITIONS)
def test_checks_made_are_those_recorded(edition: str) -> None:
    for record in recorded(edition)[::10]:
        bare = lc.GameRecord(record.setup, record.events, {"note": "kept"})
        made = bare.with_checks()
        made.check()
        assert bare.extra == {"note": "kept"}
        assert list(made.extra) == ["note", "turns", "final", "winners"]
        assert made.extra["winners"] == record.extra.get("winners", made.extra["winners"])
        for seat, stored in zip(made.extra["final"], record.extra["final"], strict=True):
            assert {key: seat[key] for key in stored} == stored
        for turn, stored in zip(made.extra["turns"], record.extra["turns"], strict=True):
            assert {key: turn[key] for key in stored if key != "at"} == {
                key: value for key, value in stored.items() if key != "at"
            }


def test_a_game_may_stop_anywhere() -> None:
    record = recorded("rulebook")[0]
    events = record.events
    for stop in range(0, len(events), 7):
        if events[stop].startswith("draw"):
            continue
        part = lc.GameRecord(record.setup, events[:stop]).with_checks()
        part.check()
        assert "final" not in part.extra
        assert "winners" not in part.extra
        assert part.replay().position() == record.replay(stop).position()
        assert lc.GameRecord.from_dict(json.loads(json.dumps(part.to_dict()))) == part


def test_a_game_just_played_can_be_recorded() -> None:
    setup = lc.GameSetup.random(players=3, seed=4)
    state, random, events = lc.State(setup), Random(4), list[str]()
    while not state.is_over:
        action, unseen = choose(state, random), state.unseen
        state.apply(action)
        events.append(str(action))
        for tile in set(unseen) - set(state.unseen):
            events.append(f"draw {events[-1].split()[1]} {tile}")
    for start in (setup, setup.public()):
        record = lc.GameRecord(start, events).with_checks()
        record.check()
        assert record.replay().position() == state.position()
        assert record.extra["winners"] == state.winners()


TAMPERED: dict[str, tuple[Callable[[Data], None], str, str]] = {}
Tamper = Callable[[Data], None]


def tamper(where: str, rule: str) -> Callable[[Tamper], Tamper]:
    assert where, "an error names the place"
    assert rule, "an error names the rule"

    def register(change: Tamper) -> Tamper:
        TAMPERED[change.__name__] = (change, where, rule)
        return change

    return register


def first(data: Data, verb: str) -> int:
    return next(n for n, event in enumerate(data["actions"]) if event.startswith(verb))


@tamper("turns[3].scores", "(R20)")
def score(data: Data) -> None:
    data["turns"][3]["scores"][1] += 1


@tamper("turns[0].scores", "(R20)")
def score_as_a_float(data: Data) -> None:
    data["turns"][0]["scores"][0] += 0.0


@tamper("turns[2].legal", "(R6)")
def landing_space(data: Data) -> None:
    del data["turns"][2]["legal"][0]


@tamper("turns[4].buildings", "(R3, R8-R11)")
def stack(data: Data) -> None:
    stacks = data["turns"][4]["buildings"]
    stacks[next(iter(stacks))] += 1


@tamper("turns[1].player", "(R5, R19)")
def player(data: Data) -> None:
    data["turns"][1]["player"] = 0


@tamper("turns", "(R15)")
def turn_missing(data: Data) -> None:
    del data["turns"][-1]


@tamper("turns[0]", "(R15)")
def turn_of_another_type(data: Data) -> None:
    data["turns"][0] = 7


@tamper("turns", "(R15)")
def turns_of_another_type(data: Data) -> None:
    data["turns"] = {"0": data["turns"][0]}


@tamper("winners", "(R21)")
def winners(data: Data) -> None:
    data["winners"] = [0, 1]


@tamper("final[1].castle", "(R20)")
def final_count(data: Data) -> None:
    data["final"][1]["castle"][0] += 1


@tamper("final[0].total", "(R20)")
def final_total(data: Data) -> None:
    data["final"][0]["total"] = -data["final"][0]["total"]


@tamper("final", "(R20)")
def final_seat_missing(data: Data) -> None:
    del data["final"][0]


@tamper("final", "(R19)")
def final_before_the_end(data: Data) -> None:
    del data["actions"][-1]
    data["winners"] = None
    data["turns"] = None


@tamper("actions[1]", "(R6)")
def viking_inland(data: Data) -> None:
    landscape = lc.GameSetup.from_dict(data).landscape
    legal = data["turns"][0]["legal"]
    spaces = [f"{space.q},{space.r}" for space in landscape.resource_spaces]
    data["actions"][1] = f"viking {next(space for space in spaces if space not in legal)}"


@tamper("actions[3]", "(R11)")
def tile_not_owed(data: Data) -> None:
    data["actions"][3] = "tile castle d6"


@tamper("actions[2]", "(R6)")
def action_unknown(data: Data) -> None:
    data["actions"][2] = "viking 999,999"


@tamper("actions[0]", "(R6-R18)")
def action_misspelt(data: Data) -> None:
    data["actions"][0] = "SHIELD second"


@tamper("actions[", "(R13)")
def draw_missing(data: Data) -> None:
    del data["actions"][first(data, "draw")]


@tamper("actions[", "(R13)")
def draw_of_another_slot(data: Data) -> None:
    index = first(data, "draw")
    _, slot, tile = data["actions"][index].split(" ", 2)
    data["actions"][index] = f"draw {(int(slot) + 1) % 5} {tile}"


@tamper("actions[", "(R13)")
def draw_out_of_order(data: Data) -> None:
    index = first(data, "draw")
    data["actions"][index] = f"draw {data['actions'][index].split(' ')[1]} {data['bag'][5]}"


@tamper("actions[", "(R13)")
def draw_of_what_lies_on_the_ocean(data: Data) -> None:
    index = first(data, "draw")
    slot = data["actions"][index].split(" ")[1]
    data["actions"][index] = f"draw {slot} {data['ocean_longships'][0]}"


@tamper("actions[", "(R4)")
def draw_of_nothing(data: Data) -> None:
    data["actions"][first(data, "draw")] = data["actions"][first(data, "draw")][:6]


@tamper("actions[1]", "(R13)")
def draw_behind_a_shield(data: Data) -> None:
    data["actions"].insert(1, f"draw 0 {data['bag'][0]}")


@tamper("actions[", "over (R19)")
def action_after_the_end(data: Data) -> None:
    data["actions"].append("end")


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_record_fails_naming_game_place_and_rule(name: str) -> None:
    change, where, rule = TAMPERED[name]
    data = record_of()
    change(data)
    record = lc.GameRecord.from_dict(data, name="games.jsonl line 8")
    with pytest.raises(lc.RecordMismatchError) as caught:
        record.check()
    message = str(caught.value)
    assert message.startswith("games.jsonl line 8: ")
    assert where in message
    assert rule in message
    assert len(message) < 1000


@pytest.mark.parametrize("name", ["viking_inland", "draw_missing", "draw_out_of_order"])
def test_a_game_that_breaks_a_rule_cannot_be_replayed(name: str) -> None:
    data = record_of()
    TAMPERED[name][0](data)
    record = lc.GameRecord.from_dict(data)
    with pytest.raises(lc.RecordMismatchError, match=r"actions\["):
        record.replay()
    with pytest.raises(lc.RecordMismatchError, match=r"actions\["):
        record.with_checks()
    record.replay(stop=1)


# Malformed files


@pytest.mark.parametrize(
    "line",
    [
        b"{", b"[]", b"null", b"7", b'"game"', b"{}", b"\xff\xfe", b"NaN", b"[" * 100_000,
        b'{"format": Infinity}', b'{"format":' + b"1" * 10_000 + b"}", b"\0", b"{'format': 1}",
    ],
)  # fmt: skip
def test_a_line_that_is_no_record_is_refused_with_its_number(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(json.dumps(record_of()).encode() + b"\n" + line + b"\n")
    with pytest.raises(lc.InvalidRecordError, match=r"games\.jsonl line 2: "):
        lc.GameRecord.load(path)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
def test_json_has_finite_numbers_only(number: str, tmp_path: Path) -> None:
    with pytest.raises(lc.InvalidRecordError, match=rf"^game: not JSON: {number} is not a finite"):
        lc.parse_json(f'{{"level": {number}}}', "game")
    record = lc.GameRecord.from_dict(record_of())
    record.extra["level"] = float(number)
    path = tmp_path / "games.jsonl"
    with pytest.raises(lc.InvalidRecordError, match=r"^record: extra: "):
        record.save(path)
    assert not path.exists()


def test_json_is_read() -> None:
    assert lc.parse_json(b'{"a": [1, -2.5, "x", true, null]}') == {"a": [1, -2.5, "x", True, None]}
    junk: Any
    for junk in (None, 7, [], bytearray(b"1")):
        with pytest.raises(lc.InvalidRecordError, match=r"^JSON: .* is neither text nor bytes"):
            lc.parse_json(junk)


def test_a_save_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    old = lc.GameRecord.from_dict(record_of())
    old.save(path)
    record = lc.GameRecord.from_dict({**record_of(1), "note": "\ud800"})
    with pytest.raises(lc.InvalidRecordError, match=r"^record: extra: "):
        record.save(path)
    assert lc.GameRecord.load(path) == [old]
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_path_is_refused() -> None:
    record = lc.GameRecord.from_dict(record_of())
    no_texts = [value for value in VALUES if not issubclass(type(value), str)]
    for path in ("\0", "\ud800", 5, None, b"games.jsonl", *no_texts):
        for call in (lc.GameRecord.load, record.save, partial(record.save, append=True)):
            with pytest.raises(lc.InvalidRecordError, match=r"^path: .* is not the path of a"):
                call(path)


@pytest.mark.parametrize("stop", [-1, True, float("nan"), "x", 10**30])
def test_where_a_replay_stops_is_an_index(stop: Any) -> None:
    record = lc.GameRecord.from_dict(record_of())
    if stop == 10**30:
        assert record.replay(stop).is_over
        return
    with pytest.raises(lc.LoootError, match=r"^stop: .* is not the index of an event"):
        record.replay(stop)


def test_a_missing_file_is_an_operating_system_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        lc.GameRecord.load(tmp_path / "nothing.jsonl")


@pytest.mark.parametrize(
    "key",
    ["format", "edition", "players", "landscape", "ocean", "sites", "ocean_longships", "actions"],
)
@pytest.mark.parametrize("junk", [None, True, -1, HUGE, float("nan"), "x" * 9999, [[]], {}])
def test_junk_in_a_field_is_refused(key: str, junk: Any) -> None:
    with pytest.raises(lc.InvalidRecordError, match=f"^game: {key}"):
        lc.GameRecord.from_dict({**record_of(), key: junk}, "game")
    data = record_of()
    del data[key]
    with pytest.raises(lc.InvalidRecordError, match=f"^game: {key}: missing"):
        lc.GameRecord.from_dict(data, "game")


def test_too_many_actions_are_refused() -> None:
    with pytest.raises(lc.InvalidRecordError, match="1000000 are more"):
        lc.GameRecord.from_dict({**record_of(), "actions": ["end"] * 10**6})


@pytest.mark.parametrize("key", ["turns", "final", "winners"])
@pytest.mark.parametrize("junk", [True, -1, HUGE, 0.5, "x" * 9999, [[]], {}, [None]])
def test_junk_for_a_check_is_a_difference(key: str, junk: Any) -> None:
    record = lc.GameRecord.from_dict({**record_of(), key: junk}, "game")
    with pytest.raises(lc.RecordMismatchError, match=f"^game: {key}"):
        record.check()


def test_what_is_not_json_is_refused() -> None:
    deep: Any = []
    for _ in range(1000):
        deep = [deep]
    for junk in (float("nan"), float("inf"), b"a", {1}, {1: 2}, [{"a": object()}], deep):
        with pytest.raises(lc.InvalidRecordError, match=r"^game: 'note': .* is not a JSON value"):
            lc.GameRecord.from_dict({**record_of(), "note": junk}, "game")
