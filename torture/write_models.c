/* Shapes and the lives of their models, as C. */
#include <math.h>
#include <string.h>

#include "write.h"

void torture_write_number(FILE *out, double x)
{
    if (isinf(x)) {
        fputs(x > 0 ? "INFINITY" : "-INFINITY", out);
    } else if (x == rint(x) && fabs(x) < 1e6 && !(x == 0 && signbit(x))) {
        fprintf(out, "%.0f", x);
    } else {
        fprintf(out, x == 0 ? "-0.0" : "%a", x);
    }
}

void torture_write_pose(FILE *out, const tumble_pose *pose)
{
    fputs("{{", out);
    for (int i = 0; i < 12; i++) {
        fputs(i % 4 == 0 ? (i ? "}, {" : "{") : ", ", out);
        torture_write_number(out, pose->m[i / 4][i % 4]);
    }
    fputs("}}}", out);
}

/* ---- Tuning ---- */

typedef struct member {
    const char *name;
    size_t offset;
    char type; /* e: an enum or a 32-bit number, b: bool, d: double */
} member;

#define MEMBER(name, type)                         \
    {                                              \
#name, offsetof(tumble_tuning, name), type \
    }
static const member members[] = {
    MEMBER(wide.axes, 'e'),
    MEMBER(boxtree.layout, 'e'),
    MEMBER(boxtree.axes, 'e'),
    MEMBER(boxtree.criterion, 'e'),
    MEMBER(boxtree.growth, 'e'),
    MEMBER(boxtree.planes, 'e'),
    MEMBER(boxtree.trim, 'd'),
    MEMBER(kdop.k, 'e'),
    MEMBER(kdop.split, 'e'),
    MEMBER(kdop.at, 'e'),
    MEMBER(kdop.all_directions, 'b'),
    MEMBER(kdop.estimate, 'b'),
    MEMBER(kdop.leaf, 'e'),
    MEMBER(kdop.tumble, 'e'),
    MEMBER(kdop.hull, 'e'),
    MEMBER(kdop.bare_leaves, 'b'),
    MEMBER(rtree.load, 'e'),
    MEMBER(rtree.width, 'e'),
    MEMBER(boxtree_walk.overlap, 'e'),
    MEMBER(boxtree_walk.direction, 'e'),
    MEMBER(boxtree_walk.descent, 'e'),
    MEMBER(kdop_walk.tumble, 'e'),
    MEMBER(kdop_walk.root, 'e'),
    MEMBER(kdop_walk.traversal, 'e'),
    MEMBER(kdop_walk.mixed, 'e'),
    MEMBER(kdop_walk.epsilon, 'd'),
    MEMBER(rtree_walk.probe, 'e'),
    MEMBER(rtree_walk.whole, 'b'),
    MEMBER(rtree_walk.single, 'b'),
};
#undef MEMBER

static double value_of(const tumble_tuning *tuning, const member *m)
{
    const char *at = (const char *)tuning + m->offset;
    uint32_t number;
    double real;
    bool flag;
    switch (m->type) {
    case 'd': memcpy(&real, at, sizeof real); return real;
    case 'b': memcpy(&flag, at, sizeof flag); return flag;
    default: memcpy(&number, at, sizeof number); return number;
    }
}

void torture_write_tuning(FILE *out, const tumble_tuning *tuning, const char *name)
{
    const tumble_tuning plain = tumble_default_tuning();
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const double value = value_of(tuning, &members[i]);
        if (value != value_of(&plain, &members[i])) {
            fprintf(out, "    %s.%s = ", name, members[i].name);
            torture_write_number(out, value);
            fputs(";\n", out);
        }
    }
}

/* ---- Shapes ---- */

static void write_list(FILE *out, const char *type, char side, const char *name, size_t count)
{
    fprintf(out, "static const %s %s_%c[%zu] = {", type, name, side, count ? count : 1);
}

static void write_points(FILE *out, char side, const torture_shape *shape)
{
    fprintf(out, "static const double points_%c[%zu][3] = {", side, shape->corner_count ? shape->corner_count : 1);
    for (size_t i = 0; i < shape->corner_count; i++) {
        fputs(i ? ",\n    {" : "\n    {", out);
        for (int axis = 0; axis < 3; axis++) {
            fputs(axis ? ", " : "", out);
            torture_write_number(out, shape->corners[i][axis]);
        }
        fputs("}", out);
    }
    fputs(shape->corner_count ? "};\n" : "{0}};\n", out);
}

