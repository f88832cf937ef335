/* Triangles of models on the device, and whether two of them intersect. */

/* Where a model's geometry is; made by MESH_OF from a model in any kind of memory. */
typedef struct mesh {
    global const tmb_u32 *places, *clusters;
    tmb_u32 is_float;
} mesh;

#define MESH_OF(memory, model)                                    \
    ((mesh){(global const tmb_u32 *)((memory) + (model).places), \
            (global const tmb_u32 *)((memory) + (model).clusters), (model).is_float})

/* A cluster of it: tree/cluster.h. */
typedef struct cluster {
    global const tmb_u32 *words; /* three of nibbles, then the corners */
    tmb_u32 triangle_count, corner_count;
} cluster;

static cluster cluster_of(const mesh *m, tmb_u32 number)
{
    global const tmb_u32 *place = m->places + 2 * (size_t)number;
    const tmb_u32 offset = place[0], triangles = place[1], units = place[2] - offset;
    cluster c;
    c.words = m->clusters + offset;
    c.triangle_count = triangles & 15;
    c.corner_count = m->is_float ? (units - 3) / 3 : (units - 4) / 6;
    return c;
}

static tmb_u32 corner_number(const cluster *c, tmb_u32 slot, int corner)
{
    return c->words[corner] >> 4 * slot & 15;
}

/* The number of the caller's polygon. */
static tmb_u32 polygon_of(global const uchar *memory, const tmb_cl_model *model, tmb_u32 address)
{
    global const tmb_u32 *place = (global const tmb_u32 *)(memory + model->places) + 2 * (size_t)(address >> 3);
    const tmb_u32 triangle = (place[1] >> 4) + (address & 7);
    global const uchar *bytes = memory + model->polygons + (tmb_u64)model->polygon_bytes * triangle;
    tmb_u32 number = 0;
    for (tmb_u32 i = 0; i < model->polygon_bytes; i++) {
        number |= (tmb_u32)bytes[i] << 8 * i;
    }
    return model->polygon_bytes ? number : triangle;
}

/* Where corners are: with doubles in A's frame, as src/math/pose.h moves them; without, in A's local frame, off by at
 * most the slack of the map into A. */
#if TUMBLE_DOUBLES
typedef double coordinate;
#else
typedef float coordinate;
#endif

typedef struct point {
    coordinate x, y, z;
} point;

static point corner_of(const cluster *c, tmb_u32 is_float, tmb_u32 corner)
{
    point p;
    if (is_float) {
        global const float *x = (global const float *)(c->words + 3) + corner;
        p.x = x[0], p.y = x[c->corner_count], p.z = x[2 * c->corner_count];
    } else {
#if TUMBLE_DOUBLES
        global const double *x = (global const double *)(c->words + 4) + corner;
        p.x = x[0], p.y = x[c->corner_count], p.z = x[2 * c->corner_count];
#else
        p.x = p.y = p.z = 0; /* models without doubles go up as floats */
#endif
    }
    return p;
}

/* Rows of three entries and the shift, in any kind of memory: of the pose, in double; of the map from B's local frame,
 * in float. */
#define ROW_TIMES(row, p) ((((row)[0] * (p).x + (row)[1] * (p).y) + (row)[2] * (p).z) + (row)[3])
#define MOVED(rows, p) ((point){ROW_TIMES(rows, p), ROW_TIMES((rows) + 4, p), ROW_TIMES((rows) + 8, p)})

/* ---- In floats: src/prim/triangle_lanes.h has the formulas and the proof of the bounds ---- */

typedef struct vector {
    float x, y, z;
} vector;

static vector between(vector from, vector to)
{
    vector v = {to.x - from.x, to.y - from.y, to.z - from.z};
    return v;
}

static vector crossed(vector a, vector b)
{
    vector v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}

