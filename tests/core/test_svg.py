"""The SVG picture."""

import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

import looot_core as lc
from looot_core.components import FJORD_CELLS
from looot_core.svg_markup import text, title

DATA = Path(__file__).parents[1] / "data"
NAMESPACE = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
ACCENT = "#d4127e"


def recorded(edition: str) -> list[lc.GameRecord]:
    return lc.GameRecord.load(DATA / f"{edition}.jsonl")


def parsed(picture: str) -> Element:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{NAMESPACE}svg"
    return root


def titles(root: Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{NAMESPACE}title")]


def uses(root: Element, icon: str) -> int:
    return sum(use.get(LINK) == f"#looot-{icon}" for use in root.iter(f"{NAMESPACE}use"))


@pytest.fixture(scope="module")
def middle() -> lc.State:
    return recorded("printed")[0].replay(stop=75)


def test_document_stands_alone(middle: lc.State) -> None:
    picture = lc.svg(middle)
    root = parsed(picture)
    assert root.get("version") == "1.1"
    assert root[0].tag == f"{NAMESPACE}title"
    assert root[0].text == ("Looot, printed edition, 2 players, turn 17. Player 1 places a viking.")
    names = {element.tag.removeprefix(NAMESPACE) for element in root.iter()}
    assert names <= {
        "svg", "title", "defs", "g", "use", "text",
        "path", "circle", "ellipse", "rect", "polygon",
    }  # fmt: skip
    defined = {element.get("id") for element in root.iter() if element.get("id")}
    assert {use.get(LINK) for use in root.iter(f"{NAMESPACE}use")} <= {f"#{d}" for d in defined}
    assert "url(" not in picture
    assert not re.search(r"(?:nan|inf)\b|\d\.\d{3}", picture)


def test_shows_in_a_notebook(middle: lc.State) -> None:
    assert middle._repr_svg_() == lc.svg(middle) == lc.svg(middle.position())


def test_is_the_same_every_time(middle: lc.State) -> None:
    copy = lc.Position.from_dict(middle.position().to_dict())
    assert lc.svg(copy) == lc.svg(middle)
    assert lc.svg(middle.clone()) == lc.svg(middle)


def test_markup_escapes_what_it_is_given() -> None:
    hostile = "<script>&\"'"
    for written in (text(0, 0, hostile, 9, fill=hostile), title(hostile)):
        assert "<script" not in written
        assert ElementTree.fromstring(written).text == hostile


@pytest.mark.parametrize("edition", ["printed", "rulebook"])
def test_recorded_final_positions_are_drawn_whole(edition: str) -> None:
    for record in recorded(edition)[::10]:
        check_whole(record.replay())


def test_positions_along_a_game_are_drawn_whole() -> None:
    record = next(r for r in recorded("printed") if r.setup.players == 4)
    for stop in range(0, len(record.events), 40):
        check_whole(record.replay(stop=stop))


def check_whole(state: lc.State) -> None:
    """Look for everything that the position holds in what the picture names."""
    position = state.position()
    root = parsed(lc.svg(state))
    named = Counter(titles(root))
    landscape = position.landscape
    for space in landscape.resource_spaces:
        counts = position.vikings.get((space.q, space.r), ())
        found = [name for name in named if name.startswith(f"{space.q},{space.r}: ")]
        assert len(found) == 1
        assert f"({space.kind})" in found[0]
        for player in range(position.players):
            n = counts[player] if counts else 0
            assert (f"{n} of player {player}" in found[0]) == bool(n)
    for space in landscape.building_spaces:
        left = position.buildings[space.q, space.r]
        assert named[f"{space.q},{space.r}: {space.kind}, {left} left"] == 1
    for slot, longship in enumerate(position.ocean_longships):
        assert named[f"ocean slot {slot}: {longship or 'empty'}"] == 1
    for number in range(2, 7):
        assert any(name.startswith(f"trophy {number}: {number} axes") for name in named)
    expected: Counter[str] = Counter()
    for seat in position.seats:
        for cell in FJORD_CELLS:
            kind = seat.tiles.get(cell.name)
            longship = seat.longships.get(cell.name)
            expected[f"{cell.name}: {kind or longship or 'empty'}"] += 1
    drawn = Counter(
        re.sub(r"longship |, (?:not )?filled", "", name)
        for name in named.elements()
        if re.match(r"[a-g][1-7]: ", name)
    )
    assert drawn == expected
    in_legend = 1
    seats_shown = position.players + sum(seat.trophy > 0 for seat in position.seats) + in_legend
    tokens = sum(sum(map(bool, counts)) for counts in position.vikings.values())
    assert uses(root, "viking") == tokens + seats_shown
    texts = [element.text for element in root.iter(f"{NAMESPACE}text")]
    for score in state.scores():
        assert str(score).replace("-", "\N{MINUS SIGN}") in texts
    check_inside(root)


def check_inside(root: Element) -> None:
    """See that no hex reaches out of the picture."""
    _, _, width, height = map(float, (root.get("viewBox") or "").split(" "))

    def visit(element: Element, x: float, y: float) -> None:
        move = re.match(r"translate\((\S+) (\S+)\)", element.get("transform") or "")
        if move:
            x, y = x + float(move[1]), y + float(move[2])
        if element.tag == f"{NAMESPACE}polygon":
            assert 0 <= x - 9 <= x + 9 <= width
            assert 0 <= y - 9 <= y + 9 <= height
        for child in element:
            visit(child, x, y)

    visit(root, 0, 0)


def test_filled_ones_are_marked() -> None:
    for record in recorded("printed")[::10]:
        state = record.replay()
        filled = 0
        for player, seat in enumerate(state.position().seats):
            breakdown = state.score_breakdown(player)
            filled += len(seat.longships) - breakdown["penalty"] // 5
        root = parsed(lc.svg(state))
        named = [name for name in titles(root) if ": longship" in name]
        assert sum(not name.endswith("not filled") for name in named) == filled


def test_landing_spaces_are_marked(middle: lc.State) -> None:
    named = titles(parsed(lc.svg(middle)))
    free = {name.split(":")[0] for name in named if "free to land" in name}
    assert free == {f"{q},{r}" for q, r in middle.landing_spaces()}


def test_suggested_turn_is_numbered(middle: lc.State) -> None:
    turn = [
        "shield double", "viking 3,-2", "tile sheep e3", "tile sheep g2",
        "longship 2 f4", "trophy 4", "end",
    ]  # fmt: skip
    actions = [lc.Action.parse(action, middle) for action in turn]
    root = parsed(lc.svg(middle, highlight=actions))
    badges = [
        group[1].text
        for group in root.iter(f"{NAMESPACE}g")
        if len(group) == 2
        and group[0].tag == f"{NAMESPACE}circle"
        and group[0].get("fill") == ACCENT
    ]
    assert Counter(badges) == Counter("1234556")  # a longship is marked where it was and will be
    written = " ".join(element.text or "" for element in root.iter(f"{NAMESPACE}text"))
    for number, action in enumerate(turn, 1):
        assert f"{number}. {action}" in written
    assert ACCENT not in lc.svg(middle)


def test_suggestion_on_occupied_space_and_empty_slot() -> None:
    state = recorded("printed")[0].replay()
    position = state.position()
    q, r = next(iter(position.vikings))
    actions = [lc.Action.parse(action, state) for action in (f"viking {q},{r}", "longship 0 a2")]
    check = parsed(lc.svg(state, actions))
    assert uses(check, "viking") == uses(parsed(lc.svg(state)), "viking")


def test_action_of_another_landscape_is_refused(middle: lc.State) -> None:
    other = lc.State(lc.GameSetup.random(players=2, seed=1))
    with pytest.raises(lc.IllegalActionError, match=r"highlight\[0\]: .* another landscape"):
        lc.svg(middle, [other.legal_actions()[-1]])


@pytest.mark.parametrize("action", ["end", 3, None, [1], 10**400])
def test_what_is_no_action_is_refused(middle: lc.State, action: Any) -> None:
    with pytest.raises(lc.IllegalActionError, match=r"highlight\[1\]: .* not an Action"):
        lc.svg(middle, [lc.Action.parse("end", middle), action])


@pytest.mark.parametrize("highlight", [3, None, {}.get, 1.5])
def test_what_is_no_sequence_of_actions_is_refused(middle: lc.State, highlight: Any) -> None:
    with pytest.raises(lc.IllegalActionError, match=r"highlight: .* is not a list of actions"):
        lc.svg(middle, highlight)


@pytest.mark.parametrize("game", [None, 3, "state", {}, lc.State])
def test_what_is_no_game_is_refused(game: Any) -> None:
    with pytest.raises(lc.LoootError, match=r"game: .* neither a State nor a Position"):
        lc.svg(game)
