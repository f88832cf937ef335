#include "span_oracle.h"

#include <stdlib.h>

#include "support.h"

typedef long long whole;

enum {
    EVENTS = 512,
    SPANS = 1024
};

int span_compare(span_fraction a, span_fraction b)
{
    const whole left = a.num * b.den, right = b.num * a.den;
    return (left > right) - (left < right);
}

static int compare_items(const void *a, const void *b)
{
    return span_compare(*(const span_fraction *)a, *(const span_fraction *)b);
}

int span_compare_double(double x, span_fraction f)
{
    mpq_t exact, other;
    mpq_init(exact);
    mpq_init(other);
    mpq_set_d(exact, x);
    mpq_set_si(other, (long)f.num, (unsigned long)f.den);
    mpq_canonicalize(other);
    const int sign = mpq_cmp(exact, other);
    mpq_clear(exact);
    mpq_clear(other);
    return sign;
}

static void cross(const whole a[3], const whole b[3], whole out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static whole dot(const whole a[3], const whole b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

typedef struct events {
    span_fraction times[EVENTS];
    size_t count;
} events;

/* When two corners are in one plane with this normal. */
static void add_events(const span_triangle *a, const span_triangle *b, const whole way[3], const whole normal[3],
                       events *out)
{
    const whole speed = dot(normal, way);
    for (int i = 0; i < 9 && speed != 0; i++) {
        const whole gap = dot(normal, a->at[i / 3]) - dot(normal, b->at[i % 3]);
        const span_fraction time = {speed > 0 ? gap : -gap, llabs(speed)};
        if (time.num >= 0) {
            assert_true(out->count < EVENTS);
            out->times[out->count++] = time;
        }
    }
}

/* Whether they meet at a time: multiplied by its denominator, everything is whole. */
static int meet_at(oracle *truth, const span_triangle *a, const span_triangle *b, const whole way[3],
                   span_fraction time)
{
    double scaled[2][3][3];
    for (int k = 0; k < 3; k++) {
        whole least[2] = {0, 0}, most[2] = {0, 0};
        for (int i = 0; i < 3; i++) {
            const whole x[2] = {a->at[i][k] * time.den, b->at[i][k] * time.den + way[k] * time.num};
            for (int side = 0; side < 2; side++) {
                scaled[side][i][k] = (double)x[side];
                least[side] = i == 0 || x[side] < least[side] ? x[side] : least[side];
                most[side] = i == 0 || x[side] > most[side] ? x[side] : most[side];
            }
        }
        if (least[0] > most[1] || least[1] > most[0])
            return 0;
    }
    return oracle_intersect(truth, (const double(*)[3])scaled[0], (const double(*)[3])scaled[1]);
}

/* Contact begins and ends when a corner is in the plane of a face, or an edge comes to an edge: also in the plane or on
 * the line of both. */
static void add_all_events(const span_triangle *a, const span_triangle *b, const whole way[3], events *all)
{
    static const whole axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    whole edges[2][3][3], normal[3];
    for (int i = 0; i < 9; i++) {
        edges[0][i / 3][i % 3] = a->at[(i / 3 + 1) % 3][i % 3] - a->at[i / 3][i % 3];
        edges[1][i / 3][i % 3] = b->at[(i / 3 + 1) % 3][i % 3] - b->at[i / 3][i % 3];
    }
    for (int i = 0; i < 9; i++) {
        cross(edges[0][i / 3], edges[1][i % 3], normal);
        add_events(a, b, way, normal, all);
        for (int side = 0; side < 2; side++) {
            cross(edges[side][i / 3], axes[i % 3], normal);
            add_events(a, b, way, normal, all);
        }
    }
    for (int side = 0; side < 2; side++) {
        cross(edges[side][0], edges[side][1], normal);
        add_events(a, b, way, normal, all);
    }
    for (int k = 0; k < 3; k++)
        add_events(a, b, way, axes[k], all);
}

int span_of_pair(oracle *truth, const span_triangle *a, const span_triangle *b, const whole way[3],
                 span_fraction *first, span_fraction *last)
{
    events all = {.times = {{0, 1}}, .count = 1};
    int found = 0;
    add_all_events(a, b, way, &all);
    qsort(all.times, all.count, sizeof *all.times, compare_items);
    for (size_t i = 0; i < all.count; i++) {
        if ((i == 0 || span_compare(all.times[i - 1], all.times[i]) != 0) && meet_at(truth, a, b, way, all.times[i])) {
            *first = found ? *first : all.times[i];
            *last = all.times[i];
            found = 1;
        }
    }
    return found;
}

typedef struct span {
    span_fraction first, last;
} span;

static int compare_spans(const void *a, const void *b)
{
    return span_compare(((const span *)a)->first, ((const span *)b)->first);
}

span_fraction span_free(oracle *truth, const span_triangle *a, size_t a_count, const span_triangle *b, size_t b_count,
                        const whole way[3], int *meets_at_0)
{
    span spans[SPANS];
    span_fraction end = {0, 1};
    size_t count = 0;
    *meets_at_0 = 0;
    for (size_t i = 0; i < a_count * b_count; i++) {
        assert_true(count < SPANS);
        count +=
            (size_t)span_of_pair(truth, &a[i / b_count], &b[i % b_count], way, &spans[count].first, &spans[count].last);
    }
    qsort(spans, count, sizeof *spans, compare_spans);
    for (size_t i = 0; i < count && span_compare(spans[i].first, end) <= 0; i++) {
        *meets_at_0 = 1;
        end = span_compare(spans[i].last, end) > 0 ? spans[i].last : end;
    }
    return end;
}
