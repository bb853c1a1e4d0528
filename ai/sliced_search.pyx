"""The limits of a search; `sliced_search.pxd` documents the class."""

import threading

from ai.clock cimport now
from ai.stop_flag cimport ABORTED, RUNNING, StopFlag

from looot_core.errors import LoootError

REASONS = {
    SLICE: "", BY_TIME: "time", BY_SIMULATIONS: "simulations", BY_STOP: "stop", BY_ABORT: "abort",
}
FOREVER = 1 << 62            # nanoseconds


cdef class SlicedSearch:
    """What searches share: a subclass says what a simulation is, and has threads or only one.

    One call at a time; others are refused.
    """

    def __cinit__(self, *_arguments, **_given):
        self.thread_count = 1

    cdef bint simulate(self, int thread, uint64_t most) noexcept nogil:
        """Run a simulation and count it in `simulated`, or give False if there are enough."""
        return False

    cdef void begin(
        self, int thread, const volatile int *flag, uint64_t end, bint processor_time
    ) noexcept nogil:
        """Note when the thread is to end, for simulations that may take long."""

    def run(
        self, simulations, seconds, slice_seconds, StopFlag stop, bint processor_time=False
    ):
        """Search on, without the GIL, until a limit is reached or a slice of time is over.

        Parameters
        ----------
        simulations : int or None
            In all, with those of the slices before.
        seconds : float or None
            From now.
        slice_seconds : float
        stop : StopFlag or None
            A stop lets a simulation be run before the search ends, an abort does not.
        processor_time : bool
            Whether the seconds are those that each thread has of a processor.

        Returns
        -------
        str
            What ended it, ``""`` for the slice.

        Raises
        ------
        LoootError
            If another thread is searching with it.
        """
        self.check_idle()
        most = (1 << 64) - 1 if simulations is None else simulations
        nanoseconds = FOREVER if seconds is None else int(1e9 * max(seconds, 0.0))
        limits = (most, nanoseconds, int(1e9 * slice_seconds), stop, processor_time)
        self.searching = True
        try:
            return REASONS[self.work_together(limits)]
        finally:
            self.searching = False

    cdef int work_together(self, tuple limits) except -1:
        if self.thread_count == 1:
            return self.work(0, limits)
        if not self.simulated:  # what all threads begin with is found once
            reason = self.work(0, (1, *limits[1:]))
            if reason == BY_ABORT:
                return reason
        others = [
            threading.Thread(target=self.worker(n, limits)) for n in range(1, self.thread_count)
        ]
        for other in others:
            other.start()
        try:
            return self.work(0, limits)
        finally:
            for other in others:
                other.join()

    cdef int check_idle(self) except -1:
        if self.searching:
            raise LoootError("search: another thread is searching with it")
        return 0

    cdef object worker(self, int thread, tuple limits):
        return lambda: self.work(thread, limits)

    cdef int work(self, int thread, tuple limits) except -1:
        """Search in one thread; see `run`."""
        most, nanoseconds, slice_nanoseconds, stop, processor_time = limits
        cdef uint64_t most_simulations = most, end, slice_end
        cdef volatile int never = RUNNING
        cdef volatile int *flag = &never
        cdef bint by_processor = processor_time
        cdef int reason
        end = now(by_processor)
        slice_end = end + <uint64_t>slice_nanoseconds
        end += <uint64_t>nanoseconds
        if stop is not None:
            flag = &(<StopFlag>stop).state
        with nogil:
            self.begin(thread, flag, end, by_processor)
            reason = self.search(thread, most_simulations, end, slice_end, flag, by_processor)
            self.begin(thread, NULL, 0, False)
        return reason

    cdef int search(
        self, int thread, uint64_t most, uint64_t end, uint64_t slice_end, volatile int *flag,
        bint processor_time,
    ) noexcept nogil:
        cdef uint64_t time
        while flag[0] != ABORTED:
            if not self.simulate(thread, most):
                return BY_SIMULATIONS
            if flag[0] == RUNNING:
                time = now(processor_time)
                if time >= end:
                    return BY_TIME
                if time >= slice_end:
                    return SLICE
            elif flag[0] != ABORTED:
                return BY_STOP
        return BY_ABORT

    @property
    def simulations(self):
        """Simulations so far."""
        return self.simulated
