/* The distance of two convex solids by the algorithm of Gilbert, Johnson and Keerthi (1988), for numbers of any kind:
 * included by convex_distance.c for doubles and for pairs of doubles.
 *
 * The differences x - y of points of A and B are a convex set, whose point v nearest to the origin is sought. Known are
 * up to four of its points, w_i = a_i - b_i, and v is the nearest of their hull. The point of the set that is farthest
 * against v joins them, until it is hardly farther than v itself. Whatever has gone wrong by rounding,
 *     sum of w_i times weights, which are not negative and have the sum 1, is a difference: |v| is an upper bound, and
 *     for any v, (min of v . x over A - max of v . y over B) / |v| is a lower one,
 * both but for the roundings of their own evaluation, for which SLACK is added. Lengths are scaled so that none is
 * above 1; then a sum of three products and all that is added to it is off by less than 2^6 roundings.
 *
 * The includer defines the type NUMBER, NAME(of), (value), (add), (subtract), (multiply), (divide), (root). */

typedef struct NAME(vector) {
    NUMBER at[3];
} NAME(vector);

typedef struct NAME(solid) {
    NAME(vector) corners[3];
    int is_cylinder;
    NAME(vector) along; /* of a cylinder, from end to end, in a unit of its own, */
    NUMBER length;      /* and its length */
    NUMBER radius;
} NAME(solid);

typedef struct NAME(simplex) {
    NAME(vector) a[4], b[4], w[4];
    NUMBER weights[4];
    int count;
} NAME(simplex);

static NUMBER NAME(dot)(const NAME(vector) * a, const NAME(vector) * b)
{
    const NUMBER xy = NAME(add)(NAME(multiply)(a->at[0], b->at[0]), NAME(multiply)(a->at[1], b->at[1]));
    return NAME(add)(xy, NAME(multiply)(a->at[2], b->at[2]));
}

static NAME(vector) NAME(difference)(const NAME(vector) * a, const NAME(vector) * b)
{
    NAME(vector) out;
    for (int k = 0; k < 3; k++) {
        out.at[k] = NAME(subtract)(a->at[k], b->at[k]);
    }
    return out;
}

static NAME(vector) NAME(cross)(const NAME(vector) * a, const NAME(vector) * b)
{
    NAME(vector) out;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out.at[k] = NAME(subtract)(NAME(multiply)(a->at[l], b->at[m]), NAME(multiply)(a->at[m], b->at[l]));
    }
    return out;
}

static NUMBER NAME(length)(const NAME(vector) * a)
{
    return NAME(root)(NAME(dot)(a, a));
}

static void NAME(add_times)(NAME(vector) * sum, const NAME(vector) * a, NUMBER factor)
{
    for (int k = 0; k < 3; k++) {
        sum->at[k] = NAME(add)(sum->at[k], NAME(multiply)(a->at[k], factor));
    }
}

/* The point of a solid that is farthest in a direction, and how far: its product with the direction. */
static NUMBER NAME(support)(const NAME(solid) * s, const NAME(vector) * direction, NAME(vector) * out)
{
    NUMBER most = NAME(dot)(&s->corners[0], direction);
    *out = s->corners[0];
    for (int i = 1; i < 3; i++) {
        const NUMBER own = NAME(dot)(&s->corners[i], direction);
        if (NAME(value)(NAME(subtract)(own, most)) > 0) {
            most = own;
            *out = s->corners[i];
        }
    }
    if (!s->is_cylinder) {
        return most;
    }
    const NAME(vector) side = NAME(cross)(direction, &s->along), out_of = NAME(cross)(&s->along, &side);
    const NUMBER size = NAME(length)(&out_of);
    if (NAME(value)(size) > 0x1p-400) { /* so that its square has all digits; else the centre of the end does */
        NAME(add_times)(out, &out_of, NAME(divide)(s->radius, size));
    }
    return NAME(add)(most, NAME(divide)(NAME(multiply)(s->radius, NAME(length)(&side)), s->length));
}

/* ---- The point of a simplex next to the origin ---- */

/* The weights of up to four of its points, whose numbers are given, in whose hull the nearest point of their plane is.
 * 0: it is outside, or they are in no general position. */
static int NAME(find_weights)(const NAME(simplex) * s, const int *which, int count, NUMBER weights[4])
{
    const NAME(vector) *w = &s->w[which[0]];
    NAME(vector) edges[3], opposite = {{NAME(of)(0), NAME(of)(0), NAME(of)(0)}};
    NUMBER rest = NAME(of)(1), whole;
    NUMBER parts[3];
    opposite = NAME(difference)(&opposite, w);
    for (int i = 1; i < count; i++) {
        edges[i - 1] = NAME(difference)(&s->w[which[i]], w);
    }
    if (count == 2) {
        whole = NAME(dot)(&edges[0], &edges[0]);
        parts[0] = NAME(dot)(&opposite, &edges[0]);
    } else if (count == 3) {
        const NAME(vector) normal = NAME(cross)(&edges[0], &edges[1]);
        const NAME(vector) first = NAME(cross)(&opposite, &edges[1]), second = NAME(cross)(&edges[0], &opposite);
        whole = NAME(dot)(&normal, &normal);
        parts[0] = NAME(dot)(&first, &normal);
        parts[1] = NAME(dot)(&second, &normal);
    } else if (count == 4) {
        const NAME(vector) first = NAME(cross)(&edges[1], &edges[2]), second = NAME(cross)(&edges[2], &edges[0]),
                           third = NAME(cross)(&edges[0], &edges[1]);
        whole = NAME(dot)(&first, &edges[0]);
        parts[0] = NAME(dot)(&first, &opposite);
        parts[1] = NAME(dot)(&second, &opposite);
        parts[2] = NAME(dot)(&third, &opposite);
    } else {
        whole = rest;
    }
    if (NAME(value)(whole) == 0) {
        return 0;
    }
    for (int i = 1; i < count; i++) {
        weights[i] = NAME(divide)(parts[i - 1], whole);
        rest = NAME(subtract)(rest, weights[i]);
        if (!(NAME(value)(weights[i]) > 0)) {
            return 0;
        }
    }
    weights[0] = rest;
    return NAME(value)(rest) > 0;
}

