/* What 'tumble nearest' prints and draws. */
#include <math.h>
#include <string.h>

#include "drawing.h"
#include "json.h"
#include "message.h"
#include "nearest.h"
#include "output.h"
#include "picture.h"

static size_t per_point(const cli_nearest_settings *settings, const cli_nearest_run *run)
{
    return (size_t)fmin(settings->count, fmax(1, (double)run->one.info.polygon_count));
}

static int is_found(const tumble_closest *c)
{
    return c->polygon != UINT32_MAX;
}

/* ---- JSON ---- */

static void write_closest(cli_json *json, const tumble_closest *c)
{
    cli_json_open_object(json, NULL);
    cli_json_whole(json, "polygon", c->polygon);
    cli_json_real(json, "distance", c->distance);
    cli_json_real(json, "lower", c->lower);
    cli_json_real(json, "upper", c->upper);
    cli_json_point(json, "point", c->point);
    cli_json_close_object(json);
}

static void write_points(cli_json *json, const cli_nearest_settings *settings, const cli_nearest_run *run)
{
    const size_t each = per_point(settings, run);
    if (settings->is_signed) {
        cli_json_bool(json, "closed", run->closest.closed);
    }
    cli_json_open_array(json, "points");
    for (size_t i = 0; i < run->point_count; i++) {
        cli_json_open_object(json, NULL);
        cli_json_point(json, "point", run->points + 3 * i);
        cli_json_open_array(json, "closest");
        for (size_t k = 0; k < each && is_found(&run->closest.closest[i * each + k]); k++) {
            write_closest(json, &run->closest.closest[i * each + k]);
        }
        cli_json_close_array(json);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
}

static void write_overlap(cli_json *json, const cli_nearest_settings *settings, const cli_nearest_run *run)
{
    const tumble_overlap_result *o = &run->overlap;
    cli_json_bool(json, "overlap", o->overlap);
    if (settings->mode >= TUMBLE_COUNT) {
        cli_json_whole(json, "polygon_count", o->polygon_count);
    }
    if (settings->mode == TUMBLE_FIRST || settings->mode == TUMBLE_ALL) {
        cli_json_open_array(json, "polygons");
        for (size_t i = 0; i < o->polygon_count; i++) {
            cli_json_whole(json, NULL, o->polygons[i]);
        }
        cli_json_close_array(json);
    }
}

static void report_json(const cli_nearest_settings *settings, const cli_nearest_run *run, FILE *file)
{
    cli_json json = {.file = file};
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "file", run->one.file);
    (cli_nearest_is_shape(settings) ? write_overlap : write_points)(&json, settings, run);
    cli_json_close_object(&json);
}

/* ---- Text ---- */

static void print_closest(FILE *file, const tumble_closest *c)
{
    char numbers[4][32];
    cli_format_real(numbers[0], sizeof numbers[0], c->distance);
    for (int k = 0; k < 3; k++) {
        cli_format_real(numbers[1 + k], sizeof numbers[1 + k], c->point[k]);
    }
    fprintf(file, "polygon %u at distance %s, point %s %s %s\n", c->polygon, numbers[0], numbers[1], numbers[2],
            numbers[3]);
}

static void print_points(const cli_nearest_settings *settings, const cli_nearest_run *run, FILE *file)
{
    const size_t each = per_point(settings, run);
    for (size_t i = 0; i < run->point_count; i++) {
        const tumble_closest *closest = run->closest.closest + i * each;
        if (run->point_count > 1) {
            fprintf(file, "point %zu: ", i);
        }
        if (!is_found(closest)) {
            fputs("nothing is that near\n", file);
        }
        for (size_t k = 0; k < each && is_found(&closest[k]); k++) {
            fputs(k > 0 && run->point_count > 1 ? "    " : "", file);
            print_closest(file, &closest[k]);
        }
    }
}

