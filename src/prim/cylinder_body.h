/* The test of a triangle and a cylinder with flat ends, for numbers of any kind: included by cylinder_filter.c, whose
 * numbers are doubles with an error bound, and by cylinder_exact.c, whose numbers are integers.
 *
 * Let d be the axis from p to q, u_i = t_i - p the corners, a_i = u_i . d. The end planes leave of the triangle the
 * points with 0 <= u . d <= d . d. There the distance from the axis is |u x d| / |d|. If it is 0 inside the triangle,
 * the axis meets the triangle (cylinder.c). Else its least value is attained on the border of what is left:
 *     a corner           |u_i x d|^2 <= r^2 d . d
 *     an edge at a plane |u_i a_j - u_j a_i|^2 <= r^2 (a_j - a_i)^2
 *     inside an edge e   (u_i . w)^2 <= r^2 w . w, w = e x d, if the least distance of the lines is attained there
 *     inside a section with an end plane
 *                        (n . u_0)^2 d . d <= r^2 m . m, n the triangle's normal, m = n x d the direction of the
 *                        section, if points of the section are on both sides of the plane through p and n and d
 * All numbers are polynomials in the coordinates, so integers decide. Degrees are at most 8: below 2^16810 units.
 *
 * The includer defines the types number and vector, the type problem with members `t`, `from` and `to`, and
 *     between(out, problem, from, to)    to - from
 *     dot, cross                         of vectors
 *     multiply, subtract, add            of numbers; `out` is none of the factors
 *     is_positive, is_not_negative       of a number: verdicts
 *     negate                             in place
 *     is_within, is_inside               (problem, x, y): x <= r^2 y, or x < r^2 y if the problem `is_strict`; x < r^2
 * y: verdicts; neither is negative */

typedef struct axis {
    vector along;  /* d */
    number square; /* d . d */
} axis;

/* The corners as an end of the axis sees them. */
typedef struct seen {
    vector u[3];
    number a[3]; /* along the axis */
} seen;

static tmb_verdict is_negative(const number *x)
{
    number opposite = *x;
    negate(&opposite);
    return is_positive(&opposite);
}

static tmb_verdict is_not_positive(const number *x)
{
    number opposite = *x;
    negate(&opposite);
    return is_not_negative(&opposite);
}

static void see(seen *out, const problem *p, const double end[3], const axis *x)
{
    for (int i = 0; i < 3; i++) {
        between(&out->u[i], p, end, p->t[i]);
        dot(&out->a[i], &out->u[i], &x->along);
    }
}

/* x y - z w */
static void minor_of(number *out, const number *x, const number *y, const number *z, const number *w)
{
    number product;
    multiply(out, x, y);
    multiply(&product, z, w);
    subtract(out, out, &product);
}

static tmb_verdict corner_meets(const problem *p, const axis *x, const seen *first, const number *beyond, int i)
{
    vector w;
    number square;
    const tmb_verdict inside = tmb_both(is_not_negative(&first->a[i]), is_not_positive(&beyond[i]));
    if (inside == TMB_NO) {
        return TMB_NO;
    }
    cross(&w, &first->u[i], &x->along);
    dot(&square, &w, &w);
    return tmb_both(inside, is_within(p, &square, &x->square));
}

/* Where the lines of an edge and of the axis are nearest; `beyond` are the corners along the axis, seen from its end.
 */
static tmb_verdict edge_meets(const problem *p, const axis *x, const seen *first, const number *beyond, int i, int j)
{
    vector e, w, side;
    number square, at_i, at_j, height, volume;
    between(&e, p, p->t[i], p->t[j]);
    cross(&w, &e, &x->along);
    dot(&square, &w, &w);
    cross(&side, &first->u[i], &x->along);
    dot(&at_i, &side, &w);
    cross(&side, &first->u[j], &x->along);
    dot(&at_j, &side, &w);
    tmb_verdict here = tmb_both(is_negative(&at_i), is_positive(&at_j));
    if (here == TMB_NO) {
        return TMB_NO;
    }
    minor_of(&height, &first->a[i], &at_j, &first->a[j], &at_i);
    here = tmb_both(here, is_not_negative(&height));
    minor_of(&height, &beyond[i], &at_j, &beyond[j], &at_i);
    here = tmb_both(here, is_not_positive(&height));
    if (here == TMB_NO) {
        return TMB_NO;
    }
    dot(&volume, &first->u[i], &w);
    multiply(&height, &volume, &volume);
    return tmb_both(here, is_within(p, &height, &square));
}

/* Whether an edge passes an end plane, not in a corner, and then where: out / scale, seen from that end. */
static tmb_verdict find_crossing(const seen *s, int i, int j, vector *out, number *scale)
{
    const tmb_verdict passes = tmb_either(tmb_both(is_negative(&s->a[i]), is_positive(&s->a[j])),
                                          tmb_both(is_positive(&s->a[i]), is_negative(&s->a[j])));
    if (passes != TMB_NO) {
        for (int k = 0; k < 3; k++) {
            minor_of(&out->at[k], &s->u[i].at[k], &s->a[j], &s->u[j].at[k], &s->a[i]);
        }
        subtract(scale, &s->a[j], &s->a[i]);
    }
    return passes;
}

static tmb_verdict crossing_meets(const problem *p, const seen *s, int i, int j)
{
    vector point;
    number scale, square, distance;
    const tmb_verdict passes = find_crossing(s, i, j, &point, &scale);
    if (passes == TMB_NO) {
        return TMB_NO;
    }
    dot(&distance, &point, &point);
    multiply(&square, &scale, &scale);
    return tmb_both(passes, is_within(p, &distance, &square));
}

