"""A search by one simulation after the other, in one thread or more, in slices of time."""

from libc.stdint cimport uint64_t

cdef enum:
    # Why a slice of the search ended.
    SLICE
    BY_TIME
    BY_SIMULATIONS
    BY_STOP
    BY_ABORT

cdef class SlicedSearch:
    cdef uint64_t simulated
    cdef int thread_count
    cdef bint searching          # changed with the GIL only
    cdef bint simulate(self, int thread, uint64_t most) noexcept nogil
    cdef void begin(
        self, int thread, const volatile int *flag, uint64_t end, bint processor_time
    ) noexcept nogil
    cdef int check_idle(self) except -1
    cdef int work_together(self, tuple limits) except -1
    cdef object worker(self, int thread, tuple limits)
    cdef int work(self, int thread, tuple limits) except -1
    cdef int search(
        self, int thread, uint64_t most, uint64_t end, uint64_t slice_end, volatile int *flag,
        bint processor_time,
    ) noexcept nogil
