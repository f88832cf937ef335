/* Where a ray enters or leaves the solid of a triangle with a radius, in one kind of numbers with bounds: NUMBER, and
 * OP(name) for its operations; NAME is the function that is made. */

typedef struct vector {
    NUMBER at[3];
} vector;

static inline vector vector_of(const double x[3])
{
    return (vector){{OP(of)(x[0]), OP(of)(x[1]), OP(of)(x[2])}};
}

static inline vector vector_between(const double from[3], const double to[3])
{
    vector v;
    for (int k = 0; k < 3; k++) {
        v.at[k] = OP(subtract)(OP(of)(to[k]), OP(of)(from[k]));
    }
    return v;
}

static inline NUMBER dot(const vector *a, const vector *b)
{
    const NUMBER xy = OP(add)(OP(multiply)(a->at[0], b->at[0]), OP(multiply)(a->at[1], b->at[1]));
    return OP(add)(xy, OP(multiply)(a->at[2], b->at[2]));
}

static inline vector cross(const vector *a, const vector *b)
{
    vector v;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        v.at[k] = OP(subtract)(OP(multiply)(a->at[i], b->at[j]), OP(multiply)(a->at[j], b->at[i]));
    }
    return v;
}

/* The point of the ray at t, from a point from which the origin is w away. */
static inline vector point_at(const vector *w, const vector *d, NUMBER t)
{
    vector v;
    for (int k = 0; k < 3; k++) {
        v.at[k] = OP(add)(w->at[k], OP(multiply)(t, d->at[k]));
    }
    return v;
}

/* Whether there is a parameter at which a piece is entered or left. */
typedef enum state {
    ABSENT,
    UNSURE,
    SURE
} state;

typedef struct event {
    state state;
    NUMBER t;
} event;

static const event no_event = {ABSENT, {0}};

static inline event any_event(void)
{
    return (event){UNSURE, OP(widen)(OP(of)(0), INFINITY)};
}

/* The roots of a t^2 + 2 b t + c = 0 with the discriminant b^2 - a c. */
static inline event root_of(NUMBER a, NUMBER b, NUMBER discriminant, int way)
{
    const int sign = OP(sign)(discriminant);
    if (OP(is_zero)(a) || sign < 0) {
        return no_event;
    }
    if (OP(sign)(a) <= 0) {
        return any_event();
    }
    const NUMBER middle = OP(divide)(OP(subtract)(OP(of)(0), b), a);
    if (sign > 0) {
        const NUMBER half = OP(divide)(OP(root)(discriminant), a);
        return (event){SURE, way > 0 ? OP(subtract)(middle, half) : OP(add)(middle, half)};
    }
    if (OP(is_zero)(discriminant)) {
        return (event){SURE, middle};
    }
    const double most = sqrt(OP(high)(discriminant)) / OP(low)(a);
    return (event){UNSURE, OP(widen)(middle, most * (1 + 0x1p-40))};
}

/* The event counts only where a number is not negative. */
static inline void demand(event *e, NUMBER number)
{
    const int sign = OP(sign)(number);
    e->state = sign < 0 ? ABSENT : sign == 0 && !OP(is_zero)(number) && e->state == SURE ? UNSURE : e->state;
}

/* |d|^2 r^2 - |d x w|^2, for the ball; for the cylinder, of an edge e, with m = d x e the discriminant is |e|^2 times
 * |m|^2 r^2 - (w . m)^2. */
static inline NUMBER excess(NUMBER square, double radius, NUMBER other)
{
    const NUMBER r = OP(of)(radius);
    return OP(subtract)(OP(multiply)(square, OP(multiply)(r, r)), other);
}

static inline event meet_ball(const vector *d, const tmb_ray *ray, const tmb_thick_triangle *t, int corner, int way)
{
    const vector w = vector_between(t->corners[corner], ray->origin), m = cross(d, &w);
    const NUMBER dd = dot(d, d);
    return root_of(dd, dot(d, &w), excess(dd, t->radius, dot(&m, &m)), way);
}

/* Where the ray is in the plane of an end; the distance from the axis is |x x e| / |e|. */
static inline event meet_disc(const vector *d, const tmb_ray *ray, const tmb_thick_triangle *t, int corner,
                              const double other[3])
{
    const vector e = vector_between(t->corners[corner], other), w = vector_between(t->corners[corner], ray->origin);
    const NUMBER rise = dot(&e, d);
    if (OP(sign)(rise) == 0) {
        return OP(is_zero)(rise) ? no_event : any_event();
    }
    event found = {SURE, OP(divide)(OP(subtract)(OP(of)(0), dot(&e, &w)), rise)};
    const vector x = point_at(&w, d, found.t), aside = cross(&x, &e);
    demand(&found, excess(dot(&e, &e), t->radius, dot(&aside, &aside)));
    return found;
}