static NAME(vector) NAME(weighted)(const NAME(vector) * points, const int *which, int count, const NUMBER *weights)
{
    NAME(vector) sum = {{NAME(of)(0), NAME(of)(0), NAME(of)(0)}};
    for (int i = 0; i < count; i++) {
        NAME(add_times)(&sum, &points[which[i]], weights[i]);
    }
    return sum;
}

/* Keeps the points whose hull is nearest to the origin: of all ways, the one with the nearest point. Its square. */
static NUMBER NAME(reduce)(NAME(simplex) * s, NAME(vector) * nearest)
{
    NAME(simplex) kept = {.count = 0};
    NUMBER least = NAME(of)(BEYOND);
    for (unsigned chosen = 1; chosen < 1U << s->count; chosen++) {
        int which[4], count = 0;
        NUMBER weights[4];
        for (int i = 0; i < s->count; i++) {
            which[count] = i;
            count += (int)(chosen >> i & 1);
        }
        if (!NAME(find_weights)(s, which, count, weights)) {
            continue;
        }
        const NAME(vector) v = NAME(weighted)(s->w, which, count, weights);
        const NUMBER square = NAME(dot)(&v, &v);
        if (!(NAME(value)(NAME(subtract)(square, least)) < 0) && kept.count > 0) {
            continue;
        }
        least = square;
        *nearest = v;
        kept.count = count;
        for (int i = 0; i < count; i++) {
            kept.a[i] = s->a[which[i]];
            kept.b[i] = s->b[which[i]];
            kept.w[i] = s->w[which[i]];
            kept.weights[i] = weights[i];
        }
    }
    *s = kept;
    return least;
}

/* ---- All together ---- */

/* Adds the difference that is farthest against v, and returns how far along v it is at least. */
static NUMBER NAME(reach)(const NAME(solid) * a, const NAME(solid) * b, const NAME(vector) * v, NAME(simplex) * s)
{
    const int i = s->count++;
    NAME(vector) against;
    for (int k = 0; k < 3; k++) {
        against.at[k] = NAME(subtract)(NAME(of)(0), v->at[k]);
    }
    const NUMBER of_a = NAME(support)(a, &against, &s->a[i]), of_b = NAME(support)(b, v, &s->b[i]);
    s->w[i] = NAME(difference)(&s->a[i], &s->b[i]);
    return NAME(subtract)(NAME(of)(0), NAME(add)(of_a, of_b));
}

static void NAME(tell)(const NAME(simplex) * s, NAME(vector) points[2])
{
    const int all[4] = {0, 1, 2, 3};
    points[0] = NAME(weighted)(s->a, all, s->count, s->weights);
    points[1] = NAME(weighted)(s->b, all, s->count, s->weights);
}

/* The bounds become closer until they are on one side of both limits, or hardly differ, or do not become closer any
 * more. `way` is where to start, a difference, about; then where it ends. */
static void NAME(approach)(const NAME(solid) solids[2], NAME(vector) * way, double below, double above,
                           double bounds[2], NAME(vector) points[2])
{
    NAME(simplex) s = {.count = 0};
    NAME(vector) v = *way;
    NUMBER square = NAME(of)(BEYOND), length = NAME(length)(&v);
    double lower = 0, upper = INFINITY;
    for (int i = 0; i < MOST_STEPS && s.count < 4; i++) {
        NAME(simplex) next = s;
        NAME(vector) nearest;
        const NUMBER reach = NAME(reach)(&solids[0], &solids[1], &v, &next);
        if (NAME(value)(length) > 0) {
            lower = fmax(lower, nextafter(NAME(value)(NAME(divide)(reach, length)), 0) - SLACK);
        }
        const NUMBER least = NAME(reduce)(&next, &nearest);
        if (!(NAME(value)(NAME(subtract)(least, square)) < 0)) {
            break;
        }
        s = next;
        v = nearest;
        square = least;
        length = NAME(root)(square);
        upper = nextafter(NAME(value)(length), INFINITY) + SLACK;
        if (lower > above || upper <= below || upper - lower <= 4 * SLACK + 0x1p-51 * upper) {
            break;
        }
    }
    NAME(tell)(&s, points);
    *way = v;
    bounds[0] = lower;
    bounds[1] = upper;
}
