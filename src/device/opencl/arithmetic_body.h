/* The comparison in one type: REAL is float or double, NAMED(base) a name of this type, special its special numbers.
 * Included by arithmetic.c, once for each; there is no include guard, by intent. */

/* Three numbers for each item: all pairs of special ones, and random ones, of which every other has c = -ab, rounded:
 * there a joined product and sum would leave the rounding error. */
static void NAMED(make)(REAL *numbers)
{
    uint64_t state = 1;
    for (size_t i = 0; i < SPECIAL_COUNT * SPECIAL_COUNT; i++, numbers += 3) {
        numbers[0] = NAMED(special)[i / SPECIAL_COUNT];
        numbers[1] = NAMED(special)[i % SPECIAL_COUNT];
        numbers[2] = NAMED(special)[5 * i % SPECIAL_COUNT];
    }
    for (size_t i = 0; i < RANDOM_COUNT; i++, numbers += 3) {
        numbers[0] = (REAL)next_random(&state);
        numbers[1] = (REAL)next_random(&state);
        numbers[2] = i % 2 ? -(numbers[0] * numbers[1]) : (REAL)next_random(&state);
    }
}

static void NAMED(compute)(const REAL *numbers, REAL *out)
{
    const REAL a = numbers[0], b = numbers[1], c = numbers[2];
    out[0] = a + b;
    out[1] = a - b;
    out[2] = a * b;
    out[3] = a * b + c;
    out[4] = a * b - c;
    out[5] = ((a * b + b * c) + c * a) + a;
    out[6] = (REAL)((a < b ? 1 : 0) + (a == b ? 2 : 0) + (a < 0 ? 4 : 0) + (a == 0 ? 8 : 0));
    out[7] = NAMED(last)(a, b);
}

/* Bit by bit, but any NaN is as good as another. */
static int NAMED(is_same)(REAL a, REAL b)
{
    return (a == b && !signbit(a) == !signbit(b)) || (isnan(a) && isnan(b));
}

static int NAMED(compare)(const tmb_opencl *opencl, const REAL *numbers, const REAL *results, char *reason,
                          size_t capacity)
{
    for (size_t i = 0; i < ITEM_COUNT; i++, numbers += 3, results += RESULT_COUNT) {
        const double abc[3] = {(double)numbers[0], (double)numbers[1], (double)numbers[2]};
        REAL expected[RESULT_COUNT];
        NAMED(compute)(numbers, expected);
        for (size_t j = 0; j < RESULT_COUNT; j++) {
            if (!NAMED(is_same)(expected[j], results[j])) {
                tell(opencl, REAL_IS_DOUBLE, j, abc, (double)expected[j], (double)results[j], reason, capacity);
                return 0;
            }
        }
    }
    return 1;
}

static tumble_status NAMED(check)(tmb_opencl *opencl, cl_program program, REAL *numbers, int *same, char *reason,
                                  size_t capacity)
{
    REAL *results = numbers + 3 * ITEM_COUNT;
    NAMED(make)(numbers);
    const tumble_status status =
        run_on_device(opencl, program, REAL_IS_DOUBLE ? "tmb_check_doubles" : "tmb_check_floats", numbers,
                      3 * ITEM_COUNT * sizeof *numbers, results, RESULT_COUNT * ITEM_COUNT * sizeof *results);
    *same = status == TUMBLE_OK && NAMED(compare)(opencl, numbers, results, reason, capacity);
    return status;
}

#undef REAL
#undef REAL_IS_DOUBLE
#undef NAMED
