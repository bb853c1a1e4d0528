"""Plans: what is played, and what is fitted to it, stage by stage."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ai.features import FEATURE_NAMES
from ai.training.errors import TrainingError
from ai.training.examples import SEED_PERIOD

_STAGE_SEEDS = 1_000_000 * SEED_PERIOD
_MOST_STAGES = 1000
_HELD_OUT = 10  # one chunk in so many


@dataclass(frozen=True, slots=True)
class Stage:
    """Games of the last weights, and a fit that begins with these.

    Attributes
    ----------
    games : int
    simulations : int
        Of the search for each turn; 0 for the best turn by the evaluation alone.
    epochs : int
        How often the fit sees each example.
    reach : int
        The fit sees the examples of so many stages, this one and those before it.
    noise : float
        Share of the turns that are drawn instead of the best: with a search, from all that were
        visited about as often; without, from all, but in a first part of the game only, whose
        positions are no examples. See `ai.training.players` and `ai.selfplay.play_game`.
    trace_decay : float
        λ a turn. The fit's targets are λ-returns, which mix the ends of the games with forecasts
        by the weights that it begins with (the evaluation written by hand in the first stage); 1
        for the ends alone. See `ai.training.targets.lambda_returns`.
    """

    games: int
    simulations: int = 0
    epochs: int = 10
    reach: int = 1
    noise: float = 0.1
    trace_decay: float = 1.0


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games that are played and kept together.

    Attributes
    ----------
    number : int
        In its stage, from 0.
    first_seed : int
        Of its first game; the others follow.
    games : int
    """

    number: int
    first_seed: int
    games: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Stages of training. The games of the first are played by the evaluation written by hand.

    Attributes
    ----------
    name : str
    stages : tuple of Stage
    chunk : int
        Games that are kept together: as many are lost at most, for each worker, if all is killed.

    Raises
    ------
    TrainingError
        If it has no stages, or a value that makes no sense.
    """

    name: str
    stages: tuple[Stage, ...]
    chunk: int = 100

    def __post_init__(self) -> None:
        if not 1 <= len(self.stages) <= _MOST_STAGES:
            raise TrainingError(f"plan {self.name}: {len(self.stages)} stages, not 1 to 1000")
        if self.chunk < 1:
            raise TrainingError(f"plan {self.name}: chunk is {self.chunk}, less than 1")
        for number, stage in enumerate(self.stages):
            # One chunk is held out, and one is left to fit to.
            for value, least, most, what in (
                (stage.games, self.chunk + 1, _STAGE_SEEDS, "games"),
                (stage.simulations, 0, None, "simulations"),
                (stage.epochs, 1, None, "epochs"),
                (stage.reach, 1, None, "reach"),
                (stage.noise, 0, 1, "noise"),
                (stage.trace_decay, 0, 1, "trace_decay"),
            ):
                if not least <= value <= (value if most is None else most):
                    limits = f"at least {least}" if most is None else f"{least} to {most}"
                    raise TrainingError(
                        f"plan {self.name}, stage {number}: {what} is {value}, not {limits}"
                    )

    def chunks(self, number: int) -> list[Chunk]:
        """Give the chunks of a stage."""
        return chunks_from(number * _STAGE_SEEDS, self.stages[number].games, self.chunk)

    def held_out(self, number: int) -> int:
        """Count the chunks of a stage, its last ones, that its fit does not see."""
        return max(1, len(self.chunks(number)) // _HELD_OUT)

    def description(self) -> dict[str, Any]:
        """Give what tells this plan from others, as JSON has it."""
        stages = [asdict(stage) for stage in self.stages]
        return {
            "plan": self.name,
            "stages": stages,
            "chunk": self.chunk,
            "features": list(FEATURE_NAMES),
        }


def chunks_from(first_seed: int, games: int, size: int) -> list[Chunk]:
    """Divide games with seeds from `first_seed` on into chunks; the last may be smaller."""
    return [
        Chunk(number, first_seed + begin, min(size, games - begin))
        for number, begin in enumerate(range(0, games, size))
    ]


FRESH_SEED = _MOST_STAGES * _STAGE_SEEDS
"""No stage of any plan plays games with seeds from this one on."""

PRESETS = {
    plan.name: plan
    for plan in (
        # Ten minutes on two cores.
        Plan(
            "quick",
            (
                Stage(games=10_000, noise=0.4),
                Stage(games=16_000, noise=0.4, epochs=8),
                Stage(games=24_000, noise=0.4, trace_decay=0.85, reach=2, epochs=5),
            ),
        ),
        # An hour or two on two cores, the longest stage below one. The last fit has 4 GB of
        # examples in memory; the games of all stages are 1 GB of files.
        Plan(
            "full",
            (
                Stage(games=20_000, noise=0.4),
                Stage(games=30_000, noise=0.4, reach=2),
                Stage(games=50_000, noise=0.4, trace_decay=0.85, reach=2, epochs=6),
                Stage(games=100_000, noise=0.4, trace_decay=0.85, reach=2, epochs=6),
                Stage(games=200_000, noise=0.4, trace_decay=0.85, reach=2, epochs=8),
            ),
            chunk=500,
        ),
    )
}
