# statement: on which hand a ray passes an edge is certain beyond the bound
# place: src/ray/wide_kernel.c, pass_triangles; docs/single.md, Why no hit is missed
# constant: TMB_RAY_TURN_LINEAR
# constant: TMB_RAY_TURN_SQUARE
# constant: TMB_RAY_TURN_LEAST
#
# x y' - y x' with corners at most M from the ray, each coordinate off by E (ray_seen): E times each of the four, two
# products of errors, and of M^2 the roundings of two products and the difference. The bound is rounded three times.
E = 0.5 * @TMB_RAY_BOX_SLACK@;
linear = 4 * E;
square = (1 + a) * (1 + c) - 1 + (1 + b) * (1 + c) - 1;
least = 2 * E * E;
K = (1 + k1) * (1 + k2) * (1 + k3) * (1 + k4);
{ @TMB_FLOAT_ROUNDING of a b c k1 k2 k3 k4@
  ->
  linear - @TMB_RAY_TURN_LINEAR@ * K <= 0 /\ square - @TMB_RAY_TURN_SQUARE@ * K <= 0 /\
  least - @TMB_RAY_TURN_LEAST@ * K <= 0 }
