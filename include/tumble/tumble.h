/* Tumble: exact, real-time collision detection between polygon models.
 *
 * This header includes the whole interface. The parts:
 *   base.h       status codes, context, allocator
 *   math.h       poses
 *   model.h      models: geometry plus one hierarchy
 *   query.h      where two models at two poses intersect
 *   proximity.h  how close they are, and whether one is inside the other
 *   device.h     many checks at once, on threads or OpenCL devices, while the program goes on
 *   io.h         mesh files and saved models
 * Not included: col.h, the interface of a patent in the manner of OpenGL, a layer above device.h.
 *
 * A first program is in README.md; what the answers mean is in docs/semantics.md. */
#ifndef TUMBLE_TUMBLE_H
#define TUMBLE_TUMBLE_H

#include "base.h"
#include "device.h"
#include "io.h"
#include "math.h"
#include "model.h"
#include "proximity.h"
#include "query.h"

#endif
