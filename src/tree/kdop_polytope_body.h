/* Polytopes for one kind of numbers: NUMBER, which is defined by the file that includes this one, once for each. No
 * include guard. Numbers have the functions NUMBER_plus and so on. */
#define NAMED_(base, kind) base##_##kind
#define NAMED(base, kind) NAMED_(base, kind)
#define FUNCTION_(kind, base) kind##_##base
#define FUNCTION(kind, base) FUNCTION_(kind, base)
#define FROM FUNCTION(NUMBER, from)
#define PLUS FUNCTION(NUMBER, plus)
#define MINUS FUNCTION(NUMBER, minus)
#define TIMES FUNCTION(NUMBER, times)
#define VALUE FUNCTION(NUMBER, value)
#define NEGATIVE FUNCTION(NUMBER, negative)
#define PARTIAL NAMED(partial, NUMBER)

/* A polytope in the making. A corner is x / w, y / w, z / w with w > 0; its three lanes stand in the order in which
 * the sides lie around it, seen from outside, and corner_of[p][q] is the corner at which lane q follows lane p. */
typedef struct PARTIAL {
    NUMBER x[SLOTS], y[SLOTS], z[SLOTS], w[SLOTS];
    uint64_t used;
    uint32_t end; /* no corner has a larger number */
    NUMBER normals[TMB_KDOP_MOST][3], bounds[TMB_KDOP_MOST];
    uint8_t lanes[SLOTS][4];
    uint8_t corner_of[TMB_KDOP_MOST][TMB_KDOP_MOST];
} PARTIAL;

static inline void NAMED(cross, NUMBER)(const NUMBER a[3], const NUMBER b[3], NUMBER out[3])
{
    out[0] = MINUS(TIMES(a[1], b[2]), TIMES(a[2], b[1]));
    out[1] = MINUS(TIMES(a[2], b[0]), TIMES(a[0], b[2]));
    out[2] = MINUS(TIMES(a[0], b[1]), TIMES(a[1], b[0]));
}

/* Where three planes meet, by Cramer's rule: w is the determinant of the normals. */
static inline void NAMED(put_corner, NUMBER)(PARTIAL *p, uint32_t corner, uint32_t a, uint32_t b, uint32_t c)
{
    const NUMBER *na = p->normals[a], *nb = p->normals[b], *nc = p->normals[c];
    NUMBER edge[3], mixed[3], turned[3];
    NAMED(cross, NUMBER)(na, nb, edge);
    for (int i = 0; i < 3; i++) {
        mixed[i] = MINUS(TIMES(p->bounds[a], nb[i]), TIMES(p->bounds[b], na[i]));
    }
    NAMED(cross, NUMBER)(mixed, nc, turned);
    p->x[corner] = PLUS(TIMES(p->bounds[c], edge[0]), turned[0]);
    p->y[corner] = PLUS(TIMES(p->bounds[c], edge[1]), turned[1]);
    p->z[corner] = PLUS(TIMES(p->bounds[c], edge[2]), turned[2]);
    p->w[corner] = PLUS(PLUS(TIMES(nc[0], edge[0]), TIMES(nc[1], edge[1])), TIMES(nc[2], edge[2]));
    p->lanes[corner][0] = (uint8_t)a, p->lanes[corner][1] = (uint8_t)b, p->lanes[corner][2] = (uint8_t)c;
    p->corner_of[a][b] = p->corner_of[b][c] = p->corner_of[c][a] = (uint8_t)corner;
    p->used |= (uint64_t)1 << corner;
    p->end = corner >= p->end ? corner + 1 : p->end;
}

/* The eight corners of the first three slabs. */
static void NAMED(start, NUMBER)(PARTIAL *p)
{
    NUMBER edge[3];
    NAMED(cross, NUMBER)(p->normals[0], p->normals[2], edge);
    const NUMBER *n = p->normals[4];
    const int mirrored = NEGATIVE(PLUS(PLUS(TIMES(n[0], edge[0]), TIMES(n[1], edge[1])), TIMES(n[2], edge[2])));
    p->used = p->end = 0;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t signs[3] = {i & 1, i >> 1 & 1, i >> 2};
        const int swap = mirrored ^ (int)((signs[0] ^ signs[1] ^ signs[2]) & 1);
        const uint32_t b = swap ? 4 + signs[2] : 2 + signs[1], c = swap ? 2 + signs[1] : 4 + signs[2];
        NAMED(put_corner, NUMBER)(p, i, signs[0], b, c);
    }
}

