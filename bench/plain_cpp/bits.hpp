// Bit sets of one or two words, the choice of the n-th member, and the random generator.
#pragma once

#include <cstdint>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline int count_bits(u64 word) { return __builtin_popcountll(word); }
inline int lowest_bit(u64 word) { return __builtin_ctzll(word); }

#if !defined(__BMI2__)
struct SelectInByte {
    u8 bit[8][256] = {};
};
constexpr SelectInByte make_select_in_byte() {
    SelectInByte table;
    for (int byte = 0; byte < 256; ++byte)
        for (int i = 0, n = 0; i < 8; ++i)
            if (byte >> i & 1) table.bit[n++][byte] = static_cast<u8>(i);
    return table;
}
constexpr SelectInByte SELECT_IN_BYTE = make_select_in_byte();
constexpr u64 LOW_BITS = 0x0101010101010101, HIGH_BITS = 0x8080808080808080;
#endif

// Index of the n-th set bit, counted from 0. `n` must be below the number of set bits.
inline int select_bit(u64 word, int n) {
#if defined(__BMI2__)
    return lowest_bit(_pdep_u64(u64{1} << n, word));
#else
    // Vigna's broadword selection: the byte by sums over bytes, then the bit by a table.
    u64 sums = word - (word >> 1 & 0x5555555555555555);
    sums = (sums & 0x3333333333333333) + (sums >> 2 & 0x3333333333333333);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0f) * LOW_BITS;
    const u64 above = ((static_cast<u64>(n) * LOW_BITS | HIGH_BITS) - sums) & HIGH_BITS;
    const int byte = static_cast<int>((above >> 7) * LOW_BITS >> 53) & ~7;
    const int before = static_cast<int>((sums << 8) >> byte & 0xff);
    return byte + SELECT_IN_BYTE.bit[n - before][word >> byte & 0xff];
#endif
}

// Every bit i of an 8-bit set moved to bit 8 * i.
inline u64 spread_to_bytes(u32 set) {
#if defined(__BMI2__)
    return _pdep_u64(set, 0x0101010101010101);
#else
    u64 bytes = 0;
    for (; set != 0; set &= set - 1) bytes |= u64{1} << (8 * lowest_bit(set));
    return bytes;
#endif
}

template <int Words>
struct BitSet {
    u64 word[Words] = {};

    bool has(int i) const { return (word[Words == 1 ? 0 : i >> 6] >> (i & 63)) & 1; }
    void add(int i) { word[Words == 1 ? 0 : i >> 6] |= u64{1} << (i & 63); }
    bool any() const {
        u64 all = 0;
        for (int w = 0; w < Words; ++w) all |= word[w];
        return all != 0;
    }
    int count() const {
        int total = 0;
        for (int w = 0; w < Words; ++w) total += count_bits(word[w]);
        return total;
    }
    int pop_lowest() {
        int w = 0;
        if constexpr (Words == 2) w = word[0] == 0;
        const int i = lowest_bit(word[w]);
        word[w] &= word[w] - 1;
        return 64 * w + i;
    }
    int select(int n) const {
        if constexpr (Words == 1) {
            return select_bit(word[0], n);
        } else {
            const int below = count_bits(word[0]);
            const int w = n >= below;
            return 64 * w + select_bit(word[w], n - (w ? below : 0));
        }
    }
    BitSet without(const BitSet& other) const {
        BitSet result;
        for (int w = 0; w < Words; ++w) result.word[w] = word[w] & ~other.word[w];
        return result;
    }
    BitSet operator&(const BitSet& other) const {
        BitSet result;
        for (int w = 0; w < Words; ++w) result.word[w] = word[w] & other.word[w];
        return result;
    }
    BitSet operator|(const BitSet& other) const {
        BitSet result;
        for (int w = 0; w < Words; ++w) result.word[w] = word[w] | other.word[w];
        return result;
    }
    BitSet& operator|=(const BitSet& other) { return *this = *this | other; }
};

// wyrand: a counter, and one 64 x 64 -> 128 bit product folded together.
class Random {
  public:
    explicit Random(u64 seed) : counter_(seed) {}
    u64 next() {
        counter_ += 0xa0761d6478bd642f;
        const unsigned __int128 product =
            static_cast<unsigned __int128>(counter_) * (counter_ ^ 0xe7037ed1a0b428db);
        return static_cast<u64>(product >> 64) ^ static_cast<u64>(product);
    }

  private:
    u64 counter_;
};

// A number below `bound` from the top of `bits`; what is left of `bits` serves the next draw.
// With bounds of a few hundred the distance from uniform is below 2^-48.
inline int draw_below(u64& bits, int bound) {
    const unsigned __int128 product =
        static_cast<unsigned __int128>(bits) * static_cast<unsigned>(bound);
    bits = static_cast<u64>(product);
    return static_cast<int>(product >> 64);
}
