"""Between the messages of ``looot.v1`` and the objects of ``looot_core`` and ``ai``.

A message is turned into the JSON form of its object, which ``looot_core`` reads and checks; so a
rule is checked in one place only. What the JSON form cannot hold (a missing field, an unknown enum
number, a cell given twice) is refused here.
"""

from server.conversion.actions import (
    action_from_message,
    action_text_to_message,
    action_to_message,
    draw_from_message,
    draw_to_message,
)
from server.conversion.analyses import analysis_to_message, turn_to_message
from server.conversion.fields import FieldError, duration_to_message
from server.conversion.positions import (
    position_from_message,
    position_to_message,
    setup_from_message,
)
from server.conversion.scores import score_to_message

__all__ = [
    "FieldError",
    "action_from_message",
    "action_text_to_message",
    "action_to_message",
    "analysis_to_message",
    "draw_from_message",
    "draw_to_message",
    "duration_to_message",
    "position_from_message",
    "position_to_message",
    "score_to_message",
    "setup_from_message",
    "turn_to_message",
]