/* The corners that lie beyond a plane, four at a time. */
static inline uint64_t NAMED(beyond, NUMBER)(const PARTIAL *p, uint32_t lane)
{
    const NUMBER *n = p->normals[lane], bound = p->bounds[lane];
    uint64_t set = 0;
    for (uint32_t i = 0; i < p->end; i += 4) {
        NUMBER room[4];
        for (uint32_t j = 0; j < 4; j++) {
            const NUMBER height =
                PLUS(PLUS(TIMES(n[0], p->x[i + j]), TIMES(n[1], p->y[i + j])), TIMES(n[2], p->z[i + j]));
            room[j] = MINUS(TIMES(bound, p->w[i + j]), height);
        }
        set |= (uint64_t)(NEGATIVE(room[0]) | NEGATIVE(room[1]) << 1 | NEGATIVE(room[2]) << 2 | NEGATIVE(room[3]) << 3)
               << i;
    }
    return set & p->used;
}

/* Cuts off what lies beyond a plane: each edge that leads from a corner that is lost to one that stays gets a new one.
 */
static void NAMED(clip, NUMBER)(PARTIAL *p, uint32_t lane)
{
    const uint64_t lost = NAMED(beyond, NUMBER)(p, lane);
    uint8_t edges[TMB_POLYTOPE_CORNERS][2];
    uint32_t count = 0;
    for (uint64_t rest = lost; rest; rest &= rest - 1) {
        const uint8_t *lanes = p->lanes[__builtin_ctzll(rest)];
        for (int i = 0; i < 3; i++) {
            const uint8_t a = lanes[i], b = lanes[i == 2 ? 0 : i + 1];
            edges[count][0] = a, edges[count][1] = b;
            count += !(lost >> p->corner_of[b][a] & 1);
        }
    }
    p->used &= ~lost;
    for (uint32_t i = 0; i < count; i++) {
        NAMED(put_corner, NUMBER)(p, (uint32_t)__builtin_ctzll(~p->used), edges[i][0], edges[i][1], lane);
    }
}

static void NAMED(finish, NUMBER)(const PARTIAL *p, tmb_polytope *out)
{
    uint8_t numbers[SLOTS];
    for (uint64_t rest = p->used; rest; rest &= rest - 1) {
        const int i = __builtin_ctzll(rest);
        const double scale = 1 / VALUE(p->w[i]);
        double *corner = out->corners[out->corner_count];
        corner[0] = VALUE(p->x[i]) * scale, corner[1] = VALUE(p->y[i]) * scale, corner[2] = VALUE(p->z[i]) * scale;
        numbers[i] = (uint8_t)out->corner_count++;
    }
    for (uint64_t rest = p->used; rest; rest &= rest - 1) {
        const int number = __builtin_ctzll(rest);
        const uint8_t *lanes = p->lanes[number];
        for (int i = 0; i < 3; i++) {
            const uint8_t a = lanes[i], b = lanes[i == 2 ? 0 : i + 1];
            if (a < b) { /* else the other end tells of it */
                out->edges[out->edge_count++] = (tmb_polytope_edge){numbers[number], numbers[p->corner_of[b][a]], b, a};
            }
        }
    }
}

static void NAMED(polytope, NUMBER)(const tmb_kdop_set *set, tmb_polytope *out)
{
    PARTIAL p;
    out->corner_count = out->edge_count = 0;
    for (uint32_t l = 0; l < set->k; l++) {
        const double *d = set->directions[l / 2], sign = l % 2 ? -1 : 1;
        for (int i = 0; i < 3; i++) {
            const int irrational = d[i] != (double)(int)d[i];
            p.normals[l][i] = FROM(irrational ? 0 : sign * d[i], irrational ? (d[i] < 0 ? -sign : sign) : 0);
        }
        p.bounds[l] = FROM(out->bounds[l], 0);
        if (l % 2 && out->bounds[l] + out->bounds[l - 1] < 0) {
            return; /* an empty slab, from which nothing could be cut off */
        }
    }
    NAMED(start, NUMBER)(&p);
    for (uint32_t l = 6; l < set->k; l++) {
        NAMED(clip, NUMBER)(&p, l);
    }
    NAMED(finish, NUMBER)(&p, out);
}

#undef PARTIAL
#undef NEGATIVE
#undef VALUE
#undef TIMES
#undef MINUS
#undef PLUS
#undef FROM
#undef FUNCTION
#undef FUNCTION_
#undef NAMED
#undef NAMED_
#undef NUMBER
