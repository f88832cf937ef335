/* Pairs of clusters, and pairs of triangles from these. See walk.cl. */

/* ---- Clusters ---- */

/* A corner relative to a point nearby; without doubles that is the local frame's origin. */
static vector brought(point p, local const coordinate *origin)
{
    vector v = {(float)(p.x - origin[0]), (float)(p.y - origin[1]), (float)(p.z - origin[2])};
    return v;
}

static void corners_of(const tables *t, local const workspace *w, tmb_u32 side, tmb_u32 address, point *corners)
{
    const mesh m = MESH_OF(t->memory, w->models[side]);
    const cluster c = cluster_of(&m, address >> 3);
    for (int i = 0; i < 3; i++) {
        const point p = corner_of(&c, m.is_float, corner_number(&c, address & 7, i));
        corners[i] = side ? MOVED(w->rows, p) : p;
    }
}

/* How much farther apart boxes may be than they seem. */
static float leaf_slack(local const workspace *w)
{
#if TUMBLE_DOUBLES
    return 0; /* rounding keeps the order */
#else
    return w->check[TMB_CL_INTO_A + TMB_CL_MAP_SLACK];
#endif
}

/* The box of one triangle of a cluster. */
static void store_triangle_box(const tables *t, local workspace *w, tmb_u32 side, const mesh *m, const cluster *c)
{
    const tmb_u32 lane = t->lane, slot = lane & 7;
    vector low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        const point p = corner_of(c, m->is_float, corner_number(c, slot, i));
        const vector v = brought(side ? MOVED(w->rows, p) : p, w->origin);
        low.x = fmin(low.x, v.x), low.y = fmin(low.y, v.y), low.z = fmin(low.z, v.z);
        high.x = fmax(high.x, v.x), high.y = fmax(high.y, v.y), high.z = fmax(high.z, v.z);
    }
    const float slack = leaf_slack(w);
    w->fields[0][lane] = low.x - slack, w->fields[1][lane] = low.y - slack, w->fields[2][lane] = low.z - slack;
    w->fields[3][lane] = high.x + slack, w->fields[4][lane] = high.y + slack, w->fields[5][lane] = high.z + slack;
}

static int triangle_boxes_meet(local const workspace *w, tmb_u32 pair)
{
    const tmb_u32 a = lane_of_a(pair), b = lane_of_b(pair);
    int meet = 1;
    for (int k = 0; k < 3; k++) {
        meet &= w->fields[k][a] <= w->fields[3 + k][b] && w->fields[k][b] <= w->fields[3 + k][a];
    }
    return meet;
}

static void box_triangles(const tables *t, local workspace *w)
{
    const tmb_u32 lane = t->lane, slot = lane >> 4, side = lane >> 3 & 1, entry = w->waiting + slot;
    if (slot < w->taken) {
        const mesh m = MESH_OF(t->memory, w->models[side]);
        const cluster c = cluster_of(&m, side ? w->stack_b[entry] : w->stack_a[entry]);
        if ((lane & 7) < c.triangle_count) {
            store_triangle_box(t, w, side, &m, &c);
        }
        if ((lane & 7) == 0) {
            w->present[slot][side] = first_bits(c.triangle_count);
        }
    }
}

static void list_candidates(const tables *t, local workspace *w)
{
    tmb_u32 total = w->candidate_count;
    for (tmb_u32 pair = t->lane; pair < 64 * w->taken; pair += TMB_CL_LANES) {
        const int meet = are_present(w, pair) && triangle_boxes_meet(w, pair);
        const tmb_u32 place = append(&w->candidate_count, &total, meet, t->lane), entry = w->waiting + (pair >> 6);
        if (meet) {
            w->candidates_a[place] = w->stack_a[entry] * 8 + (pair & 7);
            w->candidates_b[place] = w->stack_b[entry] * 8 + (pair >> 3 & 7);
        }
    }
    publish(&w->candidate_count, total, t->lane);
}

/* ---- Triangles ---- */