/* Whether a section has points in front of the plane through the axis, and behind it. */
static void find_sides(const seen *s, const vector *m, tmb_verdict *front, tmb_verdict *behind)
{
    vector point;
    number scale, side;
    *front = *behind = TMB_NO;
    for (int i = 0; i < 3; i++) {
        const tmb_verdict in_plane = tmb_both(is_not_negative(&s->a[i]), is_not_positive(&s->a[i]));
        if (in_plane != TMB_NO) {
            dot(&side, &s->u[i], m);
            *front = tmb_either(*front, tmb_both(in_plane, is_positive(&side)));
            *behind = tmb_either(*behind, tmb_both(in_plane, is_negative(&side)));
        }
        const tmb_verdict passes = find_crossing(s, i, (i + 1) % 3, &point, &scale);
        if (passes != TMB_NO) {
            dot(&side, &point, m);
            const tmb_verdict up = is_positive(&scale), down = is_negative(&scale);
            const tmb_verdict over = is_positive(&side), under = is_negative(&side);
            *front = tmb_either(*front, tmb_both(passes, tmb_either(tmb_both(up, over), tmb_both(down, under))));
            *behind = tmb_either(*behind, tmb_both(passes, tmb_either(tmb_both(up, under), tmb_both(down, over))));
        }
    }
}

static tmb_verdict section_meets(const problem *p, const axis *x, const seen *s)
{
    vector e, f, n, m;
    number height, square, product;
    between(&e, p, p->t[0], p->t[1]);
    between(&f, p, p->t[0], p->t[2]);
    cross(&n, &e, &f);
    cross(&m, &n, &x->along);
    dot(&height, &n, &s->u[0]);
    multiply(&product, &height, &height);
    multiply(&height, &product, &x->square);
    dot(&square, &m, &m);
    const tmb_verdict within = is_within(p, &height, &square);
    if (within == TMB_NO) {
        return TMB_NO;
    }
    tmb_verdict front, behind;
    find_sides(s, &m, &front, &behind);
    return tmb_both(within, tmb_both(front, behind));
}

/* What meets an end. */
static tmb_verdict end_meets(const problem *p, const axis *x, const seen *s)
{
    tmb_verdict all = TMB_NO;
    for (int i = 0; i < 3 && all != TMB_YES; i++) {
        all = tmb_either(all, crossing_meets(p, s, i, (i + 1) % 3));
    }
    return all == TMB_YES ? all : tmb_either(all, section_meets(p, x, s));
}

/* Whether a point, the first corner, is in the inside: between the end planes, and nearer to the axis than the radius.
 */
static tmb_verdict inside_holds(const problem *p)
{
    axis x;
    vector u, w;
    number above, beyond, square;
    between(&x.along, p, p->from, p->to);
    dot(&x.square, &x.along, &x.along);
    between(&u, p, p->to, p->t[0]);
    dot(&beyond, &u, &x.along);
    between(&u, p, p->from, p->t[0]);
    dot(&above, &u, &x.along);
    cross(&w, &u, &x.along);
    dot(&square, &w, &w);
    return tmb_both(tmb_both(is_positive(&above), is_negative(&beyond)), is_inside(p, &square, &x.square));
}

/* Whether all corners are beyond the same end. */
static int are_beyond(const number first[3], const number last[3])
{
    tmb_verdict before = TMB_YES, behind = TMB_YES;
    for (int i = 0; i < 3; i++) {
        before = tmb_both(before, is_negative(&first[i]));
        behind = tmb_both(behind, is_positive(&last[i]));
    }
    return before == TMB_YES || behind == TMB_YES;
}

static tmb_verdict border_meets(const problem *p)
{
    axis x;
    seen s;
    number beyond[3];
    between(&x.along, p, p->from, p->to);
    dot(&x.square, &x.along, &x.along);
    see(&s, p, p->to, &x);
    for (int i = 0; i < 3; i++) {
        beyond[i] = s.a[i];
    }
    see(&s, p, p->from, &x);
    if (are_beyond(s.a, beyond)) {
        return TMB_NO;
    }
    tmb_verdict all = TMB_NO;
    for (int i = 0; i < 3 && all != TMB_YES; i++) {
        all = tmb_either(all, corner_meets(p, &x, &s, beyond, i));
    }
    for (int i = 0; i < 3 && all != TMB_YES; i++) {
        all = tmb_either(all, edge_meets(p, &x, &s, beyond, i, (i + 1) % 3));
    }
    all = all == TMB_YES ? all : tmb_either(all, end_meets(p, &x, &s));
    if (all != TMB_YES) {
        see(&s, p, p->to, &x);
        all = tmb_either(all, end_meets(p, &x, &s));
    }
    return all;
}

/* Whether the triangle has points strictly between the end planes. */
static tmb_verdict is_between(const problem *p)
{
    axis x;
    seen s;
    tmb_verdict above = TMB_NO, before = TMB_NO;
    between(&x.along, p, p->from, p->to);
    dot(&x.square, &x.along, &x.along);
    see(&s, p, p->to, &x);
    for (int i = 0; i < 3; i++) {
        before = tmb_either(before, is_negative(&s.a[i]));
    }
    see(&s, p, p->from, &x);
    for (int i = 0; i < 3; i++) {
        above = tmb_either(above, is_positive(&s.a[i]));
    }
    return tmb_both(above, before);
}
