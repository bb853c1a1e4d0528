"""Hostile requests: whatever is sent, the answer is an answer or a refusal that says why."""

from __future__ import annotations

import random
from typing import Any

import grpc
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message
from hypothesis import given, settings
from hypothesis import strategies as st

import looot_core as lc
from looot.v1 import engine_service_pb2 as pb
from looot.v1 import game_pb2
from looot.v1.engine_service_pb2_grpc import EngineServiceStub
from server.conversion import action_to_message, position_to_message
from tests.positions import random_positions
from tests.server.conftest import LIMITS
from tests.server.service import Refused, Service

EXPECTED = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}
INTEGERS = [0, 1, -1, 2, 3, 5, 7, 13, 14, 25, 100, 2**31 - 1, -(2**31)]
TEXTS = ["", "1A", "4B", "A", "\0", "é" * 50, "ismcts_plain", "random"]


def valid_request(chance: random.Random) -> tuple[str, Message]:
    """Make a request that would be answered."""
    positions = random_positions(
        chance.choice([2, 3, 4]), chance.choice(["printed", "rulebook"]), 1
    )
    position = chance.choice(positions)
    message = position_to_message(position)
    method = chance.choice(["Suggest", "PlayTurn", "ListLegalActions", "ApplyActions", "GetScore"])
    request = getattr(pb, f"{method}Request")(position=message)
    if method in ("Suggest", "PlayTurn"):
        request.options.limits.simulations = 3
        request.options.seed = chance.getrandbits(64)
    if method == "ApplyActions":
        for action in lc.State.from_position(position).legal_actions()[:2]:
            request.events.append(game_pb2.Event(action=action_to_message(action)))
    return method, request


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


def check(engine: EngineServiceStub, method: str, request: Message) -> None:
    """Send a request, and look at the error if there is one."""
    try:
        getattr(engine, method)(request, timeout=30)
    except grpc.RpcError as error:
        answer = Refused(error)
        assert answer.code in EXPECTED, (method, answer.code, answer.message)
        assert answer.reason
        assert len(answer.message) < 1_000


@given(st.integers(0, 2**64 - 1), st.integers(0, 6))
@settings(max_examples=400)
def test_mutated_requests(service: Service, seed: int, changes: int) -> None:
    chance = random.Random(seed)
    method, request = valid_request(chance)
    for _ in range(changes):
        mutate(request, chance)
    if isinstance(request, pb.SuggestRequest | pb.PlayTurnRequest):
        time = request.options.limits.time
        if 0 < time.seconds <= LIMITS.max_time_s:
            time.seconds = 0  # it would be a valid request, and a slow one
    check(service.engine, method, request)


@given(st.sampled_from(["Suggest", "ApplyActions"]), st.binary(max_size=200))
@settings(max_examples=200)
def test_bytes(service: Service, method: str, junk: bytes) -> None:
    call = service.channel.unary_unary(f"/looot.v1.EngineService/{method}", bytes, bytes)
    try:
        call(junk, timeout=30)
    except grpc.RpcError as error:
        answer = Refused(error)
        try:
            getattr(pb, f"{method}Request").FromString(junk)
        except DecodeError:
            assert answer.code is grpc.StatusCode.INVALID_ARGUMENT
            assert answer.message == "the request is no message of this method"
            assert not answer.infos
        else:
            assert answer.code in EXPECTED
