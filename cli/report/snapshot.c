/* A z-buffer, with four samples a pixel. */
#include "snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "report_shape.h"

enum {
    FINE = 2, /* samples per pixel and axis */
    GROUND = 0xf6f7f8,
    CURVE = 0xb40032,
    THICK = 3 /* half the width of a curve, in samples */
};

typedef struct canvas {
    const snapshot *what;
    uint32_t width, height; /* in samples */
    double scale, near;     /* samples per unit at distance one; nothing nearer is drawn */
    double right[3];
    float *depth; /* 1 / distance */
    uint32_t *colour;
} canvas;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

/* Right, up, away. */
static void look(const canvas *c, const double point[3], double seen[3])
{
    const snapshot_camera *camera = &c->what->camera;
    double from[3];
    for (int i = 0; i < 3; i++) {
        from[i] = point[i] - camera->eye[i];
    }
    seen[0] = dot(from, c->right);
    seen[1] = dot(from, camera->up);
    seen[2] = dot(from, camera->direction);
}

/* Samples across and down, and 1 / distance. */
static void project(const canvas *c, const double seen[3], double at[3])
{
    at[0] = c->width / 2.0 + c->scale * seen[0] / seen[2];
    at[1] = c->height / 2.0 - c->scale * seen[1] / seen[2];
    at[2] = 1 / seen[2];
}

static void range_of(const double *values, int stride, int count, uint32_t most, long range[2])
{
    double lower = INFINITY, upper = -INFINITY;
    for (int i = 0; i < count; i++) {
        lower = fmin(lower, values[i * stride]);
        upper = fmax(upper, values[i * stride]);
    }
    range[0] = (long)fmin(most, fmax(0, ceil(lower - 0.5)));
    range[1] = (long)fmin(most, fmax(0, floor(upper - 0.5) + 1));
}

/* What is linear across a triangle: at a sample's middle, and one sample further. */
typedef struct ramp {
    double across, down, start;
} ramp;

/* The samples of a row for which all shares are at least 0. */
static void clip_row(const ramp shares[3], double y, long columns[2])
{
    for (int k = 0; k < 3; k++) {
        const double left = shares[k].start + shares[k].down * y, cut = -left / shares[k].across;
        if (shares[k].across > 0) {
            columns[0] = cut > (double)columns[0] ? (long)fmin(ceil(cut), (double)columns[1]) : columns[0];
        } else if (shares[k].across < 0) {
            columns[1] = cut < (double)columns[1] ? (long)fmax(floor(cut) + 1, (double)columns[0]) : columns[1];
        } else if (left < 0) {
            columns[1] = columns[0];
        }
    }
}

static void fill(canvas *c, double at[3][3], uint32_t colour)
{
    const double area = (at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) - (at[2][0] - at[0][0]) * (at[1][1] - at[0][1]);
    if (!(fabs(area) > 1e-12)) {
        return;
    }
    ramp shares[3], depth = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const double *p = at[(k + 1) % 3], *q = at[(k + 2) % 3];
        shares[k].across = (p[1] - q[1]) / area;
        shares[k].down = (q[0] - p[0]) / area;
        shares[k].start = shares[k].across * (0.5 - p[0]) + shares[k].down * (0.5 - p[1]);
        depth.across += shares[k].across * at[k][2];
        depth.down += shares[k].down * at[k][2];
        depth.start += shares[k].start * at[k][2];
    }
    long rows[2], all[2];
    range_of(&at[0][0], 3, 3, c->width, all);
    range_of(&at[0][1], 3, 3, c->height, rows);
    for (long y = rows[0]; y < rows[1]; y++) {
        long columns[2] = {all[0], all[1]};
        clip_row(shares, (double)y, columns);
        for (long x = columns[0]; x < columns[1]; x++) {
            const size_t sample = (size_t)y * c->width + (size_t)x;
            const float here = (float)(depth.start + depth.down * (double)y + depth.across * (double)x);
            if (here > c->depth[sample]) {
                c->depth[sample] = here;
                c->colour[sample] = colour;
            }
        }
    }
}

static uint32_t shade(uint32_t colour, double light)
{
    uint32_t out = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        out |= (uint32_t)fmin(255, (colour >> shift & 255) * light) << shift;
    }
    return out;
}

/* The frame (right, up, away) is left-handed: the normals of what faces the viewer point away. What is nearer than the
 * near plane is cut off: a triangle becomes up to two. */
static void draw_triangle(canvas *c, double seen[3][3], const snapshot_part *part)
{
    double u[3], v[3], normal[3];
    for (int i = 0; i < 3; i++) {
        u[i] = seen[1][i] - seen[0][i];
        v[i] = seen[2][i] - seen[0][i];
    }
    cross(u, v, normal);
    const double length = sqrt(dot(normal, normal)), reach = sqrt(dot(seen[0], seen[0]));
    if (!(length > 0) || !(reach > 0) || (part->hollow && dot(normal, seen[0]) > 0)) {
        return;
    }
    const double facing = fabs(dot(normal, seen[0])) / length / reach;
    const double above = fabs(normal[1]) / length;
    const uint32_t shaded = shade(part->colour, 0.4 + 0.4 * facing + 0.25 * above);
    double corners[4][3];
    int count = 0;
    for (int k = 0; k < 3; k++) {
        const double *p = seen[k], *q = seen[(k + 1) % 3];
        if (p[2] >= c->near) {
            project(c, p, corners[count++]);
        }
        if ((p[2] >= c->near) != (q[2] >= c->near)) {
            const double t = (c->near - p[2]) / (q[2] - p[2]);
            const double cut[3] = {p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), c->near};
            project(c, cut, corners[count++]);
        }
    }
    for (int k = 2; k < count; k++) {
        double at[3][3];
        memcpy(at[0], corners[0], sizeof at[0]);
        memcpy(at[1], corners[k - 1], sizeof at[1]);
        memcpy(at[2], corners[k], sizeof at[2]);
        fill(c, at, shaded);
    }
}

