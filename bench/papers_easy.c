/* Fuenfzig and Fellner 2003: figures 10 to 12, what they say of table lookup, and leaves without volumes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "papers.h"
#include "statistics.h"

/* Their trees are cut across the longest of all directions at the median, with a triangle in each leaf; both are walked
 * down, and leaves are compared as volumes. */

#define EASY "+leaf=1+split=longest+all-directions=1+at=median+traversal=both"

/* Measured at some places, which the columns name. */
typedef struct series {
    const paper_row *rows;
    size_t row_count;
    paper_measured measured[BENCH_MOST_ITEMS];
    char titles[BENCH_MOST_ITEMS][16];
    size_t count;
} series;

static void add_place(papers *p, series *s, const models_mesh *a, const models_mesh *b, const char *name,
                      const bench_scene *how, const char *x_name, double x)
{
    const bench_variants variants = papers_variants(s->rows, s->row_count);
    paper_measured *measured = &s->measured[s->count];
    *measured =
        papers_measure_subject(p, variants, bench_subject_of(name, a, b, &variants), how, models_triangle_count(b));
    snprintf(s->titles[s->count++], sizeof s->titles[0], "%.4g", x);
    for (size_t row = 0; row < s->row_count; row++) {
        const paper_note note = {x_name, x, NAN, NAN, ""};
        papers_write(p, measured, row, s->rows[row].label, &note);
    }
}

static void finish_series(series *s, const char *title)
{
    const char *columns[BENCH_MOST_ITEMS];
    double hits[BENCH_MOST_ITEMS], pairs[BENCH_MOST_ITEMS];
    for (size_t i = 0; i < s->count; i++) {
        columns[i] = s->titles[i];
        hits[i] = (double)s->measured[i].results[0].hits / (double)s->measured[i].steps;
        pairs[i] = (double)s->measured[i].results[0].pairs / (double)s->measured[i].steps;
    }
    papers_print_titles(title, columns, s->count);
    papers_print_numbers("share of steps that touch", hits, s->count, 2);
    papers_print_numbers("contacts a step", pairs, s->count, 1);
    papers_print_quantity("Microseconds a check", s->rows, s->row_count, s->measured, s->count, PAPER_MICROSECONDS);
    papers_print_quantity("Volume tests a check", s->rows, s->row_count, s->measured, s->count, PAPER_VOLUME_TESTS);
    papers_print_quantity("Updates a check", s->rows, s->row_count, s->measured, s->count, PAPER_UPDATES);
    papers_print_quantity("Triangle tests a check", s->rows, s->row_count, s->measured, s->count, PAPER_TRIANGLE_TESTS);
    for (size_t i = 0; i < s->count; i++) {
        papers_free(&s->measured[i]);
    }
}

/* Steps of a turn, fewer where there is much to do in each. */
static size_t choose_steps(const papers *p, const models_mesh *a, const models_mesh *b, double distance)
{
    bench_variants variants = bench_variants_parse("kdop");
    bench_subject subject = bench_subject_of("steps", a, b, &variants);
    const bench_scene scene = {.subject = &subject, .distance = distance, .mode = TUMBLE_ALL};
    const size_t steps = bench_choose_steps(&scene, p->series.settings->quick ? 6 : (size_t)p->series.settings->steps,
                                            p->series.settings->work);
    bench_subject_destroy(&subject);
    bench_variants_free(&variants);
    return steps;
}

/* The protocol of the figure: each model in a unit box; the second makes a full turn about z at ever smaller distances
 * of the boxes' middles, along x. */
typedef struct beasts {
    models_mesh meshes[2];
    tumble_pose *path;
} beasts;

static const double beast_distances[] = {1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1};
enum {
    BEAST_DISTANCES = sizeof beast_distances / sizeof *beast_distances,
    BEAST_STEPS = 180
};

static size_t beast_steps(const papers *p)
{
    return p->series.settings->quick ? 6 : BEAST_STEPS;
}

