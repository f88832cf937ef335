/* The constants that the proofs of scenes rest on, as src/math/bounds.h holds those of all else: docs/scenes.md, Why no
 * pair is lost. The scripts proofs/scene_*.g let Gappa check them. */
#ifndef TUMBLE_SRC_SCENE_BOUNDS_H
#define TUMBLE_SRC_SCENE_BOUNDS_H

/* Sums of three coordinates, as a part of the largest one. */
#define TMB_SCENE_EXTENT_ROUNDING 0x1p-49

/* A point of B that tumble_collide has moved, seen in the frame of the poses: a part of the distance of the
 * translations and the reach of B. And what a box is enlarged by for it, as a part of its own reach. */
#define TMB_SCENE_MOVED_ROUNDING 0x1p-44
#define TMB_SCENE_BOX_PADDING 0x1p-40

/* What underflow takes from a coordinate of B in A's frame, times 1 and the largest coordinate of any model. */
#define TMB_SCENE_BOX_UNDERFLOW 0x1p-1069

/* Sums of translations and extents, as a part of all of them; and of a box in the scene's frame, what underflows. */
#define TMB_SCENE_BOX_ROUNDING 0x1p-50
#define TMB_SCENE_BOX_LEAST 0x1p-140

#endif
