/* Klosowski et al. 1998, table 1: what an operation costs, timed by itself as in the paper, and by a fit to whole
 * checks.
 *
 * In the fit, the cost of each operation is what makes T = c + N_v C_v + N_u C_u + N_p C_p fit best, in relative error,
 * over all scenes and some numbers of triangles in a leaf of the flyer, which trade the operations for one another.
 * Costs are not negative: where the fit wants one below 0 it is done again without that term. */
#include <math.h>
#include <string.h>

#include "collide/kdop/walk.h"
#include "papers_direct.h"

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
    double costs[TERMS], errors[TERMS]; /* standard errors */
    double error;                       /* relative, root of the mean square */
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
static void make_equations(const cost_fit *fit, double m[TERMS][TERMS + 1])
{
    memset(m, 0, sizeof(double[TERMS][TERMS + 1]));
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
}

static void solve(cost_fit *fit)
{
    double m[TERMS][TERMS + 1];
    make_equations(fit, m);
    eliminate(m);
    for (int i = 0; i < TERMS; i++) {
        fit->costs[i] = m[i][i] != 0 ? m[i][TERMS] / m[i][i] : 0;
    }
}

/* The diagonal of the inverse of the normal equations, times the variance of what is left. */
static void set_errors(cost_fit *fit)
{
    int used = 0;
    for (int i = 0; i < TERMS; i++) {
        used += fit->used[i];
    }
    const double variance = fit->error * fit->error * (double)fit->count / ((double)fit->count - used);
    for (int i = 0; i < TERMS; i++) {
        double m[TERMS][TERMS + 1];
        make_equations(fit, m);
        for (int j = 0; j < TERMS; j++) {
            m[j][TERMS] = i == j;
        }
        eliminate(m);
        fit->errors[i] = fit->used[i] ? sqrt(fmax(0, variance * m[i][TERMS] / m[i][i])) : 0;
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
    set_errors(fit);
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

static const char *const titles[PAPER_DOPS] = {"6-dop", "14-dop", "18-dop", "26-dop"};

/* Costs and their errors, of which the first line has the name. */
static void print_with_errors(const char *name, const double values[PAPER_DOPS], const double errors[PAPER_DOPS])
{
    papers_print_numbers(name, values, PAPER_DOPS, 2);
    papers_print_numbers("  +-", errors, PAPER_DOPS, 2);
}

static void print_fits(const cost_fit fits[PAPER_DOPS])
{
    static const char *const names[TERMS] = {"a check, without them", "C_v: a volume test", "C_u: an update (vertices)",
                                             "C_p: a triangle test"};
    double left[PAPER_DOPS];
    papers_print_titles("Nanoseconds, fitted", titles, PAPER_DOPS);
    for (int term = 0; term < TERMS; term++) {
        double values[PAPER_DOPS], errors[PAPER_DOPS];
        for (int k = 0; k < PAPER_DOPS; k++) {
            values[k] = 1000 * fits[k].costs[term];
            errors[k] = 1000 * fits[k].errors[term];
            left[k] = 100 * fits[k].error;
        }
        print_with_errors(names[term], values, errors);
    }
    papers_print_numbers("error of the fit (percent)", left, PAPER_DOPS, 1);
}

static void print_direct(const direct_costs costs[PAPER_DOPS], const direct_costs of_triangles[PAPER_DOPS])
{
    double values[5][PAPER_DOPS], errors[5][PAPER_DOPS], vertices[2][PAPER_DOPS], products[PAPER_DOPS];
    for (int i = 0; i < PAPER_DOPS; i++) {
        const direct_cost *all[5] = {&costs[i].volume_test, &costs[i].update, &of_triangles[i].update,
                                     &costs[i].plain_update, &costs[i].triangle_test};
        for (int c = 0; c < 5; c++) {
            values[c][i] = all[c]->nanoseconds;
            errors[c][i] = all[c]->spread;
        }
        vertices[0][i] = costs[i].vertices;
        vertices[1][i] = of_triangles[i].vertices;
        products[i] = costs[i].vertices * tmb_kdop_lanes((uint32_t)paper_table_1[i].k) / 8;
    }
    papers_print_titles("Nanoseconds, timed by themselves", titles, PAPER_DOPS);
    print_with_errors("C_v: a volume test", values[0], errors[0]);
    print_with_errors("C_u: an update (vertices)", values[1], errors[1]);
    print_with_errors("... leaves of one triangle", values[2], errors[2]);
    print_with_errors("... one lane at a time", values[3], errors[3]);
    print_with_errors("C_p: a triangle test", values[4], errors[4]);
    printf("  of %zu volume tests, %zu updates and %zu triangle tests each\n", costs[0].tests, costs[0].updates,
           costs[0].triangles);
    papers_print_numbers("vertices of an updated k-DOP", vertices[0], PAPER_DOPS, 1);
    papers_print_numbers("... leaves of one triangle", vertices[1], PAPER_DOPS, 1);
    papers_print_numbers("their products, eight at a time", products, PAPER_DOPS, 1);
}

static void print_paper(void)
{
    double theirs[3][PAPER_DOPS];
    for (int k = 0; k < PAPER_DOPS; k++) {
        theirs[0][k] = paper_table_1[k].volume_test;
        theirs[1][k] = paper_table_1[k].update;
        theirs[2][k] = paper_triangle_test;
    }
    puts("The paper, milliseconds (1998)");
    papers_print_numbers("C_v: a volume test", theirs[0], PAPER_DOPS, 4);
    papers_print_numbers("C_u: an update (vertices)", theirs[1], PAPER_DOPS, 4);
    papers_print_numbers("C_p: a triangle test", theirs[2], PAPER_DOPS, 4);
}

void papers_table_1(papers *p)
{
    cost_fit fits[PAPER_DOPS] = {{.count = 0}};
    direct_costs costs[PAPER_DOPS], of_triangles[PAPER_DOPS];
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
        costs[k] = papers_direct_costs(p, (uint32_t)paper_table_1[k].k, 40);
        of_triangles[k] = papers_direct_costs(p, (uint32_t)paper_table_1[k].k, 1);
    }
    print_fits(fits);
    print_direct(costs, of_triangles);
    print_paper();
}
