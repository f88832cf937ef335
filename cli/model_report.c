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

/* What is known of the model's hierarchy alone. */
typedef struct hierarchy_facts {
    tumble_tuning tuning;
    tumble_kdop_info kdop;
    int is_kdop, is_rtree;
} hierarchy_facts;

static hierarchy_facts facts_of(const tumble_model *model)
{
    hierarchy_facts facts = {.tuning = tumble_default_tuning()};
    (void)tumble_model_get_tuning(model, &facts.tuning);
    (void)tumble_model_get_kdop_info(model, &facts.kdop);
    facts.is_kdop = tumble_model_hierarchy(model) == TUMBLE_HIERARCHY_KDOP && facts.tuning.kdop.k > 0;
    facts.is_rtree = tumble_model_hierarchy(model) == TUMBLE_HIERARCHY_RTREE;
    return facts;
}

static void json_hierarchy(cli_json *json, const hierarchy_facts *facts)
{
    if (facts->is_kdop) {
        const tumble_kdop_options *kdop = &facts->tuning.kdop;
        cli_json_open_object(json, "kdop");
        cli_json_whole(json, "k", kdop->k);
        cli_json_whole(json, "leaf", kdop->leaf);
        cli_json_bool(json, "bare_leaves", kdop->bare_leaves);
        cli_json_text(json, "tumble", kept_word(kdop->tumble));
        cli_json_whole(json, "vertices", facts->kdop.vertex_count);
        cli_json_whole(json, "hull_levels", kdop->hull);
        cli_json_whole(json, "hull_points", facts->kdop.hull_count);
        cli_json_close_object(json);
    }
    if (facts->is_rtree) {
        cli_json_open_object(json, "rtree");
        cli_json_text(json, "load", cli_load_word(facts->tuning.rtree.load));
        cli_json_whole(json, "width", facts->tuning.rtree.width);
        cli_json_close_object(json);
    }
}

void cli_json_model(cli_json *json, const cli_one_model *one)
{
    const tumble_model_info *info = &one->info;
    const hierarchy_facts facts = facts_of(one->model);
    cli_json_whole(json, "polygons", info->polygon_count);
    cli_json_whole(json, "triangles", info->triangle_count);
    cli_json_whole(json, "points", info->point_count);
    cli_json_whole(json, "surfaces", info->surface_count);
    cli_json_text(json, "surfaces_from", cli_surfaces_word(&one->surfaces));
    cli_json_bool(json, "closed", info->closed);
    cli_json_whole(json, "degenerate", info->degenerate_count);
    cli_json_text(json, "coordinates", info->points_are_float ? "float" : "double");
    cli_json_real(json, "radius", info->radius);
    cli_json_bool(json, "flat_ends", info->has_flat_ends);
    cli_json_frame(json, &one->frame);
    cli_json_open_object(json, "bounds");
    cli_json_point(json, "lower", info->lower);
    cli_json_point(json, "upper", info->upper);
    cli_json_close_object(json);
    cli_json_text(json, "hierarchy", tumble_hierarchy_name(info->hierarchy));
    json_hierarchy(json, &facts);
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
    if (info->radius > 0) {
        char text[32];
        snprintf(text, sizeof text, "%.15g", info->radius);
        add_text(table, "radius", text, info->has_radii ? "the largest of the polygons'" : "of all polygons");
        if (info->has_flat_ends) {
            add_text(table, "ends", "flat", "polygons are the axes of cylinders");
        }
    }
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

static const char *leaf_remark(const tumble_kdop_options *kdop)
{
    static const char *const remarks[2][2] = {{"triangles at most", "triangles at most, without k-DOPs"},
                                              {"triangle", "triangle, without a k-DOP"}};
    return remarks[kdop->leaf == 1][kdop->bare_leaves];
}

static void add_kdop(cli_table *table, const hierarchy_facts *facts)
{
    const tumble_kdop_options *kdop = &facts->tuning.kdop;
    add_count(table, "k", kdop->k, "faces of a k-DOP");
    add_count(table, "leaf", kdop->leaf, leaf_remark(kdop));
    const char *name = "kept"; /* of the first line only */
    if (kdop->tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        add_text(table, name, "lookup", "tables for tumbling, of each node");
        name = "";
    } else if (kdop->tumble == TUMBLE_KDOP_TUMBLE_VERTICES) {
        add_count(table, name, facts->kdop.vertex_count, "vertices of k-DOPs for tumbling");
        name = "";
    }
    if (facts->kdop.hull_count) {
        add_count(table, name, facts->kdop.hull_count,
                  kdop->hull == 1 ? "points of the convex hull" : "points of the convex hulls of nodes");
        name = "";
    }
    if (*name) {
        add_text(table, name, "nothing", "for tumbling");
    }
}

static void add_hierarchy(cli_table *table, const tumble_model_info *info, const hierarchy_facts *facts)
{
    add_text(table, "hierarchy", tumble_hierarchy_name(info->hierarchy), "");
    if (facts->is_kdop) {
        add_kdop(table, facts);
    }
    if (facts->is_rtree) {
        add_text(table, "load", cli_load_word(facts->tuning.rtree.load), "");
        add_count(table, "width", facts->tuning.rtree.width, "children of a node at most");
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

int cli_print_model(FILE *file, const cli_one_model *one)
{
    const hierarchy_facts facts = facts_of(one->model);
    cli_table table = {.alignments = "lll"};
    add_geometry(&table, &one->info, &one->surfaces, &one->frame);
    add_hierarchy(&table, &one->info, &facts);
    return cli_table_print(&table, file, 2);
}
