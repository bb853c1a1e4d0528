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

/* The seat network. */
#define LOOOT_FIRST 64
#define LOOOT_SECOND 32
#define LOOOT_NAME(function) looot_seat_##function
#include "ai/layers.h"
#undef LOOOT_FIRST
#undef LOOOT_SECOND
#undef LOOOT_NAME

/* The table network. */
#define LOOOT_FIRST 256
#define LOOOT_SECOND 64
#define LOOOT_NAME(function) looot_table_##function
#include "ai/layers.h"
#undef LOOOT_FIRST
#undef LOOOT_SECOND
#undef LOOOT_NAME

#endif
