"""What speaks for a turn, as data: what it wins, fills and opens, what it leaves to the others.

Facts come from the rules; what each part of the turn is worth for the lead comes from the
evaluation (`ai.contributions`): from its seat network, which is fast enough for the many mixtures
that this takes. So these forecasts differ a little from those of an analysis, whose search values
what it finds by the table network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import looot_core as lc
from ai.contributions import Contribution, lead, share_out
from ai.evaluation import Evaluation
from ai.prospects import best_landing, castles_of, joinable_watchtowers
from looot_core.components import FJORD_SITES, SITE_VALUES, UNFILLED_LONGSHIP_PENALTY
from looot_core.hexes import Hex, neighbours
from looot_core.position import SeatPosition
from looot_core.requirements import Requirement, longship_requirements, site_requirements


@dataclass(frozen=True, slots=True)
class Progress:
    """A longship or construction site of the mover that the turn serves.

    Attributes
    ----------
    piece : str
        The longship, as ``castle+4 GGA``, or the kind of site.
    cell : str
        Where it lies on the fjord.
    lacking_before, lacking : tuple of str
        Kinds of the tiles that it lacks, before and after the turn; for a longship that the turn
        takes, what its cell would have lacked before.
    worth : int
        Points of filling it, with the tiles as they lie after the turn (R20).
    """

    piece: str
    cell: str
    lacking_before: tuple[str, ...]
    lacking: tuple[str, ...]
    worth: int

    @property
    def filled(self) -> bool:
        """Whether nothing is lacking after the turn."""
        return not self.lacking


@dataclass(frozen=True, slots=True)
class BuildingsGone:
    """Tiles that the turn takes from a building space."""

    space: Hex
    kind: str
    tiles: int


@dataclass(frozen=True, slots=True)
class CastleInReach:
    """A castle that the mover has come closer to (R10).

    Attributes
    ----------
    space : Hex
    level : int
        Reached so far, from 0 to 2.
    lacking_before : int or None
        Spaces that the largest group there lacked for the next level; None: none touched it.
    lacking : int
        The same after the turn, not more than the mover has vikings in hand.
    """

    space: Hex
    level: int
    lacking_before: int | None
    lacking: int


@dataclass(frozen=True, slots=True)
class Landing:
    """The best space for an ordinary viking of a seat.

    Its points are those of the tiles that it wins, at the seat's values; an axe counts 1.
    """

    space: Hex
    points: int


@dataclass(frozen=True, slots=True)
class Opponent:
    """What the turn takes from an opponent or leaves to it.

    Attributes
    ----------
    seat : int
    forecast_change : float
        Of its final score, in points, by the seat network.
    landing_before, landing : Landing or None
        Its best landing before and after the turn; None without a viking or a space.
    buildings : tuple of BuildingsGone
        Those of the tiles taken that it was near: castles and watchtowers that it touches, houses
        beside a space it could land on.
    """

    seat: int
    forecast_change: float
    landing_before: Landing | None
    landing: Landing | None
    buildings: tuple[BuildingsGone, ...]


@dataclass(frozen=True, slots=True)
class Reasons:
    """What speaks for and against a turn, from the side of the mover.

    Attributes
    ----------
    mover : int
    tiles : mapping of str to int
        Tiles laid, by kind.
    points : mapping of str to int
        By what the score changes at once: tile kinds, ``sites``, ``trophy`` and ``penalty``, which
        is negative for a longship taken and not filled. They add up to the change of the score
        (R20).
    buildings : tuple of BuildingsGone
        Where the building tiles come from.
    progress : tuple of Progress
        Sites and longships of before that the turn fills or brings closer.
    longship : Progress or None
        The one it takes.
    trophy : int
        The number of the one it claims, 0 for none.
    shields : tuple of str
        Those it spends.
    castles : tuple of CastleInReach
    watchtowers : tuple of (Hex, Hex)
        Pairs that the mover can join now and could not before (R9).
    landing : Landing or None
        The mover's best next landing, were it to move again at once.
    opponents : tuple of Opponent
        In the order of their seats.
    forecasts_before, forecasts : tuple of float
        Of the final score of each seat, by the evaluation's seat network; after the turn as a mean
        over what may be revealed. Before the rest of a turn, tiles still owed are not yet in it.
    contributions : tuple of Contribution
        The factors that change, of most lead first. Their leads add up to `lead_change`, their
        forecasts to the changes of the forecasts.
    """

    mover: int
    tiles: Mapping[str, int]
    points: Mapping[str, int]
    buildings: tuple[BuildingsGone, ...]
    progress: tuple[Progress, ...]
    longship: Progress | None
    trophy: int
    shields: tuple[str, ...]
    castles: tuple[CastleInReach, ...]
    watchtowers: tuple[tuple[Hex, Hex], ...]
    landing: Landing | None
    opponents: tuple[Opponent, ...]
    forecasts_before: tuple[float, ...]
    forecasts: tuple[float, ...]
    contributions: tuple[Contribution, ...]

    @property
    def lead_change(self) -> float:
        """Change of the mover's forecast lead over its best opponent, in points."""
        return lead(self.forecasts, self.mover) - lead(self.forecasts_before, self.mover)


