"""Bit-set primitives: the few machine instructions that every rule is written with."""

from libc.stdint cimport uint64_t


cdef extern from * nogil:
    """
    #include <stdint.h>
    #if defined(__BMI2__)
    #include <immintrin.h>
    #endif

    static inline int looot_population(uint64_t set) {
        return __builtin_popcountll(set);
    }

    static inline int looot_lowest(uint64_t set) {
        return __builtin_ctzll(set);
    }

    /* High half of a 64 x 64 bit product; the low half goes to *low. */
    static inline uint64_t looot_multiply(uint64_t a, uint64_t b, uint64_t *low) {
        unsigned __int128 product = (unsigned __int128)a * b;
        *low = (uint64_t)product;
        return (uint64_t)(product >> 64);
    }

    /* Position of the n-th set bit (n from 0); the set must have more than n bits. */
    static inline int looot_select(uint64_t set, int n) {
    #if defined(__BMI2__)
        return __builtin_ctzll(_pdep_u64(1ULL << n, set));
    #else
        int position = 0;
        for (int width = 32; width; width >>= 1) {
            int below = __builtin_popcountll(set & ((1ULL << width) - 1));
            int up = n >= below;
            n -= up ? below : 0;
            set >>= up ? width : 0;
            position += up ? width : 0;
        }
        return position;
    #endif
    }
    """
    int population "looot_population"(uint64_t set)
    int lowest "looot_lowest"(uint64_t set)
    int select "looot_select"(uint64_t set, int n)
    uint64_t multiply "looot_multiply"(uint64_t a, uint64_t b, uint64_t *low)


cdef inline uint64_t bit(int position) noexcept nogil:
    return <uint64_t>1 << position