static beasts make_beasts(const papers *p)
{
    beasts b = {.path = bench_allocate(BEAST_STEPS, sizeof *b.path)};
    for (int i = 0; i < 2; i++) {
        if (!models_make_beast(&b.meshes[i], i ? MODELS_DINOSAUR : MODELS_HORSE,
                               p->series.settings->quick ? 2000 : 20000)) {
            bench_fail("no memory for the animals");
        }
        models_fit(&b.meshes[i], 1, 1);
    }
    return b;
}

static bench_scene turn_beasts(const papers *p, beasts *b, double distance)
{
    const size_t steps = beast_steps(p);
    for (size_t i = 0; i < steps; i++) {
        const double angle = 2 * 3.14159265358979323846 * (double)i / (double)steps, c = cos(angle), s = sin(angle);
        b->path[i] = (tumble_pose){{{c, -s, 0, distance}, {s, c, 0, 0}, {0, 0, 1, 0}}};
    }
    return (bench_scene){
        .mode = TUMBLE_ALL, .steps = steps, .repetitions = (size_t)p->series.settings->repetitions, .path = b->path};
}

static void free_beasts(beasts *b)
{
    models_free(&b->meshes[0]);
    models_free(&b->meshes[1]);
    free(b->path);
}

void papers_figure_10(papers *p)
{
    static const paper_row rows[] = {{"major axes", "k=14" EASY "+mixed=volumes+tumble=axes"},
                                     {"all directions", "k=14" EASY "+mixed=volumes+tumble=unit"},
                                     {"table lookup", "k=14" EASY "+mixed=volumes+tumble=lookup"},
                                     {"vertices", "k=14" EASY "+mixed=volumes+tumble=vertices"},
                                     {"table lookup (as triangles)", "k=14" EASY "+mixed=primitives+tumble=lookup"},
                                     {"table lookup (bare leaves)", "k=14" EASY "+bare-leaves=1+tumble=lookup"},
                                     {"k-dops (our defaults)", "kdop"},
                                     {"boxtree", "boxtree"},
                                     {"wide", "wide"}};
    series s = {.rows = rows, .row_count = sizeof rows / sizeof *rows};
    beasts b = make_beasts(p);
    for (size_t i = 0; i < BEAST_DISTANCES; i++) {
        const bench_scene how = turn_beasts(p, &b, beast_distances[i]);
        add_place(p, &s, &b.meshes[0], &b.meshes[1], "horse and dinosaur", &how, "distance", beast_distances[i]);
    }
    finish_series(&s, "Distance of the centres");
    free_beasts(&b);
}

#define ALL_WAYS(K)                                                             \
    {K "-dop by major axes", "k=" K EASY "+mixed=volumes+tumble=axes"},         \
        {K "-dop by all directions", "k=" K EASY "+mixed=volumes+tumble=unit"}, \
    {                                                                           \
        K "-dop by table lookup", "k=" K EASY "+mixed=volumes+tumble=lookup"    \
    }

static const paper_row way_rows[] = {ALL_WAYS("6"),  ALL_WAYS("12"),         ALL_WAYS("14"),  ALL_WAYS("18"),
                                     ALL_WAYS("26"), {"boxtree", "boxtree"}, {"wide", "wide"}};
enum {
    WAY_ROWS = sizeof way_rows / sizeof *way_rows
};

/* The inner sphere is rough: its points are moved at random by a fifth of the gap. */
void papers_figure_11(papers *p)
{
    static const double gaps[] = {0.1, 0.05, 0.02, 0.01, 0.005};
    series s = {.rows = way_rows, .row_count = WAY_ROWS};
    models_mesh outer = papers_sphere(p, 5140);
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        models_mesh inner = {0};
        const double scale = 1 - gaps[i];
        const tumble_pose shrink = {{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}};
        models_append(&inner, &outer, &shrink);
        models_perturb(&inner, 0.2 * gaps[i], 1);
        const bench_scene how = {.mode = TUMBLE_ALL,
                                 .steps = p->series.settings->quick ? 2 : 24,
                                 .repetitions = (size_t)p->series.settings->repetitions};
        add_place(p, &s, &outer, &inner, "rough sphere in sphere", &how, "gap", gaps[i]);
        models_free(&inner);
    }
    finish_series(&s, "Difference of the radii");
    models_free(&outer);
}

