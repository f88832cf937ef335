/* The constants that the proofs rest on: bounds on rounding errors, and the ranges in which they hold.
 *
 * The C code and the OpenCL kernels both include this file, so that processors and devices decide by the same numbers;
 * it therefore holds macros only, in C17 and OpenCL C 1.2. Most constants are powers of two. Those with the suffix F
 * serve floats and doubles alike: they, 1 plus them and 1 minus them are exact in a float. Those without are for
 * doubles; kernels use them only where the device has doubles.
 *
 * Every constant names the proof that needs it: a section of a document, or the comment at the top of a source file.
 * The scripts in proofs/ let Gappa check these proofs with the very constants of this file (scripts/check_proofs.sh).
 */
#ifndef TUMBLE_SRC_MATH_BOUNDS_H
#define TUMBLE_SRC_MATH_BOUNDS_H

/* ---- Arithmetic ---- */

/* u of all proofs: an operation is off by at most u times its result. */
#define TMB_FLOAT_ROUNDING 0x1p-24F
#define TMB_DOUBLE_ROUNDING 0x1p-53

/* The least double: a product that underflows is off by less. */
#define TMB_DOUBLE_LEAST 0x1p-1074

/* ---- Rays ---- */

/* By how far boxes are enlarged, and what corners and limits along the ray are off by, in a model's local unit.
 * docs/single.md, Why no hit is missed. */
#define TMB_RAY_BOX_SLACK 0x1p-18F

/* Of corners that are at most r from the ray, seen along it: x y' - y x' is off by at most r (linear + square r) +
 * least. docs/single.md, Why no hit is missed. */
#define TMB_RAY_TURN_LINEAR 0x1.1p-17F
#define TMB_RAY_TURN_SQUARE 0x1p-21F
#define TMB_RAY_TURN_LEAST 0x1p-36F

/* By how far boxes and triangles are enlarged where packets of rays meet them. docs/single.md, Why no hit is missed. */
#define TMB_RAY_PACKET_SLACK 0x1p-17F

/* Where a ray crosses a triangle, in units of the error of a turn as a part of their sum: docs/single.md, Why no hit is
 * missed. */
#define TMB_RAY_DEPTH_FACTOR 3.25F

/* Quotients of differences, as a part of them. src/ray/boxes.c. */
#define TMB_RAY_QUOTIENT_ROUNDING 0x1p-51

/* By how far a line surely passes a triangle with a radius, as a part of all sizes. src/prim/triangle_ray_thick.c. */
#define TMB_RAY_ASIDE 0x1p-40

/* ---- Poses ---- */

/* How far a matrix may be from a rotation times a scale, relative to the scale. docs/semantics.md, Numbers. */
#define TMB_POSE_TOLERANCE 1e-5

/* Squared scales for which the products in the check of a pose neither overflow nor underflow. src/math/pose.c. */
#define TMB_POSE_LEAST_SQUARE 0x1p-300
#define TMB_POSE_MOST_SQUARE 0x1p300

/* Lengths in the frame of the poses may be larger than those in a model's frame times its scale by this share: a pose
 * may differ from a rotation times a scale by the tolerance. src/query/apart_kernel.c. */
#define TMB_POSE_STRETCH 0x1p-14

/* Boxes of two models that are compared along their axes: rounding errors, as a part of all lengths that take part.
 * src/query/apart_kernel.c. */
#define TMB_APART_ROUNDING 0x1p-42

/* Moving a point of B into A's local frame, in doubles, as a part of the largest sum on the way. docs/wide.md,
 * docs/kdop.md and docs/rtree.md, Why no pair is lost; docs/proximity-proofs.md, Coherence. */
#define TMB_POINT_ROUNDING 0x1p-48

/* A map between local frames, its inverse, its stretch, and boxes moved by it, in doubles. docs/wide.md and
 * docs/rtree.md, Why no pair is lost. */
#define TMB_MAP_ROUNDING 0x1p-40

