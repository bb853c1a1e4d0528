/* The sums of a network with a first layer of LOOOT_FIRST and a second of LOOOT_SECOND, which
   `network.h` defines before each time it includes this; names begin with LOOOT_NAME. */

/* Add to sums the rows of the features that differ from those before, or from 0. */
LOOOT_WIDEST
static void LOOOT_NAME(add_rows)(
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
static float LOOOT_NAME(upper_layers)(
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