void papers_figure_12(papers *p)
{
    static const double overlaps[] = {-0.02, 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4};
    series s = {.rows = way_rows, .row_count = WAY_ROWS};
    models_mesh sphere = papers_sphere(p, 5140);
    for (size_t i = 0; i < sizeof overlaps / sizeof *overlaps; i++) {
        const double distance = 2 - overlaps[i];
        const bench_scene how = {.distance = distance,
                                 .mode = TUMBLE_ALL,
                                 .steps = choose_steps(p, &sphere, &sphere, distance),
                                 .repetitions = (size_t)p->series.settings->repetitions};
        add_place(p, &s, &sphere, &sphere, "spheres side by side", &how, "overlap", overlaps[i]);
    }
    finish_series(&s, "Overlap");
    models_free(&sphere);
}

/* ---- The claims about table lookup, on every scene ---- */

/* The paper's scenes after those of Klosowski et al. */
enum {
    ANIMALS = PAPER_SCENES,
    SIDE_BY_SIDE,
    IN_SPHERE,
    CLAIM_SCENES
};

static paper_measured measure_pair(papers *p, const paper_row *rows, size_t count, const models_mesh *a,
                                   const models_mesh *b, const char *name, const bench_scene *how)
{
    const bench_variants variants = papers_variants(rows, count);
    return papers_measure_subject(p, variants, bench_subject_of(name, a, b, &variants), how, models_triangle_count(b));
}

static paper_measured measure_beasts(papers *p, const paper_row *rows, size_t count)
{
    beasts b = make_beasts(p);
    const bench_scene how = turn_beasts(p, &b, 0.4);
    const paper_measured measured =
        measure_pair(p, rows, count, &b.meshes[0], &b.meshes[1], "horse and dinosaur", &how);
    free_beasts(&b);
    return measured;
}

static paper_measured measure_spheres(papers *p, const paper_row *rows, size_t count, int inside)
{
    models_mesh sphere = papers_sphere(p, 5140), other = {0};
    const double scale = inside ? 0.95 : 1;
    const tumble_pose shrink = {{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}};
    models_append(&other, &sphere, &shrink);
    if (inside) {
        models_perturb(&other, 0.01, 1);
    }
    const bench_scene how = {.distance = inside ? 0 : 1.95,
                             .mode = TUMBLE_ALL,
                             .steps = p->series.settings->quick ? 2 : 24,
                             .repetitions = (size_t)p->series.settings->repetitions};
    const paper_measured measured =
        measure_pair(p, rows, count, &sphere, &other, inside ? "rough sphere in sphere" : "spheres side by side", &how);
    models_free(&sphere);
    models_free(&other);
    return measured;
}

static paper_measured measure_claim(papers *p, const paper_row *rows, size_t count, int scene)
{
    switch (scene) {
    case ANIMALS: return measure_beasts(p, rows, count);
    case SIDE_BY_SIDE: return measure_spheres(p, rows, count, 0);
    case IN_SPHERE: return measure_spheres(p, rows, count, 1);
    default: return papers_measure(p, papers_scene(p, scene), rows, count, TUMBLE_ALL, NULL);
    }
}

static const char *claim_title(int scene)
{
    static const char *const titles[] = {"animals", "beside", "inside"};
    return scene < PAPER_SCENES ? papers_scene_title(scene) : titles[scene - PAPER_SCENES];
}

static void measure_claims(papers *p, const paper_row *rows, size_t count, paper_measured *measured,
                           const char *columns[CLAIM_SCENES])
{
    for (int i = 0; i < CLAIM_SCENES; i++) {
        measured[i] = measure_claim(p, rows, count, i);
        columns[i] = claim_title(i);
        for (size_t row = 0; row < count; row++) {
            papers_write(p, &measured[i], row, rows[row].label, &papers_no_note);
        }
    }
}

