/* What the papers print: their own measurements, for comparison. Nothing here was measured by this program.
 *
 * J. T. Klosowski, M. Held, J. S. B. Mitchell, H. Sowizral, K. Zikan, Efficient collision detection using bounding
 * volume hierarchies of k-DOPs, IEEE TVCG 4 (1998), section 5: an SGI Indigo2 with a processor of 195 MHz. */
#ifndef TUMBLE_BENCH_PAPERS_NUMBERS_H
#define TUMBLE_BENCH_PAPERS_NUMBERS_H

enum {
    PAPER_SCENES = 5, /* Pipes, Torus, 747, Swept, Interior */
    PAPER_DOPS = 4,   /* k = 6, 14, 18, 26 */
    PAPER_RULES = 4,  /* longest side, min sum, min max, splatter */
    PAPER_ALPHAS = 8
};

/* Table 1, in milliseconds; and the cost of a triangle test, which is the same for all k. */
typedef struct paper_costs {
    double k, volume_test, update;
} paper_costs;
extern const paper_costs paper_table_1[PAPER_DOPS];
extern const double paper_triangle_test;

/* Table 2: milliseconds per check. */
extern const double paper_contacts[PAPER_SCENES];
extern const double paper_table_2[PAPER_DOPS][PAPER_SCENES];
extern const double paper_table_2_rapid[PAPER_SCENES];

/* Table 3: minutes to build, 18-dops. Tables 4 and 5: milliseconds per check, divided at the mean and at the median. */
extern const double paper_table_3[PAPER_RULES][PAPER_SCENES];
extern const double paper_table_3_rapid[PAPER_SCENES];
extern const double paper_table_4[PAPER_RULES][PAPER_SCENES];
extern const double paper_table_5[PAPER_RULES][PAPER_SCENES];

/* Tables 6 and 7: overlap queries among spheres of 2,000 and of 20,000 triangles, for each distance of the radii. */
extern const double paper_alphas[PAPER_ALPHAS];
extern const double paper_table_6[PAPER_DOPS][PAPER_ALPHAS];
extern const double paper_table_6_rapid[PAPER_ALPHAS];
extern const double paper_table_7[PAPER_DOPS][PAPER_ALPHAS];
extern const double paper_table_7_rapid[PAPER_ALPHAS];

/* M. Figueiredo, Interactive collision detection for 3D environments, section 4, the process plant: an Intel Core 2 Duo
 * T7300 of 2 GHz. Milliseconds and operations a step; with the overlapping box, and without. */
enum {
    PAPER_KINDS = 3, /* the first pair of surfaces, all of them, all pairs of triangles */
    PAPER_TOOLKITS = 5
};
extern const double paper_plant_times[2][PAPER_KINDS]; /* table 1 */
extern const double paper_plant_tests[2][2];           /* table 2: [without][all], of boxes */
extern const double paper_plant_updates[2][2];
typedef struct paper_toolkit {
    const char *name;
    double first, all;
} paper_toolkit;
extern const paper_toolkit paper_plant_toolkits[PAPER_TOOLKITS]; /* table 3 */

/* Klosowski et al., section 5, memory requirements, in bytes. */
extern const double paper_rapid_bytes;
static inline double paper_node_bytes(double k)
{
    return 8 * k + 12;
}
static inline double paper_triangle_bytes(double k)
{
    return 16 * k + 108;
}

#endif
