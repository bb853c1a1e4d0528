/* The sums of a network with a first layer of LOOOT_FIRST and a second of LOOOT_SECOND, which
   `network.h` defines before each time it includes this; LOOOT_EACH_OF_SECOND acts on each vector
   of the second; names begin with LOOOT_NAME. What is to be added is gathered first, without
   branches: each number is written where the next that counts will be. */

_Static_assert(LOOOT_FIRST % (8 * LOOOT_WIDTH) == 0, "the first layer is added in eights of vectors");
_Static_assert(
    LOOOT_SECOND == (0 LOOOT_EACH_OF_SECOND(LOOOT_ONE)) * LOOOT_WIDTH,
    "each vector of the second layer is to be added"
);

/* Add to sums the rows of the features, 1 or more, that differ from those before, or from 0. */
LOOOT_WIDEST
static void LOOOT_NAME(add_rows)(
    float *restrict sums, float *restrict line, const float (*restrict rows)[LOOOT_FIRST],
    const float *restrict linear, const float *restrict features, const float *restrict before,
    int count
) {
    float factors[count];
    int numbers[count];
    int found = 0;
    for (int i = 0; i < count; i++) {
        float x = before ? features[i] - before[i] : features[i];
        factors[found] = x;
        numbers[found] = i;
        found += x != 0;
    }
    for (int n = 0; n < found; n++)
        *line += factors[n] * linear[numbers[n]];
    for (int part = 0; part < LOOOT_FIRST; part += 8 * LOOOT_WIDTH) {
        looot_vector *total = (looot_vector *)(sums + part);
#define LOOOT_BEGIN(j) looot_vector total_##j = total[j];
        LOOOT_EACH_OF_8(LOOOT_BEGIN)
        for (int n = 0; n < found; n++) {
            const looot_vector *row = (const looot_vector *)(rows[numbers[n]] + part);
            LOOOT_EACH_OF_8(LOOOT_ADD)
        }
        LOOOT_EACH_OF_8(LOOOT_END)
#undef LOOOT_BEGIN
    }
}

/* The second layer's sums after the rectified first one, and the output of the third. */
LOOOT_WIDEST
static float LOOOT_NAME(upper_layers)(
    const float *restrict a, const float *restrict b, const float (*restrict second)[LOOOT_SECOND],
    const float *restrict bias, const float *restrict third
) {
    float sums[LOOOT_SECOND];
    float factors[LOOOT_FIRST];
    int numbers[LOOOT_FIRST];
    float result = 0;
    int found = 0;
    for (int i = 0; i < LOOOT_FIRST; i++) {
        float x = a[i] + b[i];
        factors[found] = x;
        numbers[found] = i;
        found += x > 0;
    }
    looot_vector *total = (looot_vector *)sums;
#define LOOOT_BEGIN(j) looot_vector total_##j = ((const looot_vector *)bias)[j];
    LOOOT_EACH_OF_SECOND(LOOOT_BEGIN)
    for (int n = 0; n < found; n++) {
        const looot_vector *row = (const looot_vector *)second[numbers[n]];
        LOOOT_EACH_OF_SECOND(LOOOT_ADD)
    }
    LOOOT_EACH_OF_SECOND(LOOOT_END)
#undef LOOOT_BEGIN
    for (int j = 0; j < LOOOT_SECOND; j++)
        result += (sums[j] > 0 ? sums[j] : 0) * third[j];
    return result;
}