/* One pair of triangles, by their addresses. */
static int compare_triangles(const tables *t, local const workspace *w, tmb_u32 address_a, tmb_u32 address_b)
{
    point corners[4]; /* the last of four is not used: PoCL 6.0, told to use CBS, aligns no other size */
    vector a[4], b[4];
    corners_of(t, w, 0, address_a, corners);
#if TUMBLE_DOUBLES
    const point origin = corners[0];
#endif
    for (int side = 0; side < 2; side++) {
        if (side) {
            corners_of(t, w, 1, address_b, corners);
        }
        for (int i = 0; i < 3; i++) {
#if TUMBLE_DOUBLES
            const vector v = {(float)(corners[i].x - origin.x), (float)(corners[i].y - origin.y),
                              (float)(corners[i].z - origin.z)};
#else
            const vector v = {corners[i].x, corners[i].y, corners[i].z};
#endif
            if (side) {
                b[i] = v;
            } else {
                a[i] = v;
            }
        }
    }
#if TUMBLE_DOUBLES
    float reach = 0;
    for (int i = 0; i < 3; i++) {
        reach = fmax(reach, fmax(fmax(fabs(a[i].x), fabs(a[i].y)), fabs(a[i].z)));
        reach = fmax(reach, fmax(fmax(fabs(b[i].x), fabs(b[i].y)), fabs(b[i].z)));
    }
    return triangles_intersect(a, b, reach * (1 + TMB_REACH_ROUNDING));
#else
    /* Coordinates are within the slack of the map, which is at least 2^-21 (1 + its reach). */
    return triangles_intersect(a, b, w->check[TMB_CL_INTO_A + TMB_CL_MAP_SLACK] * TMB_REACH_OF_SLACK);
#endif
}

/* Room in a list of all work-groups; what lies before `limit` stays filled when there is none. A work-group that finds
 * it full may ask repeatedly: that must not add up, or `used` would wrap around to 0. */
static int reserve(global tmb_u32 *used, global tmb_u32 *limit, tmb_u32 count, tmb_u32 capacity, local tmb_u32 *base)
{
    if (count && look_at(used) > capacity) {
        return 0;
    }
    const tmb_u32 old = count ? atomic_add(used, count) : 0;
    *base = old;
    if (count && (old > capacity || count > capacity - old)) {
        atomic_min(limit, old);
        return 0;
    }
    return 1;
}

/* By lane 0: room for what the lanes have found. When there is no room for all of it nothing is used. */
static void reserve_results(const tables *t, local workspace *w)
{
    global tmb_u32 *c = t->counters;
    const tmb_u32 hits = t->s.mode == TMB_CL_LIST ? w->hit_count : 0, undecided = w->undecided_count;
    if (!reserve(&c[TMB_CL_UNDECIDED], &c[TMB_CL_UNDECIDED_LIMIT], undecided, t->s.undecided_capacity,
                 &w->undecided_base)) {
        w->is_full = 1;
    } else if (!reserve(&c[TMB_CL_HITS], &c[TMB_CL_HITS_LIMIT], hits, t->s.hit_capacity, &w->hit_base)) {
        w->is_full = 1;
        for (tmb_u32 i = 0; i < undecided; i++) {
            t->undecided[w->undecided_base + i].check = TMB_CL_NOTHING;
        }
    }
}

static void store_hit(global tmb_cl_hit *hit, tmb_u32 check, tmb_u32 a, tmb_u32 b)
{
    hit->check = check;
    hit->a = a;
    hit->b = b;
}

/* What one lane has found; lists have room for it. */
static void store_result(const tables *t, local workspace *w, int verdict, tmb_u32 place, tmb_u32 a,
                         tmb_u32 b)
{
    const tmb_u32 check = w->number;
    if (verdict == UNKNOWN) {
        store_hit(&t->undecided[w->undecided_base + place], check, a, b);
    } else if (verdict == HIT && t->s.mode == TMB_CL_LIST) {
        store_hit(&t->hits[w->hit_base + place], check, a, b);
    } else if (verdict == HIT && t->s.mode == TMB_CL_FIRST &&
               atomic_cmpxchg(&t->states[check], TMB_CL_OPEN, TMB_CL_FOUND) == TMB_CL_OPEN) {
        t->numbers[2 * check] = a;
        t->numbers[2 * check + 1] = b;
    }
}

/* What one lane has at hand: one of the last candidates. */
typedef struct trial {
    tmb_u32 a, b, place;
    int verdict;
} trial;

static trial try_candidate(const tables *t, local workspace *w)
{
    trial r = {0, 0, 0, MISS};
    tmb_u32 hits = 0, undecided = 0;
    if (t->lane < w->taken) {
        const tmb_u32 number = w->candidate_count - w->taken + t->lane;
        r.a = w->candidates_a[number];
        r.b = w->candidates_b[number];
        r.verdict = compare_triangles(t, w, r.a, r.b);
    }
    const tmb_u32 hit = append(&w->hit_count, &hits, r.verdict == HIT, t->lane);
    const tmb_u32 unknown = append(&w->undecided_count, &undecided, r.verdict == UNKNOWN, t->lane);
    r.place = r.verdict == HIT ? hit : unknown;
    publish(&w->hit_count, hits, t->lane);
    publish(&w->undecided_count, undecided, t->lane);
    return r;
}
