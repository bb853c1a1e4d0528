"""Reasons for a turn in words."""

from __future__ import annotations

from collections.abc import Iterable

from ai.reasons import Opponent, Progress, Reasons
from looot_core.components import BUILDINGS
from looot_core.hexes import format_hex

_FACTORS = {
    "hand": "a turn less",
    "shields": "shields spent",
    "groups": "where the vikings stand",
    "spaces": "landing spaces",
    "buildings": "buildings left",
    "tiles": "tiles laid",
    "longship": "the longship",
    "trophy": "the trophy",
}


def reasons_text(reasons: Reasons) -> str:
    """Write what speaks for a turn on a line."""
    score = sum(reasons.points.values())
    parts = [f"{score:+d} points at once"]
    if reasons.tiles:
        parts.append(f"lays {_listed(_tiles_text(*tiles) for tiles in reasons.tiles.items())}")
    parts += [_progress_text(progress) for progress in reasons.progress]
    if reasons.longship is not None:
        parts.append(f"takes {reasons.longship.piece}, {_state_text(reasons.longship)}")
    if reasons.trophy:
        parts.append(f"claims trophy {reasons.trophy}")
    if reasons.shields:
        parts.append(f"spends the shield {_listed(reasons.shields)}")
    parts += [
        f"has the castle {format_hex(castle.space)} in {castle.lacking}"
        for castle in reasons.castles
    ]
    parts += [
        f"can join the watchtowers {_listed(map(format_hex, pair))}" for pair in reasons.watchtowers
    ]
    parts += filter(None, map(_opponent_text, reasons.opponents))
    shares = ", ".join(
        f"{_FACTORS[entry.factor]} {entry.lead:+.1f}" for entry in reasons.contributions
    )
    return f"{'; '.join(parts)}; forecast lead {reasons.lead_change:+.1f} ({shares})"


def _tiles_text(kind: str, count: int) -> str:
    return f"{count} {kind}{'s' if count > 1 and kind in BUILDINGS else ''}"


def _progress_text(progress: Progress) -> str:
    name = progress.piece.replace("_", " ")
    if progress.filled:
        return f"fills {name} ({progress.worth} points)"
    return f"brings {name} closer, {_state_text(progress)}"


def _state_text(progress: Progress) -> str:
    return f"lacking {_listed(progress.lacking)}" if progress.lacking else "filled"


def _opponent_text(opponent: Opponent) -> str:
    before, now = opponent.landing_before, opponent.landing
    if before is None or now is None or before.points == now.points:
        return ""
    verb = "lowers" if now.points < before.points else "raises"
    return (
        f"{verb} the best landing of player {opponent.seat} from {before.points} to {now.points}"
        " points"
    )


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
