/* Klosowski et al. 1998, table 1: what an operation costs.
 *
 * The cost of each operation is what makes T = c + N_v C_v + N_u C_u + N_p C_p fit best, in relative error, over all
 * scenes and some numbers of triangles in a leaf of the flyer, which trade the operations for one another. Costs are
 * not negative: where the fit wants one below 0 it is done again without that term. */
#include <math.h>
#include <string.h>

#include "papers.h"

enum {
    TERM_CHECK,
    TERM_TESTS,
    TERM_UPDATES,
    TERM_TRIANGLES,
    TERMS
};
enum {
    MOST_SAMPLES = 64
};

typedef struct cost_fit {
    double terms[MOST_SAMPLES][TERMS], microseconds[MOST_SAMPLES];
    size_t count;
    int used[TERMS];
    double costs[TERMS], error; /* relative, root of the mean square */
} cost_fit;

static void add_sample(cost_fit *fit, const bench_result *result)
{
    const double terms[TERMS] = {1, result->box_tests, result->box_updates, result->primitive_tests};
    if (fit->count < MOST_SAMPLES && result->mean_microseconds > 0) {
        memcpy(fit->terms[fit->count], terms, sizeof terms);
        fit->microseconds[fit->count++] = result->mean_microseconds;
    }
}

/* Gauss and Jordan's elimination, with the largest pivot of each column. */
static void eliminate(double m[TERMS][TERMS + 1])
{
    for (int column = 0; column < TERMS; column++) {
        int pivot = column;
        for (int i = column; i < TERMS; i++) {
            pivot = fabs(m[i][column]) > fabs(m[pivot][column]) ? i : pivot;
        }
        for (int j = 0; j <= TERMS; j++) {
            const double swapped = m[column][j];
            m[column][j] = m[pivot][j];
            m[pivot][j] = swapped;
        }
        for (int i = 0; i < TERMS; i++) {
            const double share = i == column || m[column][column] == 0 ? 0 : m[i][column] / m[column][column];
            for (int j = 0; j <= TERMS; j++) {
                m[i][j] -= share * m[column][j];
            }
        }
    }
}

/* The normal equations of the terms that are used; the others have the cost 0. */
static void solve(cost_fit *fit)
{
    double m[TERMS][TERMS + 1] = {{0}};
    for (size_t s = 0; s < fit->count; s++) {
        double share[TERMS];
        for (int i = 0; i < TERMS; i++) {
            share[i] = fit->used[i] ? fit->terms[s][i] / fit->microseconds[s] : 0;
        }
        for (int i = 0; i < TERMS; i++) {
            for (int j = 0; j < TERMS; j++) {
                m[i][j] += share[i] * share[j];
            }
            m[i][TERMS] += share[i];
        }
    }
    for (int i = 0; i < TERMS; i++) {
        m[i][i] += fit->used[i] ? 0 : 1;
    }
    eliminate(m);
    for (int i = 0; i < TERMS; i++) {
        fit->costs[i] = m[i][i] != 0 ? m[i][TERMS] / m[i][i] : 0;
    }
}

static void fit_costs(cost_fit *fit)
{
    int least;
    for (int i = 0; i < TERMS; i++) {
        fit->used[i] = 1;
    }
    do {
        solve(fit);
        least = 0;
        for (int i = 0; i < TERMS; i++) {
            least = fit->costs[i] < fit->costs[least] ? i : least;
        }
        fit->used[least] = fit->costs[least] >= 0;
    } while (fit->costs[least] < 0);
    fit->error = 0;
    for (size_t s = 0; s < fit->count; s++) {
        double fitted = 0;
        for (int i = 0; i < TERMS; i++) {
            fitted += fit->costs[i] * fit->terms[s][i];
        }
        const double off = fitted / fit->microseconds[s] - 1;
        fit->error += off * off / (double)fit->count;
    }
    fit->error = sqrt(fit->error);
}

/* ---- The table ---- */

enum {
    LEAVES = 4,
    ROWS = PAPER_DOPS * LEAVES
};

typedef struct cost_rows {
    char words[ROWS][160], labels[ROWS][48];
    paper_row rows[ROWS];
} cost_rows;

/* Without hill climbing at the root, which would be an update of another kind. */
static void name_rows(cost_rows *names)
{
    static const int leaves[LEAVES] = {1, 8, 40, 160};
    for (int i = 0; i < ROWS; i++) {
        const double k = paper_table_1[i / LEAVES].k;
        const int leaf = leaves[i % LEAVES];
        snprintf(names->labels[i], sizeof names->labels[i], "%.0f-dop with leaves of %d", k, leaf);
        snprintf(names->words[i], sizeof names->words[i],
                 "k=%.0f+leaf=1+flyer-leaf=%d+tumble=vertices+traversal=environment+mixed=volumes", k, leaf);
        names->rows[i] = (paper_row){names->labels[i], names->words[i]};
    }
}

static void print_fits(const cost_fit fits[PAPER_DOPS])
{
    static const char *const titles[PAPER_DOPS] = {"6-dop", "14-dop", "18-dop", "26-dop"};
    static const char *const names[TERMS] = {"a check, without them", "C_v: a volume test", "C_u: an update (vertices)",
                                             "C_p: a triangle test"};
    double ours[TERMS + 1][PAPER_DOPS], theirs[TERMS][PAPER_DOPS];
    for (int k = 0; k < PAPER_DOPS; k++) {
        for (int term = 0; term < TERMS; term++) {
            ours[term][k] = 1000 * fits[k].costs[term];
        }
        ours[TERMS][k] = 100 * fits[k].error;
        theirs[TERM_TESTS][k] = paper_table_1[k].volume_test;
        theirs[TERM_UPDATES][k] = paper_table_1[k].update;
        theirs[TERM_TRIANGLES][k] = paper_triangle_test;
    }
    papers_print_titles("Nanoseconds, fitted", titles, PAPER_DOPS);
    for (int term = 0; term < TERMS; term++) {
        papers_print_numbers(names[term], ours[term], PAPER_DOPS, 2);
    }
    papers_print_numbers("error of the fit (percent)", ours[TERMS], PAPER_DOPS, 1);
    puts("The paper, milliseconds (1998)");
    for (int term = TERM_TESTS; term < TERMS; term++) {
        papers_print_numbers(names[term], theirs[term], PAPER_DOPS, 4);
    }
}

void papers_table_1(papers *p)
{
    cost_fit fits[PAPER_DOPS] = {{.count = 0}};
    cost_rows names;
    name_rows(&names);
    for (int scene = 0; scene < PAPER_SCENES; scene++) {
        paper_measured measured = papers_measure(p, papers_scene(p, scene), names.rows, ROWS, TUMBLE_ALL, NULL);
        for (size_t i = 0; i < ROWS; i++) {
            add_sample(&fits[i / LEAVES], &measured.results[i]);
            papers_write(p, &measured, i, names.rows[i].label, &papers_no_note);
        }
        papers_free(&measured);
    }
    for (int k = 0; k < PAPER_DOPS; k++) {
        fit_costs(&fits[k]);
    }
    print_fits(fits);
}
