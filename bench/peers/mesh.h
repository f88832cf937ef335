/* The meshes that all libraries get: generated, or read from files. */
#ifndef TUMBLE_BENCH_PEERS_MESH_H
#define TUMBLE_BENCH_PEERS_MESH_H

#include "models.h"
#include "options.h"
#include "peer.h"

typedef struct peers_mesh {
    char name[64];
    double *points;
    uint32_t *indices;
    peer_mesh view;
} peers_mesh;

/* The meshes that the options name: every shape in every size, then the files. Polygons are cut into triangles; the
 * whole is fitted into a cube of side 2 around the origin and rounded to float; triangles without area are left out,
 * because not every library takes them. */
size_t peers_mesh_count(const peers_options *options);
peers_mesh peers_mesh_make(const peers_options *options, size_t index);

/* One shape with about so many triangles; its name says how many. */
peers_mesh peers_mesh_shape(const char *name, size_t triangles, double seed);

/* As it is, except for the rounding; the mesh is empty afterwards. */
peers_mesh peers_mesh_take(models_mesh *mesh, const char *name);

/* All coordinates multiplied and rounded to float. */
peers_mesh peers_mesh_scaled(const peers_mesh *mesh, double factor);

void peers_mesh_free(peers_mesh *mesh);

#endif