static inline event meet_corner(const vector *d, const tmb_ray *ray, const tmb_thick_triangle *t, int corner, int way)
{
    const double *other = tmb_thick_other_end(t, corner);
    return other ? meet_disc(d, ray, t, corner, other) : meet_ball(d, ray, t, corner, way);
}

static inline event meet_cylinder(const vector *d, const tmb_ray *ray, const tmb_thick_triangle *t, int edge, int way)
{
    const double *p = t->corners[edge], *q = t->corners[(edge + 1) % 3];
    const vector e = vector_between(p, q), w = vector_between(p, ray->origin), m = cross(d, &e), k = cross(&w, &e);
    const NUMBER ee = dot(&e, &e), mm = dot(&m, &m), wm = dot(&w, &m);
    event found = root_of(mm, dot(&m, &k), OP(multiply)(ee, excess(mm, t->radius, OP(multiply)(wm, wm))), way);
    if (found.state != ABSENT) {
        const vector x = point_at(&w, d, found.t);
        const NUMBER along = dot(&e, &x);
        demand(&found, along);
        demand(&found, OP(subtract)(ee, along));
    }
    return found;
}

/* The point is above the triangle if it is on the inner side of all edges. */
static inline void demand_above(event *found, const vector *d, const vector *n, const tmb_ray *ray,
                                const tmb_thick_triangle *t)
{
    for (int i = 0; i < 3 && found->state != ABSENT; i++) {
        const vector e = vector_between(t->corners[i], t->corners[(i + 1) % 3]);
        const vector w = vector_between(t->corners[i], ray->origin), x = point_at(&w, d, found->t);
        const vector turn = cross(&e, &x);
        demand(found, dot(n, &turn));
    }
}

static inline event meet_prism(const vector *d, const tmb_ray *ray, const tmb_thick_triangle *t, int way)
{
    const vector u = vector_between(t->corners[0], t->corners[1]), v = vector_between(t->corners[0], t->corners[2]);
    const vector n = cross(&u, &v), w = vector_between(t->corners[0], ray->origin);
    const NUMBER rise = dot(&n, d), height = dot(&n, &w);
    const int sign = OP(sign)(rise);
    if (sign == 0) {
        return OP(is_zero)(rise) ? no_event : any_event();
    }
    const NUMBER half = OP(multiply)(OP(of)(t->radius), OP(root)(dot(&n, &n)));
    const NUMBER plane = sign * way > 0 ? OP(subtract)(OP(of)(0), half) : half;
    event found = {SURE, OP(divide)(OP(subtract)(plane, height), rise)};
    demand_above(&found, d, &n, ray, t);
    return found;
}

static inline event meet_piece(const vector *d, const tmb_ray *ray, const tmb_thick_triangle *t, int piece, int way)
{
    return piece < 3                 ? meet_corner(d, ray, t, piece, way)
           : piece < TMB_THICK_PRISM ? meet_cylinder(d, ray, t, piece - 3, way)
                                     : meet_prism(d, ray, t, way);
}

void NAME(const tmb_ray *ray, const tmb_thick_triangle *t, int way, unsigned sure, unsigned unsure,
          tmb_thick_passage *out)
{
    const vector d = vector_of(ray->direction);
    double low[TMB_THICK_PIECES], high[TMB_THICK_PIECES], first = INFINITY, last = INFINITY;
    *out = (tmb_thick_passage){0, 0, 0, 0, 0};
    for (int i = TMB_THICK_PRISM; i >= 0 && !(out->sure >> TMB_THICK_PRISM & 1); i--) {
        if (!((sure | unsure) >> i & 1)) {
            continue;
        }
        event found = meet_piece(&d, ray, t, i, way);
        if (found.state == ABSENT) {
            continue;
        }
        const double lower = OP(low)(found.t), upper = OP(high)(found.t);
        low[i] = way > 0 ? lower : -upper; /* against the way when the ray leaves */
        high[i] = way > 0 ? upper : -lower;
        if (!(low[i] <= high[i])) { /* not a number */
            low[i] = -INFINITY, high[i] = INFINITY;
            found.state = UNSURE;
        }
        if (found.state == SURE || sure >> i & 1) {
            out->sure |= 1u << i;
            last = high[i] < last ? high[i] : last;
        } else {
            out->unsure |= 1u << i;
        }
    }
    for (int i = 0; i < TMB_THICK_PIECES; i++) {
        const unsigned bit = 1u << i;
        if ((out->sure | out->unsure) & bit) {
            first = low[i] < first ? low[i] : first;
            out->sure &= low[i] > last ? ~bit : ~0u;
            out->unsure &= low[i] > last ? ~bit : ~0u;
        }
    }
    out->known = out->sure ? 1 : out->unsure ? 0 : -1;
    out->low = way > 0 ? first : -last;
    out->high = way > 0 ? last : -first;
}
