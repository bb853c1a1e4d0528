"""The reasons for a turn."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from functools import cache

import pytest

import ai
import looot_core as lc
from ai.attribution import FACTORS
from ai.contributions import lead, lead_weights
from ai.greedy import ranked_turns
from ai.last_turn import is_last, solved_turn
from ai.prospects import best_landing, castles_of, joinable_watchtowers
from ai.reasons import Reasons, reasons_for
from ai.weights import hand_evaluation, learned_evaluation
from looot_core.components import TROPHIES
from tests.ai.plain_features import PlainFeatures
from tests.ai.positions import play, random_position
from tests.positions import position_in

Turn = tuple[lc.Position, list[lc.Action]]


@cache
def turns() -> list[Turn]:
    """Give turns from everywhere in good and in random games, also from within a turn."""
    found: list[Turn] = []
    for seed in range(6):
        for players in (2, 3, 4):
            edition = ("rulebook", "printed")[seed % 2]
            state = lc.State(lc.GameSetup.random(players=players, edition=edition, seed=seed))
            while not state.is_over:
                best = solved_turn(state)[0] if is_last(state) else _greedy(state)
                if (state.turn_number + seed) % 3 == 0:
                    found.append((state.position(), best))
                play(state, best)
            position = random_position(seed, players, edition=edition)
            agent = ai.create_agent("random", seed=seed)
            found.append((position, agent.analyze(position, ai.Limits()).turn))
    return found


def _greedy(state: lc.State) -> list[lc.Action]:
    return ranked_turns(state, learned_evaluation())[0][0]


@cache
def explained_turns() -> list[tuple[lc.State, lc.State, list[str], Reasons]]:
    """Give the state before, the one after, the turn and its reasons."""
    found = []
    for position, turn in turns():
        before = lc.State.from_position(position, seed=1)
        reasons = reasons_for(before, turn, learned_evaluation())
        assert before.position() == position
        after = before.clone()
        play(after, turn)
        found.append((before, after, list(map(str, turn)), reasons))
    return found


def test_turns_of_every_sort_are_looked_at() -> None:
    everything = [reasons for *_, reasons in explained_turns()]
    assert len(everything) > 150
    for name in ("progress", "longship", "trophy", "shields", "castles", "watchtowers"):
        assert any(getattr(reasons, name) for reasons in everything), name
    moved = {entry.factor for reasons in everything for entry in reasons.contributions}
    assert moved == set(FACTORS)
    assert any(after.is_over for _, after, _, _ in explained_turns())
    assert any(before.phase == lc.Phase.TILES for before, *_ in explained_turns())


def test_contributions_add_up_to_the_change_of_lead_and_forecasts() -> None:
    for before, after, _, reasons in explained_turns():
        sums = [
            old + sum(entry.forecasts[seat] for entry in reasons.contributions)
            for seat, old in enumerate(reasons.forecasts_before)
        ]
        assert sums == pytest.approx(reasons.forecasts, abs=1e-6)
        assert sum(entry.lead for entry in reasons.contributions) == pytest.approx(
            reasons.lead_change, abs=1e-6
        )
        assert reasons.forecasts_before == tuple(learned_evaluation().seat_scores(before))
        if after.is_over:
            assert reasons.forecasts == tuple(after.scores())
        leads = [entry.lead for entry in reasons.contributions]
        assert leads == sorted(leads, reverse=True)


def test_factors_that_a_turn_does_not_touch_contribute_nothing() -> None:
    for before, _, turn, reasons in explained_turns():
        moved = {entry.factor for entry in reasons.contributions}
        for word, factor in (
            ("shield", "shields"),
            ("viking", "groups"),
            ("tile", "tiles"),
            ("longship", "longship"),
            ("trophy", "trophy"),
        ):
            if not any(action.startswith(word) for action in turn):
                assert factor not in moved, (turn, factor)
        for entry in reasons.contributions:
            if entry.factor in ("shields", "groups", "tiles"):  # the mover's own
                others = [x for n, x in enumerate(entry.forecasts) if n != before.current_player]
                assert not any(others)


def test_forecasts_are_means_over_what_may_be_revealed() -> None:
    looked_at = 0
    for position, turn in turns():
        texts = list(map(str, turn))
        if not any(text.startswith("longship") for text in texts) or not position.unseen:
            continue
        looked_at += 1
        reasons = reasons_for(lc.State.from_position(position), turn, learned_evaluation())
        sums = [0.0] * position.players
        for draw in position.unseen:
            state = lc.State.from_position(position)
            for action in turn:
                state.apply(action, draw if str(action).startswith("longship") else None)
            scores = learned_evaluation().seat_scores(state)
            sums = [total + score for total, score in zip(sums, scores, strict=True)]
        means = [total / len(position.unseen) for total in sums]
        assert reasons.forecasts == pytest.approx(means, abs=1e-6)
    assert looked_at > 50


def test_contributions_of_another_evaluation_add_up_too() -> None:
    for before, after, turn, _ in explained_turns():
        actions = [lc.Action.parse(text, before) for text in turn]
        reasons = reasons_for(before, actions, hand_evaluation())
        assert reasons.forecasts_before == tuple(hand_evaluation().seat_scores(before))
        if reasons.longship is None:
            assert reasons.forecasts == tuple(hand_evaluation().seat_scores(after))
        assert sum(entry.lead for entry in reasons.contributions) == pytest.approx(
            reasons.lead_change, abs=1e-6
        )


def test_a_contribution_is_the_mean_over_both_orders_of_two_factors() -> None:
    """A trophy and the end of the turn: both can be done without the other."""
    looked_at = 0
    for seed in range(40):
        state = lc.State(lc.GameSetup.random(players=2 + seed % 3, seed=seed))
        chance = random.Random(seed)
        while not state.is_over:
            claims = [a for a in state.legal_actions() if str(a).startswith("trophy")]
            if claims:
                looked_at += 1
                _check_two_factors(state, claims[-1])
            state.apply(chance.choice(state.legal_actions()))
    assert looked_at > 10


def _check_two_factors(state: lc.State, claim: lc.Action) -> None:
    end = lc.Action.parse("end", state)
    values = []
    for actions in ([], [claim], [end], [claim, end]):
        changed = state.clone()
        for action in actions:
            changed.apply(action)
        values.append(learned_evaluation().seat_scores(changed))
    reasons = reasons_for(state, [claim, end], learned_evaluation())
    found = {entry.factor: entry.forecasts for entry in reasons.contributions}
    for seat, (neither, trophy, ended, both) in enumerate(zip(*values, strict=True)):
        assert found["trophy"][seat] == pytest.approx((trophy - neither + both - ended) / 2)
        assert found["hand"][seat] == pytest.approx((ended - neither + both - trophy) / 2)
    assert set(found) == {"hand", "trophy"}


def test_what_a_turn_wins_is_what_a_replay_shows() -> None:
    for before, after, turn, reasons in explained_turns():
        mover = reasons.mover
        assert mover == before.current_player
        old, new = before.position().seats[mover], after.position().seats[mover]
        laid = Counter(new.tiles.values())
        laid.subtract(Counter(old.tiles.values()))
        assert dict(reasons.tiles) == {kind: n for kind, n in laid.items() if n}
        assert sum(reasons.points.values()) == after.scores()[mover] - before.scores()[mover]
        buildings: Counter[str] = Counter()
        for gone in reasons.buildings:
            assert gone.tiles > 0
            buildings[gone.kind] += gone.tiles
        kinds = ("house", "watchtower", "castle")
        assert buildings == {kind: n for kind, n in reasons.tiles.items() if kind in kinds}
        trophies = [int(text.split()[1]) for text in turn if text.startswith("trophy")]
        assert [reasons.trophy] == (trophies or [0])
        if trophies:
            assert reasons.points["trophy"] == TROPHIES[reasons.trophy]
        assert list(reasons.shields) == sorted(
            (text.split()[1] for text in turn if text.startswith("shield")),
            key=("second", "occupied", "double").index,
        )


def test_what_is_filled_makes_the_score_of_the_replay() -> None:
    """Points of tiles laid at their old values and of what is filled make the whole change."""
    for before, _, _, reasons in explained_turns():
        served = [*reasons.progress, *([reasons.longship] if reasons.longship else [])]
        sites = [part for part in served if part.piece in ("port", "altar", "jarl_palace")]
        assert reasons.points.get("sites", 0) == sum(part.worth for part in sites if part.filled)
        filled = [part for part in reasons.progress if part.filled and part not in sites]
        unfilled = reasons.longship is not None and not reasons.longship.filled
        assert reasons.points.get("penalty", 0) == 5 * len(filled) - 5 * unfilled
        values = before.score_breakdown(reasons.mover)
        for kind in ("wood", "sheep", "gold", "house", "watchtower", "castle"):
            laid = reasons.tiles.get(kind, 0) * values[kind]["value"]
            raised = sum(
                part.worth - 5
                for part in served
                if part.filled and part.piece.startswith(kind + "+")
            )
            assert reasons.points.get(kind, 0) == laid + raised
        for part in served:
            assert not Counter(part.lacking) - Counter(part.lacking_before)
            assert part is reasons.longship or len(part.lacking) < len(part.lacking_before)


def test_landings_castles_and_watchtowers_are_those_of_plain_python() -> None:
    for _, after, _, reasons in explained_turns():
        if after.is_over:
            continue
        for seat in range(after.players):
            plain = PlainFeatures(after, seat)
            landing = best_landing(after, seat)
            left = after.position().seats[seat].vikings_in_hand
            assert (landing is not None) == (left > 0)
            if landing is not None:
                assert landing[1] == plain.numbers["best_landing"]
            lacking = [need for _, need in castles_of(after, seat).values() if need <= left]
            for need in (2, 3):
                assert lacking.count(need) == plain.numbers[f"castle_in_{need}"]
            stacks = list(after.position().buildings.values())
            joinable = joinable_watchtowers(after, seat)
            assert (
                sum((stacks[a] > 0) + (stacks[b] > 0) for a, b in joinable)
                == plain.numbers["towers_joinable"]
            )
        assert reasons.landing is None or reasons.landing.space in after.landing_spaces()


def test_opponents_are_told_what_they_lose() -> None:
    for before, after, _, reasons in explained_turns():
        seats = [seat for seat in range(before.players) if seat != reasons.mover]
        assert [opponent.seat for opponent in reasons.opponents] == seats
        for opponent in reasons.opponents:
            seat = opponent.seat
            assert opponent.forecast_change == pytest.approx(
                reasons.forecasts[seat] - reasons.forecasts_before[seat]
            )
            assert set(opponent.buildings) <= set(reasons.buildings)
            for state, landing in (
                (before, opponent.landing_before),
                (after, opponent.landing),
            ):
                in_hand = state.position().seats[seat].vikings_in_hand
                assert (landing is not None) == (in_hand > 0)
                assert landing is None or landing.space in state.landing_spaces()


def test_a_castle_comes_closer_by_the_vikings_of_the_turn() -> None:
    for _, after, turn, reasons in explained_turns():
        vikings = sum(text.startswith("viking") for text in turn)
        for castle in reasons.castles:
            assert castle.level in (0, 1, 2)
            assert 1 <= castle.lacking <= after.position().seats[reasons.mover].vikings_in_hand
            if castle.lacking_before is not None:
                assert castle.lacking < castle.lacking_before
        assert vikings or not (reasons.castles or reasons.watchtowers)


def test_explained_gives_reasons_to_the_first_five() -> None:
    position = random_position(4, 3, steps=30)
    analysis = ai.create_agent("ismcts", seed=1).analyze(position, ai.Limits(simulations=200))
    assert len(analysis.candidates) > 5
    explained = ai.explained(position, analysis)
    assert [c.reasons is not None for c in explained.candidates[:7]] == [True] * 5 + [False] * 2
    first = explained.candidates[0].reasons
    state = lc.State.from_position(position)
    assert first == reasons_for(state, analysis.turn, learned_evaluation())
    assert all(candidate.reasons is None for candidate in analysis.candidates)
    assert pickle.loads(pickle.dumps(explained)) == explained


@pytest.mark.parametrize("name", ai.agent_names())
def test_any_agent_can_be_explained(name: str) -> None:
    for phase in ("viking", "second_viking", "tiles", "end_of_turn"):
        position = position_in(phase, 3)
        analysis = ai.create_agent(name, seed=1).analyze(position, ai.Limits(simulations=20))
        reasons = ai.explained(position, analysis).candidates[0].reasons
        assert reasons is not None
        assert sum(entry.lead for entry in reasons.contributions) == pytest.approx(
            reasons.lead_change, abs=1e-6
        )


def test_reasons_of_another_position_are_refused() -> None:
    analysis = ai.create_agent("random", seed=1).analyze(random_position(1, steps=0), ai.Limits())
    with pytest.raises(lc.IllegalActionError):
        ai.explained(random_position(2, 4, steps=0), analysis)


def test_a_lead_over_changing_opponents_is_shared_out_among_them() -> None:
    # Seat 1 leads on the first quarter of the way, seat 2 on the rest.
    before, after = [10.0, 20.0, 19.0], [12.0, 20.0, 23.0]
    weights = lead_weights(before, after, 0)
    assert weights == pytest.approx([1.0, -0.25, -0.75])
    change = lead(after, 0) - lead(before, 0)
    moved = [new - old for old, new in zip(before, after, strict=True)]
    assert sum(w * m for w, m in zip(weights, moved, strict=True)) == pytest.approx(change)
