/* OpenCL's functions for floats and doubles are those of tgmath.h. */
#include "geometry_kernel.h"

#include <stddef.h>
#include <tgmath.h>

#include "device/opencl/kernels/types.h"
#include "math/bounds.h"

#define TUMBLE_DOUBLES 1
#define global
typedef unsigned char uchar;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wconversion"
#include "device/opencl/kernels/geometry.cl"
#pragma GCC diagnostic pop

int kernel_triangles_intersect(const float a[3][3], const float b[3][3], float reach)
{
    vector of_a[3], of_b[3];
    for (int i = 0; i < 3; i++) {
        of_a[i] = (vector){a[i][0], a[i][1], a[i][2]};
        of_b[i] = (vector){b[i][0], b[i][1], b[i][2]};
    }
    return triangles_intersect(of_a, of_b, reach);
}

static point point_of(const double p[3])
{
    return (point){p[0], p[1], p[2]};
}

unsigned kernel_filter_sides(const double a[3][3], const double b[3][3])
{
    const point of_a[3] = {point_of(a[0]), point_of(a[1]), point_of(a[2])};
    const point of_b[3] = {point_of(b[0]), point_of(b[1]), point_of(b[2])};
    return filter_sides(of_a, of_b);
}

int kernel_orientation(const double a[3], const double b[3], const double c[3], const double d[3])
{
    return orientation(point_of(a), point_of(b), point_of(c), point_of(d));
}
