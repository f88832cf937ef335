/* Renders the faces as an image, with several samples per pixel, so that edges are smooth for meshes of any size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "picture_scene.h"

enum {
    PIXELS = 2,              /* image pixels per unit of the drawing, for high-density screens */
    SAMPLES = 2,             /* per pixel and axis */
    FINE = PIXELS * SAMPLES, /* samples per unit and axis */
    BAND = 64,               /* pixel rows rendered at once, to save memory */
    REACH = 2                /* distance in samples of the neighbours that outlines compare */
};

/* ---- colours ---- */

typedef struct colour {
    double channels[3]; /* 0 to 255 */
} colour;

static const colour body_colours[2] = {{{150, 178, 206}}, {{236, 184, 92}}};
static const colour touching_colour = {{196, 26, 62}};

static uint32_t pack(const double channels[3])
{
    uint32_t code = 0;
    for (int k = 0; k < 3; k++) {
        code = code << 8 | (uint32_t)fmin(255, fmax(0, channels[k]));
    }
    return code;
}

static colour surface_colour(int body, int touching)
{
    colour c = body_colours[body];
    for (int k = 0; k < 3 && touching; k++) {
        c.channels[k] += 0.62 * (touching_colour.channels[k] - c.channels[k]);
    }
    return c;
}

uint32_t picture_body_colour(int body, int touching)
{
    return pack(surface_colour(body, touching).channels);
}

/* Dark sides keep some of their colour, light ones tend to white; the backs of open surfaces are greyer. */
static uint32_t face_colour(const picture_face *face)
{
    const double light = (face->light + 0.5) / 256;
    colour c = surface_colour(face->body, face->touching);
    const double grey = (c.channels[0] + c.channels[1] + c.channels[2]) / 3;
    for (int k = 0; k < 3; k++) {
        double *channel = &c.channels[k];
        *channel += face->back ? 0.35 * (0.8 * grey - *channel) : 0;
        *channel =
            light < 0.75 ? *channel * (0.38 + 0.62 * light / 0.75) : *channel + (255 - *channel) * (light - 0.75) * 1.4;
    }
    return pack(c.channels);
}

/* Hatched as in engineering drawings: A and B in different directions, crosswise where both have material. */
uint32_t picture_cap_colour(unsigned bodies, double x, double y)
{
    static const uint32_t paper[4] = {PICTURE_PAPER, 0xe9eff5, 0xfdf3de, 0xf4c2ca};
    static const uint32_t line[4] = {PICTURE_PAPER, 0x6f86a0, 0xa9782a, 0x9c0028};
    const double period = 10, width = 2.2;
    const double across_a = fmod(x + y + 100 * period, period), across_b = fmod(x - y + 1000 * period, period);
    const int on_line = ((bodies & 1) && across_a < width) || ((bodies & 2) && across_b < width);
    return on_line ? line[bodies & 3] : paper[bodies & 3];
}

/* ---- an image ---- */

typedef struct raster {
    const picture_scene *scene;
    const picture_window *window; /* of the drawing */
    picture_window fine;          /* the same, one unit per sample */
    picture_samples samples;
    uint32_t *colours; /* of the faces */
    uint32_t background;
    int outlines;
    cli_image image;
} raster;

/* `row` is relative to the band. */
static uint32_t sample_colour(const raster *r, uint32_t row, uint32_t column)
{
    const picture_samples *s = &r->samples;
    const size_t place = (size_t)row * s->width + column;
    if (s->front[place] == PICTURE_NOTHING) {
        return r->background;
    }
    return s->caps[place] ? picture_cap_colour(s->caps[place], r->window->left + (column + 0.5) / FINE,
                                               r->window->top + (s->first_row + row + 0.5) / FINE)
                          : r->colours[s->front[place]];
}

/* Whether two samples show different models or materials. Depth steps count only if no lines are drawn: lines mark them
 * otherwise. */
static int differs(const raster *r, size_t a, size_t b)
{
    const picture_samples *s = &r->samples;
    const uint32_t front_a = s->front[a], front_b = s->front[b];
    if (front_a == PICTURE_NOTHING || front_b == PICTURE_NOTHING) {
        return r->outlines && front_a != front_b;
    }
    const int far = fabs(s->depth[a] - s->depth[b]) > 8 * REACH / r->fine.scale;
    const int other = r->scene->faces[front_a].body != r->scene->faces[front_b].body || s->caps[a] != s->caps[b];
    return r->outlines ? far || other : other && !far;
}

static int is_outline(const raster *r, size_t place, uint32_t row, uint32_t column)
{
    const uint32_t width = r->samples.width;
    return (column + REACH < width && differs(r, place, place + REACH)) ||
           (row + REACH < r->samples.row_count && differs(r, place, place + (size_t)REACH * width));
}

