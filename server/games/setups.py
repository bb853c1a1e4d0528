"""The set-up of a new game, and its bag."""

from __future__ import annotations

import looot_core as lc
from looot.v1 import game_service_pb2 as pb
from looot.v1.errors_pb2 import ErrorReason
from looot_core.components import EDITIONS, OCEAN_SLOTS
from server.conversion import FieldError, setup_from_message
from server.conversion.fields import known, require
from server.conversion.vocabulary import EDITION_NAMES
from server.errors import refusing_fields
from server.games.sources import Sources


def read_setup(request: pb.CreateGameRequest, sources: Sources) -> lc.GameSetup:
    """Read or draw the set-up of a new game, as everybody will see it.

    Parameters
    ----------
    request : pb.CreateGameRequest
        With as many seats as there may be.
    sources : Sources

    Returns
    -------
    lc.GameSetup
        Without a bag and without a seed.

    Raises
    ------
    Refusal
        If it is missing or malformed, or against the rules.
    """
    with refusing_fields(ErrorReason.ERROR_REASON_INVALID_SETUP):
        match request.WhichOneof("setup"):
            case "random":
                return _draw(request.random, len(request.seats), sources)
            case "given":
                return _read(request.given, len(request.seats), sources)
            case _:
                raise FieldError("setup", "missing: random or given is required")


def shuffled_bag(setup: lc.GameSetup, sources: Sources) -> list[str]:
    """Put the longships that are not on the ocean in the order in which they will be drawn.

    Nothing but the operating system's entropy decides it.
    """
    bag = list(lc.State(setup).unseen)
    sources.shuffle(bag)
    return bag


def _draw(message: pb.RandomSetup, players: int, sources: Sources) -> lc.GameSetup:
    edition = known(EDITION_NAMES, message.edition, "random.edition")
    seed = message.seed if message.HasField("seed") else sources.seed()
    return lc.GameSetup.random(players=players, edition=edition, seed=seed).public()


def _read(message: pb.GivenSetup, players: int, sources: Sources) -> lc.GameSetup:
    field = require(message, "arrangement", "given")
    if len(message.arrangement.landscape) != players:
        raise FieldError(
            f"{field}.landscape",
            f"{len(message.arrangement.landscape)} boards are not as many as {players} seats (R1)",
        )
    data, paths = setup_from_message(message.arrangement, message.ocean_longships, "given")
    if not message.ocean_longships:
        longships = [str(longship) for longship in EDITIONS[data["edition"]].longships]
        sources.shuffle(longships)
        data["ocean_longships"] = longships[:OCEAN_SLOTS]
    try:
        return lc.GameSetup.from_dict(data)
    except lc.LoootError as error:
        raise FieldError(*paths.locate(str(error))) from error
