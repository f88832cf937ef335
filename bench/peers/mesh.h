/* The meshes that all libraries get: generated, or read from files. */
#ifndef TUMBLE_BENCH_PEERS_MESH_H
#define TUMBLE_BENCH_PEERS_MESH_H

#include "peer.h"

typedef struct peers_mesh {
    char name[64];
    double *points;
    uint32_t *indices;
    peer_mesh view;
} peers_mesh;

/* A shape with about so many triangles, or the file of that name when it has a dot. Polygons are cut into triangles;
 * the whole is fitted into a cube of side 2 around the origin and rounded to float; triangles without area are left
 * out, because not every library takes them. */
peers_mesh peers_mesh_make(const char *name, size_t triangles, double seed);

/* All coordinates multiplied and rounded to float. */
peers_mesh peers_mesh_scaled(const peers_mesh *mesh, double factor);

void peers_mesh_free(peers_mesh *mesh);

#endif
