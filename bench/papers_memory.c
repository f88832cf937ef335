/* Klosowski et al. 1998, section 5: memory requirements, on Pipes. */
#include <math.h>
#include <stdio.h>

#include "papers.h"

enum {
    DOPS = 5,
    COLUMNS = DOPS + 2, /* and the other two hierarchies */
    WAYS = 3,           /* of tumbling, for which B's tree differs */
    ROWS = 1 + WAYS
};

typedef enum memory_line {
    NODE_BYTES,
    TREE_BYTES,
    ALL_BYTES,
    OWN_BYTES,
    FLYER_BYTES, /* for each way */
    PAPER_NODE = FLYER_BYTES + WAYS,
    PAPER_ALL,
    LINES
} memory_line;

static const char *const labels[LINES] = {"bytes per node",
                                          "tree (bytes per triangle)",
                                          "tree and triangles",
                                          "the same, default options",
                                          "flyer's tree, unit or axes",
                                          "flyer's tree, lookup",
                                          "flyer's tree, vertices",
                                          "the paper: bytes per node",
                                          "the paper: tree and triangles"};

/* One column: the environment with the default options, and with leaves of one triangle, as in the paper; then the
 * flyer with leaves of 40 for each way of tumbling. Hierarchies without such options have the first row alone. */
typedef struct memory_rows {
    char words[ROWS][96];
    paper_row rows[ROWS];
    size_t count;
} memory_rows;

static void name_rows(memory_rows *names, int column)
{
    static const int ks[DOPS] = {6, 12, 14, 18, 26};
    static const char *const ways[WAYS] = {"unit", "lookup", "vertices"};
    if (column >= DOPS) {
        snprintf(names->words[0], sizeof names->words[0], "%s", column == DOPS ? "boxtree" : "wide");
    } else {
        snprintf(names->words[0], sizeof names->words[0], "k=%d", ks[column]);
    }
    names->rows[0] = (paper_row){"default options", names->words[0]};
    names->count = column < DOPS ? ROWS : 1;
    for (size_t i = 1; i < names->count; i++) {
        snprintf(names->words[i], sizeof names->words[i], "k=%d+leaf=1+flyer-leaf=40+tumble=%s+hull=1", ks[column],
                 ways[i - 1]);
        names->rows[i] = (paper_row){ways[i - 1], names->words[i]};
    }
}

static void fill_column(const bench_subject *subject, const models_scene *scene, double column[LINES])
{
    const bench_contestant *own = &subject->contestants[0], *paper = &subject->contestants[subject->count > 1];
    const double triangles = (double)models_triangle_count(&scene->environment);
    const double k = paper->variant->tuning.kdop.k;
    for (int line = 0; line < LINES; line++) {
        column[line] = NAN;
    }
    column[NODE_BYTES] = (double)paper->info.hierarchy_bytes / (double)paper->info.node_count;
    column[TREE_BYTES] = (double)paper->info.hierarchy_bytes / triangles;
    column[ALL_BYTES] = (double)paper->info.total_bytes / triangles;
    column[OWN_BYTES] = (double)own->info.total_bytes / triangles;
    for (size_t i = 1; i < subject->count; i++) {
        column[FLYER_BYTES + i - 1] =
            (double)subject->contestants[i].flyer_info.hierarchy_bytes / (double)models_triangle_count(&scene->flyer);
    }
    if (subject->count > 1 && k != 12) {
        column[PAPER_NODE] = paper_node_bytes(k);
        column[PAPER_ALL] = paper_triangle_bytes(k);
    }
}

void papers_memory(papers *p)
{
    static const char *const titles[COLUMNS] = {"6-dop", "12-dop", "14-dop", "18-dop", "26-dop", "boxtree", "wide"};
    const models_scene *scene = papers_scene(p, 0);
    double table[LINES][COLUMNS];
    for (int column = 0; column < COLUMNS; column++) {
        memory_rows names;
        double values[LINES];
        bench_result results[ROWS] = {{0}};
        name_rows(&names, column);
        bench_variants variants = papers_variants(names.rows, names.count);
        paper_measured built = {.scene = scene->name,
                                .subject = bench_subject_of(scene->name, &scene->environment, &scene->flyer, &variants),
                                .results = results,
                                .flyer_triangles = models_triangle_count(&scene->flyer)};
        fill_column(&built.subject, scene, values);
        for (size_t row = 0; row < names.count; row++) {
            paper_note note = papers_no_note;
            note.paper = row == 1 ? values[PAPER_ALL] : NAN;
            note.paper_unit = isnan(note.paper) ? "" : "bytes per triangle";
            papers_write(p, &built, row, names.rows[row].label, &note);
        }
        for (int line = 0; line < LINES; line++) {
            table[line][column] = values[line];
        }
        bench_subject_destroy(&built.subject);
        bench_variants_free(&variants);
    }
    papers_print_titles("Pipes", titles, COLUMNS);
    for (int line = 0; line < LINES; line++) {
        papers_print_numbers(labels[line], table[line], COLUMNS, 1);
    }
    printf("  RAPID, as the paper cites it: %.0f bytes per triangle\n", paper_rapid_bytes);
}
