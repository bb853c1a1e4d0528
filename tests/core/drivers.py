"""One face for both implementations, so that the same test can drive either."""

from typing import Any, Protocol

import looot_core as lc
from tests.reference.components import SCORED
from tests.reference.game import ReferenceGame


class Game(Protocol):
    """What the tests ask of a game; `ReferenceGame` is one as it stands."""

    def __init__(self, setup: dict[str, Any]) -> None: ...
    @property
    def is_over(self) -> bool: ...
    def legal_actions(self) -> list[str]: ...
    def action_index(self, action: str) -> int: ...
    def apply(self, action: str, draw: str | None = None) -> None: ...
    def scores(self) -> list[int]: ...
    def score_breakdown(self, player: int) -> dict[str, Any]: ...
    def winners(self) -> list[int]: ...
    def position_dict(self) -> dict[str, Any]: ...


class CoreGame:
    """`looot_core.State`, driven by action texts."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.state = lc.State(lc.GameSetup.from_dict(setup))

    @property
    def is_over(self) -> bool:
        return self.state.is_over

    def legal_actions(self) -> list[str]:
        return [str(action) for action in self.state.legal_actions()]

    def action_index(self, action: str) -> int:
        return lc.Action.parse(action, self.state).index

    def apply(self, action: str, draw: str | None = None) -> None:
        self.state.apply(lc.Action.parse(action, self.state), draw=draw)

    def scores(self) -> list[int]:
        return list(self.state.scores())

    def score_breakdown(self, player: int) -> dict[str, Any]:
        """Bring the breakdown into the shape of a record's "final"."""
        breakdown = self.state.score_breakdown(player)
        result: dict[str, Any] = {
            name: breakdown[name] for name in ("sites", "trophy", "penalty", "total")
        }
        for kind in SCORED:
            part = breakdown[kind]
            assert part["points"] == part["count"] * part["value"]
            result[kind] = [part["count"], part["value"]]
        return result

    def winners(self) -> list[int]:
        return list(self.state.winners())

    def position_dict(self) -> dict[str, Any]:
        return self.state.position().to_dict()


DRIVERS: dict[str, type[Game]] = {"reference": ReferenceGame, "core": CoreGame}
