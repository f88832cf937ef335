/* Template of a walk; included by boxtree_kernel.c with
 *   WALK_NAME    the function
 *   WALK_USED    gaps of a pair
 *   WALK_STRIDE  gaps with padding, a whole number of cache lines
 *   WALK_TABLES  products from lookup tables instead of multiplications
 * There is no include guard, by intent. */

#define WALK_VECTORS ((WALK_USED + TMB_SIMD_LANES - 1) / TMB_SIMD_LANES)
#define WALK_JOIN2(a, b) a##_##b
#define WALK_JOIN(a, b) WALK_JOIN2(a, b)
#define WALK_CUT WALK_JOIN(WALK_NAME, cut)
#define WALK_PRODUCTS WALK_JOIN(WALK_NAME, products)

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

static inline void WALK_PRODUCTS(const tmb_walk *walk, int tree, const walk_child *child, tmb_vec *products)
{
    WALK_CUT(walk, tree, child->side[0], child->cut[0], products);
    if (child->cut[1] > 0) {
        tmb_vec more[WALK_VECTORS];
        WALK_CUT(walk, tree, child->side[1], child->cut[1], more);
        for (int i = 0; i < WALK_VECTORS; i++) {
            products[i] = tmb_add(products[i], more[i]);
        }
    }
}

static void WALK_NAME(tmb_walk *walk)
{
    tmb_collider *collider = walk->collider;
    const tmb_walk_tree *tree_a = &walk->tree[0], *tree_b = &walk->tree[1];
    double *gap_stack = walk->gaps;
    uint32_t(*node_stack)[2] = walk->nodes;
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
        const uint32_t a = node_stack[waiting][0], b = node_stack[waiting][1];
        const int leaf_a = walk_is_leaf(tree_a, a), leaf_b = walk_is_leaf(tree_b, b);
        if (leaf_a && leaf_b) {
            if (tmb_collider_leaf(collider, walk_triangle(tree_a, a), walk_triangle(tree_b, b))) {
                break;
            }
            continue;
        }

        /* the children's own work, done once for all four pairs (section 3.3) */
        walk_child children_a[2], children_b[2];
        tmb_vec parts_a[2][WALK_VECTORS], products_b[2][WALK_VECTORS];
        const int count_a = walk_children(tree_a, a, leaf_a, children_a);
        const int count_b = walk_children(tree_b, b, leaf_b, children_b);
        for (int i = 0; i < count_a; i++) {
            WALK_PRODUCTS(walk, 0, &children_a[i], parts_a[i]);
            for (int k = 0; k < WALK_VECTORS; k++) {
                const tmb_vec gaps = tmb_load(gap_stack + waiting * WALK_STRIDE + k * TMB_SIMD_LANES);
                parts_a[i][k] = tmb_sub(gaps, parts_a[i][k]);
            }
        }
        for (int j = 0; j < count_b; j++) {
            WALK_PRODUCTS(walk, 1, &children_b[j], products_b[j]);
        }
        box_updates += (uint64_t)(leaf_a ? 0 : count_a) + (uint64_t)(leaf_b ? 0 : count_b);
        box_tests += (uint64_t)(count_a * count_b);
        nodes_read += (uint64_t)(!leaf_a + !leaf_b);

        /* every pair is written on top of the stack, and stays there if it overlaps: no branch to mispredict */
        for (int j = count_b - 1; j >= 0; j--) {
            for (int i = count_a - 1; i >= 0; i--) {
                tmb_vec signs = tmb_sub(parts_a[i][0], products_b[j][0]);
                tmb_store(gap_stack + waiting * WALK_STRIDE, signs);
                for (int k = 1; k < WALK_VECTORS; k++) {
                    const tmb_vec gaps = tmb_sub(parts_a[i][k], products_b[j][k]);
                    tmb_store(gap_stack + waiting * WALK_STRIDE + k * TMB_SIMD_LANES, gaps);
                    signs = tmb_or(signs, gaps);
                }
                node_stack[waiting][0] = children_a[i].node;
                node_stack[waiting][1] = children_b[j].node;
                waiting += !tmb_any_sign(signs);
            }
        }
    }
    const uint64_t triangle_bytes = 2 * (3 * sizeof(uint32_t) + 3 * 3 * sizeof(double));
    collider->box_tests += box_tests;
    collider->box_updates += box_updates;
    collider->bytes_touched += nodes_read * 2 * sizeof(tmb_node_one) + collider->primitive_tests * triangle_bytes;
}

#undef WALK_VECTORS
#undef WALK_JOIN2
#undef WALK_JOIN
#undef WALK_CUT
#undef WALK_PRODUCTS
#undef WALK_NAME
#undef WALK_USED
#undef WALK_STRIDE
#undef WALK_TABLES
