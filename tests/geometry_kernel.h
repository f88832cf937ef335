/* The triangle tests of the OpenCL kernels, compiled as C. */
#ifndef TUMBLE_TESTS_GEOMETRY_KERNEL_H
#define TUMBLE_TESTS_GEOMETRY_KERNEL_H

/* Misses, hits or cannot decide: 0, 1 or 2. */
int kernel_triangles_intersect(const float a[3][3], const float b[3][3], float reach);

/* As tmb_filter_sides and tmb_orient3d_filter. */
unsigned kernel_filter_sides(const double a[3][3], const double b[3][3]);
int kernel_orientation(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
