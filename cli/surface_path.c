/* Which surfaces intersect somewhere on a path. */
#include "surface_path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "message.h"
#include "report.h"

void cli_surface_path_free(cli_surface_path *path)
{
    free(path->meetings);
    *path = (cli_surface_path){NULL, 0, 0, 0};
}

static int is_before(const cli_surface_meeting *meeting, const tumble_surface_pair *pair)
{
    return meeting->surface_a != pair->surface_a ? meeting->surface_a < pair->surface_a
                                                 : meeting->surface_b < pair->surface_b;
}

/* Where the pair is, or belongs. */
static size_t find_place(const cli_surface_path *path, const tumble_surface_pair *pair)
{
    size_t low = 0, high = path->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (is_before(&path->meetings[middle], pair)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int make_room(cli_surface_path *path)
{
    cli_surface_meeting *meetings = cli_grow(path->meetings, path->count, &path->capacity, sizeof *meetings);
    if (!meetings) {
        return cli_memory_error("the pairs of surfaces");
    }
    path->meetings = meetings;
    return 0;
}

static int add_pair(cli_surface_path *path, const tumble_surface_pair *pair)
{
    const size_t place = find_place(path, pair);
    cli_surface_meeting *meeting = path->meetings + place;
    if (place < path->count && meeting->surface_a == pair->surface_a && meeting->surface_b == pair->surface_b) {
        meeting->step_count++;
        return 0;
    }
    const int error = make_room(path);
    if (error) {
        return error;
    }
    meeting = path->meetings + place;
    memmove(meeting + 1, meeting, (path->count - place) * sizeof *meeting);
    *meeting = (cli_surface_meeting){pair->surface_a, pair->surface_b, path->step_count, 1};
    path->count++;
    return 0;
}

int cli_surface_path_add(cli_surface_path *path, const cli_collide *collide)
{
    int error = 0;
    for (size_t i = 0; i < collide->surface_count && !error; i++) {
        error = add_pair(path, &collide->surface_pairs[i]);
    }
    path->step_count++;
    return error;
}

/* ---- the table ---- */

static void add_surface(cli_table *table, const cli_surfaces *surfaces, uint32_t surface)
{
    const cli_plain_name name = cli_plain_surface_name(surfaces, surface);
    cli_table_add(table, *name.text ? "%" PRIu32 " (%s)" : "%" PRIu32, surface, name.text);
}

int cli_surface_path_print(const cli_pair_report *report, const cli_surface_path *path)
{
    cli_table table = {.alignments = "llrr"};
    if (path->count == 0 || report->limit == 0) {
        return 0;
    }
    static const char *const titles[] = {"surface of A", "surface of B", "number of steps", "first at step"};
    for (size_t i = 0; i < 4; i++) {
        cli_table_add(&table, "%s", titles[i]);
    }
    const size_t count = path->count < report->limit ? path->count : (size_t)report->limit;
    for (size_t i = 0; i < count; i++) {
        add_surface(&table, &report->two->surfaces[0], path->meetings[i].surface_a);
        add_surface(&table, &report->two->surfaces[1], path->meetings[i].surface_b);
        cli_table_add(&table, "%zu", path->meetings[i].step_count);
        cli_table_add(&table, "%zu", path->meetings[i].first_step);
    }
    fputc('\n', report->file);
    const int error = cli_table_print(&table, report->file, 2);
    if (!error && path->count > count) {
        fprintf(report->file, "  ... and %s: --limit %zu lists them all\n",
                cli_format_number_of(path->count - count, "pair more", "pairs more").text, path->count);
    }
    return error;
}