static float dotted(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static float size_of(vector a, vector b)
{
    return fmax(fabs(a.x), fabs(b.x)) + fmax(fabs(a.y), fabs(b.y)) + fmax(fabs(a.z), fabs(b.z));
}

typedef struct heights {
    float corner[3], along0, along2;
} heights;

static int is_one_sided(const heights *h, float bound)
{
    return (h->corner[0] > bound && h->corner[1] > bound && h->corner[2] > bound) ||
           (h->corner[0] < -bound && h->corner[1] < -bound && h->corner[2] < -bound);
}

static int is_decided(const heights *h, float bound)
{
    return fabs(h->corner[0]) > bound && fabs(h->corner[1]) > bound && fabs(h->corner[2]) > bound;
}

/* Which edge goes from a negative number to a positive one, 0 to 2; `sign` -1: the other way. */
static int passing_edge(const heights *h, float sign)
{
    const int below0 = sign * h->corner[0] < 0, below1 = sign * h->corner[1] < 0, below2 = sign * h->corner[2] < 0;
    return below0 && !below1 ? 0 : below2 && !below0 ? 2 : 1;
}

static float chosen(int edge, float of0, float of1, float of2)
{
    return edge == 0 ? of0 : edge == 2 ? of2 : of1;
}

/* D(E, F) for F0, F1, F2. */
typedef struct volumes {
    float with0, with1, with2;
} volumes;

static volumes volumes_of(vector edge, vector moment0, vector moment2, float sum)
{
    volumes v;
    v.with0 = dotted(edge, moment0);
    v.with2 = dotted(edge, moment2);
    v.with1 = sum - v.with0 - v.with2;
    return v;
}

static float chosen_volume(int edge_a, int edge_b, const volumes *of0, const volumes *of2, const volumes *sums)
{
    const float first = chosen(edge_b, of0->with0, of0->with1, of0->with2);
    const float third = chosen(edge_b, of2->with0, of2->with1, of2->with2);
    const float sum = chosen(edge_b, sums->with0, sums->with1, sums->with2);
    return chosen(edge_a, first, sum - first - third, third);
}

#define MISS 0
#define HIT 1
#define UNKNOWN 2

static int meet_on_line(vector e0, vector e2, vector f0, vector f2, vector w, const heights *of_a, const heights *of_b,
                        float bound)
{
    const vector moment0 = crossed(w, f0), moment2 = crossed(w, f2);
    const volumes of0 = volumes_of(e0, moment0, moment2, of_a->along0);
    const volumes of2 = volumes_of(e2, moment0, moment2, of_a->along2);
    const volumes sums = {of_b->along0, -(of_b->along0 + of_b->along2), of_b->along2};
    const float down = chosen_volume(passing_edge(of_a, 1), passing_edge(of_b, -1), &of0, &of2, &sums);
    const float up = chosen_volume(passing_edge(of_a, -1), passing_edge(of_b, 1), &of0, &of2, &sums);
    if (down < -bound || up > bound) {
        return MISS;
    }
    return down > bound && up < -bound ? HIT : UNKNOWN;
}

/* Two triangles by their edges and w = a0 - b0; how high the corners of each are over the plane of the other, and what
 * these heights may be off by. */
typedef struct facing {
    vector e0, e2, f0, f2, w;
    heights of_a, of_b;
    float bound_a, bound_b; /* of heights over `a`, and over `b` */
} facing;

static facing face(const vector *a, const vector *b, float reach)
{
    facing t;
    t.e0 = between(a[0], a[1]), t.e2 = between(a[2], a[0]), t.f0 = between(b[0], b[1]), t.f2 = between(b[2], b[0]);
    t.w = between(b[0], a[0]);
    const vector w = t.w, normal_a = crossed(t.e0, t.e2), normal_b = crossed(t.f0, t.f2);
    const float size_a = size_of(t.e0, t.e2), size_b = size_of(t.f0, t.f2);
    const float scale = TMB_TRIANGLES_HEIGHT_ERROR * reach * (size_a + size_b + (fabs(w.x) + fabs(w.y) + fabs(w.z)));
    const float least = TMB_TRIANGLES_UNDERFLOW * reach + TMB_TRIANGLES_UNDERFLOW;
    t.bound_a = fmax(scale * size_a, least), t.bound_b = fmax(scale * size_b, least);
    t.of_a.along0 = dotted(normal_b, t.e0), t.of_a.along2 = dotted(normal_b, t.e2);
    t.of_a.corner[0] = dotted(normal_b, w);
    t.of_a.corner[1] = t.of_a.corner[0] + t.of_a.along0, t.of_a.corner[2] = t.of_a.corner[0] - t.of_a.along2;
    t.of_b.along0 = dotted(normal_a, t.f0), t.of_b.along2 = dotted(normal_a, t.f2);
    t.of_b.corner[0] = dotted(normal_a, w);
    t.of_b.corner[1] = t.of_b.corner[0] - t.of_b.along0, t.of_b.corner[2] = t.of_b.corner[0] + t.of_b.along2;
    return t;
}

/* Each float is within 2^-23 `reach` of the truth, and none is larger than `reach`. */
static int triangles_intersect(const vector *a, const vector *b, float reach)
{
    if (!(reach <= TMB_TRIANGLES_MOST_REACH)) {
        return UNKNOWN;
    }
    const facing t = face(a, b, reach);
    if (is_one_sided(&t.of_a, t.bound_b) || is_one_sided(&t.of_b, t.bound_a)) {
        return MISS;
    }
    if (!is_decided(&t.of_a, t.bound_b) || !is_decided(&t.of_b, t.bound_a)) {
        return UNKNOWN;
    }
    return meet_on_line(t.e0, t.e2, t.f0, t.f2, t.w, &t.of_a, &t.of_b,
                        TMB_TRIANGLES_VOLUME_ERROR * (t.bound_a + t.bound_b));
}

/* ---- In doubles: the first part of src/prim/triangle_intersect.c, with the bounds of src/math/filter.h ---- */

#if TUMBLE_DOUBLES

/* Bit i: corner i of `b` is surely above the plane of `a`, bit 3 + i: below. */
static tmb_u32 filter_sides(const point *a, const point *b)
{
    const double ux = a[1].x - a[0].x, uy = a[1].y - a[0].y, uz = a[1].z - a[0].z;
    const double vx = a[2].x - a[0].x, vy = a[2].y - a[0].y, vz = a[2].z - a[0].z;
    const double x1 = uy * vz, x2 = uz * vy, y1 = uz * vx, y2 = ux * vz, z1 = ux * vy, z2 = uy * vx;
    double sx = 0, sy = 0, sz = 0, height[3];
    for (int i = 0; i < 3; i++) {
        const double x = b[i].x - a[0].x, y = b[i].y - a[0].y, z = b[i].z - a[0].z;
        height[i] = (x1 - x2) * x + (y1 - y2) * y + (z1 - z2) * z;
        sx = fabs(x) > sx ? fabs(x) : sx;
        sy = fabs(y) > sy ? fabs(y) : sy;
        sz = fabs(z) > sz ? fabs(z) : sz;
    }
    const double permanent = (fabs(x1) + fabs(x2)) * sx + (fabs(y1) + fabs(y2)) * sy + (fabs(z1) + fabs(z2)) * sz;
    const double bound = TMB_ERROR_3D * permanent + TMB_ERROR_UNDERFLOW * (sx + sy + sz + 1.0);
    tmb_u32 sides = 0;
    for (int i = 0; i < 3; i++) {
        sides |= (tmb_u32)(height[i] > bound) << i | (tmb_u32)(height[i] < -bound) << (i + 3);
    }
    return sides;
}

static int orientation(const point a, const point b, const point c, const point d)
{
    const double ax = a.x - d.x, ay = a.y - d.y, az = a.z - d.z;
    const double bx = b.x - d.x, by = b.y - d.y, bz = b.z - d.z;
    const double cx = c.x - d.x, cy = c.y - d.y, cz = c.z - d.z;
    const double yz1 = bx * cy, yz2 = cx * by, zx1 = cx * ay, zx2 = ax * cy, xy1 = ax * by, xy2 = bx * ay;
    const double z0 = fabs(az), z1 = fabs(bz), z2 = fabs(cz);
    const double permanent = (fabs(yz1) + fabs(yz2)) * z0 + (fabs(zx1) + fabs(zx2)) * z1 + (fabs(xy1) + fabs(xy2)) * z2;
    const double bound = TMB_ERROR_3D * permanent + TMB_ERROR_UNDERFLOW * (z0 + z1 + z2 + 1.0);
    const double value = (yz1 - yz2) * az + (zx1 - zx2) * bz + (xy1 - xy2) * cz;
    return (value > bound) - (value < -bound);
}

/* The corner that is alone on its side, for sides that are all known and not the same; plus 4 when it is below. */
static tmb_u32 alone_of(tmb_u32 sides)
{
    const tmb_u32 above = sides & 7, is_single = above == 1 || above == 2 || above == 4;
    const tmb_u32 single = is_single ? above : 7 & ~above;
    return (single >> 1) | (is_single ? 0 : 4); /* 1, 2, 4 -> 0, 1, 2 */
}

static int triangles_intersect_doubles(const point *a, const point *b)
{
    const tmb_u32 sides_b = filter_sides(a, b);
    if (sides_b == 7 || sides_b == 56) {
        return MISS;
    }
    const tmb_u32 sides_a = filter_sides(b, a);
    if (sides_a == 7 || sides_a == 56) {
        return MISS;
    }
    if (((sides_a | sides_a >> 3) & 7) != 7 || ((sides_b | sides_b >> 3) & 7) != 7) {
        return UNKNOWN;
    }
    const tmb_u32 alone_a = alone_of(sides_a), alone_b = alone_of(sides_b);
    const tmb_u32 p1 = alone_a & 3, p2 = alone_b & 3, turn1 = alone_b >> 2, turn2 = alone_a >> 2;
    const tmb_u32 next1 = (p1 + 1) % 3, before1 = (p1 + 2) % 3, next2 = (p2 + 1) % 3, before2 = (p2 + 2) % 3;
    const point q1 = a[turn1 ? before1 : next1], r1 = a[turn1 ? next1 : before1];
    const point q2 = b[turn2 ? before2 : next2], r2 = b[turn2 ? next2 : before2];
    const int order_q = orientation(q1, b[p2], q2, a[p1]), order_r = orientation(r1, b[p2], r2, a[p1]);
    if (order_q > 0 || order_r < 0) {
        return MISS;
    }
    return order_q != 0 && order_r != 0 ? HIT : UNKNOWN;
}

#endif
