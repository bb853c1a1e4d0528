"""The limits of a search; `sliced_search.pxd` documents the class."""

from ai.clock cimport now
from ai.stop_flag cimport ABORTED, RUNNING, StopFlag

from looot_core.errors import LoootError

REASONS = {
    SLICE: "", BY_TIME: "time", BY_SIMULATIONS: "simulations", BY_STOP: "stop", BY_ABORT: "abort",
}


cdef class SlicedSearch:
    """What searches in one thread share: a subclass says what a simulation is."""

    cdef void simulate(self) noexcept nogil:
        """Run a simulation; to be overridden, and to count it in `simulated`."""
        self.simulated += 1

    def run(
        self, simulations, seconds, slice_seconds, StopFlag stop, bint processor_time=False
    ):
        """Search on, without the GIL, until a limit is reached or a slice of time is over.

        At least one simulation is run, unless there is an abort.

        Parameters
        ----------
        simulations : int or None
            In all, with those of the slices before.
        seconds : float or None
            From now.
        slice_seconds : float
        stop : StopFlag or None
        processor_time : bool
            Whether the seconds are those that the calling thread has of a processor.

        Returns
        -------
        str
            What ended it, ``""`` for the slice.

        Raises
        ------
        LoootError
            If another thread is searching.
        """
        cdef uint64_t began = now(processor_time)
        cdef uint64_t slice_end = began + <uint64_t>(1e9 * slice_seconds)
        cdef uint64_t most = (1 << 64) - 1 if simulations is None else simulations
        cdef uint64_t end = (1 << 64) - 1
        cdef volatile int never = RUNNING
        cdef volatile int *flag = &never
        cdef int reason
        if seconds is not None:
            end = began + <uint64_t>(1e9 * max(seconds, 0.0))
        if stop is not None:
            flag = &stop.state
        self.check_idle()
        self.searching = True
        with nogil:
            reason = self.search(most, end, slice_end, flag, processor_time)
        self.searching = False
        return REASONS[reason]

    cdef int check_idle(self) except -1:
        if self.searching:
            raise LoootError("search: another thread is searching with it")
        return 0

    cdef int search(
        self, uint64_t most, uint64_t end, uint64_t slice_end, volatile int *flag,
        bint processor_time,
    ) noexcept nogil:
        cdef uint64_t time
        while flag[0] != ABORTED:
            self.simulate()
            if self.simulated >= most:
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