/* Whether all samples of a pixel, and their neighbours, show the same face or nothing: then one colour will do. */
static int is_plain(const raster *r, uint32_t row, uint32_t column)
{
    enum {
        SIDE = SAMPLES + REACH
    };
    const picture_samples *s = &r->samples;
    const size_t first = (size_t)row * SAMPLES * s->width + (size_t)column * SAMPLES;
    if (column * SAMPLES + SIDE > s->width) {
        return 0;
    }
    for (size_t y = 0; y < SIDE; y++) {
        for (size_t place = first + y * s->width; place < first + y * s->width + SIDE; place++) {
            if (s->front[place] != s->front[first] || s->caps[place]) {
                return 0;
            }
        }
    }
    return 1;
}

static void set_pixel(uint8_t *pixel, uint32_t code)
{
    pixel[0] = (uint8_t)(code >> 16);
    pixel[1] = (uint8_t)(code >> 8);
    pixel[2] = (uint8_t)code;
}

static void make_pixel(const raster *r, uint32_t row, uint32_t column, uint8_t *pixel)
{
    if (is_plain(r, row, column)) {
        set_pixel(pixel, sample_colour(r, row * SAMPLES, column * SAMPLES));
        return;
    }
    uint32_t sums[3] = {0, 0, 0};
    for (uint32_t k = 0; k < SAMPLES * SAMPLES; k++) {
        const uint32_t y = row * SAMPLES + k / SAMPLES, x = column * SAMPLES + k % SAMPLES;
        const size_t place = (size_t)y * r->samples.width + x;
        const uint32_t code = is_outline(r, place, y, x) ? (uint32_t)PICTURE_INK : sample_colour(r, y, x);
        sums[0] += code >> 16;
        sums[1] += code >> 8 & 255;
        sums[2] += code & 255;
    }
    for (int k = 0; k < 3; k++) {
        pixel[k] = (uint8_t)((sums[k] + SAMPLES * SAMPLES / 2) / (SAMPLES * SAMPLES));
    }
}

/* Renders band by band. Each band has REACH extra rows for outlines. */
static void make_pixels(raster *r)
{
    for (uint32_t top = 0; top < r->image.height; top += BAND) {
        picture_take_samples(r->scene, &r->fine, top * SAMPLES, &r->samples);
        const uint32_t rows = r->image.height - top < BAND ? r->image.height - top : BAND;
        for (uint32_t row = 0; row < rows; row++) {
            uint8_t *pixels = r->image.pixels + (size_t)3 * (top + row) * r->image.width;
            for (uint32_t column = 0; column < r->image.width; column++) {
                make_pixel(r, row, column, pixels + 3 * (size_t)column);
            }
        }
    }
}

static int begin(raster *r)
{
    r->fine = *r->window;
    r->fine.width *= FINE;
    r->fine.height *= FINE;
    r->fine.scale *= FINE;
    r->image.width = r->window->width * PIXELS;
    r->image.height = r->window->height * PIXELS;
    r->image.pixels = malloc((size_t)3 * r->image.width * r->image.height);
    r->colours = malloc((r->scene->face_count + 1) * sizeof *r->colours);
    const int room = picture_allocate_samples(&r->samples, &r->fine, BAND * SAMPLES + REACH);
    for (size_t i = 0; i < r->scene->face_count && r->colours; i++) {
        r->colours[i] = face_colour(&r->scene->faces[i]);
    }
    return room && r->samples.front && r->image.pixels && r->colours;
}

/* The part of a window, in whole units, that shows anything. */
static picture_window crop(const picture_scene *scene, const picture_window *window)
{
    const double margin = 2, sizes[2] = {window->width, window->height};
    const picture_bounds b = picture_scene_bounds(scene);
    const double corners[2][3] = {{b.lower[0], b.upper[1], 0}, {b.upper[0], b.lower[1], 0}};
    double at[2][2], first[2], end[2];
    picture_to_window(window, corners[0], at[0]);
    picture_to_window(window, corners[1], at[1]);
    for (int k = 0; k < 2; k++) {
        first[k] = floor(fmin(fmax(at[0][k] - margin, 0), sizes[k] - 1));
        end[k] = ceil(fmax(fmin(at[1][k] + margin, sizes[k]), first[k] + 1));
    }
    picture_window part = *window;
    part.left += first[0];
    part.top += first[1];
    part.width = (uint32_t)(end[0] - first[0]);
    part.height = (uint32_t)(end[1] - first[1]);
    part.centre[0] += ((first[0] + end[0]) / 2 - sizes[0] / 2) / window->scale;
    part.centre[1] -= ((first[1] + end[1]) / 2 - sizes[1] / 2) / window->scale;
    return part;
}

int picture_write_image(FILE *out, const picture_scene *scene, const picture_window *whole, int outlines,
                        uint32_t background)
{
    const picture_window part = crop(scene, whole), *window = &part;
    raster r = {.scene = scene, .window = window, .outlines = outlines, .background = background};
    int done = begin(&r);
    if (done) {
        make_pixels(&r);
        fprintf(out, "<image x=\"%g\" y=\"%g\" width=\"%u\" height=\"%u\" xlink:href=\"data:image/png;base64,",
                window->left, window->top, window->width, window->height);
        done = cli_image_write_base64(out, &r.image);
        fputs("\"/>\n", out);
    }
    picture_release_samples(&r.samples);
    free(r.image.pixels);
    free(r.colours);
    return done;
}