/* The largest reach of a map for which floats are meaningful and do not overflow. docs/wide.md, docs/kdop.md and
 * docs/rtree.md, Why no pair is lost. */
#define TMB_MOST_REACH 0x1p60

/* ---- Signs of determinants ---- */

/* Filters in doubles, as a part of the sum of the |products|; a normal number for what underflows. src/math/filter.h,
 * along.h; src/tree/kdop/hull/surface.c for the plane. */
#define TMB_ERROR_2D 0x5p-53
#define TMB_ERROR_3D 0x9p-53
#define TMB_ERROR_ALONG 0x5p-53
#define TMB_ERROR_PLANE 0x11p-53
#define TMB_ERROR_UNDERFLOW 0x1p-1000

/* The same in pairs of doubles. src/math/predicates_2d.c and predicates_3d.c, doubled_determinant. */
#define TMB_ERROR_DOUBLED_2D 0x1p-102
#define TMB_ERROR_DOUBLED_3D 0x1p-100

/* Nonzero coordinates for which expansions are exact. src/math/predicates_2d.c, predicates_3d.c, along.c. */
#define TMB_ORIENT2D_LEAST 0x1p-480
#define TMB_ORIENT2D_MOST 0x1p500
#define TMB_ORIENT3D_LEAST 0x1p-300
#define TMB_ORIENT3D_MOST 0x1p330
#define TMB_ALONG_LEAST 0x1p-480
#define TMB_ALONG_MOST 0x1p480

/* ---- Pairs of triangles in floats ---- */

/* Whether triangles intersect: heights over a plane and volumes of edges, underflow, and the largest reach.
 * src/prim/triangle_lanes.h, (3), (4) and (5). */
#define TMB_TRIANGLES_HEIGHT_ERROR 0x15p-23F
#define TMB_TRIANGLES_VOLUME_ERROR 1.75F /* times the bounds of both heights */
#define TMB_TRIANGLES_UNDERFLOW 0x1p-105F
#define TMB_TRIANGLES_MOST_REACH 0x1p38F

/* How far corners must be beyond a common one along a direction, as a part of the reach times the sum of the
 * direction's sizes. src/prim/triangle_lanes.h. */
#define TMB_CORNER_GAP 0x6p-23F

/* By how much a reach is enlarged so that what the floats stand for is within it too. src/prim/triangle_lanes.h. */
#define TMB_REACH_ROUNDING 0x1p-20F

/* Coordinates may be off by 2^-23 of the reach: so a slack times this is a reach. src/prim/triangle_lanes.h. */
#define TMB_REACH_OF_SLACK 0x1p23F

/* Distances of triangles: in roundings of the reach, and of the size for gaps and for points; underflow; the least
 * squared length of a direction; the largest reach. src/prim/triangle_distance_lanes.h, (1) to (4). */
#define TMB_DISTANCE8_COORDINATES 7.0F
#define TMB_DISTANCE8_GAPS 11.0F
#define TMB_DISTANCE8_POINTS 15.0F
#define TMB_DISTANCE8_UNDERFLOW 0x1p-60F
#define TMB_DISTANCE8_LEAST_SQUARE 0x1p-100F
#define TMB_DISTANCE8_MOST_REACH 0x1p28F

/* ---- Distances of triangles in doubles ---- */

/* Sizes of differences of corners that need no scaling; what underflows; squared lengths of directions that are used.
 * src/prim/triangle_distance.c. */
#define TMB_DISTANCE_LEAST_RANGE 0x1p-150
#define TMB_DISTANCE_MOST_RANGE 0x1p150
#define TMB_DISTANCE_UNDERFLOW 0x1p-1000
#define TMB_DIRECTION_LEAST_SQUARE 0x1p-900
#define TMB_DIRECTION_MOST_SQUARE 0x1p900

/* Of a corner behind another one, in roundings of the sizes of the products. src/prim/triangle_distance.c. */
#define TMB_BEHIND_TERMS 6

/* In roundings: of the sizes of the products in a gap, and of the gap itself; of the length between two points, and of
 * the edges between them and corners; of an edge of a face by which a point may be outside.
 * src/prim/triangle_distance.c.
 */