static void write_shape(FILE *out, char side, const torture_shape *shape)
{
    write_points(out, side, shape);
    write_list(out, "uint32_t", side, "sizes", shape->polygon_count);
    for (size_t i = 0; i < shape->polygon_count; i++) {
        fprintf(out, "%s%u", i ? ", " : "", shape->polygons[i].size);
    }
    fputs(shape->polygon_count ? "};\n" : "0};\n", out);
    write_list(out, "uint32_t", side, "surfaces", shape->polygon_count);
    for (size_t i = 0; i < shape->polygon_count; i++) {
        fprintf(out, "%s%uu", i ? ", " : "", shape->polygons[i].surface);
    }
    fputs(shape->polygon_count ? "};\n\n" : "0};\n\n", out);
}

static const char mesh_function[] =
    "/* Polygons `from` to `to` - 1, each with points of its own. The indices are 0, 1, 2, and so on. */\n"
    "static tumble_mesh mesh_of(const double (*points)[3], const uint32_t *sizes, const uint32_t *surfaces, size_t "
    "from,\n"
    "                           size_t to)\n"
    "{\n"
    "    static uint32_t indices[3600];\n"
    "    size_t first = 0, count = 0;\n"
    "    for (size_t i = 0; i < to; i++) {\n"
    "        first += i < from ? sizes[i] : 0;\n"
    "        count += i < from ? 0 : sizes[i];\n"
    "    }\n"
    "    for (size_t i = 0; i < count; i++) {\n"
    "        indices[i] = (uint32_t)i;\n"
    "    }\n"
    "    tumble_mesh mesh = tumble_default_mesh();\n"
    "    mesh.points = points[0] + 3 * first, mesh.point_count = count, mesh.indices = indices, mesh.index_count = "
    "count;\n"
    "    mesh.polygon_sizes = sizes + from, mesh.polygon_count = to - from, mesh.surface_ids = surfaces + from;\n"
    "    return mesh;\n"
    "}\n\n";

/* ---- Lives ---- */

static void write_options(FILE *out, const torture_recipe *recipe)
{
    static const char *const names[] = {
        [TUMBLE_HIERARCHY_AUTO] = "AUTO", [TUMBLE_HIERARCHY_WIDE] = "WIDE",   [TUMBLE_HIERARCHY_BOXTREE] = "BOXTREE",
        [TUMBLE_HIERARCHY_KDOP] = "KDOP", [TUMBLE_HIERARCHY_RTREE] = "RTREE", [TUMBLE_HIERARCHY_BRUTE] = "BRUTE"};
    fputs("    tumble_model_options options = tumble_default_model_options();\n", out);
    fprintf(out, "    options.hierarchy = TUMBLE_HIERARCHY_%s;\n", names[recipe->hierarchy]);
    if (recipe->tuned) {
        fputs("    tumble_tuning tuning = tumble_default_tuning();\n", out);
        torture_write_tuning(out, &recipe->tuning, "tuning");
        fputs("    options.tuning = &tuning;\n", out);
    }
}

static void write_create(FILE *out, char side, size_t from, size_t to)
{
    fprintf(out, "    tumble_mesh mesh = mesh_of(points_%c, sizes_%c, surfaces_%c, %zu, %zu);\n", side, side, side,
            from, to);
    fputs("    assert_int_equal(tumble_model_create(context, &mesh, &options, &model), TUMBLE_OK);\n", out);
}

static void write_edit(FILE *out, char side, const torture_shape *shape, const torture_recipe *recipe)
{
    const size_t split = recipe->split < shape->polygon_count ? recipe->split : shape->polygon_count;
    write_create(out, side, 0, split);
    for (uint32_t i = 0; i < recipe->guest_count; i++) { /* they get the numbers from `split` on */
        double corners[3][3];
        torture_guest(recipe, i, corners);
        fprintf(out, "    const double guest_%u[3][3] = {", i);
        for (int k = 0; k < 9; k++) {
            fputs(k % 3 ? ", " : k ? "}, {" : "{", out);
            torture_write_number(out, corners[k / 3][k % 3]);
        }
        fprintf(out, "}};\n    const uint32_t surface_%u = %u, size_%u = 3, number_%u = %zu;\n", i, 100 + i, i, i,
                split + i);
        fprintf(out, "    mesh = mesh_of(guest_%u, &size_%u, &surface_%u, 0, 1);\n", i, i, i);
        fputs("    assert_int_equal(tumble_model_insert(model, &mesh, NULL), TUMBLE_OK);\n", out);
    }
    for (uint32_t i = 0; i < recipe->guest_count; i++) {
        fprintf(out, "    assert_int_equal(tumble_model_remove(model, &number_%u, 1), TUMBLE_OK);\n", i);
    }
    if (split < shape->polygon_count) {
        fprintf(out, "    mesh = mesh_of(points_%c, sizes_%c, surfaces_%c, %zu, %zu);\n", side, side, side, split,
                shape->polygon_count);
        fputs("    assert_int_equal(tumble_model_insert(model, &mesh, NULL), TUMBLE_OK);\n", out);
    }
}

