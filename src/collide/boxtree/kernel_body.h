/* Template of a walk; included by kernel.c with
 *   WALK_NAME    the function
 *   WALK_USED    gaps of a pair
 *   WALK_STRIDE  gaps with padding, a whole number of cache lines
 *   WALK_TABLES  products from lookup tables instead of multiplications
 * Intentionally without an include guard. */

#define WALK_VECTORS ((WALK_USED + TMB_SIMD_LANES - 1) / TMB_SIMD_LANES)
#if WALK_USED < 12
#define WALK_RANKED WALK_USED
#else
#define WALK_RANKED 12 /* cross products can be short, and say little of the overlap */
#endif
#define WALK_JOIN2(a, b) a##_##b
#define WALK_JOIN(a, b) WALK_JOIN2(a, b)
#define WALK_CUT WALK_JOIN(WALK_NAME, cut)
#define WALK_PRODUCTS WALK_JOIN(WALK_NAME, products)
#define WALK_SWAP WALK_JOIN(WALK_NAME, swap)
#define WALK_SORT WALK_JOIN(WALK_NAME, sort)
#define WALK_LOOP WALK_JOIN(WALK_NAME, loop)

/* What one cut takes off the gaps. */
static inline void WALK_CUT(const tmb_walk *walk, int tree, uint32_t side, float cut, tmb_vec *products)
{
    const double *row = walk->tree[tree].rows[side];
#if WALK_TABLES
    _Alignas(TMB_CACHE_LINE) double found[WALK_STRIDE] = {0};
    const uint32_t index = walk_table_index(cut);
    for (int i = 0; i < walk->direction_count; i++) {
        const int owner = walk->first_owner ^ (i >= 3);
        if (tree == owner) {
            found[2 * i] = (double)cut * row[2 * i];
            found[2 * i + 1] = (double)cut * row[2 * i + 1];
        } else {
            found[walk->tables[i].lane[side]] = walk->tables[i].product[side >> 1][index];
        }
    }
    for (int i = 0; i < WALK_VECTORS; i++) {
        products[i] = tmb_load(found + i * TMB_SIMD_LANES);
    }
#else
    const tmb_vec c = tmb_broadcast((double)cut);
    for (int i = 0; i < WALK_VECTORS; i++) {
        products[i] = tmb_mul(c, tmb_load(row + i * TMB_SIMD_LANES));
    }
#endif
}

static inline void WALK_PRODUCTS(const tmb_walk *walk, int tree, const walk_children *children, int child,
                                 tmb_vec *products)
{
    WALK_CUT(walk, tree, children->side[child], children->cut[child], products);
    if (child == 0 && children->other_cut > 0) {
        tmb_vec more[WALK_VECTORS];
        WALK_CUT(walk, tree, children->side[1], children->other_cut, more);
        for (int i = 0; i < WALK_VECTORS; i++) {
            products[i] = tmb_add(products[i], more[i]);
        }
    }
}

static inline void WALK_SWAP(double *gaps, uint32_t (*nodes)[2])
{
    for (int k = 0; k < WALK_VECTORS; k++) {
        const tmb_vec lower = tmb_load(gaps + k * TMB_SIMD_LANES);
        const tmb_vec upper = tmb_load(gaps + WALK_STRIDE + k * TMB_SIMD_LANES);
        tmb_store(gaps + k * TMB_SIMD_LANES, upper);
        tmb_store(gaps + WALK_STRIDE + k * TMB_SIMD_LANES, lower);
    }
    for (int k = 0; k < 2; k++) {
        const uint32_t lower = nodes[0][k];
        nodes[0][k] = nodes[1][k];
        nodes[1][k] = lower;
    }
}

/* Sorts the up to four pairs that came last so that the one whose least gap is largest, the deepest overlap, is on top:
 * a query that needs one hit then finds it sooner. */
static inline void WALK_SORT(double *gaps, uint32_t (*nodes)[2], size_t count)
{
    double least[4];
    for (size_t i = 0; i < count; i++) {
        least[i] = gaps[i * WALK_STRIDE];
        for (size_t k = 1; k < WALK_RANKED; k++) {
            const double gap = gaps[i * WALK_STRIDE + k];
            least[i] = gap < least[i] ? gap : least[i];
        }
        for (size_t j = i; j > 0 && least[j - 1] > least[j]; j--) {
            const double larger = least[j - 1];
            least[j - 1] = least[j];
            least[j] = larger;
            WALK_SWAP(gaps + (j - 1) * WALK_STRIDE, nodes + j - 1);
        }
    }
}

/* The walk. Of each pair of nodes all four pairs of children are computed, written on top of the stack, and stay there
 * if they exist and overlap: of the branches that cannot be predicted, only the one for two leaves is left. */
