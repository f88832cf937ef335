/* Zachmann 2002, section 3.2.2: what a lookup costs in time beside a product. A step takes what a cut moves off three
 * of the six sides of an aligned box, and tests the box: with products, from our tables (doubles, indexed by a float's
 * exponent and five bits of its mantissa), and from the paper's (integers, 1,000 entries). */
#include <math.h>
#include <string.h>

#include "machine.h"
#include "papers.h"
#include "papers_boxes.h"
#include "statistics.h"

enum {
    STEPS = 4096,
    OURS = 1024,
    PAPER = 1000,
    SCALE = 1 << 20, /* of the paper's integers */
    TAKES = 9
};

/* A cut of an axis: from 0 to 1, and rounded down to a thousandth. */
typedef struct step {
    float cut;
    uint16_t thousandths;
    uint8_t axis;
} step;

typedef struct lookup {
    step steps[STEPS];
    double axes[3][3]; /* the axes of the one box in the other's frame */
    double ours[3][3][OURS];
    int32_t paper[3][3][PAPER];
    uint8_t side[3][3]; /* which side of the aligned box a cut moves */
    size_t apart;       /* so that nothing is left out */
} lookup;

/* Cuts from 2^-30 on have an entry; smaller ones the first. */
static uint32_t index_of(float cut)
{
    uint32_t bits;
    memcpy(&bits, &cut, sizeof bits);
    const uint32_t least = (127u - 30) << 5, index = bits >> 18;
    return index > least ? index - least : 0;
}

static double cut_of(uint32_t index)
{
    const uint32_t bits = (index + ((127u - 30) << 5)) << 18;
    float cut;
    memcpy(&cut, &bits, sizeof cut);
    return index ? (double)cut : 0;
}

static void fill_ours(lookup *l)
{
    for (int i = 0; i < 9; i++) {
        for (uint32_t k = 0; k < OURS; k++) {
            l->ours[i / 3][i % 3][k] = cut_of(k) * fabs(l->axes[i / 3][i % 3]);
        }
    }
}

static void fill_paper(lookup *l)
{
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < PAPER; k++) {
            l->paper[i / 3][i % 3][k] = (int32_t)(k * fabs(l->axes[i / 3][i % 3]) * SCALE / PAPER);
        }
    }
}

static void fill_nothing(lookup *l)
{
    (void)l;
}

static void walk_products(lookup *l)
{
    for (int i = 0; i < STEPS; i++) {
        const step *s = &l->steps[i];
        double sides[6] = {1, 1, 1, 1, 1, 1}, least = 1;
        for (int k = 0; k < 3; k++) {
            double *side = &sides[l->side[s->axis][k]];
            *side -= (double)s->cut * fabs(l->axes[s->axis][k]);
            least = *side < least ? *side : least;
        }
        l->apart += least < 0.5;
    }
}

static void walk_ours(lookup *l)
{
    for (int i = 0; i < STEPS; i++) {
        const step *s = &l->steps[i];
        const uint32_t index = index_of(s->cut);
        double sides[6] = {1, 1, 1, 1, 1, 1}, least = 1;
        for (int k = 0; k < 3; k++) {
            double *side = &sides[l->side[s->axis][k]];
            *side -= l->ours[s->axis][k][index];
            least = *side < least ? *side : least;
        }
        l->apart += least < 0.5;
    }
}

static void walk_paper(lookup *l)
{
    for (int i = 0; i < STEPS; i++) {
        const step *s = &l->steps[i];
        int32_t sides[6] = {SCALE, SCALE, SCALE, SCALE, SCALE, SCALE}, least = SCALE;
        for (int k = 0; k < 3; k++) {
            int32_t *side = &sides[l->side[s->axis][k]];
            *side -= l->paper[s->axis][k][s->thousandths];
            least = *side < least ? *side : least;
        }
        l->apart += least < SCALE / 2;
    }
}

/* Microseconds of a call: the median of several runs of many calls. */
static double time_of(lookup *l, void (*run)(lookup *l), int calls)
{
    double takes[TAKES];
    for (int i = 0; i < TAKES; i++) {
        const double start = bench_process_microseconds();
        for (int k = 0; k < calls; k++) {
            run(l);
        }
        takes[i] = (bench_process_microseconds() - start) / calls;
    }
    return bench_median(takes, TAKES);
}

/* Cuts of all orders, as a tree has them. */
static void draw_steps(lookup *l)
{
    uint32_t random = 1;
    for (int i = 0; i < STEPS; i++) {
        random = random * 1664525 + 1013904223;
        const float cut = ldexpf((float)(random >> 8) / (1 << 24), -(int)(random & 7));
        l->steps[i] = (step){cut, (uint16_t)(cut * PAPER), (uint8_t)(i % 3)};
    }
}

void papers_z_table_times(papers *p)
{
    static const struct {
        const char *label;
        void (*fill)(lookup *l), (*walk)(lookup *l);
    } rows[] = {{"products", fill_nothing, walk_products},
                {"1,000 integers (the paper)", fill_paper, walk_paper},
                {"961 floats of 6 bits (ours)", fill_ours, walk_ours}};
    static const char *const titles[] = {"ns a box", "filling, us"};
    static lookup l = {.axes = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}},
                       .side = {{0, 2, 5}, {1, 2, 4}, {0, 2, 4}}};
    const int calls = p->series.settings->quick ? 1 : 200;
    draw_steps(&l);
    papers_print_titles("Time of a lookup", titles, 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double filling = time_of(&l, rows[i].fill, calls), walking = time_of(&l, rows[i].walk, calls);
        const double values[] = {1000 * walking / STEPS, filling};
        const bench_result result = {.mean_microseconds = walking / STEPS};
        papers_print_numbers(rows[i].label, values, 2, 2);
        papers_write_plain(p, "a lookup", rows[i].label, &result);
    }
    if (l.apart == 0) {
        puts("No box was apart.");
    }
}
