/* The search for one K, which is defined by the file that includes this one, once for each. No include guard. */
#define NAMED_(base, k) base##_##k
#define NAMED(base, k) NAMED_(base, k)
#define ROW_WORDS (K + 2)
#define VECTORS ((K + 7) / 8)

#define HAS_CORNERS (K == 14 || K == 26)
#define HAS_EDGES (K == 18 || K == 26)
#define FIRST_EDGE (HAS_CORNERS ? 14 : 6)

/* A lower bound of the distance of a node of A from what was tumbled, in A's local unit; when they overlap, how deep
 * they do along the least direction, as a negative number. What is no number is behind the bounds. */
#if K == 12
static inline float NAMED(bound, K)(const float *bounds, const float *apart, float limit)
{
    const tmb_f8 least = tmb_f8_set(-FLT_MAX), unit = tmb_f8_set(FACE);
    tmb_f8 low = tmb_f8_mul(gaps_at(bounds, apart, 0), unit);
    tmb_f8 high = tmb_f8_max(tmb_f8_mul(gaps_at(bounds, apart, 8), unit), least);
    float largest[3] = {tmb_f8_max_of(tmb_f8_max(low, high))};
    if (largest[0] <= 0 || largest[0] > limit) {
        return largest[0];
    }
    for (int i = 0; i < 2; i++) {
        const tmb_f8 last = tmb_f8_set(largest[i]);
        low = tmb_f8_select(tmb_f8_less_equal(last, low), least, low);
        high = tmb_f8_select(tmb_f8_less_equal(last, high), least, high);
        largest[i + 1] = tmb_f8_max_of(tmb_f8_max(low, high));
    }
    return sqrtf(square_of_faces(largest));
}
#else
static inline float NAMED(bound, K)(const float *bounds, const float *apart, float limit)
{
    const tmb_f8 least = tmb_f8_set(-FLT_MAX), side = gaps_at(bounds, apart, 0);
    tmb_f8 corner = least, edges[2] = {least, least}, all = least;
    static const float lengths[8] = {1, 1, 1, 1, 1, 1, HAS_CORNERS ? CORNER : EDGE, HAS_CORNERS ? CORNER : EDGE};
    all = tmb_f8_max(tmb_f8_mul(side, tmb_f8_loadu(lengths)), all);
    if (HAS_CORNERS) {
        corner = gaps_at(bounds, apart, 6);
        all = tmb_f8_max(tmb_f8_mul(corner, tmb_f8_set(CORNER)), all);
    }
    for (int i = 0; HAS_EDGES && i < 2; i++) {
        edges[i] = gaps_at(bounds, apart, FIRST_EDGE + 8 * i);
        all = tmb_f8_max(tmb_f8_mul(edges[i], tmb_f8_set(EDGE)), all);
    }
    const float most = tmb_f8_max_of(all);
    if (most <= 0 || most > limit) {
        return most;
    }
    const sides s = make_sides(side);
    tmb_f8 square = square_of_sides(&s);
    if (HAS_CORNERS) {
        square = tmb_f8_max(square_with_corners(&s, corner, corner_lanes), square);
    }
    for (int i = 0; HAS_EDGES && i < 2; i++) {
        square = tmb_f8_max(square_with_edges(&s, edges[i], edge_lanes[i]), square);
    }
    return sqrtf(tmb_f8_max_of(square));
}
#endif

/* The longest of three widths, which are along x, y and z but for the 12-DOP. */
static inline float NAMED(size_of, K)(const uint32_t *row)
{
    const float *bounds = (const float *)row;
    const float x = bounds[0] + bounds[1], y = bounds[2] + bounds[3], z = bounds[4] + bounds[5];
    const float xy = x > y ? x : y;
    return xy > z ? xy : z;
}

/* Children of A's node, or the node itself, with those of B's. */
static void NAMED(push_children, K)(tmb_near_search *s, const tmb_near_pair *pair, uint32_t first_a, uint32_t count_a,
                                    uint32_t first_b, uint32_t count_b)
{
    tmb_kdop_near *w = s->walk.data;
    tmb_kdop_state *state = &w->state;
    const float limit = (float)(s->bound * state->collider->a->frame.scale);
    for (uint32_t j = 0; j < count_b; j++) {
        const uint32_t number = w->slot_of(state, first_b + j);
        if (number == TMB_KDOP_NO_SLOT) {
            s->is_enough = 1;
            return;
        }
        const float *apart = tmb_kdop_slot_apart(tmb_kdop_slot_at(state, number));
        for (uint32_t i = 0; i < count_a; i++) {
            const float *bounds = (const float *)(state->rows_a + (size_t)(first_a + i) * ROW_WORDS);
            const float lo = NAMED(bound, K)(bounds, apart, limit);
            const double lower = (double)(lo - fabsf(lo) * 0x1p-19F) * w->unit_of_a;
            push_or_keep(s, pair, lower, first_a + i, first_b + j);
        }
    }
    s->collider.box_tests += (uint64_t)count_a * count_b;
    s->collider.node_bytes += (uint64_t)count_a * count_b * ROW_WORDS * sizeof(uint32_t);
}

/* The four cases of Fuenfzig and Fellner (section 6): two leaves are compared; a leaf stays while the other node is
 * left; of two inner nodes both are, or the larger one alone. */
static void NAMED(leave, K)(tmb_near_search *s, const tmb_near_pair *pair)
{
    const tmb_kdop_near *w = s->walk.data;
    const tmb_kdop_state *state = &w->state;
    const uint32_t *a = state->rows_a + (size_t)pair->a * ROW_WORDS, *b = state->rows_b + (size_t)pair->b * ROW_WORDS;
    const int leaf_a = a[K + 1] != 0, leaf_b = b[K + 1] != 0;
    if (leaf_a && leaf_b) {
        (state->leaves_are_clusters ? compare_clusters : compare_triangles)(s, a[K], a[K + 1], b[K], b[K + 1]);
        return;
    }
    const float size_a = NAMED(size_of, K)(a), size_b = NAMED(size_of, K)(b) * state->size_of_b;
    const int into_a = !leaf_a && (leaf_b || !(size_b > UNLIKE * size_a));
    const int into_b = !leaf_b && (leaf_a || !(size_a > UNLIKE * size_b));
    NAMED(push_children, K)(s, pair, into_a ? a[K] : pair->a, into_a ? 2 : 1, into_b ? b[K] : pair->b, into_b ? 2 : 1);
}

#undef VECTORS
#undef ROW_WORDS
#undef NAMED
#undef NAMED_
#undef K
