/* Where on both triangles their common points end: by corners and edges, which is exact, not by coordinates. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_ENDS_H
#define TUMBLE_SRC_PRIM_TRIANGLE_ENDS_H

/* A place on a triangle: corner i is i, the inside of the edge that is opposite to it TMB_SPOT_EDGE + i. */
enum {
    TMB_SPOT_EDGE = 3,
    TMB_SPOT_INSIDE = 6,
    TMB_MOST_ENDS = 15
};

typedef struct tmb_triangle_end {
    unsigned char spots[2]; /* on A, on B */
    double point[3];        /* rounded as in tmb_triangles_segment */
} tmb_triangle_end;

/* Of two triangles that intersect. In different planes: two ends of the common segment, which runs along the product of
 * the normals of A and B; if it is a single point, both are equal. In one plane: the corners of each that are in the
 * other, and where edges cross, at most TMB_MOST_ENDS; *is_coplanar is set. 0 if one of them has no area, or they do
 * not intersect. */
int tmb_triangles_ends(const double a[3][3], const double b[3][3], tmb_triangle_end ends[TMB_MOST_ENDS],
                       int *is_coplanar);

#endif
