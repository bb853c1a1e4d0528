"""Hostile requests: made up from the descriptors of the messages, and valid ones with mutations."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import grpc
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

import looot_core as lc
from looot.v1 import engine_service_pb2 as pb
from looot.v1 import game_pb2, game_service_pb2
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from looot.v1.game_service_pb2_grpc import GameServiceStub
from server.conversion import (
    action_to_message,
    position_from_message,
    position_to_message,
)
from tests.positions import random_positions
from tests.server.service import Refused

EXPECTED = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.ABORTED,
}
INTEGERS = [0, 1, -1, 2, 3, 5, 7, 13, 14, 25, 100, 2**31 - 1, -(2**31)]
TEXTS = ["", "1A", "4B", "A", "\0", "é" * 50, "ismcts_plain", "random"]
SEARCHES = ["Suggest", "PlayTurn", "Analyze"]
PATIENCE_S = 60.0
_DEEPEST = 6

ENGINE_METHODS = pb.DESCRIPTOR.services_by_name["EngineService"].methods
GAME_METHODS = game_service_pb2.DESCRIPTOR.services_by_name["GameService"].methods


def methods(with_games: bool) -> list[tuple[str, Descriptor]]:
    """Give the methods with the messages that they take."""
    chosen = [*ENGINE_METHODS, *(GAME_METHODS if with_games else ())]
    return [(method.name, method.input_type) for method in chosen]


def made_up(descriptor: Descriptor) -> st.SearchStrategy[Message]:
    """Make up messages of a type, from its descriptor alone."""
    return _fields(descriptor, 0).map(lambda values: _fill(descriptor, values))


def _fill(descriptor: Descriptor, values: dict[str, Any]) -> Message:
    message = GetMessageClass(descriptor)()
    for name, value in values.items():
        field = descriptor.fields_by_name[name]
        if field.is_repeated and field.message_type is not None:
            getattr(message, name).extend([_fill(field.message_type, one) for one in value])
        elif field.is_repeated:
            getattr(message, name).extend(value)
        elif field.message_type is not None:
            getattr(message, name).CopyFrom(_fill(field.message_type, value))
        else:
            setattr(message, name, value)
    return message


@cache
def _fields(descriptor: Descriptor, depth: int) -> st.SearchStrategy[dict[str, Any]]:
    if depth > _DEEPEST:
        return st.just({})
    optional = {}
    for field in descriptor.fields:
        values = _values(field, depth)
        optional[field.name] = st.lists(values, max_size=4) if field.is_repeated else values
    return st.fixed_dictionaries({}, optional=optional)


def _values(field: FieldDescriptor, depth: int) -> st.SearchStrategy[Any]:
    if field.message_type is not None:
        return _fields(field.message_type, depth + 1)
    if field.enum_type is not None:
        known = [value.number for value in field.enum_type.values]
        return st.sampled_from([*known, *known, -1, 99, 2**31 - 1])
    integers = {
        FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
        FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
        FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
        FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    }
    if field.cpp_type in integers:
        return st.integers(-2, 9).filter(lambda n: n >= integers[field.cpp_type][0]) | st.integers(
            *integers[field.cpp_type]
        )
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
        return st.sampled_from(TEXTS) | text
    if field.type == FieldDescriptor.TYPE_BYTES:
        return st.binary(max_size=30)
    return st.floats()


def valid_request(chance: random.Random) -> tuple[str, Message]:
    """Make a request that would be answered."""
    positions = random_positions(
        chance.choice([2, 3, 4]), chance.choice(["printed", "rulebook"]), 1
    )
    position = chance.choice(positions)
    message = position_to_message(position)
    method = chance.choice([*SEARCHES, "ListLegalActions", "ApplyActions", "GetScore"])
    request = getattr(pb, f"{method}Request")(position=message)
    if method in SEARCHES:
        request.options.limits.simulations = 3
        request.options.seed = chance.getrandbits(64)
        if position.phase != lc.Phase.OVER and chance.random() < 0.3:
            legal = lc.State.from_position(position).legal_actions()
            request.options.allowed_actions.extend(map(action_to_message, legal[:2]))
    if method == "ApplyActions":
        for action in lc.State.from_position(position).legal_actions()[:2]:
            request.events.append(game_pb2.Event(action=action_to_message(action)))
    return method, request


class Games:
    """A hosted game of two humans, and requests about it that would be answered."""

    def __init__(self, stub: GameServiceStub) -> None:
        self._stub = stub
        self._create = game_service_pb2.CreateGameRequest(undo_allowed=True, listed=True)
        self._create.random.edition = game_pb2.EDITION_PRINTED
        for _ in range(2):
            self._create.seats.add().human.SetInParent()
        self._renew()

    def _renew(self) -> None:
        self._made = self._stub.CreateGame(self._create, timeout=PATIENCE_S)
        self._position = position_from_message(self._made.game.position, "position")

    @property
    def game_id(self) -> str:
        """The id of the game."""
        return self._made.game.game_id

    def valid_request(self, chance: random.Random) -> tuple[str, Message]:
        """Make a request; what earlier ones did to the game may have it refused."""
        if chance.random() < 0.02:
            self._renew()  # the last one may be deleted, or all in the hands of bots
        method = chance.choice(list(GAME_METHODS))
        request: Any = GetMessageClass(method.input_type)()
        given = {
            "game_id": self._made.game.game_id,
            "token": chance.choice([self._made.owner_token, *(
                seat.token for seat in self._made.seat_tokens
            )]),
            "idempotency_key": str(chance.getrandbits(20)).zfill(chance.choice([1, 22])),
        }  # fmt: skip
        for name, value in given.items():
            if name in method.input_type.fields_by_name:
                setattr(request, name, value)
        if method.name == "CreateGame":
            request.MergeFrom(self._create)
        elif method.name == "SubmitActions":
            legal = lc.State.from_position(self._position).legal_actions()
            request.actions.append(action_to_message(chance.choice(legal)))
        elif method.name == "GetHint":
            request.options.limits.simulations = 3
        return method.name, request


def mutate(message: Message, chance: random.Random) -> None:
    """Change something at random in a message."""
    fields: list[Any] = [field for field, _ in message.ListFields()]
    if not fields or chance.random() < 0.2:
        fields = list(message.DESCRIPTOR.fields)
    if not fields:
        return
    field: FieldDescriptor = chance.choice(fields)
    if field.is_repeated:
        _mutate_items(getattr(message, field.name), field, chance)
    elif field.message_type is not None:
        if chance.random() < 0.1:
            message.ClearField(field.name)
        else:
            inner = getattr(message, field.name)
            inner.SetInParent()
            mutate(inner, chance)
    else:
        setattr(message, field.name, _value(field, chance))


def _mutate_items(items: Any, field: FieldDescriptor, chance: random.Random) -> None:
    act = chance.random()
    if items and act < 0.15:
        del items[chance.randrange(len(items))]
    elif act < 0.3:
        copies = chance.choice([1, 1, 1, 40])
        if field.message_type is None:
            items.extend([_value(field, chance)] * copies)
        else:
            items.extend([chance.choice(items) if items else items.add()] * copies)
    elif items and field.message_type is not None:
        mutate(chance.choice(items), chance)
    elif items:
        items[chance.randrange(len(items))] = _value(field, chance)


def _value(field: FieldDescriptor, chance: random.Random) -> Any:
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return chance.choice(TEXTS)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return chance.random() < 0.5
    if field.cpp_type == FieldDescriptor.CPPTYPE_UINT64:
        return chance.choice([0, 1, 2**64 - 1])
    if field.cpp_type == FieldDescriptor.CPPTYPE_INT64:
        return chance.choice([0, 1, 3, -1, 2**63 - 1, -(2**63)])
    return chance.choice(INTEGERS)


class Target:
    """Both services of a server, whose every answer is looked at. Threads may share it."""

    def __init__(self, channel: grpc.Channel, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._stubs = (EngineServiceStub(channel), GameServiceStub(channel))

    def check(self, method: str, request: Message) -> str:
        """Send a request; give the code of the answer, which must be one that is told of."""
        stub: Any = next(stub for stub in self._stubs if hasattr(stub, method))
        try:
            answers = getattr(stub, method)(request, timeout=self._patience_s)
            if method == "Analyze":
                list(answers)
            elif method == "WatchGame":  # the first answer comes at once, the next perhaps never
                next(answers)
                answers.cancel()
        except grpc.RpcError as error:
            answer = Refused(error)
            assert answer.code in EXPECTED, (method, answer.code, answer.message, request)
            assert answer.reason
            assert len(answer.message) < 1_000
            return answer.code.name
        return "OK"
