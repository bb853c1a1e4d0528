"""What came of matches: shares, margins, scores, times and ratings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from openskill.models import PlackettLuce, PlackettLuceRating

from ai.arena.errors import ArenaError
from ai.arena.folder import read_json, write_whole
from ai.arena.game import GameResult, Games
from ai.arena.match import FORMAT, Match
from ai.arena.statistics import Decision, Estimate, clustered, wilson
from looot_core.errors import shorten


@dataclass(frozen=True, slots=True)
class Row:
    """What came of an agent in the games of one or several matches.

    Only deals count of which all seatings were played. Where an agent has several seats of a
    game, the game counts once, with their mean.

    Attributes
    ----------
    agent : str
    games : int
    failures : int
        Games that it lost because it failed.
    first_failure : str or None
        What it did in the first of them.
    share : Estimate
        Of the victories; the interval is Wilson's.
    margin : Estimate or None
        Its score minus its best opponent's, in the games that came to their end and in which it
        had one seat; the seatings of a deal are one unit of the interval. None if there are none.
    mean_score : float or None
        In the games that came to their end.
    seconds_per_turn, longest_turn_s : float
        Processor time.
    simulations_per_turn : float
    rating, rating_deviation : float
        Of the Plackett-Luce model (Weng and Lin: A Bayesian approximation method for online
        ranking, Journal of Machine Learning Research 12, 2011) with openskill's scale: everybody
        begins at 25 with a deviation of 25/3.
    """

    agent: str
    games: int
    failures: int
    first_failure: str | None
    share: Estimate
    margin: Estimate | None
    mean_score: float | None
    seconds_per_turn: float
    longest_turn_s: float
    simulations_per_turn: float
    rating: float
    rating_deviation: float


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What came of one match.

    Attributes
    ----------
    agents : tuple of str
        As the match has them.
    deals : int
        Which count: those whose seatings were all played, up to the decision if there was one.
        The intervals of a match that was stopped by its decision do not allow for that.
    decision : Decision or None
        Of the match's sequential test.
    rows : tuple of Row
        One an agent.
    """

    agents: tuple[str, ...]
    deals: int
    decision: Decision | None
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """What came of the matches of a ladder, or of one alone.

    Attributes
    ----------
    description : dict
        What the matches have in common (`Match.description`).
    rows : tuple of Row
        One an agent, over all matches, the highest rating first.
    matches : tuple of MatchResult
    """

    description: dict[str, Any]
    rows: tuple[Row, ...]
    matches: tuple[MatchResult, ...]

    def save(self, path: Path) -> None:
        """Write them as JSON."""
        write_whole(path, asdict(self))

    @classmethod
    def load(cls, path: Path) -> Results:
        """Read what `save` wrote.

        Raises
        ------
        LoootError
            If the file holds something else.
        """
        data = read_json(path)
        try:
            if data["description"]["format"] != FORMAT:
                raise ArenaError(f"{path}: format: it is not {FORMAT}")
            matches = [
                MatchResult(
                    tuple(match["agents"]),
                    match["deals"],
                    Decision(**match["decision"]) if match["decision"] else None,
                    tuple(map(_row, match["rows"])),
                )
                for match in data["matches"]
            ]
            return cls(data["description"], tuple(map(_row, data["rows"])), tuple(matches))
        except (TypeError, KeyError, AttributeError) as error:
            raise ArenaError(f"{path}: these are no results: {shorten(str(error))}") from error


def _row(data: dict[str, Any]) -> Row:
    margin = None if data["margin"] is None else Estimate(**data["margin"])
    return Row(**{**data, "share": Estimate(**data["share"]), "margin": margin})


def summarize(played: Sequence[tuple[Match, Games]]) -> Results:
    """Sum up the games of some matches that have all but their agents in common."""
    counted = [_counted(match, games) for match, games in played]
    matches = tuple(
        MatchResult(
            match.agents,
            len(games) // len(match.seatings()),
            decide(match, all_games),
            _rows(games),
        )
        for (match, all_games), games in zip(played, counted, strict=True)
    )
    # By deal first, so that no rating depends on which match was played last.
    together = sorted(
        (game for games in counted for game in games), key=lambda game: (game.deal, game.seating)
    )
    rows = sorted(_rows(together), key=lambda row: -row.rating)
    everybody = sorted({agent for match, _ in played for agent in match.agents})
    description = {**played[0][0].description(), "agents": everybody}
    return Results(description, tuple(rows), matches)