static tumble_status draw_part(canvas *c, const snapshot_part *part)
{
    report_shape shape;
    const tumble_status status = report_shape_make(part->model, REPORT_SHAPE_SIDES, &shape);
    for (size_t t = 0; status == TUMBLE_OK && t < shape.count; t++) {
        double seen[3][3];
        for (int k = 0; k < 3; k++) {
            double moved[3];
            tumble_pose_apply(part->pose, shape.corners[t][k], moved);
            look(c, moved, seen[k]);
        }
        draw_triangle(c, seen, part);
    }
    report_shape_release(&shape);
    return status;
}

/* Mixed with what hides it. */
static void dab(canvas *c, double x, double y, double depth)
{
    for (int dy = -THICK; dy <= THICK; dy++) {
        for (int dx = -THICK; dx <= THICK; dx++) {
            const double px = floor(x) + dx, py = floor(y) + dy;
            if (dx * dx + dy * dy > THICK * THICK || px < 0 || py < 0 || px >= c->width || py >= c->height) {
                continue;
            }
            const size_t sample = (size_t)py * c->width + (size_t)px;
            if (depth * 1.02 >= c->depth[sample]) {
                c->colour[sample] = CURVE;
                c->depth[sample] = fmaxf(c->depth[sample], (float)depth);
            } else if ((dx + dy) % 2 == 0 && ((size_t)px + (size_t)py) % 4 < 2) {
                c->colour[sample] = CURVE;
            }
        }
    }
}

static void draw_segment(canvas *c, const tumble_clash_segment *segment)
{
    double seen[2][3], at[2][3];
    for (int k = 0; k < 2; k++) {
        look(c, segment->points[k], seen[k]);
        if (seen[k][2] < c->near) {
            return;
        }
        project(c, seen[k], at[k]);
    }
    const double length = fmin(4.0 * c->width, fmax(fabs(at[1][0] - at[0][0]), fabs(at[1][1] - at[0][1])));
    const int steps = 1 + (int)length;
    for (int i = 0; i <= steps; i++) {
        const double t = (double)i / steps;
        dab(c, at[0][0] + t * (at[1][0] - at[0][0]), at[0][1] + t * (at[1][1] - at[0][1]),
            at[0][2] + t * (at[1][2] - at[0][2]));
    }
}

/* The mean of each pixel's samples. */
static int shrink(const canvas *c, cli_image *image)
{
    image->pixels = malloc((size_t)3 * image->width * image->height);
    for (size_t i = 0; image->pixels && i < (size_t)image->width * image->height; i++) {
        const size_t x = i % image->width * FINE, y = i / image->width * FINE;
        for (int channel = 0; channel < 3; channel++) {
            unsigned sum = FINE * FINE / 2;
            for (size_t k = 0; k < FINE * FINE; k++) {
                sum += c->colour[(y + k / FINE) * c->width + x + k % FINE] >> (16 - 8 * channel) & 255;
            }
            image->pixels[3 * i + (size_t)channel] = (uint8_t)(sum / (FINE * FINE));
        }
    }
    return image->pixels != NULL;
}

static tumble_status draw_all(canvas *c)
{
    const snapshot *what = c->what;
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; i < (size_t)c->width * c->height; i++) {
        c->colour[i] = GROUND;
        c->depth[i] = 0;
    }
    for (size_t i = 0; i < what->part_count && status == TUMBLE_OK; i++) {
        status = draw_part(c, &what->parts[i]);
    }
    for (size_t i = 0; i < what->curve_count && status == TUMBLE_OK; i++) {
        for (size_t k = 0; k < what->curve_sizes[i]; k++) {
            draw_segment(c, &what->curves[i][k]);
        }
    }
    return status;
}

tumble_status snapshot_draw(const snapshot *what, uint8_t **png, size_t *size)
{
    canvas c = {.what = what, .width = FINE * what->width, .height = FINE * what->height};
    cli_image image = {.width = what->width, .height = what->height};
    c.scale = c.height / 2.0 / tan(what->camera.field * 0.00872664625997164788);
    c.near = what->camera.near;
    cross(what->camera.direction, what->camera.up, c.right);
    c.depth = malloc((size_t)c.width * c.height * sizeof *c.depth);
    c.colour = calloc((size_t)c.width * c.height, sizeof *c.colour);
    tumble_status status = c.depth && c.colour ? draw_all(&c) : TUMBLE_ERROR_MEMORY;
    if (status == TUMBLE_OK) {
        *png = shrink(&c, &image) ? cli_image_png(&image, size) : NULL;
        status = *png ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    }
    free(image.pixels);
    free(c.depth);
    free(c.colour);
    return status;
}
