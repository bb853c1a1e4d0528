"""SplitMix64 and Lemire's bounded sampling in C; ``generator.pyx`` writes the algorithm down."""

from libc.stdint cimport uint64_t

from looot_core.bits cimport multiply


cdef inline uint64_t next_word(uint64_t *generator) noexcept nogil:
    """Draw the next word, uniform over all 64-bit words."""
    generator[0] += <uint64_t>0x9E3779B97F4A7C15ULL
    cdef uint64_t z = generator[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef inline uint64_t below(uint64_t *generator, uint64_t n) noexcept nogil:
    """Draw a number, uniform from 0 to n - 1; n is at least 1."""
    cdef uint64_t low, high, remainder
    high = multiply(next_word(generator), n, &low)
    if low < n:
        remainder = (<uint64_t>0 - n) % n
        while low < remainder:
            high = multiply(next_word(generator), n, &low)
    return high


cdef inline uint64_t below_pair(
    uint64_t *generator, uint64_t n, uint64_t m, uint64_t *second
) noexcept nogil:
    """Draw below(n * m), as its quotient by m and, in `second`, the remainder.

    The quotient is the high half of word * n, the remainder that of its low half * m.
    """
    cdef uint64_t low, first, remainder
    first = multiply(next_word(generator), n, &low)
    second[0] = multiply(low, m, &low)
    if low < n * m:
        remainder = (<uint64_t>0 - n * m) % (n * m)
        while low < remainder:
            first = multiply(next_word(generator), n, &low)
            second[0] = multiply(low, m, &low)
    return first


cdef class Generator:
    cdef uint64_t state
