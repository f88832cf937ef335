/* What 'tumble demo milling' has found, in words or as JSON. */
#include <inttypes.h>

#include "demo_milling.h"
#include "json.h"
#include "report.h"

static int print_gouges(const milling_demo *demo)
{
    cli_table table = {.alignments = "lrrl"};
    cli_table_add(&table, "tool");
    cli_table_add(&table, "from move");
    cli_table_add(&table, "to move");
    cli_table_add(&table, "where");
    for (int i = 0; i < MILLING_TOOLS; i++) {
        const milling_demo_tool *tool = &demo->tools[i];
        for (size_t k = 0; k < tool->gouge_count; k++) {
            const tumble_contact_interval *at = &tool->gouges[k];
            const tumble_pose pose = tumble_path_pose(&demo->path, at->touching_at);
            const double place[3] = {pose.m[0][3], pose.m[1][3], pose.m[2][3]};
            cli_table_add(&table, "%s", tool->name);
            cli_table_add(&table, "%.4f", at->touching_at);
            cli_table_add(&table, "%.4f", at->touching_until);
            cli_table_add(&table, "%s", cli_format_point(place).text);
        }
    }
    return cli_table_print(&table, stdout, 2);
}

static int print_clearances(const milling_demo *demo)
{
    cli_table table = {.alignments = "lrrl"};
    cli_table_add(&table, "tool");
    cli_table_add(&table, "clearance");
    cli_table_add(&table, "at move");
    cli_table_add(&table, "what it is");
    for (int i = 0; i < MILLING_TOOLS; i++) {
        const milling_demo_tool *tool = &demo->tools[i];
        cli_table_add(&table, "%s", tool->name);
        if (tool->least < demo->path.piece_count) {
            cli_table_add(&table, "%.5f", tool->closest[tool->least].lower);
            cli_table_add(&table, "%.4f", (double)tool->least + tool->closest[tool->least].time);
        } else {
            cli_table_add(&table, "none");
            cli_table_add(&table, "-");
        }
        cli_table_add(&table, "%s", tool->what);
    }
    return cli_table_print(&table, stdout, 2);
}

static int print_report(const milling_demo *demo)
{
    printf("A mill follows a path of %s over a die of %s.\n\n",
           cli_format_number_of(demo->path.piece_count, "line or arc", "lines and arcs").text,
           cli_format_number_of(models_triangle_count(&demo->milling.part), "triangle", "triangles").text);
    printf("Where it cuts the die or the clamp; between these times it is proven not to:\n");
    int error = print_gouges(demo);
    printf("How close it comes on all other moves:\n");
    error = error ? error : print_clearances(demo);
    printf("Time to find all gouges:");
    for (int i = 0; i < MILLING_TOOLS; i++) {
        printf(" %s (%s)%s", cli_format_duration(demo->tools[i].seconds).text, demo->tools[i].name,
               i + 1 < MILLING_TOOLS ? "," : ".\n\n");
    }
    cli_demo_print_files(&demo->files);
    return error;
}

static void json_tool(const milling_demo *demo, const milling_demo_tool *tool, cli_json *json)
{
    cli_json_open_object(json, NULL);
    cli_json_text(json, "name", tool->name);
    cli_json_open_array(json, "gouges");
    for (size_t i = 0; i < tool->gouge_count; i++) {
        const tumble_contact_interval *at = &tool->gouges[i];
        cli_json_open_object(json, NULL);
        cli_json_real(json, "free_until", at->free_until);
        cli_json_real(json, "touching_at", at->touching_at);
        cli_json_real(json, "touching_until", at->touching_until);
        cli_json_real(json, "free_from", at->free_from);
        cli_json_pair(json, "pair", at->pair.polygon_a, at->pair.polygon_b);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
    const int some = tool->least < demo->path.piece_count;
    cli_json_real(json, "clearance", some ? tool->closest[tool->least].lower : 0);
    cli_json_real(json, "clearance_at", some ? (double)tool->least + tool->closest[tool->least].time : 0);
    cli_json_real(json, "microseconds", cli_round_time(1e6 * tool->seconds));
    cli_json_close_object(json);
}

static void print_json(const milling_demo *demo)
{
    cli_json json = {.file = stdout};
    cli_json_open_object(&json, NULL);
    cli_json_whole(&json, "moves", demo->path.piece_count);
    cli_json_whole(&json, "triangles", models_triangle_count(&demo->milling.part));
    cli_json_open_array(&json, "tools");
    for (int i = 0; i < MILLING_TOOLS; i++) {
        json_tool(demo, &demo->tools[i], &json);
    }
    cli_json_close_array(&json);
    cli_demo_json_files(&demo->files, &json);
    cli_json_close_object(&json);
}

int cli_demo_milling_report(const milling_demo *demo)
{
    if (demo->settings.output.json) {
        print_json(demo);
        return 0;
    }
    return print_report(demo);
}
