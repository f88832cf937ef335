/* What `tumble info` and `tumble build` say about a model. */
#include "model_report.h"

#include "load_options.h"

#include <inttypes.h>

#include "report.h"

static double ratio(uint64_t bytes, uint64_t count)
{
    return count ? (double)bytes / (double)count : 0;
}

/* What the model keeps for being tumbled. */
static const char *kept_word(tumble_kdop_tumble tumble)
{
    switch (tumble) {
    case TUMBLE_KDOP_TUMBLE_LOOKUP: return "lookup";
    case TUMBLE_KDOP_TUMBLE_VERTICES: return "vertices";
    default: return "none";
    }
}

static void json_kdop(cli_json *json, const tumble_model_info *info)
{
    cli_json_open_object(json, "kdop");
    cli_json_whole(json, "k", info->kdop_k);
    cli_json_whole(json, "leaf", info->kdop_leaf);
    cli_json_text(json, "tumble", kept_word(info->kdop_tumble));
    cli_json_whole(json, "vertices", info->kdop_vertex_count);
    cli_json_whole(json, "hull_points", info->kdop_hull_count);
    cli_json_close_object(json);
}

void cli_json_model(cli_json *json, const tumble_model_info *info, const cli_surfaces *surfaces, const cli_frame *frame)
{
    cli_json_whole(json, "polygons", info->polygon_count);
    cli_json_whole(json, "triangles", info->triangle_count);
    cli_json_whole(json, "points", info->point_count);
    cli_json_whole(json, "surfaces", info->surface_count);
    cli_json_text(json, "surfaces_from", cli_surfaces_word(surfaces));
    cli_json_bool(json, "closed", info->closed);
    cli_json_whole(json, "degenerate", info->degenerate_count);
    cli_json_text(json, "coordinates", info->points_are_float ? "float" : "double");
    cli_json_frame(json, frame);
    cli_json_open_object(json, "bounds");
    cli_json_point(json, "lower", info->lower);
    cli_json_point(json, "upper", info->upper);
    cli_json_close_object(json);
    cli_json_text(json, "hierarchy", tumble_hierarchy_name(info->hierarchy));
    if (info->kdop_k) {
        json_kdop(json, info);
    }
    if (info->hierarchy == TUMBLE_HIERARCHY_RTREE) {
        cli_json_open_object(json, "rtree");
        cli_json_text(json, "load", cli_load_word(info->rtree_load));
        cli_json_close_object(json);
    }
    cli_json_whole(json, "nodes", info->node_count);
    cli_json_whole(json, "depth", info->depth);
    cli_json_real(json, "bytes_per_node", ratio(info->hierarchy_bytes, info->node_count));
    cli_json_real(json, "bytes_per_triangle", ratio(info->total_bytes, info->triangle_count));
    cli_json_real(json, "hierarchy_bytes_per_triangle", ratio(info->hierarchy_bytes, info->triangle_count));
    cli_json_real(json, "build_ms", cli_round_time(1e3 * info->build_seconds));
}

static void add_count(cli_table *table, const char *name, uint64_t count, const char *remark)
{
    cli_table_add(table, "%s", name);
    cli_table_add(table, "%s", cli_format_count(count).text);
    cli_table_add(table, "%s", remark);
}

static void add_text(cli_table *table, const char *name, const char *text, const char *remark)
{
    cli_table_add(table, "%s", name);
    cli_table_add(table, "%s", text);
    cli_table_add(table, "%s", remark);
}

static const char *closed_remark(const tumble_model_info *info)
{
    if (info->triangle_count == 0) {
        return "there are no triangles";
    }
    return info->closed ? "every edge has two triangles" : "some edge does not have exactly two triangles";
}

static void add_geometry(cli_table *table, const tumble_model_info *info, const cli_surfaces *surfaces,
                         const cli_frame *frame)
{
    add_count(table, "polygons", info->polygon_count, "");
    add_count(table, "triangles", info->triangle_count, "");
    add_count(table, "degenerate", info->degenerate_count, "triangles without area");
    add_count(table, "points", info->point_count, "");
    add_count(table, "surfaces", info->surface_count, cli_surfaces_remark(surfaces));
    add_text(table, "closed", info->closed ? "yes" : "no", closed_remark(info));
    add_text(table, "coordinates", info->points_are_float ? "float" : "double",
             info->points_are_float ? "all of them are exact so" : "");
    add_text(table, "unit", cli_unit_word(frame).text, frame->metres > 0 ? "" : "the file states none");
    add_text(table, "up", cli_up_word(frame).text, frame->up ? "" : "the file states none");
    add_text(table, "bounds", "from", cli_format_point(info->lower).text);
    add_text(table, "", "to", cli_format_point(info->upper).text);
}

static const char *nodes_remark(const tumble_model_info *info)
{
    switch (info->hierarchy) {
    case TUMBLE_HIERARCHY_RTREE:
    case TUMBLE_HIERARCHY_WIDE: return "without the leaves, which are clusters of triangles";
    case TUMBLE_HIERARCHY_BOXTREE:
    case TUMBLE_HIERARCHY_KDOP: return "with the leaves";
    default: return "";
    }
}

static void add_kdop(cli_table *table, const tumble_model_info *info)
{
    add_count(table, "k", info->kdop_k, "faces of a k-DOP");
    add_count(table, "leaf", info->kdop_leaf, info->kdop_leaf == 1 ? "triangle" : "triangles at most");
    const char *name = "kept"; /* of the first line only */
    if (info->kdop_tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        add_text(table, name, "lookup", "tables for tumbling, of each node");
        name = "";
    } else if (info->kdop_tumble == TUMBLE_KDOP_TUMBLE_VERTICES) {
        add_count(table, name, info->kdop_vertex_count, "vertices of k-DOPs for tumbling");
        name = "";
    }
    if (info->kdop_hull_count) {
        add_count(table, name, info->kdop_hull_count, "points of the convex hull");
        name = "";
    }
    if (*name) {
        add_text(table, name, "nothing", "for tumbling");
    }
}

static void add_hierarchy(cli_table *table, const tumble_model_info *info)
{
    add_text(table, "hierarchy", tumble_hierarchy_name(info->hierarchy), "");
    if (info->kdop_k) {
        add_kdop(table, info);
    }
    if (info->hierarchy == TUMBLE_HIERARCHY_RTREE) {
        add_text(table, "load", cli_load_word(info->rtree_load), "");
    }
    add_count(table, "nodes", info->node_count, nodes_remark(info));
    add_count(table, "depth", info->depth, "edges from the root to the deepest leaf");
    add_text(table, "bytes / node", cli_format_bytes(ratio(info->hierarchy_bytes, info->node_count)).text, "");
    add_text(table, "bytes / triangle", cli_format_bytes(ratio(info->total_bytes, info->triangle_count)).text,
             "everything the model holds");
    add_text(table, "", cli_format_bytes(ratio(info->hierarchy_bytes, info->triangle_count)).text,
             "of these the hierarchy");
    add_text(table, "size", cli_format_bytes((double)info->total_bytes).text, "");
    add_text(table, "build time", info->build_seconds > 0 ? cli_format_duration(info->build_seconds).text : "none",
             info->build_seconds > 0 ? "" : "it was loaded");
}

int cli_print_model(FILE *file, const tumble_model_info *info, const cli_surfaces *surfaces, const cli_frame *frame)
{
    cli_table table = {.alignments = "lll"};
    add_geometry(&table, info, surfaces, frame);
    add_hierarchy(&table, info);
    return cli_table_print(&table, file, 2);
}
