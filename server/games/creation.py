"""Creates games, each once however often its request comes."""

from __future__ import annotations

import contextlib
import json

from looot.v1 import game_service_pb2 as pb
from looot.v1.errors_pb2 import ErrorReason
from server.errors import Refusal
from server.games.entries import CreationKey
from server.games.keeper import Game, Keeper
from server.games.messages import game_to_message
from server.games.players import read_player
from server.games.requests import key_reused, read_creation_key, read_seats
from server.games.setups import read_setup, shuffled_bag
from server.games.sources import Sources
from server.games.store import Store
from server.games.stored import KeyTakenError, Standing, StoredGame, StoredSeat, TooManyGamesError
from server.games.tokens import Tokens, hash_token
from server.limits import ServiceLimits

_RETRY_S = 60.0


class Creator:
    """Creates games.

    Parameters
    ----------
    store : Store
    keeper : Keeper
    sources : Sources
    limits : ServiceLimits
        Of the searches of bots.
    max_games : int
        How many games are stored at most.
    """

    def __init__(
        self,
        store: Store,
        keeper: Keeper,
        sources: Sources,
        limits: ServiceLimits,
        max_games: int,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._sources = sources
        self._limits = limits
        self._max_games = max_games

    async def create_game(self, request: pb.CreateGameRequest) -> pb.CreateGameResponse:
        """Create a game, or answer as before when the request came before."""
        if not request.idempotency_key:
            return await self._create(request, Tokens(self._sources.token()), None)
        key = read_creation_key(request, self._sources.token())
        while True:
            before = await self._store.created(key.key_hash)
            if before is not None:
                return _answered(before, request.idempotency_key, key.digest)
            tokens = Tokens(request.idempotency_key, key.salt)
            with contextlib.suppress(KeyTakenError):  # it came twice at the same time
                return await self._create(request, tokens, key)

    async def _create(
        self, request: pb.CreateGameRequest, tokens: Tokens, key: CreationKey | None
    ) -> pb.CreateGameResponse:
        read_seats(len(request.seats))
        bots = [
            read_player(player, self._limits, f"seats[{at}]")
            for at, player in enumerate(request.seats)
        ]
        setup = read_setup(request, self._sources)
        now = self._sources.now()
        stored = StoredGame(
            game_id=self._sources.identifier(),
            setup=json.dumps(setup.to_dict(), separators=(",", ":")),
            owner_token_hash=hash_token(tokens.of_owner()),
            undo_allowed=request.undo_allowed,
            listed=request.listed,
            create_time=now,
            update_time=now,
            seats=tuple(
                StoredSeat(None if bot else hash_token(tokens.of_seat(seat)), bot)
                for seat, bot in enumerate(bots)
            ),
            standing=Standing(0, False, 0, bots[0] is not None),
            creation=key,
        )
        bag = shuffled_bag(setup, self._sources)
        try:
            game = await self._keeper.create(stored, bag, self._max_games)
        except TooManyGamesError:
            raise Refusal(
                ErrorReason.ERROR_REASON_TOO_MANY_GAMES,
                f"{self._max_games} games are stored already, and no more may be",
                retry_after_s=_RETRY_S,
            ) from None
        return _answer(game, tokens)


def _answered(stored: StoredGame, secret: str, digest: bytes) -> pb.CreateGameResponse:
    """Give the answer that the request had when it came first."""
    assert stored.creation is not None
    if stored.creation.digest != digest:
        raise key_reused()
    return _answer(Game(stored), Tokens(secret, stored.creation.salt))


def _answer(game: Game, tokens: Tokens) -> pb.CreateGameResponse:
    seats = [seat for seat, stored in enumerate(game.stored.seats) if stored.token_hash]
    return pb.CreateGameResponse(
        game=game_to_message(game),
        owner_token=tokens.of_owner(),
        seat_tokens=[pb.SeatToken(seat=seat, token=tokens.of_seat(seat)) for seat in seats],
    )
