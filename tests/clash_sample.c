/* Results of clash runs, made by hand. */
#include "clash_sample.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "models.h"
#include "support.h"

struct clash_sample {
    tumble_clash_result result;
    tumble_model *models[24];
    tumble_assembly_part *parts;
    tumble_clash *clashes;
    tumble_clash_group *groups;
    tumble_clash_rule_view rules[2];
    size_t part_capacity, clash_capacity, text_count, text_capacity;
    char **texts;
    tumble_query *query;
    int failed;
};

static const char *keep_text(clash_sample *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static const char *keep_text(clash_sample *s, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (s->text_count == s->text_capacity) {
        s->text_capacity = 2 * s->text_capacity + 64;
        s->texts = realloc(s->texts, s->text_capacity * sizeof *s->texts);
    }
    char *kept = malloc(strlen(text) + 1);
    strcpy(kept, text);
    s->texts[s->text_count++] = kept;
    return kept;
}

static clash_sample *create(tumble_context *context)
{
    clash_sample *s = calloc(1, sizeof *s);
    s->failed = tumble_query_create(context, &s->query) != TUMBLE_OK;
    s->rules[0] = (tumble_clash_rule_view){.name = "all parts", .severity = TUMBLE_SEVERITY_MAJOR};
    s->rules[1] =
        (tumble_clash_rule_view){.name = "pipes, 40 mm apart", .severity = TUMBLE_SEVERITY_MINOR, .clearance = 40};
    s->result = (tumble_clash_result){
        .complete = true, .metres = 0.001, .up = 3, .rules = s->rules, .rule_count = 2, .seconds = 0.5};
    return s;
}

static uint32_t add_shape(tumble_context *context, clash_sample *s, const char *name, double detail, double second,
                          double size)
{
    const models_shape *shape = models_find_shape(name);
    double values[MODELS_PARAMETERS];
    models_defaults(shape, values);
    if (detail > 0) {
        values[0] = detail;
    }
    if (second > 0) {
        values[1] = second;
    }
    models_mesh mesh = {0};
    shape->make(&mesh, values);
    models_fit(&mesh, size, 0);
    const tumble_mesh view = models_view(&mesh);
    s->failed |= tumble_model_create(context, &view, NULL, &s->models[s->result.model_count]) != TUMBLE_OK;
    models_free(&mesh);
    return (uint32_t)s->result.model_count++;
}

static uint32_t add_box(tumble_context *context, clash_sample *s, double x, double y, double z)
{
    const double lower[3] = {-x / 2, -y / 2, -z / 2}, upper[3] = {x / 2, y / 2, z / 2};
    s->failed |=
        tumble_model_create_box(context, lower, upper, 0, NULL, &s->models[s->result.model_count]) != TUMBLE_OK;
    return (uint32_t)s->result.model_count++;
}

typedef struct place {
    double x, y, z;
    int axis; /* 0, 1, 2: the model's z becomes x, y, z */
} place;

static void add_part(clash_sample *s, uint32_t model, const char *name, const char *tree, const char *class_name,
                     place at)
{
    static const double turns[3][3][3] = {
        {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (s->result.part_count == s->part_capacity) {
        s->part_capacity = 2 * s->part_capacity + 64;
        s->parts = realloc(s->parts, s->part_capacity * sizeof *s->parts);
    }
    tumble_assembly_part part = {.name = name,
                                 .file = "plant.ifc",
                                 .guid = "",
                                 .class_name = class_name,
                                 .material = "steel",
                                 .model = model,
                                 .broken = ""};
    part.path = keep_text(s, "plant/%s/%s", tree, name);
    part.key = keep_text(s, "plant.ifc|%s#%zu", part.path, s->result.part_count);
    const double shift[3] = {at.x, at.y, at.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            part.pose.m[i][k] = turns[at.axis][i][k];
        }
        part.pose.m[i][3] = shift[i];
    }
    s->parts[s->result.part_count++] = part;
}

static tumble_clash *add_clash(clash_sample *s, uint32_t a, uint32_t b)
{
    if (s->result.clash_count == s->clash_capacity) {
        s->clash_capacity = 2 * s->clash_capacity + 64;
        s->clashes = realloc(s->clashes, s->clash_capacity * sizeof *s->clashes);
    }
    tumble_clash *clash = &s->clashes[s->result.clash_count++];
    *clash = (tumble_clash){.severity = TUMBLE_SEVERITY_MAJOR,
                            .a = a,
                            .b = b,
                            .key_a = s->parts[a].key,
                            .key_b = s->parts[b].key,
                            .review = "",
                            .comment = "",
                            .reason = ""};
    uint64_t hash = (uint64_t)a << 32 | b;
    for (int i = 0; i < 2; i++) {
        hash = (hash + 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U;
        hash ^= hash >> 31;
        snprintf(clash->id + 16 * i, 17, "%016llx", (unsigned long long)hash);
    }
    return clash;
}

/* ---- Clashes as the library's answers tell ---- */

static void box_of(const clash_sample *s, uint32_t part, double box[2][3])
{
    tumble_model_info info;
    tumble_model_get_info(s->models[s->parts[part].model], &info);
    for (int corner = 0; corner < 8; corner++) {
        const double point[3] = {corner & 1 ? info.upper[0] : info.lower[0], corner & 2 ? info.upper[1] : info.lower[1],
                                 corner & 4 ? info.upper[2] : info.lower[2]};
        double moved[3];
        tumble_pose_apply(&s->parts[part].pose, point, moved);
        for (int axis = 0; axis < 3; axis++) {
            box[0][axis] = corner ? fmin(box[0][axis], moved[axis]) : moved[axis];
            box[1][axis] = corner ? fmax(box[1][axis], moved[axis]) : moved[axis];
        }
    }
}

/* Moving B so far along an axis parts the boxes. */
static void set_depth(const clash_sample *s, tumble_clash *clash)
{
    double a[2][3], b[2][3];
    box_of(s, clash->a, a);
    box_of(s, clash->b, b);
    clash->has_depth = true;
    clash->depth[1] = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        const double up = a[1][axis] - b[0][axis], down = b[1][axis] - a[0][axis];
        if (fmin(up, down) < clash->depth[1]) {
            clash->depth[1] = fmin(up, down);
            memset(clash->normal, 0, sizeof clash->normal);
            clash->normal[axis] = up < down ? 1 : -1;
        }
    }
}

static void set_curve(clash_sample *s, tumble_clash *clash, const tumble_collide_result *found)
{
    tumble_clash_segment *segments = malloc((size_t)found->contact_count * sizeof *segments + 1);
    for (size_t i = 0; i < found->contact_count; i++) {
        memcpy(segments[i].points, found->contacts[i].points, sizeof segments[i].points);
        for (int k = 0; k < 6; k++) {
            const double value = found->contacts[i].points[k / 3][k % 3];
            clash->box[0][k % 3] = i || k > 2 ? fmin(clash->box[0][k % 3], value) : value;
            clash->box[1][k % 3] = i || k > 2 ? fmax(clash->box[1][k % 3], value) : value;
        }
    }
    clash->segments = segments;
    clash->segment_count = (size_t)found->contact_count;
    clash->contact_count = found->contact_count;
    memcpy(clash->point, found->contacts[0].points[0], sizeof clash->point);
    keep_text(s, " ");
    free(s->texts[s->text_count - 1]);
    s->texts[s->text_count - 1] = (char *)segments; /* freed with the texts */
}

static void set_gap(tumble_clash *clash, const tumble_near *near)
{
    clash->distance = near->distance;
    for (int axis = 0; axis < 3; axis++) {
        clash->nearest[0][axis] = near->point_a[axis];
        clash->nearest[1][axis] = near->point_b[axis];
        clash->point[axis] = (near->point_a[axis] + near->point_b[axis]) / 2;
        clash->normal[axis] = (near->point_b[axis] - near->point_a[axis]) / near->distance;
        clash->box[0][axis] = fmin(near->point_a[axis], near->point_b[axis]);
        clash->box[1][axis] = fmax(near->point_a[axis], near->point_b[axis]);
    }
}

static void compare(clash_sample *s, uint32_t a, uint32_t b)
{
    const tumble_assembly_part *pa = &s->parts[a], *pb = &s->parts[b];
    const tumble_model *ma = s->models[pa->model], *mb = s->models[pb->model];
    tumble_relation_result relation;
    tumble_distance_result near;
    tumble_collide_result found;
    tumble_distance_options within = tumble_default_distance_options();
    tumble_collide_options wanted = tumble_default_collide_options();
    wanted.want_contacts = true;
    within.within = 40;
    s->failed |= tumble_relate(s->query, ma, &pa->pose, mb, &pb->pose, &relation) != TUMBLE_OK;
    s->failed |= tumble_distance(s->query, ma, &pa->pose, mb, &pb->pose, &within, &near) != TUMBLE_OK;
    const int same = pa->model == pb->model && memcmp(&pa->pose, &pb->pose, sizeof pa->pose) == 0;
    if (s->failed || (relation.relation == TUMBLE_RELATION_APART && near.answer != TUMBLE_YES)) {
        return;
    }
    static const tumble_clash_kind kinds[] = {
        [TUMBLE_RELATION_APART] = TUMBLE_CLASH_CLEARANCE,   [TUMBLE_RELATION_TOUCHING] = TUMBLE_CLASH_TOUCHING,
        [TUMBLE_RELATION_CROSSING] = TUMBLE_CLASH_CROSSING, [TUMBLE_RELATION_A_IN_B] = TUMBLE_CLASH_CONTAINED,
        [TUMBLE_RELATION_B_IN_A] = TUMBLE_CLASH_CONTAINED,  [TUMBLE_RELATION_UNDEFINED] = TUMBLE_CLASH_UNDEFINED};
    tumble_clash *clash = add_clash(s, a, b);
    clash->kind = same ? TUMBLE_CLASH_DUPLICATE : kinds[relation.relation];
    clash->inside = relation.relation == TUMBLE_RELATION_A_IN_B   ? 1
                    : relation.relation == TUMBLE_RELATION_B_IN_A ? 2
                                                                  : 0;
    s->failed |= tumble_collide(s->query, ma, &pa->pose, mb, &pb->pose, &wanted, &found) != TUMBLE_OK;
    if (!s->failed && found.contact_count > 0) {
        set_curve(s, clash, &found);
    } else if (near.answer == TUMBLE_YES) {
        set_gap(clash, &near.nearest);
    } else {
        box_of(s, clash->inside == 1 ? a : b, clash->box);
        memcpy(clash->point, clash->box[0], sizeof clash->point);
    }
    if (clash->kind == TUMBLE_CLASH_CROSSING || clash->kind == TUMBLE_CLASH_CONTAINED) {
        set_depth(s, clash);
    }
    if (clash->kind == TUMBLE_CLASH_CLEARANCE) {
        clash->rule = 1;
        clash->severity = TUMBLE_SEVERITY_MINOR;
    } else if (clash->kind == TUMBLE_CLASH_TOUCHING) {
        clash->severity = TUMBLE_SEVERITY_INFO;
    } else if (clash->kind != TUMBLE_CLASH_CROSSING) {
        clash->severity = TUMBLE_SEVERITY_CRITICAL;
    }
}

/* Each part A with its clashes. */
static void make_groups(clash_sample *s)
{
    tumble_clash_result *r = &s->result;
    s->groups = calloc(r->part_count + 1, sizeof *s->groups);
    uint32_t *members = malloc((r->clash_count + 1) * sizeof *members), *next = members;
    for (uint32_t part = 0; part < r->part_count; part++) {
        tumble_clash_group group = {.name = s->parts[part].name, .part = part, .clashes = next};
        for (; group.clash_count + (size_t)(group.clashes - members) < r->clash_count &&
               s->clashes[group.clash_count + (size_t)(group.clashes - members)].a == part;
             group.clash_count++, next++) {
            *next = (uint32_t)(next - members);
            tumble_clash *clash = &s->clashes[*next];
            clash->group = (uint32_t)r->group_count;
            group.severity = clash->severity > group.severity ? clash->severity : group.severity;
        }
        if (group.clash_count) {
            memcpy(group.id, s->clashes[*group.clashes].id, sizeof group.id);
            group.id[0] = 'e';
            s->groups[r->group_count++] = group;
        }
    }
    keep_text(s, " ");
    free(s->texts[s->text_count - 1]);
    s->texts[s->text_count - 1] = (char *)members;
}

static clash_sample *finish(clash_sample *s)
{
    tumble_clash_result *r = &s->result;
    make_groups(s);
    for (size_t i = 0; i < r->clash_count; i++) {
        r->kind_counts[s->clashes[i].kind]++;
        s->rules[s->clashes[i].rule].clash_count++;
    }
    r->parts = s->parts;
    r->models = (const tumble_model *const *)s->models;
    r->clashes = s->clashes;
    r->groups = s->groups;
    if (s->failed) {
        clash_sample_destroy(s);
        return NULL;
    }
    return s;
}

clash_sample *clash_sample_plant(tumble_context *context)
{
    clash_sample *s = create(context);
    const uint32_t slab = add_box(context, s, 6000, 3000, 200), column = add_box(context, s, 200, 200, 2400),
                   beam = add_box(context, s, 160, 240, 5600), cross = add_box(context, s, 120, 160, 2600),
                   pipe = add_shape(context, s, "cylinder", 32, 16, 2800),
                   flange = add_shape(context, s, "torus", 16, 0.25, 420),
                   bolt = add_shape(context, s, "bolt", 16, 0, 300), gear = add_shape(context, s, "gear", 6, 0, 500),
                   box = add_box(context, s, 900, 700, 700), spring = add_shape(context, s, "spring", 8, 0, 700);
    add_part(s, slab, "floor", "ground floor", "IfcSlab", (place){0, 0, -100, 2});
    for (int i = 0; i < 6; i++) {
        add_part(s, column, keep_text(s, "column %d", i + 1), "ground floor/frame", "IfcColumn",
                 (place){-2600 + 2600 * (i % 3), i < 3 ? -1200 : 1200, 1200, 2});
    }
    for (int i = 0; i < 2; i++) {
        add_part(s, beam, keep_text(s, "beam %d", i + 1), "ground floor/frame", "IfcBeam",
                 (place){0, i ? 1200 : -1200, 2520, 0});
    }
    for (int i = 0; i < 5; i++) {
        add_part(s, cross, keep_text(s, "cross beam %d", i + 1), "ground floor/frame", "IfcBeam",
                 (place){-2400 + 1200 * i, 0, 2500, 1});
    }
    for (int i = 0; i < 3; i++) {
        add_part(s, pipe, keep_text(s, "pipe %d", i + 1), "ground floor/heating", "IfcPipeSegment",
                 (place){-900 + 900 * i, -600 + 940 * (i % 2), i == 1 ? 2100 : 1400 - 80 * i, i == 2 ? 1 : 0});
    }
    for (int i = 0; i < 8; i++) {
        add_part(s, bolt, keep_text(s, "bolt %d", i + 1), "ground floor/frame/bolts", "IfcMechanicalFastener",
                 (place){-2400 + 1200 * (i % 4), i < 4 ? -1200 : 1200, 2640, 2});
    }
    add_part(s, flange, "flange 1", "ground floor/heating", "IfcPipeFitting", (place){-1500, -600, 1400, 0});
    add_part(s, flange, "flange 1", "ground floor/heating", "IfcPipeFitting", (place){-1500, -600, 1400, 0});
    add_part(s, box, "gear box", "ground floor/machines", "IfcPump", (place){1800, -500, 350, 2});
    add_part(s, gear, "gear", "ground floor/machines", "IfcPump", (place){1800, -500, 350, 1});
    add_part(s, spring, "spring", "ground floor/machines", "IfcDamper", (place){2220, -500, 900, 2});
    add_part(s, box, "lost & <found>", "store", "", (place){0, 0, 9000, 2});
    s->parts[s->result.part_count - 1].broken = "no polygons";
    s->parts[s->result.part_count - 1].model = UINT32_MAX;
    for (uint32_t a = 0; a < s->result.part_count; a++) {
        for (uint32_t b = a + 1; b < s->result.part_count; b++) {
            s->result.pair_count++;
            if (s->parts[a].model != UINT32_MAX && s->parts[b].model != UINT32_MAX) {
                compare(s, a, b);
            }
        }
    }
    s->result.question_count = s->result.pair_count;
    s->rules[0].pair_count = s->rules[1].pair_count = s->result.pair_count;
    for (size_t i = 0; i < s->result.clash_count && i < 3; i++) {
        s->clashes[i].review = i == 1 ? "approved" : "";
        s->clashes[i].comment = i == 1 ? "Stands on the floor: \"fine\" </script>" : "";
        s->clashes[i].change = TUMBLE_CHANGE_PERSISTENT;
    }
    return finish(s);
}

clash_sample *clash_sample_many(tumble_context *context, uint32_t parts, uint32_t clashes)
{
    static const char *const shapes[] = {"cylinder", "cone", "box", "prism", "sphere"};
    clash_sample *s = create(context);
    test_random random = {7};
    for (int i = 0; i < 20; i++) {
        add_shape(context, s, shapes[i % 5], i % 5 == 2 ? 1 + i / 5 : 5 + i / 5, 0, 600);
    }
    uint32_t side = 1;
    while (side * side * side < parts) {
        side++;
    }
    for (uint32_t i = 0; i < parts; i++) {
        add_part(s, i % 20, keep_text(s, "%s %u", shapes[i % 5], (unsigned)i),
                 keep_text(s, "storey %u", (unsigned)(i / (side * side))), shapes[i % 5],
                 (place){500.0 * (i % side), 500.0 * (i / side % side), 500.0 * (i / side / side), (int)(i % 3)});
    }
    for (uint32_t i = 0; i < clashes; i++) {
        const uint32_t a = (uint32_t)((uint64_t)i * (parts - side - 1) / clashes);
        tumble_clash *clash = add_clash(s, a, a + 1 + (uint32_t)test_random_whole(&random, 0, (int)side - 1));
        snprintf(clash->id, sizeof clash->id, "%024x%08x", 0xabcu, (unsigned)i);
        clash->kind = (tumble_clash_kind)test_random_whole(&random, 0, 5);
        clash->severity = (tumble_severity)test_random_whole(&random, 0, 3);
        clash->change = (tumble_change)test_random_whole(&random, 0, 2);
        clash->has_depth = clash->kind < 2;
        clash->contact_count = (uint64_t)test_random_whole(&random, 1, 1000);
        for (int axis = 0; axis < 3; axis++) {
            const double middle = s->parts[a].pose.m[axis][3];
            clash->point[axis] = middle + test_random_range(&random, -200, 200);
            clash->box[0][axis] = clash->point[axis] - 20;
            clash->box[1][axis] = clash->point[axis] + 20;
        }
        clash->normal[2] = 1;
        clash->depth[0] = clash->has_depth ? test_random_unit(&random) : 0;
        clash->depth[1] = clash->depth[0] * 3;
        clash->distance = clash->kind == TUMBLE_CLASH_CLEARANCE ? test_random_range(&random, 1, 40) : 0;
    }
    s->result.pair_count = s->result.question_count = 3 * (uint64_t)clashes;
    return finish(s);
}

tumble_clash_result *clash_sample_result(clash_sample *sample)
{
    return &sample->result;
}

static void write_clash(cli_json *json, const tumble_clash *c)
{
    cli_json_open_object(json, NULL);
    cli_json_text(json, "id", c->id);
    cli_json_text(json, "kind", tumble_clash_kind_name(c->kind));
    cli_json_whole(json, "a", c->a);
    cli_json_whole(json, "b", c->b);
    cli_json_text(json, "status", *c->review ? c->review : tumble_change_name(c->change));
    cli_json_text(json, "change", tumble_change_name(c->change));
    cli_json_text(json, "review", c->review);
    cli_json_text(json, "comment", c->comment);
    cli_json_point(json, "point", c->point);
    cli_json_close_object(json);
}

int clash_sample_write_json(const clash_sample *sample, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        return 0;
    }
    cli_json json = {.file = file};
    cli_json_open_object(&json, NULL);
    cli_json_whole(&json, "format", 1);
    cli_json_bool(&json, "complete", sample->result.complete);
    cli_json_open_array(&json, "clashes");
    for (size_t i = 0; i < sample->result.clash_count; i++) {
        write_clash(&json, &sample->clashes[i]);
    }
    cli_json_close_array(&json);
    cli_json_close_object(&json);
    return fclose(file) == 0;
}

void clash_sample_destroy(clash_sample *sample)
{
    tumble_query_destroy(sample->query);
    for (size_t i = 0; i < sizeof sample->models / sizeof *sample->models; i++) {
        tumble_model_destroy(sample->models[i]);
    }
    for (size_t i = 0; i < sample->text_count; i++) {
        free(sample->texts[i]);
    }
    free(sample->texts);
    free(sample->parts);
    free(sample->clashes);
    free(sample->groups);
    free(sample);
}
