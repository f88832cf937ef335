/* What 'tumble demo scene' has found, in words or as JSON. */
#include <inttypes.h>

#include "demo_scene.h"
#include "json.h"
#include "poses.h"
#include "report.h"
#include "world_files.h"

static const char *name_of(const scene_demo *demo, size_t object)
{
    return demo->world.objects[object].name;
}

static int print_touches(const scene_demo *demo)
{
    cli_table table = {.alignments = "lll"};
    for (size_t i = 0; i < demo->touch_count; i++) {
        const scene_demo_touch *touch = &demo->touches[i];
        cli_table_add(&table, "%s", name_of(demo, touch->a));
        cli_table_add(&table, "%s", name_of(demo, touch->b));
        cli_table_add(&table, touch->first == touch->last ? "step %zu" : "steps %zu to %zu", touch->first, touch->last);
    }
    return cli_table_print(&table, stdout, 2);
}

static int print_contacts(const scene_demo *demo)
{
    if (demo->touch_count == 0) {
        printf("Nothing touches.\n");
        return 0;
    }
    const scene_demo_touch *first = &demo->touches[0];
    const tumble_contact *contact = &demo->first_contact;
    printf("The first contact is at step %zu: the %s touches the %s at the point %s.\n", first->first,
           name_of(demo, first->a), name_of(demo, first->b), cli_format_point(contact->points[0]).text);
    printf("  polygons: %" PRIu32 " of the %s, %" PRIu32 " of the %s\n", contact->polygon_a, name_of(demo, first->a),
           contact->polygon_b, name_of(demo, first->b));
    printf("All contacts:\n");
    return print_touches(demo);
}

static void print_command(const scene_demo *demo, const char *title, const char *options)
{
    printf("\n%s:\n ", title);
    cli_print_quoted(demo->program, "");
    printf(" scene");
    cli_print_quoted(demo->files.folder, "/cell/" CLI_WORLD_SCENE);
    printf(" --steps");
    cli_print_quoted(demo->files.folder, "/cell/" CLI_WORLD_STEPS);
    printf("%s\n", options);
}

static int print_report(const scene_demo *demo)
{
    const uint64_t objects = demo->world.object_count;
    printf("An arm carries a part through its cell: %s (%s), of which %zu move, in %s.\n\n",
           cli_format_number_of(objects, "object", "objects").text,
           cli_format_number_of(models_world_triangles(&demo->world), "triangle", "triangles").text, demo->moving_count,
           cli_format_number_of(demo->world.step_count, "step", "steps").text);
    const int error = print_contacts(demo);
    printf("Candidates: at most %s of %s of objects.\n", cli_format_count(demo->most_candidates).text,
           cli_format_number_of(objects * (objects - 1) / 2, "pair", "pairs").text);
    printf("Time of a step that moves the objects and finds all pairs that touch: %s in the middle, %s at worst.\n\n",
           cli_format_duration(demo->median_time).text, cli_format_duration(demo->worst_time).text);
    cli_demo_print_files(&demo->files);
    print_command(demo, "The same by hand", "");
    print_command(demo, "What comes closer than 3", " --clearance 3 --ignore-initial");
    return error;
}

static void json_first_contact(const scene_demo *demo, cli_json *json)
{
    if (demo->touch_count == 0) {
        cli_json_null(json, "first_contact");
        return;
    }
    const scene_demo_touch *first = &demo->touches[0];
    cli_json_open_object(json, "first_contact");
    cli_json_whole(json, "step", first->first);
    cli_json_text(json, "a", name_of(demo, first->a));
    cli_json_text(json, "b", name_of(demo, first->b));
    cli_json_pair(json, "polygons", demo->first_contact.polygon_a, demo->first_contact.polygon_b);
    cli_json_point(json, "point", demo->first_contact.points[0]);
    cli_json_close_object(json);
}

static void json_touches(const scene_demo *demo, cli_json *json)
{
    cli_json_open_array(json, "contacts");
    for (size_t i = 0; i < demo->touch_count; i++) {
        const scene_demo_touch *touch = &demo->touches[i];
        cli_json_open_object(json, NULL);
        cli_json_text(json, "a", name_of(demo, touch->a));
        cli_json_text(json, "b", name_of(demo, touch->b));
        cli_json_whole(json, "first_step", touch->first);
        cli_json_whole(json, "last_step", touch->last);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
}

static void print_json(const scene_demo *demo)
{
    cli_json json = {.file = stdout};
    cli_json_open_object(&json, NULL);
    cli_json_whole(&json, "steps", demo->world.step_count);
    cli_json_whole(&json, "objects", demo->world.object_count);
    cli_json_whole(&json, "moving", demo->moving_count);
    cli_json_whole(&json, "triangles", models_world_triangles(&demo->world));
    json_first_contact(demo, &json);
    json_touches(demo, &json);
    cli_json_whole(&json, "most_candidates", demo->most_candidates);
    cli_json_real(&json, "median_microseconds", cli_round_time(1e6 * demo->median_time));
    cli_json_real(&json, "worst_microseconds", cli_round_time(1e6 * demo->worst_time));
    cli_demo_json_files(&demo->files, &json);
    cli_json_close_object(&json);
}

int cli_demo_scene_report(const scene_demo *demo)
{
    if (demo->settings.output.json) {
        print_json(demo);
        return 0;
    }
    return print_report(demo);
}
