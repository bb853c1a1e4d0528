"""Bit-set primitives: the few machine instructions that every rule is written with."""

from libc.stdint cimport uint32_t, uint64_t


cdef extern from * nogil:
    """
    #include <stdint.h>
    #if defined(__BMI2__)
    #include <immintrin.h>
    #endif

    /* The top and the lowest bit of each byte, the lower of 2-bit and the top of 4-bit fields. */
    #define LOOOT_BYTE_TOPS 0x8080808080808080ULL
    #define LOOOT_BYTE_ONES 0x0101010101010101ULL
    #define LOOOT_FIELD_ONES 0x5555555555555555ULL
    #define LOOOT_COUNT_TOPS 0x88888888U
    /* Of 8 x 8 bits those whose column, the bit of a byte, is above the row, the byte. */
    #define LOOOT_UPPER_PAIRS 0x0080C0E0F0F8FCFEULL

    static inline int looot_population(uint64_t set) {
        return __builtin_popcountll(set);
    }

    static inline int looot_lowest(uint64_t set) {
        return __builtin_ctzll(set);
    }

    /* Bit n of a set of 8 to the lowest bit of byte n. */
    static inline uint64_t looot_spread(uint64_t set) {
    #if defined(__BMI2__)
        return _pdep_u64(set, LOOOT_BYTE_ONES);
    #else
        return ((set & 127) * 0x02040810204081ULL & LOOOT_BYTE_ONES) | (set >> 7 << 56);
    #endif
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
        /* Vigna, "Broadword implementation of rank/select queries" (2008): running counts of the
           bytes, how many of them are at most n, and the same again within that byte. */
        const uint64_t ones = LOOOT_BYTE_ONES, tops = LOOOT_BYTE_TOPS;
        uint64_t sums = set - (set >> 1 & 0x5555555555555555ULL);
        sums = (sums & 0x3333333333333333ULL) + (sums >> 2 & 0x3333333333333333ULL);
        sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * ones;
        int byte = 8 * __builtin_popcountll((((n * ones) | tops) - sums) & tops);
        uint64_t rest = n - (sums << 8 >> byte & 255);
        uint64_t spread = (set >> byte & 255) * ones & 0x8040201008040201ULL;
        uint64_t within = ((spread + ~tops) >> 7 & ones) * ones;
        return byte + __builtin_popcountll((((rest * ones) | tops) - within) & tops);
    #endif
    }
    """
    const uint64_t BYTE_TOPS "LOOOT_BYTE_TOPS"
    const uint64_t BYTE_ONES "LOOOT_BYTE_ONES"
    const uint64_t FIELD_ONES "LOOOT_FIELD_ONES"
    const uint32_t COUNT_TOPS "LOOOT_COUNT_TOPS"
    const uint64_t UPPER_PAIRS "LOOOT_UPPER_PAIRS"
    int population "looot_population"(uint64_t set)
    int lowest "looot_lowest"(uint64_t set)
    uint64_t spread "looot_spread"(uint64_t set)
    int select "looot_select"(uint64_t set, int n)
    uint64_t multiply "looot_multiply"(uint64_t a, uint64_t b, uint64_t *low)


cdef inline uint64_t bit(int position) noexcept nogil:
    return <uint64_t>1 << position