def reasons_for(state: lc.State, turn: Sequence[lc.Action], evaluation: Evaluation) -> Reasons:
    """Give the reasons for a turn.

    Parameters
    ----------
    state : State
        Before the rest of the turn; it stays as it is.
    turn : sequence of Action
        Legal; ends with ``end``.
    evaluation : Evaluation

    Returns
    -------
    Reasons
        The same whatever longship is revealed.

    Raises
    ------
    IllegalActionError
        If the turn is not legal.
    """
    after = state.clone()
    for action in turn:
        after.apply(action)
    return _Comparison(state, after, turn).reasons(evaluation)


class _Comparison:
    """The positions before and after a turn."""

    def __init__(self, before: lc.State, after: lc.State, turn: Sequence[lc.Action]) -> None:
        self.states = before, after
        self.positions = before.position(), after.position()
        self.mover = before.current_player
        self.seats = tuple(position.seats[self.mover] for position in self.positions)
        self.steps = [str(action).split() for action in turn]
        self.buildings = self._buildings_gone()

    def reasons(self, evaluation: Evaluation) -> Reasons:
        before, after, contributions = share_out(*self.states, evaluation)
        old, new = self.seats
        progress, longship = self._progress()
        return Reasons(
            mover=self.mover,
            tiles=self._tiles(),
            points=self._points(),
            buildings=self.buildings,
            progress=progress,
            longship=longship,
            trophy=new.trophy - old.trophy,
            shields=tuple(shield for shield in old.shields if shield not in new.shields),
            castles=self._castles(),
            watchtowers=self._watchtowers(),
            landing=self._landing(1, self.mover),
            opponents=tuple(
                self._opponent(seat, after[seat] - before[seat])
                for seat in range(len(before))
                if seat != self.mover
            ),
            forecasts_before=before,
            forecasts=after,
            contributions=contributions,
        )

    def _tiles(self) -> dict[str, int]:
        laid = [step[1] for step in self.steps if step[0] == "tile"]
        return {kind: laid.count(kind) for kind in dict.fromkeys(laid)}

    def _points(self) -> dict[str, int]:
        old, new = (_points(state.score_breakdown(self.mover)) for state in self.states)
        return {name: new[name] - old[name] for name in new if new[name] != old[name]}

    def _buildings_gone(self) -> tuple[BuildingsGone, ...]:
        old, new = self.positions
        owed = old.owed.buildings
        return tuple(
            BuildingsGone((space.q, space.r), space.kind, gone)
            for space in old.landscape.building_spaces
            if (
                gone := old.buildings[space.q, space.r]
                + owed.get((space.q, space.r), 0)
                - new.buildings[space.q, space.r]
            )
        )

    def _progress(self) -> tuple[tuple[Progress, ...], Progress | None]:
        old, new = self.seats
        sites = self.positions[0].sites[self.mover]
        taken = {step[2] for step in self.steps if step[0] == "longship"}
        longship = None
        found = []
        for (piece, cell, before), (_, _, after) in zip(
            _requirements(replace(old, longships=dict(new.longships)), sites),
            _requirements(new, sites),
            strict=True,
        ):
            if cell not in taken and _lacking(before) == _lacking(after):
                continue
            progress = Progress(piece, cell, _lacking(before), _lacking(after), self._worth(piece))
            if cell in taken:
                longship = progress
            else:
                found.append(progress)
        return tuple(found), longship

    def _worth(self, piece: str) -> int:
        if piece in SITE_VALUES:
            return SITE_VALUES[piece]
        longship = lc.Longship.parse(piece)
        tiles = list(self.seats[1].tiles.values()).count(longship.kind)
        return longship.bonus * tiles + UNFILLED_LONGSHIP_PENALTY

    def _castles(self) -> tuple[CastleInReach, ...]:
        old, new = (castles_of(state, self.mover) for state in self.states)
        spaces = self.positions[0].landscape.building_spaces
        found = []
        for number, (level, lacking) in new.items():
            level_before, lacking_before = old.get(number, (level, None))
            closer = lacking_before is None or (level_before == level and lacking < lacking_before)
            if closer and lacking <= self.seats[1].vikings_in_hand:
                space = spaces[number]
                found.append(CastleInReach((space.q, space.r), level, lacking_before, lacking))
        return tuple(found)

    def _watchtowers(self) -> tuple[tuple[Hex, Hex], ...]:
        old, new = (joinable_watchtowers(state, self.mover) for state in self.states)
        if not self.seats[1].vikings_in_hand:
            return ()
        spaces = [(space.q, space.r) for space in self.positions[0].landscape.building_spaces]
        return tuple(
            (spaces[first], spaces[second]) for first, second in new if (first, second) not in old
        )

    def _landing(self, moment: int, seat: int) -> Landing | None:
        found = best_landing(self.states[moment], seat)
        if found is None:
            return None
        space = self.positions[0].landscape.resource_spaces[found[0]]
        return Landing((space.q, space.r), found[1])

    def _opponent(self, seat: int, forecast_change: float) -> Opponent:
        landings = set(self.states[0].landing_spaces())
        vikings = self.positions[0].vikings
        return Opponent(
            seat,
            forecast_change,
            self._landing(0, seat),
            self._landing(1, seat),
            tuple(
                gone
                for gone in self.buildings
                if any(
                    place in landings
                    if gone.kind == "house"
                    else place in vikings and vikings[place][seat]
                    for place in neighbours(gone.space)
                )
            ),
        )


def _requirements(seat: SeatPosition, sites: tuple[str, ...]) -> list[tuple[str, str, Requirement]]:
    """Give each site and longship of a seat, its cell and what it requires."""
    found = [
        (kind, FJORD_SITES[kind].name, requirement)
        for kind, requirement in site_requirements(seat, sites).items()
    ]
    for cell, (longship, requirement) in longship_requirements(seat).items():
        found.append((str(longship), cell, requirement))
    return found


def _lacking(requirement: Requirement) -> tuple[str, ...]:
    return tuple(kind for kind, there in requirement.needs if not there)


def _points(breakdown: Mapping[str, int | Mapping[str, int]]) -> dict[str, int]:
    """Give what makes a score, so that all adds up to it."""
    points = {}
    for name, part in breakdown.items():
        if isinstance(part, Mapping):
            points[name] = part["points"]
        elif name != "total":
            points[name] = -part if name == "penalty" else part
    return points