static inline __attribute__((always_inline)) void WALK_LOOP(tmb_walk *walk, uint32_t layout_a, uint32_t layout_b)
{
    tmb_collider *collider = walk->collider;
    const tmb_walk_tree *tree_a = &walk->tree[0], *tree_b = &walk->tree[1];
    double *gap_stack = walk->gaps;
    uint32_t(*node_stack)[2] = walk->nodes;
    const int sorted = collider->one, is_near = walk->limit > 0;
    size_t waiting = 1;
    uint64_t box_tests = 1, box_updates = 2, nodes_read = 0;

    node_stack[0][0] = tree_a->root;
    node_stack[0][1] = tree_b->root;
    for (int i = 0; i < WALK_VECTORS; i++) {
        const tmb_vec start = tmb_load(walk->start + i * TMB_SIMD_LANES);
        tmb_store(gap_stack + i * TMB_SIMD_LANES, start);
        if (tmb_any_sign(start)) {
            waiting = 0;
        }
    }
    while (waiting > 0) {
        waiting--;
        if (is_near && walk_is_far(walk, gap_stack + waiting * WALK_STRIDE)) {
            continue;
        }
        const uint32_t a = node_stack[waiting][0], b = node_stack[waiting][1];
        const int leaf_a = walk_is_leaf(layout_a, a), leaf_b = walk_is_leaf(layout_b, b);
        if (leaf_a & leaf_b) {
            if (tmb_collider_leaf(collider, walk_triangle(layout_a, a), walk_triangle(layout_b, b))) {
                break;
            }
            continue;
        }

        /* the children's own work, done once for all four pairs (section 3.3) */
        const walk_children children_a = walk_find_children(tree_a, layout_a, a, leaf_a);
        const walk_children children_b = walk_find_children(tree_b, layout_b, b, leaf_b);
        tmb_vec parts_a[2][WALK_VECTORS], products_b[2][WALK_VECTORS];
        for (int i = 0; i < 2; i++) {
            WALK_PRODUCTS(walk, 0, &children_a, i, parts_a[i]);
            WALK_PRODUCTS(walk, 1, &children_b, i, products_b[i]);
            for (int k = 0; k < WALK_VECTORS; k++) {
                const tmb_vec gaps = tmb_load(gap_stack + waiting * WALK_STRIDE + k * TMB_SIMD_LANES);
                parts_a[i][k] = tmb_sub(gaps, parts_a[i][k]);
            }
        }
        box_updates += (uint64_t)((1 + children_a.twins) * !leaf_a + (1 + children_b.twins) * !leaf_b);
        box_tests += (uint64_t)((1 + children_a.twins) * (1 + children_b.twins));
        nodes_read += (uint64_t)(!leaf_a + !leaf_b);

        const size_t before = waiting;
        for (int j = 1; j >= 0; j--) {
            for (int i = 1; i >= 0; i--) {
                const int exists = (i == 0 || children_a.twins) & (j == 0 || children_b.twins);
                tmb_vec signs = tmb_sub(parts_a[i][0], products_b[j][0]);
                tmb_store(gap_stack + waiting * WALK_STRIDE, signs);
                for (int k = 1; k < WALK_VECTORS; k++) {
                    const tmb_vec gaps = tmb_sub(parts_a[i][k], products_b[j][k]);
                    tmb_store(gap_stack + waiting * WALK_STRIDE + k * TMB_SIMD_LANES, gaps);
                    signs = tmb_or(signs, gaps);
                }
                node_stack[waiting][0] = children_a.node[i];
                node_stack[waiting][1] = children_b.node[j];
                waiting += (size_t)(exists & !tmb_any_sign(signs));
            }
        }
        if (sorted && waiting > before + 1) {
            WALK_SORT(gap_stack + before * WALK_STRIDE, node_stack + before, waiting - before);
        }
    }
    collider->encounter.box_tests += box_tests;
    collider->encounter.box_updates += box_updates;
    collider->encounter.node_bytes += nodes_read * 2 * sizeof(tmb_node_one); /* two nodes of one plane, or one of two */
}

static void WALK_NAME(tmb_walk *walk)
{
    const uint32_t layout_a = walk->tree[0].layout, layout_b = walk->tree[1].layout;
    if (layout_a == TUMBLE_BOXTREE_ONE_PLANE && layout_b == TUMBLE_BOXTREE_ONE_PLANE) {
        WALK_LOOP(walk, TUMBLE_BOXTREE_ONE_PLANE, TUMBLE_BOXTREE_ONE_PLANE);
    } else {
        WALK_LOOP(walk, layout_a, layout_b);
    }
}

#undef WALK_VECTORS
#undef WALK_RANKED
#undef WALK_JOIN2
#undef WALK_JOIN
#undef WALK_CUT
#undef WALK_PRODUCTS
#undef WALK_SWAP
#undef WALK_SORT
#undef WALK_LOOP
#undef WALK_NAME
#undef WALK_USED
#undef WALK_STRIDE
#undef WALK_TABLES