static void free_claims(paper_measured *measured)
{
    for (int i = 0; i < CLAIM_SCENES; i++) {
        papers_free(&measured[i]);
    }
}

/* Each row's quantity as a multiple of the first one's. */
static void print_shares(const char *title, const paper_row *rows, size_t count, const paper_measured *measured,
                         paper_quantity quantity)
{
    printf("%s\n", title);
    for (size_t row = 1; row < count; row++) {
        double values[CLAIM_SCENES];
        for (int i = 0; i < CLAIM_SCENES; i++) {
            values[i] = papers_quantity(&measured[i].results[row], quantity) /
                        papers_quantity(&measured[i].results[0], quantity);
        }
        papers_print_numbers(rows[row].label, values, CLAIM_SCENES, 2);
    }
}

/* "Tighter than all known algorithms": by counts; "more efficient": by time. Hills are climbed at the root alone. */
void papers_lookup(papers *p)
{
    static const paper_row rows[] = {
        {"table lookup", "k=14" EASY "+mixed=volumes+tumble=lookup"},
        {"major axes", "k=14" EASY "+mixed=volumes+tumble=axes"},
        {"all directions", "k=14" EASY "+mixed=volumes+tumble=unit"},
        {"vertices", "k=14" EASY "+mixed=volumes+tumble=vertices"},
        {"vertices, hills to level 8", "k=14" EASY "+mixed=volumes+tumble=vertices+hull=8"}};
    enum {
        ROWS = sizeof rows / sizeof *rows
    };
    paper_measured measured[CLAIM_SCENES];
    const char *columns[CLAIM_SCENES];
    double shares[CLAIM_SCENES];
    measure_claims(p, rows, ROWS, measured, columns);
    papers_print_titles("As multiples of table lookup", columns, CLAIM_SCENES);
    print_shares("Volume tests", rows, ROWS, measured, PAPER_VOLUME_TESTS);
    print_shares("Triangle tests", rows, ROWS, measured, PAPER_TRIANGLE_TESTS);
    print_shares("Time", rows, ROWS, measured, PAPER_MICROSECONDS);
    for (int i = 0; i < CLAIM_SCENES; i++) {
        shares[i] = measured[i].results[0].box_updates / measured[i].results[0].box_tests;
    }
    papers_print_numbers("realignments per volume test", shares, CLAIM_SCENES, 2);
    free_claims(measured);
}

/* Leaves without volumes: half of the memory, and what it costs. */
void papers_leaves(papers *p)
{
    static const paper_row rows[] = {{"one triangle, volumes", "k=14+leaf=1+mixed=volumes"},
                                     {"one triangle, as triangles", "k=14+leaf=1"},
                                     {"one triangle, bare", "k=14+leaf=1+bare-leaves=1"},
                                     {"our defaults", "kdop"},
                                     {"our defaults, bare", "kdop+bare-leaves=1"}};
    enum {
        ROWS = sizeof rows / sizeof *rows
    };
    paper_measured measured[CLAIM_SCENES];
    const char *columns[CLAIM_SCENES];
    measure_claims(p, rows, ROWS, measured, columns);
    papers_print_titles("Leaves", columns, CLAIM_SCENES);
    puts("Bytes of the environment's tree per triangle");
    for (size_t row = 0; row < ROWS; row++) {
        double bytes[CLAIM_SCENES];
        for (int i = 0; i < CLAIM_SCENES; i++) {
            bytes[i] = (double)measured[i].subject.contestants[row].info.hierarchy_bytes /
                       (double)measured[i].subject.triangle_count;
        }
        papers_print_numbers(rows[row].label, bytes, CLAIM_SCENES, 1);
    }
    papers_print_quantity("Microseconds a check", rows, ROWS, measured, CLAIM_SCENES, PAPER_MICROSECONDS);
    papers_print_quantity("Volume tests a check", rows, ROWS, measured, CLAIM_SCENES, PAPER_VOLUME_TESTS);
    papers_print_quantity("Triangle tests a check", rows, ROWS, measured, CLAIM_SCENES, PAPER_TRIANGLE_TESTS);
    free_claims(measured);
}
