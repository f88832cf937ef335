/* The search for one K, which is defined by the file that includes this one, once for each. No include guard. */
#define NAMED_(base, k) base##_##k
#define NAMED(base, k) NAMED_(base, k)
#define ROW_WORDS (K + 2)
#define VECTORS ((K + 7) / 8)

/* A lower bound of the distance of a node of A from what was tumbled, in A's local unit; when they overlap, how deep
 * they do along the least direction, as a negative number. What is no number is behind the bounds. */
static inline float NAMED(bound, K)(const tmb_kdop_near *w, const float *bounds, const float *apart)
{
    tmb_f8 best = tmb_f8_set(-FLT_MAX), first = best;
    for (int v = 0; v < VECTORS; v++) {
        const tmb_f8 gap = tmb_f8_sub(tmb_f8_loadu(apart + 8 * v), tmb_f8_loadu(bounds + 8 * v));
        const tmb_f8 along = tmb_f8_mul(gap, tmb_f8_load(w->inverse + 8 * v));
        first = v == 0 ? along : first;
        best = tmb_f8_max(along, best);
    }
    const float greatest = tmb_f8_max_of(best), box = K == 12 ? 0 : box_distance(first);
    const float lower = box > greatest && greatest > 0 ? box : greatest;
    return lower - fabsf(lower) * 0x1p-20F;
}

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
    for (uint32_t j = 0; j < count_b; j++) {
        const uint32_t number = w->slot_of(state, first_b + j);
        if (number == TMB_KDOP_NO_SLOT) {
            s->is_enough = 1;
            return;
        }
        const float *apart = tmb_kdop_slot_apart(tmb_kdop_slot_at(state, number));
        for (uint32_t i = 0; i < count_a; i++) {
            const float *bounds = (const float *)(state->rows_a + (size_t)(first_a + i) * ROW_WORDS);
            const double lower = (double)NAMED(bound, K)(w, bounds, apart) * w->unit_of_a;
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
