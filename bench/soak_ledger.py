"""What the clients of a soak were told, counted, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Ledger:
    """What clients were told, and what is wrong with it."""

    kills: int = 0
    games: int = 0
    acknowledged: int = 0
    repeated: int = 0
    repeated_after: Counter[str] = field(default_factory=Counter)
    undos: int = 0
    resumed_streams: int = 0
    events: int = 0
    starts_s: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, int]:
        """Give the counts."""
        return {
            "kills": self.kills,
            "games_finished": self.games,
            "events": self.events,
            "requests_acknowledged": self.acknowledged,
            "of_them_undos": self.undos,
            "requests_repeated": self.repeated,
            "streams_resumed": self.resumed_streams,
        }
