/* Along which curves do two models meet? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prim/triangle.h"
#include "prim/triangle_ends.h"
#include "scenes.h"
#include "tumble/region.h"

enum {
    HIERARCHIES = 5
};

static const tumble_hierarchy hierarchies[HIERARCHIES] = {TUMBLE_HIERARCHY_BRUTE, TUMBLE_HIERARCHY_WIDE,
                                                          TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                                          TUMBLE_HIERARCHY_RTREE};

/* ---- Two triangles ---- */

static void draw_triangle(test_random *random, int size, double t[3][3])
{
    for (int i = 0; i < 9; i++)
        t[i / 3][i % 3] = test_random_whole(random, -size, size);
}

static void normal_of(const double t[3][3], double n[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (t[1][i] - t[0][i]) * (t[2][j] - t[0][j]) - (t[1][j] - t[0][j]) * (t[2][i] - t[0][i]);
    }
}

static double dot(const double p[3], const double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static void cross(const double p[3], const double q[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
}

static int same_point(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* A corner is the point, an edge contains it, and it is not near one of the others unless it is nearly equal. */
static void check_spot(const double t[3][3], unsigned spot, const double point[3])
{
    if (spot < TMB_SPOT_EDGE) {
        assert_true(same_point(t[spot], point));
        return;
    }
    assert_true(spot <= TMB_SPOT_INSIDE);
    double n[3], inner[3];
    normal_of(t, n);
    const double size = dot(n, n);
    for (unsigned i = 0; i < 3; i++) {
        double edge[3], rest[3];
        for (int k = 0; k < 3; k++) {
            edge[k] = t[(i + 2) % 3][k] - t[(i + 1) % 3][k];
            rest[k] = point[k] - t[(i + 1) % 3][k];
        }
        cross(edge, rest, inner);
        const double part = dot(inner, n) / size; /* barycentric */
        if (spot == TMB_SPOT_EDGE + i)
            assert_true(fabs(part) < 1e-11);
        else
            assert_true(part > 1e-9); /* on a small lattice nothing is nearer */
    }
}

/* The ends are the points of tmb_triangles_segment, on the right corners and edges, along the product of normals. */
static void ends_of_triangles(void **state)
{
    (void)state;
    test_random random = {11};
    size_t segments = 0, points = 0, flats = 0;
    for (size_t n = 0; n < test_count(400000); n++) {
        double a[3][3], b[3][3], expected[2][3], na[3], nb[3], along[3];
        tmb_triangle_end ends[TMB_MOST_ENDS];
        int flat;
        const int size = 1 + (int)(n % 4);
        draw_triangle(&random, size, a);
        draw_triangle(&random, size, b);
        const int kind = tmb_triangles_segment((const double(*)[3])a, (const double(*)[3])b, expected);
        const int count = tmb_triangles_ends((const double(*)[3])a, (const double(*)[3])b, ends, &flat);
        normal_of((const double(*)[3])a, na);
        normal_of((const double(*)[3])b, nb);
        if (kind < 0 || dot(na, na) == 0 || dot(nb, nb) == 0) {
            assert_int_equal(count, 0);
            continue;
        }
        for (int i = 0; i < count; i++) {
            check_spot((const double(*)[3])a, ends[i].spots[0], ends[i].point);
            check_spot((const double(*)[3])b, ends[i].spots[1], ends[i].point);
        }
        assert_int_equal(flat, kind);
        if (flat) {
            assert_true(count > 0);
            flats++;
            continue;
        }
        assert_int_equal(count, 2);
        const int same = same_point(ends[0].point, ends[1].point);
        assert_int_equal(same, ends[0].spots[0] == ends[1].spots[0] && ends[0].spots[1] == ends[1].spots[1]);
        assert_int_equal(same, same_point(expected[0], expected[1]));
        cross(na, nb, along);
        double way[3];
        for (int k = 0; k < 3; k++) {
            way[k] = ends[1].point[k] - ends[0].point[k];
            const double low = fmin(expected[0][k], expected[1][k]), high = fmax(expected[0][k], expected[1][k]);
            assert_true(fabs(fmin(ends[0].point[k], ends[1].point[k]) - low) < 1e-12);
            assert_true(fabs(fmax(ends[0].point[k], ends[1].point[k]) - high) < 1e-12);
        }
        assert_true(same ? dot(way, along) == 0 : dot(way, along) > 0);
        segments += !same;
        points += (size_t)same;
    }
    assert_true(segments > 50 && points > 50 && flats > 50);
}

/* ---- Models ---- */

static tumble_regions_result regions(test_world *w, const tumble_model *a, const tumble_pose *pose_a,
                                     const tumble_model *b, const tumble_pose *pose_b)
{
    tumble_regions_result r;
    test_assert_status(w->context, tumble_contact_regions(w->query, a, pose_a, b, pose_b, &r), TUMBLE_OK, "");
    assert_int_equal(r.collide, r.region_count > 0);
    assert_int_equal(r.regions != NULL, r.region_count > 0);
    assert_int_equal(r.curves != NULL, r.curve_count > 0);
    size_t curve = 0, point = 0;
    for (size_t i = 0; i < r.region_count; i++) {
        double length = 0;
        assert_int_equal(r.regions[i].first_curve, curve);
        for (; curve < r.regions[i].first_curve + r.regions[i].curve_count; curve++) {
            const tumble_contact_curve *c = &r.curves[curve];
            assert_int_equal(c->region, i);
            assert_int_equal(c->first_point, point);
            assert_true(c->point_count > 1);
            length += c->length;
            point += c->point_count;
            for (int k = 0; k < 3; k++)
                assert_true(r.regions[i].lower[k] <= c->lower[k] && c->upper[k] <= r.regions[i].upper[k]);
        }
        assert_true(length == r.regions[i].length);
        assert_true(r.regions[i].contact_count >= r.regions[i].coplanar_count && r.regions[i].contact_count > 0);
        for (int side = 0; side < 2; side++) {
            const double *n = side ? r.regions[i].normal_b : r.regions[i].normal_a;
            assert_true(dot(n, n) == 0 || fabs(dot(n, n) - 1) < 1e-12);
        }
    }
    assert_true(curve == r.curve_count && point == r.point_count);
    return r;
}

static void make_mesh(models_mesh *mesh, const char *name, double size, int turned_inside_out)
{
    const models_shape *shape = models_find_shape(name);
    double values[MODELS_PARAMETERS];
    models_defaults(shape, values);
    shape->make(mesh, values);
    models_fit(mesh, size, 0);
    for (size_t i = 0; turned_inside_out && i + 2 < mesh->index_count; i += 3) {
        const uint32_t first = mesh->indices[i];
        mesh->indices[i] = mesh->indices[i + 1];
        mesh->indices[i + 1] = first;
    }
}

static tumble_model *make_shape(test_world *w, const char *name, double size, int inside_out, int hierarchy)
{
    models_mesh mesh = {0};
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchies[hierarchy];
    make_mesh(&mesh, name, size, inside_out);
    tumble_model *model = test_model(w->context, &mesh, &options);
    models_free(&mesh);
    return model;
}

static tumble_pose random_pose(test_world *w, test_random *random, double far)
{
    double turn[4], at[3];
    tumble_pose pose;
    for (int i = 0; i < 4; i++)
        turn[i] = test_random_unit(random) - 0.5;
    for (int k = 0; k < 3; k++)
        at[k] = far * (2 * test_random_unit(random) - 1);
    assert_int_equal(tumble_pose_from_quaternion(w->context, turn, 1, at, &pose), TUMBLE_OK);
    return pose;
}

static int is_near(const double p[3], const double q[3])
{
    return fabs(p[0] - q[0]) + fabs(p[1] - q[1]) + fabs(p[2] - q[2]) < 1e-14;
}

/* Up to rounding: an end is that of several contacts. */
static int same_segment(const double p[2][3], const double q[2][3])
{
    return (is_near(p[0], q[0]) && is_near(p[1], q[1])) || (is_near(p[0], q[1]) && is_near(p[1], q[0]));
}

/* All segments of the contacts are in a curve, once, and nothing else is. */
static void check_segments(test_world *w, const tumble_model *a, const tumble_model *b, const tumble_pose *pose_b,
                           const tumble_regions_result *r)
{
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result all;
    options.want_contacts = true;
    assert_int_equal(tumble_collide(w->query, a, NULL, b, pose_b, &options, &all), TUMBLE_OK);
    uint64_t of_regions = 0, of_curves = 0;
    double length = 0, sum = 0;
    for (size_t i = 0; i < r->region_count; i++) {
        of_regions += r->regions[i].contact_count;
        sum += r->regions[i].length;
    }
    for (size_t i = 0; i < r->curve_count; i++)
        of_curves += r->curves[i].point_count - !r->curves[i].is_closed;
    for (uint64_t i = 0; i < all.contact_count; i++) {
        const double(*p)[3] = all.contacts[i].points;
        length += hypot(hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]), p[1][2] - p[0][2]);
    }
    assert_int_equal(of_regions, all.contact_count);
    assert_true(of_curves == all.contact_count && fabs(length - sum) <= 1e-11 * length);
    size_t found = 0;
    for (size_t i = 0; i < r->curve_count && all.contact_count < 2000; i++) {
        const tumble_contact_curve *c = &r->curves[i];
        for (size_t j = 0; j + !c->is_closed < c->point_count; j++) {
            const size_t at = c->first_point + j, next = c->first_point + (j + 1 < c->point_count ? j + 1 : 0);
            double segment[2][3];
            memcpy(segment[0], r->points[at], sizeof segment[0]);
            memcpy(segment[1], r->points[next], sizeof segment[1]);
            for (uint64_t n = 0; n < all.contact_count; n++) {
                const tumble_contact *contact = &all.contacts[n];
                if (contact->polygon_a == r->pairs[at].polygon_a && contact->polygon_b == r->pairs[at].polygon_b) {
                    found += (size_t)same_segment((const double(*)[3])segment, contact->points);
                    break;
                }
            }
        }
    }
    assert_true(all.contact_count >= 2000 || found == of_curves);
}

/* The left of the middle of a segment, on the outside of A, is inside B: by the polygon's own plane. */
static int check_sides(test_world *w, const tumble_model *models[2], const tumble_pose *pose_b, const int inside_out[2],
                       const tumble_regions_result *r, const tumble_contact_curve *c, models_mesh meshes[2])
{
    int checked = 0;
    for (size_t j = 0; j + !c->is_closed < c->point_count; j++) {
        const size_t at = c->first_point + j, next = c->first_point + (j + 1 < c->point_count ? j + 1 : 0);
        double way[3], middle[3];
        for (int k = 0; k < 3; k++) {
            way[k] = r->points[next][k] - r->points[at][k];
            middle[k] = r->points[at][k] + 0.5 * way[k];
        }
        for (int side = 0; side < 2; side++) {
            const uint32_t polygon = side ? r->pairs[at].polygon_b : r->pairs[at].polygon_a;
            double t[3][3], n[3], left[3], point[3];
            tumble_inside_answer place;
            for (int i = 0; i < 3; i++) {
                const double *p =
                    meshes[side].points + 3 * (size_t)meshes[side].indices[3 * (size_t)polygon + (size_t)i];
                if (side)
                    tumble_pose_apply(pose_b, p, t[i]);
                else
                    memcpy(t[i], p, sizeof t[i]);
            }
            normal_of((const double(*)[3])t, n);
            cross(n, way, left);
            const double size = sqrt(dot(left, left)), length = sqrt(dot(way, way));
            if (!(length > 1e-3))
                continue;
            const double step = (inside_out[side] ? -1 : 1) * (side ? -1 : 1) * 1e-6 / size;
            for (int k = 0; k < 3; k++)
                point[k] = middle[k] + step * left[k];
            assert_int_equal(
                tumble_inside(w->query, models[1 - side], side ? NULL : pose_b, point, 1, NULL, &place, NULL),
                TUMBLE_OK);
            assert_int_equal(place.place, TUMBLE_PLACE_INSIDE);
            checked++;
        }
    }
    return checked;
}

/* Curves of two closed models in general position are closed, and know their sides, whichever way the models' polygons
 * are turned. */
static void closed_models(void **state)
{
    test_world *w = *state;
    static const char *const names[] = {"sphere", "torus", "gear", "knot", "bolt", "spring"};
    enum {
        SHAPES = sizeof names / sizeof *names
    };
    test_random random = {3};
    size_t curves = 0, checked = 0;
    for (size_t n = 0; n < test_count(60); n++) {
        const int first = test_random_whole(&random, 0, SHAPES - 1), second = test_random_whole(&random, 0, SHAPES - 1);
        if (!models_find_shape(names[first]) || !models_find_shape(names[second]))
            continue;
        const int inside_out[2] = {test_random_chance(&random, 0.3), test_random_chance(&random, 0.3)};
        models_mesh meshes[2] = {{0}, {0}};
        make_mesh(&meshes[0], names[first], 2, inside_out[0]);
        make_mesh(&meshes[1], names[second], 2, inside_out[1]);
        if (meshes[0].index_count != 3 * meshes[0].polygon_count ||
            meshes[1].index_count != 3 * meshes[1].polygon_count) {
            models_free(&meshes[0]);
            models_free(&meshes[1]);
            continue;
        }
        tumble_model *a = test_model(w->context, &meshes[0], NULL), *b = test_model(w->context, &meshes[1], NULL);
        const tumble_model *models[2] = {a, b};
        const tumble_pose pose = random_pose(w, &random, 1);
        const tumble_regions_result r = regions(w, a, NULL, b, &pose);
        assert_true(r.closed_a && r.closed_b);
        tumble_contact_curve *all = malloc((r.curve_count + 1) * sizeof *all);
        for (size_t i = 0; i < r.curve_count; i++) {
            assert_true(r.curves[i].is_closed && r.curves[i].sides_are_known);
            all[i] = r.curves[i];
        }
        for (size_t i = 0; i < r.curve_count && i < 3; i++)
            checked += (size_t)check_sides(w, models, &pose, inside_out, &r, &all[i], meshes);
        curves += r.curve_count;
        for (size_t i = 0; i < r.region_count; i++)
            assert_true(r.regions[i].curve_count == 1 && r.regions[i].coplanar_count == 0);
        free(all);
        check_segments(w, a, b, &pose, &r);
        tumble_model_destroy(a);
        tumble_model_destroy(b);
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true(curves > 3 && checked > 30);
}

/* Hierarchies do not matter, to the byte; nor does a pose of A, to rounding. */
static void hierarchies_agree(void **state)
{
    test_world *w = *state;
    tumble_query *other;
    assert_int_equal(tumble_query_create(w->context, &other), TUMBLE_OK);
    test_random random = {8};
    tumble_model *a[HIERARCHIES], *b[HIERARCHIES];
    for (int h = 0; h < HIERARCHIES; h++) {
        a[h] = make_shape(w, "torus", 2, 0, h);
        b[h] = make_shape(w, "sphere", 1.5, 0, (h + 1) % HIERARCHIES);
    }
    for (size_t n = 0; n < test_count(5); n++) {
        tumble_pose pose = random_pose(w, &random, 0.75);
        pose = n == 0 ? tumble_pose_identity() : pose; /* degenerate */
        const tumble_regions_result r = regions(w, a[0], NULL, b[0], &pose);
        for (int h = 1; h < HIERARCHIES; h++) {
            tumble_regions_result s;
            assert_int_equal(tumble_contact_regions(other, a[h], NULL, b[h], &pose, &s), TUMBLE_OK);
            assert_true(s.region_count == r.region_count && s.curve_count == r.curve_count);
            assert_int_equal(s.point_count, r.point_count);
            for (size_t i = 0; i < r.curve_count; i++) {
                assert_int_equal(r.curves[i].is_closed, s.curves[i].is_closed);
                assert_int_equal(r.curves[i].sides_are_known, s.curves[i].sides_are_known);
                assert_int_equal(r.curves[i].point_count, s.curves[i].point_count);
            }
            if (r.point_count > 0) {
                assert_memory_equal(r.points, s.points, r.point_count * sizeof *r.points);
                assert_memory_equal(r.pairs, s.pairs, r.point_count * sizeof *r.pairs);
            }
            for (size_t i = 0; i < r.region_count; i++) {
                assert_int_equal(r.regions[i].contact_count, s.regions[i].contact_count);
                assert_memory_equal(r.regions[i].normal_a, s.regions[i].normal_a, sizeof s.regions[i].normal_a);
            }
        }
    }
    for (int h = 0; h < HIERARCHIES; h++) {
        tumble_model_destroy(a[h]);
        tumble_model_destroy(b[h]);
    }
    tumble_query_destroy(other);
}

static tumble_model *make_box(test_world *w, double x, double y, double z, double sx, double sy, double sz)
{
    static const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    models_mesh mesh = {0};
    for (int i = 0; i < 8; i++)
        models_point(&mesh, x + (i & 1 ? sx : 0), y + (i & 2 ? sy : 0), z + (i & 4 ? sz : 0));
    for (int i = 0; i < 6; i++)
        models_quad(&mesh, faces[i][0], faces[i][1], faces[i][2], faces[i][3]);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

static tumble_pose shifted(double x, double y, double z)
{
    tumble_pose pose = tumble_pose_identity();
    pose.m[0][3] = x;
    pose.m[1][3] = y;
    pose.m[2][3] = z;
    return pose;
}

/* Boxes on each other, corner to corner, edge across edge, one twice, and through each other on common planes. */
static void boxes(void **state)
{
    test_world *w = *state;
    tumble_model *a = make_box(w, 0, 0, 0, 4, 4, 1), *b = make_box(w, 0, 0, 0, 1, 2, 1);
    tumble_pose pose = shifted(1, 1, 1);
    tumble_regions_result r = regions(w, a, NULL, b, &pose);
    assert_true(r.region_count == 1 && r.curve_count == 1 && r.curves[0].is_closed && !r.curves[0].sides_are_known);
    assert_true(r.regions[0].coplanar_count > 0 && r.curves[0].length == 6);
    assert_true(r.curves[0].lower[0] == 1 && r.curves[0].upper[1] == 3 && r.curves[0].upper[2] == 1);
    pose = shifted(4, 4, 1);
    r = regions(w, a, NULL, b, &pose);
    assert_true(r.region_count == 1 && r.curve_count == 0 && r.regions[0].coplanar_count == 0);
    for (int k = 0; k < 3; k++)
        assert_true(r.regions[0].lower[k] == (k < 2 ? 4 : 1) && r.regions[0].upper[k] == r.regions[0].lower[k]);
    pose = (tumble_pose){{{0.6, 0, 0.8, 1.5}, {0, 1, 0, 1}, {-0.8, 0, 0.6, 1}}}; /* on an edge */
    r = regions(w, a, NULL, b, &pose);
    assert_true(r.region_count == 1 && r.regions[0].contact_count > 0);
    r = regions(w, b, NULL, b, NULL);
    assert_true(r.region_count == 1 && r.regions[0].coplanar_count > 0 && r.regions[0].length >= 16);
    for (size_t i = 0; i < r.curve_count; i++)
        assert_false(r.curves[i].sides_are_known);
    pose = shifted(1, 1, 0.5); /* through the top, in general position but for the side walls */
    r = regions(w, a, NULL, b, &pose);
    assert_true(r.region_count == 1 && r.curve_count == 1 && r.curves[0].is_closed && r.curves[0].sides_are_known);
    assert_true(r.curves[0].length == 6 && r.regions[0].normal_a[2] == 1);
    pose = shifted(0.5, 0.5, 9);
    r = regions(w, a, NULL, b, &pose);
    assert_true(r.region_count == 0 && r.closed_a && r.closed_b && !r.points);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* A sheet through a box, whole and with its rim inside; a pose of A moves everything along. */
static void sheets(void **state)
{
    test_world *w = *state;
    tumble_model *box = make_box(w, 0, 0, 0, 2, 2, 2);
    for (int inner = 0; inner < 2; inner++) {
        models_mesh mesh = {0};
        const double end = inner ? 1 : 3;
        const uint32_t corners[4] = {models_point(&mesh, -1, -1, 0.75), models_point(&mesh, end, -1, 0.75),
                                     models_point(&mesh, end, 3, 0.75), models_point(&mesh, -1, 3, 0.75)};
        models_quad(&mesh, corners[0], corners[1], corners[2], corners[3]);
        tumble_model *sheet = test_model(w->context, &mesh, NULL);
        models_free(&mesh);
        tumble_regions_result r = regions(w, box, NULL, sheet, NULL);
        assert_true(r.region_count == 1 && r.curve_count == 1 && r.closed_a && !r.closed_b);
        assert_true(r.curves[0].is_closed == !inner && !r.curves[0].sides_are_known);
        assert_true(fabs(r.curves[0].length - (inner ? 4 : 8)) < 1e-12);
        const tumble_pose pose = {{{0, -2, 0, 5}, {2, 0, 0, 6}, {0, 0, 2, 7}}};
        const size_t count = r.point_count;
        double(*points)[3] = malloc(count * sizeof *points);
        memcpy(points, r.points, count * sizeof *points);
        r = regions(w, box, &pose, sheet, &pose);
        assert_int_equal(r.point_count, count);
        assert_true(fabs(r.curves[0].length - (inner ? 8 : 16)) < 1e-12);
        for (size_t i = 0; i < count; i++) {
            int found = 0;
            double moved[3];
            tumble_pose_apply(&pose, points[i], moved);
            for (size_t j = 0; j < count; j++)
                found |= fabs(moved[0] - r.points[j][0]) + fabs(moved[1] - r.points[j][1]) < 1e-12;
            assert_true(found);
        }
        free(points);
        tumble_model_destroy(sheet);
    }
    tumble_model_destroy(box);
}

/* Lattice models, full of coincidences: what must hold always. */
static void lattices(void **state)
{
    test_world *w = *state;
    test_random random = {21};
    size_t found = 0, closed = 0;
    for (size_t n = 0; n < test_count(1500); n++) {
        tumble_model *models[2];
        for (int side = 0; side < 2; side++) {
            models_mesh mesh = {0};
            for (int i = 0; i < 8; i++)
                models_point(&mesh, test_random_whole(&random, 0, 2), test_random_whole(&random, 0, 2),
                             test_random_whole(&random, 0, 2));
            for (int i = 0; i < 10; i++)
                models_triangle(&mesh, (uint32_t)test_random_whole(&random, 0, 7),
                                (uint32_t)test_random_whole(&random, 0, 7), (uint32_t)test_random_whole(&random, 0, 7));
            models[side] = test_model(w->context, &mesh, NULL);
            models_free(&mesh);
        }
        tumble_regions_result r;
        assert_int_equal(tumble_contact_regions(w->query, models[0], NULL, models[1], NULL, &r), TUMBLE_OK);
        found += r.curve_count;
        for (size_t i = 0; i < r.curve_count; i++)
            closed += r.curves[i].is_closed;
        tumble_model_destroy(models[0]);
        tumble_model_destroy(models[1]);
    }
    assert_true(found > 10 && closed > 1);
}

static void arguments(void **state)
{
    test_world *w = *state;
    tumble_regions_result r;
    tumble_model *box = make_box(w, 0, 0, 0, 1, 1, 1), *thick = make_box(w, 0, 0, 0, 1, 1, 1);
    assert_int_equal(tumble_model_set_radius(thick, 0.5), TUMBLE_OK);
    assert_int_equal(tumble_contact_regions(NULL, box, NULL, box, NULL, &r), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_contact_regions(w->query, NULL, NULL, box, NULL, &r), TUMBLE_ERROR_ARGUMENT,
                       "model is null");
    test_assert_status(w->context, tumble_contact_regions(w->query, box, NULL, box, NULL, NULL), TUMBLE_ERROR_ARGUMENT,
                       "result is null");
    test_assert_status(w->context, tumble_contact_regions(w->query, box, NULL, thick, NULL, &r),
                       TUMBLE_ERROR_UNSUPPORTED, "model B has a radius");
    tumble_pose bad = tumble_pose_identity();
    bad.m[0][0] = 3;
    test_assert_status(w->context, tumble_contact_regions(w->query, box, &bad, box, NULL, &r), TUMBLE_ERROR_POSE, "");
    tumble_model_destroy(box);
    tumble_model_destroy(thick);
}

static tumble_status ask(test_world *w, void *user)
{
    tumble_model *const *models = user;
    const tumble_pose pose = shifted(0.4, 0.1, 0);
    tumble_query *query;
    tumble_regions_result r;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        status = tumble_contact_regions(query, models[0], NULL, models[1], &pose, &r);
        tumble_query_destroy(query);
    }
    return status;
}

static void allocations(void **state)
{
    test_world *w = *state;
    tumble_model *models[2] = {make_box(w, 0, 0, 0, 1, 1, 1), make_box(w, -0.3, -0.3, -0.2, 1, 1, 1)};
    assert_int_equal(ask(w, models), TUMBLE_OK); /* the models keep what this learns */
    for (int how = TEST_FAIL_ALONE; how <= TEST_FAIL_TAKING_TURNS; how++)
        assert_true(test_fail_each(w, (test_failing)how, ask, NULL, models) > 8);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_triangles),
        TEST_IN_WORLD(closed_models),
        TEST_IN_WORLD(hierarchies_agree),
        TEST_IN_WORLD(boxes),
        TEST_IN_WORLD(sheets),
        TEST_IN_WORLD(lattices),
        TEST_IN_WORLD(arguments),
        TEST_IN_WORLD(allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
