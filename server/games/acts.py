"""What players do: requests that change a game, each done once however often it comes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from looot.v1 import game_service_pb2 as pb
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.events import read_action
from server.games.entries import Entry, RepeatKey
from server.games.keeper import Game, Keeper, UnplayableError
from server.games.messages import entries_to_messages
from server.games.players import read_bot
from server.games.requests import (
    DoneOnce,
    denied,
    key_reused,
    read_game_id,
    read_repeat,
    refuse,
    seat_of,
)
from server.games.sources import Sources
from server.games.store import Store
from server.games.stored import Standing, VersionConflictError
from server.games.table import UndoRefusedError
from server.limits import ServiceLimits

MOST_ACTIONS = 100
_LONGEST_LOG = 10_000


class Acts:
    """Plays, takes back and resigns for the holders of seats.

    Parameters
    ----------
    store : Store
    keeper : Keeper
    sources : Sources
    limits : ServiceLimits
        Of the searches of bots.
    """

    def __init__(
        self, store: Store, keeper: Keeper, sources: Sources, limits: ServiceLimits
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._sources = sources
        self._limits = limits

    async def submit_actions(self, request: pb.SubmitActionsRequest) -> pb.SubmitActionsResponse:
        """Play actions."""
        if not 1 <= len(request.actions) <= MOST_ACTIONS:
            raise refuse(
                f"{len(request.actions)} actions are not from 1 to {MOST_ACTIONS}", "actions"
            )

        async def act(game: Game, seat: int, repeat: RepeatKey) -> list[Entry]:
            check_turn(game, seat)
            malformed = ErrorReason.ERROR_REASON_INVALID_REQUEST
            actions = [
                read_action(message, game.table.state, f"actions[{at}]", malformed)
                for at, message in enumerate(request.actions)
            ]
            try:
                return await self._keeper.play(game, seat, actions, repeat)
            except UnplayableError as error:
                raise Refusal(
                    ErrorReason.ERROR_REASON_ILLEGAL_ACTION, error.why, f"actions[{error.at}]"
                ) from error

        entries = await self._once(request, act, request.expected_version)
        return pb.SubmitActionsResponse(
            version=entries[-1].version, events=entries_to_messages(entries)
        )

    async def undo_turn(self, request: pb.UndoTurnRequest) -> pb.UndoTurnResponse:
        """Take back a turn."""

        async def act(game: Game, seat: int, repeat: RepeatKey) -> list[Entry]:
            _check_acting(game, seat)
            table = game.table
            if not game.stored.undo_allowed:
                raise _no_undo("this game does not allow it")
            if table.version >= _LONGEST_LOG:
                raise _no_undo(f"the log has {table.version} events, and takes no more undos")
            try:
                target = table.undo_target(seat)
            except UndoRefusedError as error:
                raise _no_undo(str(error)) from error
            entry = Entry(table.version + 1, self._sources.now(), seat, f"undo {target}")
            standing = Standing(entry.version, False, seat, False)
            await self._keeper.add(game, [entry], standing, repeat)
            return [entry]

        entries = await self._once(request, act, request.expected_version)
        return pb.UndoTurnResponse(version=entries[-1].version, events=entries_to_messages(entries))

    async def resign_seat(self, request: pb.ResignSeatRequest) -> pb.ResignSeatResponse:
        """Hand a seat to a bot."""
        bot = read_bot(request.bot, self._limits, "bot")

        async def act(game: Game, seat: int, repeat: RepeatKey) -> list[Entry]:
            _check_acting(game, seat)
            table = game.table
            entry = Entry(table.version + 1, self._sources.now(), seat, f"resign {bot}")
            player = table.state.current_player
            bot_to_move = player == seat or table.bot_to_move is not None
            standing = Standing(entry.version, False, player, bot_to_move)
            await self._keeper.add(game, [entry], standing, repeat, resigned_to=bot)
            return [entry]

        entries = await self._once(request, act, None)
        return pb.ResignSeatResponse(
            version=entries[-1].version, events=entries_to_messages(entries)
        )

    async def _once(
        self,
        request: DoneOnce,
        act: Callable[[Game, int, RepeatKey], Awaitable[list[Entry]]],
        expected_version: int | None,
    ) -> list[Entry]:
        """Act once on a game of a version, or give what was done when the request came before."""
        game_id = read_game_id(request.game_id)
        game = await self._keeper.get(game_id, fresh=False)
        seat = seat_of(game, request.token)
        repeat = read_repeat(request, seat)
        # At the version that the client has seen nothing was done for this request yet; at all
        # others it may have been.
        may_be_done = game.table.version != expected_version
        while True:
            if may_be_done:
                # The version is read first: what is done behind it conflicts.
                game = await self._keeper.get(game_id)
                answered = await self._answered(game, repeat)
                if answered:
                    return answered
                if expected_version not in (None, game.table.version):
                    raise Refusal(
                        ErrorReason.ERROR_REASON_VERSION_MISMATCH,
                        f"the game has version {game.table.version}, not {expected_version}",
                        "expected_version",
                    )
            try:
                return await act(game, seat, repeat)
            except VersionConflictError:
                may_be_done = True

    async def _answered(self, game: Game, repeat: RepeatKey) -> list[Entry]:
        found = await self._store.answered(game.game_id, repeat.seat, repeat.key)
        if found is None:
            return []
        digest, first, last = found
        if digest != repeat.digest:
            raise key_reused()
        return await self._store.entries(game.game_id, after=first - 1, last=last)


def _check_acting(game: Game, seat: int) -> None:
    """Refuse a seat that was resigned, and a game that is over."""
    if game.table.bots[seat] is not None:
        raise denied(f"seat {seat} was resigned")
    if game.table.state.is_over:
        raise Refusal(ErrorReason.ERROR_REASON_GAME_OVER, "the game is over (R19)")


def check_turn(game: Game, seat: int) -> None:
    """Refuse a seat whose turn it is not, too."""
    _check_acting(game, seat)
    player = game.table.state.current_player
    if player != seat:
        raise Refusal(
            ErrorReason.ERROR_REASON_NOT_YOUR_TURN, f"it is the turn of seat {player}, not {seat}"
        )


def _no_undo(message: str) -> Refusal:
    return Refusal(ErrorReason.ERROR_REASON_UNDO_NOT_POSSIBLE, message)
