"""Traces of calls by OpenTelemetry, which is an optional extra."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import grpc

import looot_core as lc
from server.access import Headers
from server.settings import SettingsError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor

EndWith = Callable[[grpc.StatusCode], object]

_PARENT_HEADERS = ("traceparent", "tracestate")


class NoTracing:
    """Traces nothing."""

    @contextmanager
    def call(self, method: str, headers: Headers, request_id: str) -> Iterator[EndWith]:
        """Answer a call inside, and say how it ended."""
        yield lambda code: None

    def close(self) -> None:
        """Do nothing."""


class Tracing(NoTracing):
    """A span for each call, below that of the caller if it sent one (W3C's ``traceparent``).

    Where the spans go is said by the standard variables of the environment, as
    ``OTEL_EXPORTER_OTLP_ENDPOINT`` and ``OTEL_SERVICE_NAME``.

    Parameters
    ----------
    processor : SpanProcessor, optional
        Takes the spans instead.

    Raises
    ------
    SettingsError
        If the extra is not installed.
    """

    def __init__(self, processor: SpanProcessor | None = None) -> None:
        try:
            from opentelemetry.sdk.resources import OTELResourceDetector, Resource
            from opentelemetry.sdk.trace import TracerProvider
        except ImportError as error:
            raise SettingsError(
                f"traces: the extra 'traces' is not installed (looot[traces]): {error}"
            ) from error
        named = Resource({"service.name": "looot", "service.version": lc.__version__})
        self._provider = TracerProvider(resource=named.merge(OTELResourceDetector().detect()))
        self._provider.add_span_processor(processor or _exporting())
        self._tracer = self._provider.get_tracer("looot", lc.__version__)

    @contextmanager
    def call(self, method: str, headers: Headers, request_id: str) -> Iterator[EndWith]:
        """Answer a call inside, and say how it ended."""
        from opentelemetry.trace import SpanKind, StatusCode
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        sent = {name: value for name in _PARENT_HEADERS if (value := headers(name))}
        service, _, name = method.partition("/")
        span = self._tracer.start_span(
            f"looot.v1.{method}",
            context=TraceContextTextMapPropagator().extract(sent),
            kind=SpanKind.SERVER,
            attributes={
                "rpc.system": "grpc",
                "rpc.service": f"looot.v1.{service}",
                "rpc.method": name,
                "request_id": request_id,
            },
        )

        def end(code: grpc.StatusCode) -> None:
            span.set_attribute("rpc.grpc.status_code", code.value[0])
            if code is grpc.StatusCode.INTERNAL:
                span.set_status(StatusCode.ERROR)

        try:
            yield end
        finally:
            span.end()

    def close(self) -> None:
        """Send what is still to be sent."""
        self._provider.shutdown()


def _exporting() -> SpanProcessor:
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    return BatchSpanProcessor(OTLPSpanExporter())
