/* Tools of the shape generators: rings of points and stacks of blocks. */
#ifndef TUMBLE_MODELS_BUILD_H
#define TUMBLE_MODELS_BUILD_H

#include "models.h"

#define MODELS_FULL_TURN 6.28318530717958647692

/* The whole number nearest to `value`, at least `least`. */
uint32_t models_round(double value, uint32_t least);

/* a x b, and a vector made one of length 1. */
void models_cross(const double a[3], const double b[3], double out[3]);
void models_normalise(double v[3]);

/* Room for `count` items, all 0; on failure null, and the mesh is marked as failed. Free it with free(). */
void *models_allocate(models_mesh *mesh, size_t count, size_t size);

/* Cosine and sine of step i of n of a full turn, exact at the quarters; step n is step 0. */
void models_direction(uint32_t step, uint32_t steps, double direction[2]);

/* The directions of all steps (models_allocate). */
double (*models_circle(models_mesh *mesh, uint32_t steps))[2];

/* A ring of points around `centre` in the plane of u and v: centre + radius * (cos * u + sin * v). Seen with u x v
 * pointing at the viewer it turns left. Returns the number of its first point; the others follow. */
uint32_t models_ring(models_mesh *mesh, double (*circle)[2], uint32_t sides, const double centre[3], const double u[3],
                     const double v[3], double radius);

/* The surface between two rings, outward when the second lies ahead, in the direction of u x v. */
void models_bridge(models_mesh *mesh, uint32_t behind, uint32_t ahead, uint32_t sides);

/* Closes a ring by triangles between its own points, or by one polygon, or by a point; `ahead` tells which side is out.
 */
void models_close_ring(models_mesh *mesh, uint32_t ring, uint32_t sides, int ahead);
void models_close_ring_polygon(models_mesh *mesh, uint32_t ring, uint32_t sides, int ahead);
void models_close_ring_point(models_mesh *mesh, uint32_t ring, uint32_t sides, uint32_t point, int ahead);

/* A body made of rings of equally many points, one after the other; start with the mesh and the number of points. An
 * outline that is no circle is given to models_ring in the circle's place. Its flat ends are closed in a zigzag between
 * the first half of the outline and the second, which suits convex outlines and those of bent strips. */
typedef struct models_loft {
    models_mesh *mesh;
    uint32_t sides;
    uint32_t last; /* the ring before */
    int begun;
} models_loft;

void models_loft_ring(models_loft *loft, uint32_t ring);
void models_loft_end(models_loft *loft);

/* An outline around an axis: pairs of a place along the axis and a radius, which may be 0 at the ends only; otherwise
 * they are closed flat. The axis need not be of length one: all is multiplied by its length. */
void models_turned(models_mesh *mesh, double (*circle)[2], uint32_t sides, const double centre[3], const double axis[3],
                   const double (*outline)[2], uint32_t count);

/* A tube through `count` centres, with flat ends; `radii` has one number for each of them. */
void models_tube(models_mesh *mesh, double (*circle)[2], uint32_t sides, double (*centres)[3], const double *radii,
                 uint32_t count);

/* The outline of a strip of this thickness along a line of `count` points in the plane, for models_ring: twice as many
 * points, turning left. */
void models_strip(const double (*line)[2], uint32_t count, double thickness, double (*outline)[2]);

/* Two unit vectors u, v such that u x v points along the axis. */
void models_frame(const double axis[3], double u[3], double v[3]);

/* A box with `axes` as the directions and lengths of its half sides, which form a right-handed frame. */
void models_add_box(models_mesh *mesh, const double centre[3], double axes[3][3]);
void models_add_aligned_box(models_mesh *mesh, const double lower[3], const double upper[3]);

/* Cuts the longest edges in half until the mesh, of triangles only, has exactly so many of them. 0 when it cannot be:
 * it has more, the number is odd where the mesh is closed, or memory ran out. */
int models_split_to(models_mesh *mesh, size_t triangles);

/* Every coordinate as a float. */
void models_round_to_float(models_mesh *mesh);

/* The surface of a set of blocks of a grid, each cut into small cells. The three axes form a right-handed frame (angle,
 * height and radius do). Where blocks touch only along an edge or in a point the surface is closed but no manifold. */
typedef struct models_blocks {
    uint32_t size[3];        /* blocks along each axis */
    const uint8_t *full;     /* for each block, the first axis fastest: 0 when empty, else 1 + its surface number */
    const uint32_t *cuts[3]; /* into how many cells each layer of blocks is cut; null: one */
    int ring;                /* the first axis runs in a circle */
    /* Where a point of the grid of cells is. */
    void (*place)(const void *user, const uint32_t at[3], double point[3]);
    const void *user;
} models_blocks;

void models_build_blocks(models_mesh *mesh, const models_blocks *blocks);
double models_count_blocks(const models_blocks *blocks);

/* The shapes, described in registry.c: `values` are the parameters in the order given there. */
void models_make_sphere(models_mesh *mesh, const double *values);
void models_make_uvsphere(models_mesh *mesh, const double *values);
void models_make_torus(models_mesh *mesh, const double *values);
void models_make_knot(models_mesh *mesh, const double *values);
void models_make_spring(models_mesh *mesh, const double *values);
void models_make_cylinder(models_mesh *mesh, const double *values);
void models_make_cone(models_mesh *mesh, const double *values);
void models_make_box(models_mesh *mesh, const double *values);
void models_make_lattice(models_mesh *mesh, const double *values);
void models_make_gear(models_mesh *mesh, const double *values);
void models_make_bolt(models_mesh *mesh, const double *values);
void models_make_prism(models_mesh *mesh, const double *values);
void models_make_plate(models_mesh *mesh, const double *values);
void models_make_shards(models_mesh *mesh, const double *values);
void models_make_soup(models_mesh *mesh, const double *values);
void models_make_tetrahedra(models_mesh *mesh, const double *values);
void models_make_needles(models_mesh *mesh, const double *values);
void models_make_truss(models_mesh *mesh, const double *values);
void models_make_cables(models_mesh *mesh, const double *values);
void models_make_terrain(models_mesh *mesh, const double *values);
void models_make_spikes(models_mesh *mesh, const double *values);
void models_make_pipes(models_mesh *mesh, const double *values);
void models_make_housing(models_mesh *mesh, const double *values);
void models_make_part(models_mesh *mesh, const double *values);
double models_count_sphere(const double *values);
double models_count_uvsphere(const double *values);
double models_count_torus(const double *values);
double models_count_knot(const double *values);
double models_count_spring(const double *values);
double models_count_cylinder(const double *values);
double models_count_cone(const double *values);
double models_count_box(const double *values);
double models_count_lattice(const double *values);
double models_count_gear(const double *values);
double models_count_bolt(const double *values);
double models_count_prism(const double *values);
double models_count_plate(const double *values);
double models_count_shards(const double *values);
double models_count_soup(const double *values);
double models_count_tetrahedra(const double *values);
double models_count_needles(const double *values);
double models_count_truss(const double *values);
double models_count_cables(const double *values);
double models_count_terrain(const double *values);
double models_count_spikes(const double *values);
double models_count_pipes(const double *values);
double models_count_housing(const double *values);
double models_count_part(const double *values);

#endif
