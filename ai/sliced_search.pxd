"""A search by one simulation after the other, in one thread, in slices of time."""

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
    cdef bint searching          # changed with the GIL only
    cdef void simulate(self) noexcept nogil
    cdef int check_idle(self) except -1
    cdef int search(
        self, uint64_t most, uint64_t end, uint64_t slice_end, volatile int *flag,
        bint processor_time,
    ) noexcept nogil
