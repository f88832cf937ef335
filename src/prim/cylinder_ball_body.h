/* The test of a ball and a cylinder with flat ends, for numbers of any kind: included by cylinder_ball.c twice, for
 * doubles with error bounds and for exact numbers.
 *
 * Let d be the axis from p to q, u = c - p and v = c - q for the ball's centre c, w = u x d, and r and s the radii of
 * cylinder and ball. What is at most s from the cylinder is
 *     beside the axis  u . d >= 0, v . d <= 0, |w|^2 <= (r + s)^2 d . d
 *     beyond an end    |w|^2 <= r^2 d . d and (u . d)^2 <= s^2 d . d; or at most s from the rim: with the distances
 *                      x = |w| / |d| from the axis and y from the end, (x - r)^2 + y^2 <= s^2, that is,
 *                      g <= 2 r x with g = u . u + r^2 - s^2, so g <= 0 or g^2 d . d <= 4 r^2 |w|^2
 *
 * The includer defines the types NUMBER and PROBLEM, which has the members `centre`, `from`, `to`, and the functions
 * difference (of two coordinates), add, subtract, multiply, is_positive, is_not_negative and radius_of (which). */

static NUMBER NAME(dot)(PROBLEM *p, const NUMBER a[3], const NUMBER b[3])
{
    const NUMBER sum = NAME(add)(p, NAME(multiply)(p, a[0], b[0]), NAME(multiply)(p, a[1], b[1]));
    return NAME(add)(p, sum, NAME(multiply)(p, a[2], b[2]));
}

static void NAME(between)(PROBLEM *p, const double from[3], const double to[3], NUMBER out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = NAME(difference)(p, to[k], from[k]);
    }
}

static tmb_verdict NAME(at_most)(PROBLEM *p, NUMBER a, NUMBER b)
{
    return NAME(is_not_negative)(NAME(subtract)(p, b, a));
}

/* Of the centre as both ends see it. */
typedef struct NAME(sight) {
    NUMBER square, aside; /* d . d and |w|^2 */
    NUMBER r, s;
} NAME(sight);

/* u from an end, and u . d: near the flat end, or the rim. */
static tmb_verdict NAME(meets_end)(PROBLEM *p, const NAME(sight) * x, const NUMBER u[3], NUMBER along)
{
    const NUMBER r_square = NAME(multiply)(p, x->r, x->r), s_square = NAME(multiply)(p, x->s, x->s);
    const tmb_verdict over = NAME(at_most)(p, x->aside, NAME(multiply)(p, r_square, x->square));
    const tmb_verdict near = NAME(at_most)(p, NAME(multiply)(p, along, along), NAME(multiply)(p, s_square, x->square));
    const NUMBER g = NAME(subtract)(p, NAME(add)(p, NAME(dot)(p, u, u), r_square), s_square);
    const NUMBER twice = NAME(add)(p, x->r, x->r);
    const NUMBER most = NAME(multiply)(p, NAME(multiply)(p, twice, twice), x->aside);
    const tmb_verdict inner = NAME(is_not_negative)(NAME(subtract)(p, NAME(subtract)(p, g, g), g));
    const tmb_verdict rim = NAME(at_most)(p, NAME(multiply)(p, NAME(multiply)(p, g, g), x->square), most);
    return tmb_either(tmb_both(over, near), tmb_either(inner, rim));
}

static tmb_verdict NAME(meets)(PROBLEM *p)
{
    NUMBER d[3], u[3], v[3], w[3];
    NAME(between)(p, p->from, p->to, d);
    NAME(between)(p, p->from, p->centre, u);
    NAME(between)(p, p->to, p->centre, v);
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        w[k] = NAME(subtract)(p, NAME(multiply)(p, u[l], d[m]), NAME(multiply)(p, u[m], d[l]));
    }
    const NAME(sight) x = {NAME(dot)(p, d, d), NAME(dot)(p, w, w), NAME(radius_of)(p, 0), NAME(radius_of)(p, 1)};
    const NUMBER a = NAME(dot)(p, u, d), b = NAME(dot)(p, v, d), zero = NAME(subtract)(p, a, a);
    const tmb_verdict beside = tmb_both(NAME(at_most)(p, zero, a), NAME(at_most)(p, b, zero));
    const NUMBER reach = NAME(add)(p, x.r, x.s);
    const tmb_verdict side = NAME(at_most)(p, x.aside, NAME(multiply)(p, NAME(multiply)(p, reach, reach), x.square));
    tmb_verdict all = tmb_both(beside, side);
    const tmb_verdict before = NAME(is_positive)(NAME(subtract)(p, zero, a)), behind = NAME(is_positive)(b);
    if (before != TMB_NO) {
        all = tmb_either(all, tmb_both(before, NAME(meets_end)(p, &x, u, a)));
    }
    if (behind != TMB_NO) {
        all = tmb_either(all, tmb_both(behind, NAME(meets_end)(p, &x, v, b)));
    }
    return all;
}