#define TMB_DISTANCE_GAP_TERMS 5
#define TMB_DISTANCE_GAP 8
#define TMB_DISTANCE_LENGTH 10
#define TMB_DISTANCE_EDGES 5
#define TMB_DISTANCE_OUTSIDE 2

/* Coordinates of points of features, where the triangle's largest is below 2. src/prim/triangle_distance.c. */
#define TMB_FEATURE_POINT_ERROR 0x7p-52

/* The same for what is quickly seen to be beyond a limit, or within it. src/prim/triangle_distance.c. */
#define TMB_BEYOND_PLANE_TERMS 9
#define TMB_BEYOND_PLANE_LENGTH 6
#define TMB_CLOSE_CORNERS 8

/* In pairs of doubles, of triangles of size 1: what gaps and points are off by, and the least distance that is proven;
 * in roundings, by how much the gap may be less than the distance of the points, and the bounds.
 * src/prim/triangle_distance_precise.c. */
#define TMB_PRECISE_ERROR 0xap-102
#define TMB_PRECISE_LEAST 0x1p-44
#define TMB_PRECISE_GAP 4
#define TMB_PRECISE_LOWER 10
#define TMB_PRECISE_UPPER 4

/* A distance that was computed exactly and rounded. src/prim/triangle_distance_exact.c. */
#define TMB_EXACT_DISTANCE_ROUNDING 0x1p-51

/* ---- Wide hierarchies: docs/wide.md, Why no pair is lost ---- */

/* Between a point and a box that is compared, 8 roundings; between a point and a slab 128; each of 1 + the reach. */
#define TMB_BOX_ROUNDING 0x1p-21
#define TMB_SLAB_ROUNDING 0x1p-17

/* A slab computed from those of its children: 32 roundings of 1. */
#define TMB_SLAB_LEVEL_ROUNDING 0x1p-19F

/* ---- Boxtrees: docs/boxtree.md ---- */

/* Before rounding to the grid, in its units: four times what coordinates are off by. The grid. */
#define TMB_GRID_GUARD 0x1p-20

/* Gaps: roundings of the largest term, and more for each level of the trees. Why no pair is lost. */
#define TMB_GAP_ROUNDINGS 64
#define TMB_GAP_LEVEL_ROUNDINGS 16
#define TMB_GAP_UNDERFLOW 0x1p-1000

/* A side on the grid that becomes a float of the local frame, on devices: docs/device.md, Why no pair is lost. */
#define TMB_GRID_LOCAL_ROUNDING 0x1p-21F

/* The limit of distances. docs/proximity-proofs.md, Clearance. */
#define TMB_GAP_LIMIT_ROUNDING 0x1p-46

/* ---- k-DOP trees: docs/kdop.md, In floating point ---- */

/* A bound of a row, before it becomes a float: coordinates made local, and projected. Rows. */
#define TMB_KDOP_ROW_ROUNDING 0x1p-50

/* Between a point and the bound that is compared: 64 roundings of 1 + the reach, for each way of tumbling. */
#define TMB_KDOP_ROUNDING 0x1p-18F

/* A bound of a leaf that is computed in floats when a query needs it. Bare leaves. */
#define TMB_KDOP_LEAF_ROUNDING 0x1p-20F

/* Corners of a k-DOP that are this close along each axis are merged, and what that and floats take off. Points. */
#define TMB_KDOP_VERTEX_MERGE 0x1p-22F
#define TMB_KDOP_VERTEX_ERROR 0x1.2p-21

/* Integer bounds of a 12-DOP, whose directions are not integers: src/tree/kdop/polytope.c. */
#define TMB_KDOP_GOLDEN_GUARD 0x1p-8

/* Records of points around a direction: squared tangents, squared distances, lengths, the least length; and the factors
 * that a query multiplies them with. Lookup. */
