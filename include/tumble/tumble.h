/* Tumble: exact, real-time collision detection between polygon models.
 *
 * This header includes the whole interface but the last two:
 *
 *   base.h         status codes, context, allocator
 *   math.h         poses
 *   model.h        models: geometry plus a hierarchy
 *   query.h        do two models intersect, and where?
 *   proximity.h    how close are they, and is one inside the other?
 *   motion.h       when do two moving models first touch?
 *   region.h       along which curves do they meet?
 *   separate.h     how far must two models be moved to part them?
 *   point.h        where is a model closest to a point, and what of it is in a box or a ball?
 *   self.h         does one model intersect itself?
 *   ray.h          rays through a model, and points inside it
 *   scene.h        many objects that move: which of them touch?
 *   assembly.h     parts with names, read from files and placed
 *   clash.h        which parts of an assembly clash, and how?
 *   device.h       asynchronous batches of checks, on threads or OpenCL devices
 *   io.h           mesh files and saved models
 *
 *   hierarchies.h  options that tune single hierarchies
 *   col.h          the interface of US patent 6,862,026, in the manner of OpenGL
 *
 * README.md has a first program; docs/semantics.md says what the answers mean. */
#ifndef TUMBLE_TUMBLE_H
#define TUMBLE_TUMBLE_H

#include "assembly.h"
#include "base.h"
#include "clash.h"
#include "device.h"
#include "io.h"
#include "math.h"
#include "model.h"
#include "motion.h"
#include "point.h"
#include "proximity.h"
#include "query.h"
#include "ray.h"
#include "region.h"
#include "scene.h"
#include "self.h"
#include "separate.h"

#endif