static void write_deform(FILE *out, char side, const torture_shape *shape, const torture_recipe *recipe)
{
    fprintf(out, "    static const double rest[%zu][3] = {", shape->corner_count ? shape->corner_count : 1);
    for (size_t i = 0; i < shape->corner_count; i++) {
        double point[3];
        torture_rest_point(recipe, i, point);
        fprintf(out, "%s{", i ? ", " : "");
        for (int axis = 0; axis < 3; axis++) {
            fputs(axis ? ", " : "", out);
            torture_write_number(out, point[axis]);
        }
        fputs("}", out);
    }
    fputs(shape->corner_count ? "};\n" : "{0}};\n", out);
    fputs("    tumble_model *first = NULL;\n", out);
    fprintf(out, "    tumble_mesh mesh = mesh_of(rest, sizes_%c, surfaces_%c, 0, %zu);\n", side, side,
            shape->polygon_count);
    fputs("    assert_int_equal(tumble_model_create(context, &mesh, &options, &first), TUMBLE_OK);\n", out);
    if (recipe->life == TORTURE_REDEFORMED) {
        fputs("    assert_int_equal(tumble_model_deform(first, &mesh, &model), TUMBLE_OK);\n", out);
    }
    fprintf(out, "    mesh = mesh_of(points_%c, sizes_%c, surfaces_%c, 0, %zu);\n", side, side, side,
            shape->polygon_count);
    fputs("    assert_int_equal(tumble_model_deform(first, &mesh, &model), TUMBLE_OK);\n"
          "    tumble_model_destroy(first);\n",
          out);
}

/* What a file holds is the block, so that a copy of that stands for it. */
static void write_block(FILE *out)
{
    fputs("    size_t size;\n"
          "    const void *block = tumble_model_block(model, &size);\n"
          "    tumble_model *copy = NULL;\n"
          "    assert_int_equal(tumble_model_from_block(context, block, size, true, &copy), TUMBLE_OK);\n"
          "    tumble_model_destroy(model);\n"
          "    model = copy;\n",
          out);
}

static void write_life(FILE *out, const torture_case *c, int side, size_t number)
{
    const torture_recipe *recipe = &c->recipes[side][number];
    const torture_shape *shape = &c->shapes[side];
    const char letter = side ? 'b' : 'a';
    fprintf(out, "static tumble_model *make_%c%zu(tumble_context *context)\n{\n", letter, number);
    write_options(out, recipe);
    fputs("    tumble_model *model = NULL;\n", out);
    const torture_life life = recipe->life;
    if (life == TORTURE_EDITED || life == TORTURE_EDITED_SAVED) {
        write_edit(out, letter, shape, recipe);
    } else if (life == TORTURE_DEFORMED || life == TORTURE_REDEFORMED) {
        write_deform(out, letter, shape, recipe);
    } else {
        write_create(out, letter, 0, shape->polygon_count);
    }
    if (life == TORTURE_COPIED || life == TORTURE_IN_PLACE || life == TORTURE_SAVED || life == TORTURE_EDITED_SAVED) {
        write_block(out);
    }
    fputs("    return model;\n}\n\n", out);
}

int torture_uses_recipe(const torture_case *c, int side, size_t recipe)
{
    int used = 0;
    for (size_t i = 0; i < c->question_count; i++) {
        used |= c->questions[i].recipe[side] == recipe;
    }
    return used;
}

void torture_write_models(FILE *out, const torture_case *c)
{
    write_shape(out, 'a', &c->shapes[0]);
    write_shape(out, 'b', &c->shapes[1]);
    fputs(mesh_function, out);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < c->recipe_count[side]; i++) {
            if (torture_uses_recipe(c, side, i)) {
                write_life(out, c, side, i);
            }
        }
    }
}
