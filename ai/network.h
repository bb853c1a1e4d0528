/* The sums of the evaluation's networks.

   Every element is a sum in a fixed order, multiplied and added in two roundings, so that the
   result does not depend on how many elements the processor adds at once. Where the C library can
   choose at load time, a second version of each function uses the wider registers. */

#ifndef LOOOT_NETWORK_H
#define LOOOT_NETWORK_H

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GLIBC__) && \
    !defined(__AVX2__) && !defined(__SANITIZE_ADDRESS__)
#define LOOOT_WIDEST __attribute__((unused, target_clones("avx2", "default")))
#else
#define LOOOT_WIDEST __attribute__((unused))
#endif

/* Floats that are added at once, by as many registers as that takes. */
enum { LOOOT_WIDTH = 8 };
typedef float looot_vector
    __attribute__((vector_size(4 * LOOOT_WIDTH), aligned(4), may_alias));

/* Sums are named one by one: a compiler keeps an array of them in memory, and named ones in
   registers where there are enough of them, as AVX has. */
#define LOOOT_EACH_OF_4(act) act(0) act(1) act(2) act(3)
#define LOOOT_EACH_OF_8(act) LOOOT_EACH_OF_4(act) act(4) act(5) act(6) act(7)
/* What is done for each: count it, add its part of a row, and write it back. */
#define LOOOT_ONE(j) +1
#define LOOOT_ADD(j) total_##j += factors[n] * row[j];
#define LOOOT_END(j) total[j] = total_##j;

/* The seat network. */
#define LOOOT_FIRST 64
#define LOOOT_SECOND 32
#define LOOOT_EACH_OF_SECOND LOOOT_EACH_OF_4
#define LOOOT_NAME(function) looot_seat_##function
#include "ai/layers.h"
#undef LOOOT_FIRST
#undef LOOOT_SECOND
#undef LOOOT_EACH_OF_SECOND
#undef LOOOT_NAME

/* The table network. */
#define LOOOT_FIRST 256
#define LOOOT_SECOND 64
#define LOOOT_EACH_OF_SECOND LOOOT_EACH_OF_8
#define LOOOT_NAME(function) looot_table_##function
#include "ai/layers.h"
#undef LOOOT_FIRST
#undef LOOOT_SECOND
#undef LOOOT_EACH_OF_SECOND
#undef LOOOT_NAME

#endif
