/* What 'tumble ray' says and draws. */
#include <math.h>
#include <string.h>

#include "drawing.h"
#include "json.h"
#include "message.h"
#include "output.h"
#include "picture.h"
#include "ray.h"

static const char *side_word(tumble_side side)
{
    return side == TUMBLE_SIDE_FRONT ? "front" : side == TUMBLE_SIDE_BACK ? "back" : "edge-on";
}

/* The hits of ray i that are listed; those of all rays follow each other. */
static size_t hits_of(const cli_ray_settings *settings, const cli_ray_run *run, size_t i, size_t *next,
                      const tumble_ray_hit **hits)
{
    if (settings->mode == TUMBLE_ALL) {
        *hits = run->result.hits + *next;
        *next += (size_t)run->hit_counts[i];
        return (size_t)run->hit_counts[i];
    }
    *hits = &run->closest[i];
    return settings->mode == TUMBLE_FIRST && run->hit_counts[i] > 0;
}

/* ---- JSON ---- */

static void write_hit(cli_json *json, const tumble_ray_hit *hit)
{
    cli_json_open_object(json, NULL);
    cli_json_whole(json, "polygon", hit->polygon);
    cli_json_real(json, "t", hit->t);
    cli_json_text(json, "side", side_word(hit->side));
    cli_json_point(json, "point", hit->point);
    cli_json_close_object(json);
}

static void write_rays(const cli_ray_settings *settings, const cli_ray_run *run, cli_json *json)
{
    size_t next = 0;
    cli_json_bool(json, "hit", run->result.hit);
    cli_json_whole(json, "hit_count", run->result.hit_count);
    cli_json_open_array(json, "rays");
    for (size_t i = 0; i < run->rays.count; i++) {
        const tumble_ray_hit *hits;
        const size_t count = hits_of(settings, run, i, &next, &hits);
        cli_json_open_object(json, NULL);
        cli_json_point(json, "origin", run->rays.origins + 3 * i);
        cli_json_point(json, "direction", run->rays.directions + 3 * i);
        cli_json_whole(json, "hit_count", run->hit_counts[i]);
        if (settings->mode == TUMBLE_FIRST || settings->mode == TUMBLE_ALL) {
            cli_json_open_array(json, "hits");
            for (size_t k = 0; k < count; k++) {
                write_hit(json, &hits[k]);
            }
            cli_json_close_array(json);
        }
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
}

static void report_json(const cli_ray_settings *settings, const cli_ray_run *run, FILE *file)
{
    cli_json json = {.file = file};
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "file", run->one.file);
    if (settings->inside) {
        cli_json_point(&json, "point", run->point);
        cli_json_text(&json, "place", tumble_place_name(run->answer.place));
        if (run->answer.place == TUMBLE_PLACE_ON_SURFACE) {
            cli_json_whole(&json, "polygon", run->answer.polygon);
        } else if (settings->rule == TUMBLE_INSIDE_WINDING && run->answer.place != TUMBLE_PLACE_UNDEFINED) {
            cli_json_real(&json, "winding", run->answer.winding);
        }
    } else {
        write_rays(settings, run, &json);
    }
    cli_json_close_object(&json);
}

/* ---- Text ---- */

static void print_hit(FILE *file, const tumble_ray_hit *hit)
{
    char numbers[4][32];
    cli_format_real(numbers[0], sizeof numbers[0], hit->t);
    for (int k = 0; k < 3; k++) {
        cli_format_real(numbers[1 + k], sizeof numbers[0], hit->point[k]);
    }
    fprintf(file, "polygon %u at t = %s, %s, point %s %s %s\n", hit->polygon, numbers[0], side_word(hit->side),
            numbers[1], numbers[2], numbers[3]);
}

