/* Pipes as in a plant: straight runs, bends and flanges along the edges of a grid, no two through the same node.
 *
 * A walk over the grid first decides the course of every pipe; the rings of points are then laid along it. Straight
 * runs have no rings between bends and flanges, so that there are long thin triangles beside small ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

enum {
    PIPES_DETAIL,
    PIPES_SIDES,
    PIPES_RADIUS,
    PIPES_SEED
};
enum {
    BEND_RINGS = 5,
    FLANGE_RINGS = 4,
    LONGEST_RUN = 40
};

typedef enum piece {
    PIECE_STRAIGHT,
    PIECE_BEND,
    PIECE_FLANGE
} piece;

typedef struct plant {
    uint32_t nodes; /* along an edge of the grid */
    uint8_t *taken;
    models_random random;
    double rings_left;
} plant;

/* A pipe from node to node. `pieces[i]` is what happens in node i; the ends are open to both sides and closed by lids.
 */
typedef struct run {
    uint32_t length; /* nodes */
    int32_t nodes[LONGEST_RUN][3];
    piece pieces[LONGEST_RUN];
    uint32_t rings;
} run;

static const int32_t directions[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

static uint32_t random_below(models_random *random, uint32_t end)
{
    return (uint32_t)(models_random_unit(random) * end);
}

/* The node's mark, or NULL outside the grid. */
static uint8_t *mark(const plant *p, const int32_t node[3])
{
    for (int k = 0; k < 3; k++) {
        if (node[k] < 0 || node[k] >= (int32_t)p->nodes) {
            return NULL;
        }
    }
    return &p->taken[((size_t)node[2] * p->nodes + (size_t)node[1]) * p->nodes + (size_t)node[0]];
}

static int is_free(const plant *p, const int32_t from[3], uint32_t direction, int32_t to[3])
{
    for (int k = 0; k < 3; k++) {
        to[k] = from[k] + directions[direction][k];
    }
    const uint8_t *there = mark(p, to);
    return there && !*there;
}

static int find_start(plant *p, int32_t node[3])
{
    for (int tries = 0; tries < 1000; tries++) {
        for (int k = 0; k < 3; k++) {
            node[k] = (int32_t)random_below(&p->random, p->nodes);
        }
        if (!*mark(p, node)) {
            return 1;
        }
    }
    return 0;
}

/* Where to go from the last node: mostly straight on. 0 when there is no way. */
static int choose_direction(plant *p, const run *r, uint32_t *direction, int32_t to[3])
{
    const int32_t *from = r->nodes[r->length - 1];
    if (r->length > 1 && models_random_unit(&p->random) < 0.7 && is_free(p, from, *direction, to)) {
        return 1;
    }
    const uint32_t first = random_below(&p->random, 6);
    for (uint32_t k = 0; k < 6; k++) {
        const uint32_t candidate = (first + k) % 6;
        if (is_free(p, from, candidate, to)) {
            *direction = candidate;
            return 1;
        }
    }
    return 0;
}

static void enter(plant *p, run *r, const int32_t node[3])
{
    *mark(p, node) = 1;
    memcpy(r->nodes[r->length], node, sizeof r->nodes[0]);
    r->pieces[r->length++] = PIECE_STRAIGHT;
}

/* Walks until the way is blocked, the pipe is long enough or the rings are used up. */
static int walk(plant *p, run *r)
{
    int32_t node[3];
    r->length = 0;
    r->rings = 2;
    if (p->rings_left < 2 || !find_start(p, node)) {
        return 0;
    }
    enter(p, r, node);
    const uint32_t wanted = 4 + random_below(&p->random, LONGEST_RUN - 4);
    uint32_t direction = 0;
    while (r->length < wanted) {
        const uint32_t before = direction;
        if (!choose_direction(p, r, &direction, node)) {
            break;
        }
        piece *here = &r->pieces[r->length - 1];
        if (r->length > 1) {
            *here = before != direction                    ? PIECE_BEND
                    : models_random_unit(&p->random) < 0.2 ? PIECE_FLANGE
                                                           : PIECE_STRAIGHT;
        }
        const uint32_t more = *here == PIECE_BEND ? BEND_RINGS : *here == PIECE_FLANGE ? FLANGE_RINGS : 0;
        if (r->rings + more > p->rings_left) {
            *here = PIECE_STRAIGHT;
            break;
        }
        r->rings += more;
        enter(p, r, node);
    }
    p->rings_left -= r->rings;
    return 1;
}

/* About every fourth node is taken: a pipe has about 2 rings for each. */
static int start_plant(models_mesh *mesh, plant *p, const double *values)
{
    memset(p, 0, sizeof *p);
    p->random.state = (uint64_t)values[PIPES_SEED];
    p->rings_left = floor(values[PIPES_DETAIL]);
    p->nodes = 4;
    while ((double)p->nodes * p->nodes * p->nodes < 2 * p->rings_left) {
        p->nodes++;
    }
    p->taken = models_allocate(mesh, (size_t)p->nodes * p->nodes * p->nodes, 1);
    return p->taken != NULL;
}

double models_count_pipes(const double *values)
{
    plant p;
    run r;
    models_mesh none = {0};
    const double sides = values[PIPES_SIDES];
    double triangles = 0;
    for (int going = start_plant(&none, &p, values); going && walk(&p, &r);) {
        triangles += r.length < 2 ? 0 : 2 * sides * (r.rings - 1) + 2 * (sides - 2);
    }
    free(p.taken);
    return triangles;
}

/* ---- Laying rings along a pipe ---- */

typedef struct layer {
    models_mesh *mesh;
    double (*circle)[2];
    uint32_t sides, last;
    int begun;
    double radius, u[3], v[3]; /* the frame of the rings, carried around the bends */
} layer;

static void lay_ring(layer *l, const double centre[3], double radius)
{
    const uint32_t ring = models_ring(l->mesh, l->circle, l->sides, centre, l->u, l->v, radius);
    if (l->begun) {
        models_bridge(l->mesh, l->last, ring, l->sides);
    } else {
        models_close_ring(l->mesh, ring, l->sides, 0);
    }
    l->begun = 1;
    l->last = ring;
}

/* A frame whose cross product is the first direction. */
static void start_frame(layer *l, const int32_t along[3])
{
    int axis = 0;
    while (axis < 2 && !along[axis]) {
        axis++;
    }
    for (int k = 0; k < 3; k++) {
        l->u[k] = k == (axis + 1) % 3;
        l->v[k] = k == (axis + 2) % 3 ? along[axis] : 0;
    }
}

static double dot(const double a[3], const int32_t b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Turns a vector that is perpendicular to `along` by the angle with the given cosine and sine from `along` to
 * `towards`. */
static void turn(double vector[3], const int32_t along[3], const int32_t towards[3], double c, double s)
{
    const double share = dot(vector, towards);
    for (int k = 0; k < 3; k++) {
        vector[k] += share * ((c - 1) * towards[k] - s * along[k]);
    }
}

static void lay_bend(layer *l, const int32_t node[3], const int32_t along[3], const int32_t towards[3])
{
    const double bend = 0.4; /* its radius */
    const double u[3] = {l->u[0], l->u[1], l->u[2]}, v[3] = {l->v[0], l->v[1], l->v[2]};
    for (uint32_t i = 0; i < BEND_RINGS; i++) {
        double direction[2], centre[3];
        models_direction(i, 4 * (BEND_RINGS - 1), direction);
        for (int k = 0; k < 3; k++) {
            centre[k] = node[k] + bend * ((direction[1] - 1) * along[k] + (1 - direction[0]) * towards[k]);
        }
        memcpy(l->u, u, sizeof u);
        memcpy(l->v, v, sizeof v);
        turn(l->u, along, towards, direction[0], direction[1]);
        turn(l->v, along, towards, direction[0], direction[1]);
        lay_ring(l, centre, l->radius);
    }
}

static void lay_flange(layer *l, const int32_t node[3], const int32_t along[3])
{
    for (int i = 0; i < FLANGE_RINGS; i++) {
        double centre[3];
        for (int k = 0; k < 3; k++) {
            centre[k] = node[k] + (i < 2 ? -0.06 : 0.06) * along[k];
        }
        lay_ring(l, centre, i == 1 || i == 2 ? 1.4 * l->radius : l->radius);
    }
}

static void lay_end(layer *l, const int32_t node[3])
{
    lay_ring(l, (const double[3]){node[0], node[1], node[2]}, l->radius);
}

static void step_between(const int32_t from[3], const int32_t to[3], int32_t step[3])
{
    for (int k = 0; k < 3; k++) {
        step[k] = to[k] - from[k];
    }
}

static void lay_run(layer *l, const run *r)
{
    int32_t along[3], towards[3];
    l->begun = 0;
    step_between(r->nodes[0], r->nodes[1], along);
    start_frame(l, along);
    lay_end(l, r->nodes[0]);
    for (uint32_t i = 1; i + 1 < r->length; i++) {
        step_between(r->nodes[i], r->nodes[i + 1], towards);
        if (r->pieces[i] == PIECE_BEND) {
            lay_bend(l, r->nodes[i], along, towards);
        } else if (r->pieces[i] == PIECE_FLANGE) {
            lay_flange(l, r->nodes[i], along);
        }
        memcpy(along, towards, sizeof along);
    }
    lay_end(l, r->nodes[r->length - 1]);
    models_close_ring(l->mesh, l->last, l->sides, 1);
}

void models_make_pipes(models_mesh *mesh, const double *values)
{
    plant p;
    run r;
    layer l = {.mesh = mesh, .sides = (uint32_t)values[PIPES_SIDES]};
    const uint32_t surface = mesh->surface;
    int going = start_plant(mesh, &p, values);
    l.circle = models_circle(mesh, l.sides);
    while (going && l.circle && walk(&p, &r)) {
        if (r.length >= 2) {
            const uint32_t thickness = (uint32_t)(models_random_bits(&(models_random){r.length}) % 3);
            l.radius = values[PIPES_RADIUS] * (1 - 0.25 * thickness);
            lay_run(&l, &r);
            mesh->surface++;
        }
    }
    mesh->surface = surface;
    free(l.circle);
    free(p.taken);
}
