"""Figures for Prometheus: what is called, what waits, what searches, and how hosted games go."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from looot.v1.analysis_pb2 import Priority
from server.searches import PRIORITIES, Searches

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The figures of one server, in a registry of their own.

    Parameters
    ----------
    searches : Searches
    """

    def __init__(self, searches: Searches) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(_SearchFigures(searches))
        self._calls = Counter(
            "looot_calls", "Calls answered", ["method", "code"], registry=self.registry
        )
        self._call_seconds = Histogram(
            "looot_call_seconds",
            "Time from a call to the end of its answer",
            ["method"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.calls_running = Gauge(
            "looot_calls_running", "Calls being answered", registry=self.registry
        )
        self.games = Gauge(
            "looot_games_in_memory", "Hosted games kept in memory", registry=self.registry
        )
        self.bot_turns = Counter(
            "looot_bot_turns", "Turns of hosted games played by bots", registry=self.registry
        )
        self._store_seconds = Histogram(
            "looot_store_seconds",
            "Time of an operation of the store of games",
            ["operation"],
            buckets=_SECONDS,
            registry=self.registry,
        )

    def count_call(self, method: str, code: str, seconds: float) -> None:
        """Count an answered call; `method` is as ``EngineService/Suggest``, `code` as ``OK``."""
        self._calls.labels(method, code).inc()
        self._call_seconds.labels(method).observe(seconds)

    @contextmanager
    def timing_store(self, operation: str) -> Iterator[None]:
        """Time an operation of the store; its name must be one of few."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._store_seconds.labels(operation).observe(time.perf_counter() - began)

    def serve(self, host: str, port: int) -> tuple[int, Callable[[], None]]:
        """Answer Prometheus over HTTP, from a thread of its own.

        Returns
        -------
        int
            The port.
        callable
            Ends it.

        Raises
        ------
        OSError
            If the address cannot be listened on.
        """
        server, thread = start_http_server(port, host, registry=self.registry)

        def stop() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        return int(server.server_port), stop


class _SearchFigures(Collector):
    """Reads the figures of the searches when Prometheus asks for them."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches

    def collect(self) -> Iterable[Metric]:
        searches = self._searches
        yield GaugeMetricFamily(
            "looot_searches_running", "Searches that run", value=searches.running
        )
        yield GaugeMetricFamily(
            "looot_search_threads", "Threads that search", value=searches.threads
        )
        yield CounterMetricFamily(
            "looot_simulations", "Simulations of searches that ended", value=searches.simulations
        )
        length = GaugeMetricFamily(
            "looot_search_queue_length", "Searches that wait for a place", labels=["priority"]
        )
        oldest = GaugeMetricFamily(
            "looot_search_queue_oldest_seconds",
            "How long the first of the searches that wait has done so",
            labels=["priority"],
        )
        for priority in PRIORITIES:
            name = Priority.Name(priority).removeprefix("PRIORITY_").lower()
            length.add_metric([name], searches.waiting_of(priority))
            oldest.add_metric([name], searches.oldest_s(priority))
        yield length
        yield oldest