def decide(match: Match, games: Games) -> Decision | None:
    """Ask the match's sequential test, if it has one, about the deals from the first on."""
    return None if match.stop is None else match.stop.decide(_shares_by_deal(match, games))


def _shares_by_deal(match: Match, games: Games) -> Iterable[float]:
    """Give the first agent's share of each deal, up to the first deal that is not complete."""
    seatings = range(len(match.seatings()))
    deal = 0
    while all((deal, seating) in games for seating in seatings):
        shares = [games[deal, seating].share_of(match.agents[0]) for seating in seatings]
        yield sum(shares) / len(shares)
        deal += 1


def _counted(match: Match, games: Games) -> list[GameResult]:
    """Give the games of complete deals, up to the decision, in their order."""
    decision = decide(match, games)
    seatings = range(len(match.seatings()))
    deals = sorted({deal for deal, _ in games})[: None if decision is None else decision.deals]
    return [
        games[deal, seating]
        for deal in deals
        if all((deal, n) in games for n in seatings)
        for seating in seatings
    ]


def _rows(games: Sequence[GameResult]) -> tuple[Row, ...]:
    ratings = _ratings(games)
    agents = dict.fromkeys(agent for game in games for agent in game.agents)
    return tuple(_row_of(agent, games, ratings[agent]) for agent in agents)


def _row_of(agent: str, all_games: Sequence[GameResult], rating: PlackettLuceRating) -> Row:
    games = [game for game in all_games if agent in game.agents]
    seats = [(game, seat) for game in games for seat in game.seats_of(agent)]
    failures = [game.failure for game, seat in seats if game.failed_seat == seat]
    turns = sum(game.turns[seat] for game, seat in seats) or 1
    scores = [game.scores[seat] for game, seat in seats if game.scores is not None]
    alone = [game for game in games if game.scores is not None and len(game.seats_of(agent)) == 1]
    margins = [margin_of(game.scores or (), game.seats_of(agent)[0]) for game in alone]
    return Row(
        agent=agent,
        games=len(games),
        failures=len(failures),
        first_failure=failures[0] if failures else None,
        share=wilson(sum(game.share_of(agent) for game in games), len(games)),
        margin=clustered(margins, [game.deal for game in alone]) if alone else None,
        mean_score=sum(scores) / len(scores) if scores else None,
        seconds_per_turn=sum(game.seconds[seat] for game, seat in seats) / turns,
        longest_turn_s=max(game.longest_turn_s[seat] for game, seat in seats),
        simulations_per_turn=sum(game.simulations[seat] for game, seat in seats) / turns,
        rating=rating.mu,
        rating_deviation=rating.sigma,
    )


def margin_of(scores: Sequence[int], seat: int) -> int:
    """Give a seat's score less that of its best opponent."""
    return scores[seat] - max(score for at, score in enumerate(scores) if at != seat)


def _ratings(games: Iterable[GameResult]) -> dict[str, PlackettLuceRating]:
    """Rate the agents game by game; an agent that has several seats gets the mean of them."""
    model = PlackettLuce(tau=0.0)  # an agent does not change from game to game
    ratings: dict[str, PlackettLuceRating] = defaultdict(model.rating)
    for game in games:
        teams = [[ratings[agent]] for agent in game.agents]
        rated = model.rate(teams, ranks=_ranks(game))
        for agent in dict.fromkeys(game.agents):
            seats = game.seats_of(agent)
            ratings[agent] = model.rating(
                mu=sum(rated[seat][0].mu for seat in seats) / len(seats),
                sigma=sum(rated[seat][0].sigma for seat in seats) / len(seats),
            )
    return ratings


def _ranks(game: GameResult) -> list[float]:
    """Give the ranks, lowest first: the winners, then the others by score."""
    scores = game.scores or (0,) * len(game.agents)
    order = sorted({(-share, -score) for share, score in zip(game.shares, scores, strict=True)})
    pairs = zip(game.shares, scores, strict=True)
    return [float(order.index((-share, -score))) for share, score in pairs]