static void print_overlap(const cli_nearest_settings *settings, const cli_nearest_run *run, FILE *file)
{
    const tumble_overlap_result *o = &run->overlap;
    const char *shape = settings->box ? "box" : "ball";
    if (!o->overlap) {
        fprintf(file, "nothing meets the %s\n", shape);
    } else if (settings->mode == TUMBLE_TEST) {
        fprintf(file, "the model meets the %s\n", shape);
    } else if (settings->mode == TUMBLE_COUNT) {
        fprintf(file, "%llu polygon%s the %s\n", (unsigned long long)o->polygon_count,
                o->polygon_count == 1 ? " meets" : "s meet", shape);
    }
    for (size_t i = 0; o->polygons && i < o->polygon_count; i++) {
        fprintf(file, "polygon %u\n", o->polygons[i]);
    }
}

int cli_nearest_report(const cli_nearest_settings *settings, const cli_nearest_run *run)
{
    cli_output output;
    const int error = cli_output_open(&output, settings->output.file);
    if (error) {
        return error;
    }
    if (settings->output.json) {
        report_json(settings, run, output.file);
    } else {
        (cli_nearest_is_shape(settings) ? print_overlap : print_points)(settings, run, output.file);
    }
    tumble_model_info info;
    const int is_known = tumble_model_get_info(run->one.model, &info) == TUMBLE_OK;
    if (settings->is_signed && !run->closest.closed && is_known && !(info.radius > 0)) {
        cli_warning("%s is open: it has no inside, and no distance is negative; close it, or leave --signed out",
                    run->one.name);
    }
    return cli_output_close(&output);
}

/* ---- The picture ---- */

typedef struct nearest_drawing {
    const cli_nearest_run *run;
    tumble_model *mark; /* a small tetrahedron at the point */
} nearest_drawing;

static tumble_status make_mark(const cli_nearest_run *run, tumble_model **out)
{
    static const double corners[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const uint32_t indices[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    const tumble_model_info *info = &run->one.info;
    double points[4][3], size = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, 0.01 * (info->upper[k] - info->lower[k]));
    }
    for (int i = 0; i < 12; i++) {
        points[i / 3][i % 3] = run->points[i % 3] + size * corners[i / 3][i % 3];
    }
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points[0], mesh.point_count = 4, mesh.indices = indices, mesh.index_count = 12;
    return tumble_model_create(run->one.context, &mesh, NULL, out);
}

static int draw(void *user, FILE *file)
{
    const nearest_drawing *d = user;
    const tumble_closest *closest = &d->run->closest.closest[0];
    char caption[160];
    tumble_contact way = {.polygon_a = closest->polygon, .apart = 1};
    memcpy(way.points[0], closest->point, sizeof way.points[0]);
    memcpy(way.points[1], d->run->points, sizeof way.points[1]);
    snprintf(caption, sizeof caption, is_found(closest) ? "polygon %u is at distance %.6g" : "nothing is that near",
             closest->polygon, closest->distance);
    const char *slash = strrchr(d->run->one.name, '/');
    const cli_picture picture = {.a = d->run->one.model,
                                 .b = d->mark,
                                 .contacts = &way,
                                 .contact_count = is_found(closest) ? 1 : 0,
                                 .subject = CLI_PICTURE_GAP,
                                 .distance = "the shortest way",
                                 .title = "The closest point of a model",
                                 .caption = caption,
                                 .name_a = slash ? slash + 1 : d->run->one.name,
                                 .name_b = "the point"};
    const tumble_status status = cli_picture_write(file, &picture);
    return status == TUMBLE_OK ? 0 : cli_library_error(d->run->one.context, status, "--picture");
}

int cli_nearest_draw(const cli_nearest_settings *settings, const cli_nearest_run *run)
{
    nearest_drawing d = {.run = run};
    const tumble_status status = make_mark(run, &d.mark);
    if (status != TUMBLE_OK) {
        return cli_library_error(run->one.context, status, "--picture");
    }
    const int error = cli_drawing_write(settings->picture, draw, &d);
    tumble_model_destroy(d.mark);
    return error;
}
