"""Set-ups: drawn by seed, read from anything, and checked against R1-R5."""

import json
import pickle
from collections import Counter, defaultdict
from copy import deepcopy
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looot_core import assembly
from looot_core.components import EDITIONS, SITE_KINDS
from looot_core.errors import InvalidSetupError
from looot_core.hexes import rotate
from looot_core.landscape import Landscape
from looot_core.setup import GameSetup

DATA = Path(__file__).parents[1] / "data"
KEYS = [
    "format", "edition", "players", "landscape", "ocean", "trophy_board", "sites",
    "ocean_longships", "bag", "seed",
]  # fmt: skip
seeds = st.integers(0, 2**64 - 1)


def recorded(edition: str) -> list[dict[str, Any]]:
    lines = (DATA / f"{edition}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def valid(players: int = 3, edition: str = "printed", seed: int = 11) -> dict[str, Any]:
    return GameSetup.random(players=players, edition=edition, seed=seed).to_dict()


def refusal(data: Any) -> str:
    before = deepcopy(data)
    with pytest.raises(InvalidSetupError) as caught:
        GameSetup.from_dict(data)
    assert repr(data) == repr(before)
    message = str(caught.value)
    assert len(message) < 400
    return message


# --- recorded set-ups


@pytest.mark.parametrize(("edition", "games"), [("printed", 120), ("rulebook", 90)])
def test_recorded_setups_are_accepted_and_kept(edition: str, games: int) -> None:
    records = recorded(edition)
    assert len(records) == games
    for record in records:
        data = GameSetup.from_dict(record).to_dict()
        assert data == {key: record[key] for key in KEYS if key in record}
        assert GameSetup.from_dict(data).to_dict() == data


# --- random set-ups


@given(seeds, st.sampled_from([2, 3, 4]), st.sampled_from(["rulebook", "printed"]))
def test_random_setups_are_legal_and_complete(seed: int, players: int, edition: str) -> None:
    setup = GameSetup.random(players=players, edition=edition, seed=seed)
    assert (setup.players, setup.edition, setup.seed) == (players, edition, seed)
    assert setup == GameSetup.random(players=players, edition=edition, seed=seed)
    assert setup.bag is not None
    tiles = Counter(map(str, EDITIONS[edition].longships))
    assert Counter([*setup.ocean_longships, *setup.bag]) == tiles
    assert (len(setup.ocean_longships), len(setup.bag)) == (5, 25)
    for kind, sites in zip(SITE_KINDS, zip(*setup.sites, strict=True), strict=True):
        assert not Counter(sites) - Counter(EDITIONS[edition].sites[kind])
    written = json.loads(json.dumps(setup.to_dict()))
    assert list(written) == KEYS
    assert GameSetup.from_dict(written) == setup


def test_a_seed_means_the_same_everywhere() -> None:
    assert GameSetup.random(players=3, edition="printed", seed=7).to_dict() == {
        "format": 1,
        "edition": "printed",
        "players": 3,
        "landscape": [["2A", 0, 0, 5], ["3A", 1, -8, 0], ["1A", -3, 1, 0]],
        "ocean": ["A", -4, 4, 5],
        "trophy_board": ["B", 8, -6, 2],
        "sites": [["HHS", "HHTA", "TTHCS"], ["TAW", "TTAS", "TTHCW"], ["HHW", "HTWG", "THCCW"]],
        "ocean_longships": [
            "wood+1 AGW", "sheep+1 GAS", "house+2 SSS", "sheep+1 AAS", "gold+2 AWG",
        ],
        "bag": [
            "sheep+2 GWS", "gold+2 SWG", "wood+1 SSW", "sheep+2 GGS", "sheep+1 WAS", "wood+1 GSW",
            "castle+4 GGA", "gold+3 SSG", "wood+2 GGW", "watchtower+2 WWG", "house+1 AAA",
            "castle+3 AAW", "sheep+1 WWS", "wood+1 ASW", "watchtower+1 WWA", "house+1 AAG",
            "gold+2 WWG", "watchtower+2 SSG", "castle+3 SSA", "house+1 WSS", "watchtower+1 WWS",
            "wood+1 AAW", "watchtower+1 AAG", "castle+3 WWW", "house+1 AAS",
        ],
        "seed": 7,
    }  # fmt: skip


def test_without_a_seed_setups_differ() -> None:
    assert len({GameSetup.random() for _ in range(5)}) == 5
    assert GameSetup.random().edition == "rulebook"
    assert GameSetup.random().players == 2


def test_arguments_decide_only_what_they_name() -> None:
    rulebook, printed = (GameSetup.random(3, edition, 5) for edition in ("rulebook", "printed"))
    assert rulebook.landscape == printed.landscape


def test_every_step_of_the_arrangement_is_uniform() -> None:
    """Each count lies within 5 standard deviations of what a uniform draw gives."""
    games = 4000
    counters: dict[str, Counter[Any]] = {
        "boards": Counter(), "rotation": Counter(), "way": Counter(), "faces": Counter(),
        "longship": Counter(), "port": Counter(),
    }  # fmt: skip
    ocean_spots: Counter[int] = Counter()
    means: dict[int, float] = defaultdict(float)
    for seed in range(games):
        setup = GameSetup.random(edition="printed", seed=seed)
        (first, second), ocean = setup.landscape.boards, setup.landscape.ocean
        assert (first.q, first.r) == (0, 0)
        counters["boards"][first.board, second.board] += 1
        counters["rotation"][first.rotation] += 1
        counters["way"][assembly.next_board_spots([first.spot]).index(second.spot)] += 1
        counters["faces"][ocean.board, setup.landscape.trophy_board.board] += 1
        counters["longship"][setup.ocean_longships[0]] += 1
        counters["port"][setup.sites[1][0]] += 1
        spots = assembly.next_edge_spots([first.spot, second.spot])
        ocean_spots[spots.index(ocean.spot)] += 1
        for index in range(len(spots)):
            means[index] += 1 / len(spots)
    sizes = {"boards": 48, "rotation": 6, "way": 14, "faces": 4, "longship": 30, "port": 5}
    for name, size in sizes.items():
        assert len(counters[name]) == size
        deviation = (games / size * (1 - 1 / size)) ** 0.5
        for count in counters[name].values():
            assert abs(count - games / size) < 5 * deviation, name
    assert ocean_spots.keys() == means.keys()
    for index, mean in means.items():
        assert abs(ocean_spots[index] - mean) < 5 * mean**0.5


def test_every_arrangement_of_three_boards_comes_up() -> None:
    first = assembly.spot(0, 0, 0)
    arrangements = {
        (first, second, third)
        for second in assembly.next_board_spots([first])
        for third in assembly.next_board_spots([first, second])
    }
    drawn = set()
    for seed in range(4000):
        boards = GameSetup.random(players=3, seed=seed).landscape.boards
        # Turn the whole about (0, 0) so that the first board lies as printed.
        turns = -boards[0].rotation % 6
        drawn.add(
            tuple(
                assembly.spot(*rotate((b.q, b.r), turns), (b.rotation + turns) % 6) for b in boards
            )
        )
    assert drawn == arrangements


@pytest.mark.parametrize(
    ("field", "value"),
    [("players", value) for value in (0, 1, 5, -2, True, 2.0, "2", None, 10**5000, [2])]
    + [("edition", value) for value in ("", "Printed", None, 1, ["printed"], "x" * 10**6)]
    + [("seed", value) for value in (-1, 2**64, True, 1.0, "1", float("nan"), [1], 10**5000)],
    ids=lambda value: type(value).__name__,
)
def test_random_refuses_other_arguments(field: str, value: Any) -> None:
    with pytest.raises(InvalidSetupError, match=f"^{field}: "):
        GameSetup.random(**{field: value})


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_the_outermost_seeds_work(seed: int) -> None:
    assert GameSetup.from_dict(GameSetup.random(seed=seed).to_dict()).seed == seed


# --- values


def test_setups_are_values() -> None:
    setup = GameSetup.random(players=4, seed=1)
    same = GameSetup.from_dict(setup.to_dict())
    assert same == setup
    assert hash(same) == hash(setup)
    assert pickle.loads(pickle.dumps(setup)) == setup
    with pytest.raises(FrozenInstanceError):
        setup.seed = 2  # type: ignore[misc]


def test_public_shows_neither_bag_nor_seed() -> None:
    setup = GameSetup.random(seed=1)
    public = setup.public()
    assert public.bag is None
    assert public.seed is None
    data = setup.to_dict()
    del data["bag"], data["seed"]
    assert public.to_dict() == data
    assert GameSetup.from_dict(data) == public


def test_a_changed_dict_does_not_change_the_setup() -> None:
    data = valid()
    setup = GameSetup.from_dict(data)
    data["sites"][0][0] = data["bag"][0] = data["landscape"][0][0] = "changed"
    assert setup.to_dict() == valid()


def test_unknown_keys_are_ignored() -> None:
    assert GameSetup.from_dict({**valid(), "actions": ["end"], "note": 1}).to_dict() == valid()


# --- malformed and illegal ones


@pytest.mark.parametrize("data", [None, 1, "{}", [], (1, 2), {1}, float("nan"), {1: 2}])
def test_what_is_no_dict_is_refused(data: Any) -> None:
    assert refusal(data).endswith("is not a dict with texts as keys")


@pytest.mark.parametrize("key", KEYS[:8])
def test_a_missing_key_is_named(key: str) -> None:
    data = valid()
    del data[key]
    assert refusal(data) == f"{key}: missing"


JUNK: list[Any] = [
    True, False, -1, 6, 2**200, 0.0, float("nan"), float("inf"), "", "x" * 10**6, "\ud800", b"",
    [], [[]], {}, {"a": 1}, [None] * 10**5, (), set(), object(),
]  # fmt: skip


@pytest.mark.parametrize("junk", [None, *JUNK], ids=lambda junk: type(junk).__name__)
@pytest.mark.parametrize("key", KEYS)
def test_junk_in_any_field_is_refused_by_name(key: str, junk: Any) -> None:
    data = {**valid(), key: junk}
    if key in ("bag", "seed") and junk is None:
        GameSetup.from_dict(data)
    elif key == "seed" and type(junk) is int and junk == 6:
        assert GameSetup.from_dict(data).seed == 6
    else:
        with pytest.raises(InvalidSetupError, match=f"^{key}: ") as caught:
            GameSetup.from_dict(data)
        assert len(str(caught.value)) < 400


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places inside a nested value."""
    inside: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    return [path] + [p for key, item in inside for p in paths(item, (*path, key))]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.binary(max_size=3) | st.sampled_from(JUNK),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)  # fmt: skip


@given(st.data(), st.integers(2, 4), st.sampled_from(["rulebook", "printed"]))
def test_any_change_is_refused_or_read_back_the_same(
    draw: st.DataObject, players: int, edition: str
) -> None:
    data = valid(players, edition)
    for _ in range(draw.draw(st.integers(1, 3))):
        path = draw.draw(st.sampled_from(paths(data)[1:]))
        holder: Any = data
        for key in path[:-1]:
            holder = holder[key]
        change = draw.draw(st.sampled_from(["replace", "delete", "repeat"]))
        if change == "replace":
            # A copy: a further change may lie inside it, and JUNK must stay as it is.
            holder[path[-1]] = deepcopy(draw.draw(anything))
        elif change == "delete":
            del holder[path[-1]]
        elif isinstance(holder, list):
            holder.append(deepcopy(holder[path[-1]]))
    try:
        setup: GameSetup | None = GameSetup.from_dict(data)
    except InvalidSetupError as error:
        setup, message = None, str(error)
    if setup is None:
        assert len(message) < 400
        return
    assert setup.to_dict() == {
        key: value for key, value in data.items() if key in KEYS and value is not None
    }


@given(anything)
def test_anything_at_all_is_refused(data: Any) -> None:
    with pytest.raises(InvalidSetupError):
        GameSetup.from_dict(data)


@pytest.mark.parametrize("key", ["format", "players", "seed"])
def test_integers_too_long_to_be_written_are_refused(key: str) -> None:
    with pytest.raises(InvalidSetupError, match=f"^{key}: an int of 16610 bits is not"):
        GameSetup.from_dict({**valid(), key: 10**5000})


def test_deep_nesting_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for key in ("landscape", "ocean", "sites", "bag", "seed", "format"):
        with pytest.raises(InvalidSetupError, match=f"^{key}"):
            GameSetup.from_dict({**valid(), key: deep})


def test_r1_as_many_boards_as_players() -> None:
    data = {**valid(3), "players": 4, "sites": valid(4)["sites"]}
    assert refusal(data) == "landscape: 3 boards for 4 players; each player adds one (R1)"


def test_r4_a_longship_lies_in_one_place() -> None:
    data = valid()
    data["ocean_longships"][3] = twice = data["ocean_longships"][1]
    assert refusal(data) == f"ocean_longships[3]: '{twice}' lies elsewhere too; there is one (R4)"
    data = valid()
    data["bag"][24] = twice = data["ocean_longships"][0]
    assert refusal(data) == f"bag[24]: '{twice}' lies elsewhere too; there is one (R4)"
    del data["bag"]
    assert GameSetup.from_dict(data).bag is None


def test_r4_longships_are_of_the_edition() -> None:
    data = valid(edition="rulebook")
    data["ocean_longships"][0] = "watchtower+1 WWS"
    assert refusal(data) == (
        "ocean_longships[0]: 'watchtower+1 WWS' is no longship of the edition 'rulebook' (R4)"
    )


@pytest.mark.parametrize(("key", "size"), [("ocean_longships", 5), ("bag", 25)])
def test_r4_none_missing_and_none_too_many(key: str, size: int) -> None:
    for change in (slice(0, -1), slice(0, 0)):
        data = valid()
        data[key] = data[key][change]
        assert refusal(data).endswith(f"is not a list of {size} longships (R4)")
    data = valid()
    data[key].append(data[key][0])
    assert refusal(data).startswith(f"{key}: [")


def test_r5_a_site_is_of_the_edition_and_of_its_kind() -> None:
    data = valid()
    data["sites"][1][2] = data["sites"][1][1]
    tile = data["sites"][1][1]
    assert refusal(data) == f"sites[1]: '{tile}' is no jarl_palace of the edition 'printed' (R5)"


def test_r5_a_site_tile_is_used_once() -> None:
    data = valid()
    data["sites"][2][0] = tile = data["sites"][0][0]
    assert refusal(data) == f"sites[2]: port '{tile}' is used twice, there is only 1 (R5)"


def test_r5_the_five_equal_sites_of_the_rulebook_may_all_be_used() -> None:
    setup = GameSetup.random(players=4, edition="rulebook", seed=1)
    assert setup.sites == (("AH", "TAHH", "HWTTC"),) * 4


def test_r5_one_of_each_kind_a_seat() -> None:
    data = valid()
    data["sites"].append(data["sites"][0])
    assert refusal(data).endswith("is not a list of 3 seats, one a player (R5)")
    data = valid()
    data["sites"][2].pop()
    assert refusal(data).startswith("sites[2]: [")


def test_a_setup_made_directly_is_checked_too() -> None:
    setup = GameSetup.random(players=2, seed=1)
    fields: dict[str, Any] = {name: getattr(setup, name) for name in GameSetup.__dataclass_fields__}
    assert GameSetup(**{**fields, "sites": [list(s) for s in setup.sites]}) == setup
    assert isinstance(setup.landscape, Landscape)
    for name, value in (("landscape", None), ("bag", ["x"]), ("seed", -1), ("players", 3)):
        with pytest.raises(InvalidSetupError):
            GameSetup(**{**fields, name: value})