static void print_rays(const cli_ray_settings *settings, const cli_ray_run *run, FILE *file)
{
    size_t next = 0;
    for (size_t i = 0; i < run->rays.count; i++) {
        const tumble_ray_hit *hits;
        const size_t count = hits_of(settings, run, i, &next, &hits);
        if (run->rays.count > 1) {
            fprintf(file, "ray %zu: ", i);
        }
        if (run->hit_counts[i] == 0) {
            fputs("hits nothing\n", file);
        } else if (settings->mode == TUMBLE_TEST) {
            fputs("hits the model\n", file);
        } else if (settings->mode == TUMBLE_COUNT) {
            fprintf(file, "hits %llu polygon%s\n", (unsigned long long)run->hit_counts[i],
                    run->hit_counts[i] == 1 ? "" : "s");
        }
        for (size_t k = 0; k < count; k++) {
            fputs(k > 0 && run->rays.count > 1 ? "    " : "", file);
            print_hit(file, &hits[k]);
        }
    }
}

static void print_place(const cli_ray_settings *settings, const cli_ray_run *run, FILE *file)
{
    switch (run->answer.place) {
    case TUMBLE_PLACE_ON_SURFACE: fprintf(file, "on the surface: polygon %u\n", run->answer.polygon); break;
    case TUMBLE_PLACE_UNDEFINED: fputs("not on the surface; the model is open: it has no inside\n", file); break;
    default:
        fputs(tumble_place_name(run->answer.place), file);
        if (settings->rule == TUMBLE_INSIDE_WINDING) {
            fprintf(file, ", winding number %d", (int)run->answer.winding);
        }
        fputc('\n', file);
    }
}

int cli_ray_report(const cli_ray_settings *settings, const cli_ray_run *run)
{
    cli_output output;
    const int error = cli_output_open(&output, settings->output.file);
    if (error) {
        return error;
    }
    if (settings->output.json) {
        report_json(settings, run, output.file);
    } else if (settings->inside) {
        print_place(settings, run, output.file);
    } else {
        print_rays(settings, run, output.file);
    }
    return cli_output_close(&output);
}

/* ---- The picture ---- */

typedef struct ray_drawing {
    const cli_ray_settings *settings;
    const cli_ray_run *run;
    tumble_model *mark; /* a small tetrahedron at the origin of the ray */
} ray_drawing;

static tumble_status make_mark(const cli_ray_run *run, tumble_model **out)
{
    static const double corners[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const uint32_t indices[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    const tumble_model_info *info = &run->one.info;
    double points[4][3], size = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, 0.01 * (info->upper[k] - info->lower[k]));
    }
    for (int i = 0; i < 12; i++) {
        points[i / 3][i % 3] = run->rays.origins[i % 3] + size * corners[i / 3][i % 3];
    }
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points[0], mesh.point_count = 4, mesh.indices = indices, mesh.index_count = 12;
    return tumble_model_create(run->one.context, &mesh, NULL, out);
}

static int draw(void *user, FILE *file)
{
    const ray_drawing *d = user;
    const tumble_ray_hit *hit = &d->run->closest[0];
    const int is_hit = hit->polygon != TUMBLE_NO_POLYGON && d->settings->mode != TUMBLE_TEST;
    char caption[160];
    tumble_contact way = {.polygon_a = hit->polygon, .apart = 1};
    memcpy(way.points[0], d->run->rays.origins, sizeof way.points[0]);
    memcpy(way.points[1], hit->point, sizeof way.points[1]);
    snprintf(caption, sizeof caption, is_hit ? "the ray hits polygon %u at t = %.6g" : "the ray hits nothing",
             hit->polygon, hit->t);
    const cli_picture picture = {.a = d->run->one.model,
                                 .b = d->mark,
                                 .contacts = &way,
                                 .contact_count = is_hit ? 1 : 0,
                                 .subject = CLI_PICTURE_GAP,
                                 .distance = "the way of the ray",
                                 .title = "Where a ray hits a model",
                                 .caption = caption,
                                 .name_a = d->run->one.name,
                                 .name_b = "origin of the ray"};
    const tumble_status status = cli_picture_write(file, &picture);
    return status == TUMBLE_OK ? 0 : cli_library_error(d->run->one.context, status, "--picture");
}

int cli_ray_draw(const cli_ray_settings *settings, const cli_ray_run *run)
{
    ray_drawing d = {.settings = settings, .run = run};
    const tumble_status status = make_mark(run, &d.mark);
    if (status != TUMBLE_OK) {
        return cli_library_error(run->one.context, status, "--picture");
    }
    const int error = cli_drawing_write(settings->picture, draw, &d);
    tumble_model_destroy(d.mark);
    return error;
}
