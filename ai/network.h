/* The sums of the evaluation's network.

   Every element is a sum in a fixed order, multiplied and added in two roundings, so that the
   result does not depend on how many elements the processor adds at once. Where the C library can
   choose at load time, a second version of each function uses the wider registers. */

#ifndef LOOOT_NETWORK_H
#define LOOOT_NETWORK_H

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GLIBC__) && \
    !defined(__AVX2__) && !defined(__SANITIZE_ADDRESS__)
#define LOOOT_WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define LOOOT_WIDEST
#endif

#define LOOOT_FIRST 64
#define LOOOT_SECOND 32

/* Add to sums[64] the rows of the features that differ from those before, or from 0. */
LOOOT_WIDEST
static void looot_add_rows(
    float *restrict sums, float *restrict line, const float (*restrict rows)[LOOOT_FIRST],
    const float *restrict linear, const float *restrict features, const float *restrict before,
    int count
) {
    for (int i = 0; i < count; i++) {
        float x = before ? features[i] - before[i] : features[i];
        if (x != 0) {
            for (int j = 0; j < LOOOT_FIRST; j++)
                sums[j] += x * rows[i][j];
            *line += x * linear[i];
        }
    }
}

/* The second layer's sums after the rectified first one, and the output of the third. */
LOOOT_WIDEST
static float looot_upper_layers(
    const float *restrict a, const float *restrict b, const float (*restrict second)[LOOOT_SECOND],
    const float *restrict bias, const float *restrict third
) {
    float sums[LOOOT_SECOND];
    float result = 0;
    for (int j = 0; j < LOOOT_SECOND; j++)
        sums[j] = bias[j];
    for (int i = 0; i < LOOOT_FIRST; i++) {
        float x = a[i] + b[i];
        if (x > 0)
            for (int j = 0; j < LOOOT_SECOND; j++)
                sums[j] += x * second[i][j];
    }
    for (int j = 0; j < LOOOT_SECOND; j++)
        result += (sums[j] > 0 ? sums[j] : 0) * third[j];
    return result;
}

#endif
