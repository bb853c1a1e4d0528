from typing_extensions import disjoint_base

from ai.stop_flag import StopFlag

REASONS: dict[int, str]

@disjoint_base
class SlicedSearch:
    def run(
        self,
        simulations: int | None,
        seconds: float | None,
        slice_seconds: float,
        stop: StopFlag | None,
        processor_time: bool = False,
    ) -> str: ...
    @property
    def simulations(self) -> int: ...
