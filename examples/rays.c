/* A depth picture of a ring, a ray per character, and which of its neighbours a watcher sees: closest hits as a batch,
 * then lines of sight. Usage: rays [COLUMNS] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tumble/tumble.h>

#include "shapes.h"

/* A ray for each character, from an eye at (0, -4, 3) that looks at the middle; characters are twice as high as wide.
 */
static void aim(size_t columns, size_t rows, double (*origins)[3], double (*directions)[3])
{
    for (size_t i = 0; i < columns * rows; i++) {
        const double x = 2.0 * ((double)(i % columns) + 0.5) / (double)columns - 1;
        const double y = 1 - 2.0 * ((double)(i / columns) + 0.5) / (double)rows;
        const double origin[3] = {0, -4, 3}, right[3] = {1.2, 0, 0}, up[3] = {0, 0.6, 0.8};
        for (int k = 0; k < 3; k++) {
            origins[i][k] = origin[k];
            directions[i][k] = x * right[k] + y * up[k] - origin[k];
        }
    }
}

static void print_picture(size_t columns, size_t rows, const tumble_ray_hit *hits)
{
    static const char shades[] = "@%#*+=-:.";
    for (size_t i = 0; i < columns * rows; i++) {
        const int shade = (int)(9 * (hits[i].t - 0.72) / 0.45); /* the nearest are darkest */
        putchar(hits[i].polygon == TUMBLE_NO_POLYGON ? ' ' : shades[shade < 0 ? 0 : shade > 8 ? 8 : shade]);
        if ((i + 1) % columns == 0) {
            putchar('\n');
        }
    }
}

static tumble_status draw(tumble_query *query, const tumble_model *ring, size_t columns)
{
    const size_t rows = columns / 3, count = columns * rows;
    double(*origins)[3] = malloc(count * sizeof *origins), (*directions)[3] = malloc(count * sizeof *directions);
    tumble_ray_hit *hits = malloc(count * sizeof *hits);
    tumble_status status = TUMBLE_ERROR_MEMORY;
    if (origins && directions && hits) {
        tumble_ray_batch batch = tumble_default_ray_batch();
        tumble_ray_result result;
        aim(columns, rows, origins, directions);
        batch.count = count, batch.origins = origins[0], batch.directions = directions[0], batch.hits = hits;
        status = tumble_rays(query, ring, NULL, &batch, NULL, &result);
        if (status == TUMBLE_OK) {
            print_picture(columns, rows, hits);
        }
    }
    free(origins);
    free(directions);
    free(hits);
    return status;
}

/* Whether a watcher sees a point: nothing is hit from t = 0, the watcher, to t = 1, the point. */
static tumble_status look(tumble_query *query, const tumble_model *ring, double angle)
{
    const double watcher[3] = {-2, 0, 0}, point[3] = {2 * cos(angle), 2 * sin(angle), 0};
    const double direction[3] = {point[0] - watcher[0], point[1] - watcher[1], point[2] - watcher[2]};
    tumble_ray_options options = tumble_default_ray_options();
    tumble_ray_result result;
    options.mode = TUMBLE_TEST;
    options.t1 = 1;
    const tumble_status status = tumble_ray(query, ring, NULL, watcher, direction, &options, &result);
    if (status == TUMBLE_OK) {
        printf("the point at %3.0f degrees is %s\n", angle * 180 / 3.14159265358979, result.hit ? "hidden" : "seen");
    }
    return status;
}

static int run(tumble_context *context, size_t columns)
{
    tumble_model *ring = NULL;
    tumble_query *query = NULL;
    shape torus;
    if (!make_torus(&torus, 100)) {
        return 1;
    }
    const tumble_mesh mesh = shape_mesh(&torus);
    tumble_status status = tumble_model_create(context, &mesh, NULL, &ring);
    status = status == TUMBLE_OK ? tumble_query_create(context, &query) : status;
    status = status == TUMBLE_OK ? draw(query, ring, columns) : status;
    for (int i = 0; i < 4 && status == TUMBLE_OK; i++) {
        status = look(query, ring, i * 0.7853981633974483);
    }
    tumble_query_destroy(query);
    tumble_model_destroy(ring);
    free_shape(&torus);
    return status != TUMBLE_OK;
}

int main(int argc, char **argv)
{
    const long columns = argc > 1 ? strtol(argv[1], NULL, 10) : 72;
    tumble_context *context;
    if (columns < 3 || columns > 1000 || tumble_context_create(NULL, &context) != TUMBLE_OK) {
        fprintf(stderr, "usage: rays [COLUMNS], from 3 to 1000\n");
        return 2;
    }
    const int failed = run(context, (size_t)columns);
    if (failed) {
        char text[512];
        tumble_last_error(context, text, sizeof text);
        fprintf(stderr, "rays: %s\n", text);
    }
    tumble_context_destroy(context);
    return failed;
}
