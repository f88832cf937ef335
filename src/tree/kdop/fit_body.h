/* Fitting for one K, which is defined by the file that includes this one, once for each. No include guard. */
#define NAMED_(base, k) base##_##k
#define NAMED(base, k) NAMED_(base, k)
#define ROW_WORDS (K + 2)

/* The projections of one point onto all directions, widening the bounds. */
static inline void NAMED(widen, K)(double bounds[K], const double p[3])
{
    for (int i = 0; i < K / 2; i++) {
        const double *d = NAMED(tmb_kdop_directions, K)[i];
        const double x = (d[0] * p[0] + d[1] * p[1]) + d[2] * p[2];
        bounds[2 * i] = tmb_greater(bounds[2 * i], x);
        bounds[2 * i + 1] = tmb_greater(bounds[2 * i + 1], -x);
    }
}

static void NAMED(fit_leaf, K)(const fitting *f, uint32_t address, uint32_t count, float out[K])
{
    double bounds[K], corners[3][3];
    for (int l = 0; l < K; l++) {
        bounds[l] = -INFINITY;
    }
    for (uint32_t i = count; i > 0; i--) {
        tmb_cluster_triangle(f->places, f->clusters, f->is_float, address, corners);
        for (int c = 0; c < 3; c++) {
            const double p[3] = {(corners[c][0] - f->frame.centre[0]) * f->frame.scale,
                                 (corners[c][1] - f->frame.centre[1]) * f->frame.scale,
                                 (corners[c][2] - f->frame.centre[2]) * f->frame.scale};
            NAMED(widen, K)(bounds, p);
        }
        address = tmb_next_triangle(f->places, address);
    }
    for (int l = 0; l < K; l++) {
        out[l] = rounded_up(bounds[l]);
    }
}

static inline void NAMED(raise, K)(float bounds[K], const float other[K])
{
    for (int l = 0; l < K; l++) {
        bounds[l] = other[l] > bounds[l] ? other[l] : bounds[l];
    }
}

/* Rows begin + 1 to end, and the links of all of them. */
static void NAMED(fit_leaves, K)(void *shared, size_t begin, size_t end)
{
    const fitting *f = shared;
    for (size_t i = begin + 1; i <= end; i++) {
        uint32_t *row = f->rows + i * ROW_WORDS;
        const uint32_t *from = f->from + i * ROW_WORDS;
        row[K] = from[K];
        row[K + 1] = from[K + 1];
        if (row[K + 1]) {
            NAMED(fit_leaf, K)(f, row[K], row[K + 1], (float *)row);
        }
    }
}

/* Children lie after their parents. */
static void NAMED(fit_inner, K)(const fitting *f, uint32_t node_count)
{
    for (size_t i = node_count; i >= 1; i--) {
        uint32_t *row = f->rows + i * ROW_WORDS;
        if (row[K + 1] == 0) {
            const float *left = (const float *)(f->rows + (size_t)row[K] * ROW_WORDS), *right = left + ROW_WORDS;
            float *out = (float *)row;
            for (int l = 0; l < K; l++) {
                out[l] = left[l] > right[l] ? left[l] : right[l];
            }
        }
    }
}

/* With bare leaves, volumes begin + 1 to end: what their children that are leaves say. */
static void NAMED(fit_above_leaves, K)(void *shared, size_t begin, size_t end)
{
    const fitting *f = shared;
    for (size_t i = begin + 1; i <= end; i++) {
        const uint32_t *links = f->from + 4 * i;
        float *out = f->bounds + i * K, own[K];
        for (int l = 0; l < K; l++) {
            out[l] = -INFINITY;
        }
        for (int c = 0; c < 2; c++, links += 2) {
            if (links[1]) {
                NAMED(fit_leaf, K)(f, links[0], links[1], own);
                NAMED(raise, K)(out, own);
            }
        }
    }
}

/* And what the others say, whose volumes lie after their parents'. */
static void NAMED(fit_above_inner, K)(const fitting *f, uint32_t volume_count)
{
    for (size_t i = volume_count; i >= 1; i--) {
        const uint32_t *links = f->from + 4 * i;
        for (int c = 0; c < 2; c++, links += 2) {
            if (!links[1]) {
                NAMED(raise, K)(f->bounds + i * K, f->bounds + (size_t)(links[0] / 2) * K);
            }
        }
    }
}

#undef ROW_WORDS
#undef NAMED
#undef NAMED_
#undef K