#define TMB_LOOKUP_TANGENT_MARGIN 0x1p-16
#define TMB_LOOKUP_SQUARE_MARGIN 0x1p-20
#define TMB_LOOKUP_LENGTH_MARGIN 0x1p-18
#define TMB_LOOKUP_LENGTH_LEAST 0x1p-60
#define TMB_LOOKUP_FACTOR_MARGIN 0x1p-20

/* ---- Lower bounds of distances in floats: docs/proximity-proofs.md ---- */

/* Sixteen roundings of a bound, of the limit that it is compared with, of a direction's length, or of the ratio of two
 * local units. Nodes; Clusters. */
#define TMB_BOUND_ROUNDING 0x1p-20F

/* Of limits that are compared with squares, and what these lose when they underflow. Nodes; Clearance. */
#define TMB_SQUARE_ROUNDING 0x1p-20F
#define TMB_SQUARE_UNDERFLOW 0x1p-120

/* The least square of a line that has a direction. Nodes. */
#define TMB_LINE_LEAST_SQUARE 0x1p-80F

/* Gaps of the boxes of triangles, and along a line: a part of the reach, and what underflows. Clusters. */
#define TMB_CLUSTER_GAP_ROUNDING 0x1p-20F
#define TMB_CLUSTER_GAP_UNDERFLOW 0x1p-60F

/* The same for a given limit: four times what coordinates are off by. Clearance, Triangles. */
#define TMB_LIMIT_GAP_ROUNDING 0x1p-21F

/* Distances of boxes of R-trees with a limit: a part of the limit, and of 1 + the reach. Clearance. */
#define TMB_RTREE_GAP_ROUNDING 0x1p-21

/* Lower bounds of k-DOPs: 16 roundings; and the limit that their gaps are compared with. Distances through
 * k-DOP trees. */
#define TMB_KDOP_BOUND_ROUNDING 0x1p-20F
#define TMB_KDOP_LIMIT_ROUNDING 0x1p-19
#define TMB_KDOP_MOST_POINT_ERROR 0x1p-18

/* One over the lengths of directions: to a corner and to an edge of a cube, to a face of a dodecahedron. A third. What
 * a gap along one of a dodecahedron's directions leaves of the next two, whose cosine is 1 / sqrt(5), as floats. */
#define TMB_KDOP_CORNER 0.57735026918962576F
#define TMB_KDOP_EDGE 0.70710678118654752F
#define TMB_KDOP_FACE 0.52573111211913361F
#define TMB_KDOP_THIRD (1.0F / 3)
#define TMB_KDOP_COSINE 0.44721360F
#define TMB_KDOP_SECOND 1.11803399F
#define TMB_KDOP_SECOND_COSINE 0.27639320F
#define TMB_KDOP_LAST 1.17557050F

/* Sizes of local units between which floats neither overflow nor underflow, and the same for doubles. Clusters; What a
 * bound says. */
#define TMB_FLOAT_LEAST_SCALE 0x1p-60
#define TMB_FLOAT_MOST_SCALE 0x1p60
#define TMB_NEAR_LEAST_SCALE 0x1p-400
#define TMB_NEAR_MOST_SCALE 0x1p400

/* ---- Lower bounds of distances in doubles: docs/proximity-proofs.md ---- */

/* Pairs closer by less than this fraction are not searched for. Triangles. */
#define TMB_NOT_CLOSER 0x1p-48

/* How far B has moved, and bounds that age by it. Coherence. */
#define TMB_MOTION_ROUNDING 0x1p-45
#define TMB_MOTION_LEAST_MARGIN 0x1p-1070
#define TMB_AGEING_ROUNDING 0x1p-51

/* Pairs within a limit given in the world's unit. Clearance. */
#define TMB_CLEARANCE_ROUNDING 0x1p-47

/* Sums and differences of a distance and the radii of polygons, in doubles, as a part of each. src/near/thick.c. */
#define TMB_THICK_ROUNDING 0x1p-50

/* Both bounds of the distance of convex solids whose coordinates and radii are at most 1, in doubles and in pairs of
 * doubles. src/prim/convex_body.h. */
