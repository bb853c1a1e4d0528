"""Clocks that never go back, in nanoseconds."""

from libc.stdint cimport uint64_t
from posix.time cimport CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID, clock_gettime, timespec


cdef inline uint64_t now(bint processor_time) noexcept nogil:
    """Time of the wall, or what the calling thread has had of a processor."""
    cdef timespec time
    clock_gettime(CLOCK_THREAD_CPUTIME_ID if processor_time else CLOCK_MONOTONIC, &time)
    return <uint64_t>time.tv_sec * 1000000000 + <uint64_t>time.tv_nsec