#define TMB_CONVEX_SLACK 0x1p-47
#define TMB_CONVEX_SHARP_SLACK 0x1p-95

/* By how much, as a part of all sizes, traversals look farther for pairs that are told to meet. docs/semantics.md,
 * Cylinders. */
#define TMB_CONVEX_UNDECIDED 0x1p-39

/* The limit against the square of a gap, of the moved box of a triangle. src/collide, is_far_from_moved_box. */
#define TMB_MOVED_BOX_ROUNDING 0x1p-40
#define TMB_MOVED_BOX_UNDERFLOW 1e-300

/* Hierarchies as boxes in doubles: numbers of a node that become coordinates, and what these may be off by in a local
 * unit. The boxes of every hierarchy in src/tree. */
#define TMB_BOX_SUM_ROUNDING 0x1p-50
#define TMB_BOX_LEAST_MARGIN 0x1p-1070
#define TMB_BOX_OF_WIDE_ROUNDING 0x1p-24
#define TMB_BOX_OF_KDOP_ROUNDING 0x1p-47
#define TMB_BOX_OF_RTREE_ROUNDING 0x1p-50

/* Boxes of nodes reported for an unfinished search: they may be too large. */
#define TMB_TOLD_WIDE_ROUNDING 0x1p-20
#define TMB_TOLD_KDOP_ROUNDING 0x1p-40
#define TMB_TOLD_SUM_ROUNDING 0x1p-50

/* Boxes in both frames: sums of four products, the stretch between the frames, and a distance of boxes with the squares
 * for which it is computed by squares. Distance: any two hierarchies, Bounds. docs/mixed.md. */
#define TMB_FRAME_ROUNDING 0x1p-48
#define TMB_STRETCH_ROUNDING 0x1p-40
#define TMB_BOX_DISTANCE_ROUNDING 0x1p-50
#define TMB_BOX_DISTANCE_LEAST_SQUARE 0x1p-900
#define TMB_BOX_DISTANCE_MOST_SQUARE 0x1p1000

/* Ranges along an axis of length 1, their gap, and the largest coordinates. Far apart. */
#define TMB_ALONG_AXIS_ROUNDINGS 6
#define TMB_ALONG_AXIS_GAP_ROUNDING 0x1p-50
#define TMB_ALONG_AXIS_MOST 0x1p900

/* Balls around boxes: their radius, and distances of their centres. Very different sizes. */
#define TMB_BALL_RADIUS_ROUNDING 0x1p-50
#define TMB_BALL_LEAST_MARGIN 0x1p-1070
#define TMB_BALL_DISTANCE_ROUNDING 0x1p-51

/* Points: a triangle whose bounds are farther by this part has a larger rounded distance. src/point/nearest.c. */
#define TMB_POINT_ORDER 0x1p-48
/* A corner surely is behind the feature in which a triangle is nearest to a point, by this part of the products of
 * sums of sizes. src/prim/point_distance.c. */
#define TMB_POINT_FEATURE_MARGIN 0x1p-40

/* ---- Relations of models ---- */

/* A point that is a quotient, as a double: a part of it, and what underflows. src/relate. */
#define TMB_QUOTIENT_ROUNDING 0x1p-50
#define TMB_QUOTIENT_UNDERFLOW 0x1p-1050

/* Two of them that are clearly apart, and heights over them. src/relate, cells. */
#define TMB_QUOTIENTS_APART 0x1p-46
#define TMB_SHARE_ROUNDING 0x1p-49
#define TMB_HEIGHT_ROUNDING 0x1p-50
#define TMB_CELL_UNDERFLOW 0x1p-1040

/* ---- Motions ---- */

/* The positions of two points of moving models at a time: a part of their sizes and of the ways they were moved. Of
 * turning ones also what the time's last bit is worth, a part of time, angle and size. docs/motion.md, Rounding. */
#define TMB_PLACED_ROUNDING 0x1p-44
#define TMB_PLACED_TIME_ROUNDING 0x1p-49

#endif
