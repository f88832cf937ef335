/* The drawing: layout, colours and SVG. */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture_scene.h"

enum {
    DRAWING_WIDTH = 1600,
    DRAWING_HEIGHT = 1200,
    MOST_FACES = 25000,
    MOST_LINES = 25000,
    MOSAIC = 2,
    SHADES = 32
};

static const picture_window main_window = {.left = 30, .top = 120, .width = 1060, .height = 1030};

/* The enlargement: a round window. */
static const picture_window detail_window = {.left = 1090, .top = 150, .width = 480, .height = 480};

#define FONT "font-family=\"DejaVu Sans, Liberation Sans, Helvetica, Arial, sans-serif\""
#define CONTACT_COLOUR "#d4002a"

/* ---- Colours ---- */

typedef struct colour {
    double channels[3]; /* 0 to 255 */
} colour;

static const colour body_colours[2] = {{{168, 186, 204}}, {{226, 178, 108}}};
static const colour touching_colour = {{226, 70, 70}};

enum {
    FILLS = 1 + 4 * SHADES,
    EMPTY_FILL = FILLS
};

/* Number of a face's fill: equal numbers look the same. */
static uint32_t fill_number(const picture_face *face)
{
    if (face->inside) {
        return 0;
    }
    return 1 + (uint32_t)face->light * SHADES / 256 + SHADES * (face->body + 2u * face->touching);
}

static void print_fill(FILE *out, uint32_t number)
{
    if (number == 0) {
        fputs("url(#cut)", out);
        return;
    }
    const uint32_t shade = (number - 1) % SHADES, kind = (number - 1) / SHADES;
    const double light = (shade + 0.5) / SHADES;
    uint32_t code = 0;
    for (int k = 0; k < 3; k++) {
        double channel = body_colours[kind % 2].channels[k];
        channel += kind >= 2 ? 0.6 * (touching_colour.channels[k] - channel) : 0;
        channel =
            light < 0.75 ? channel * (0.3 + 0.7 * light / 0.75) : channel + (255 - channel) * (light - 0.75) * 1.4;
        code = code << 8 | (uint32_t)fmin(255, channel);
    }
    fprintf(out, "#%06x", code);
}

/* Fills as classes: their names are shorter than colours. */
static void write_fills(FILE *out)
{
    fputs("<style>\n", out);
    for (uint32_t fill = 0; fill < FILLS; fill++) {
        fprintf(out, ".f%u{fill:", fill);
        print_fill(out, fill);
        fputs(";stroke:", out);
        print_fill(out, fill);
        fputs("}\n", out);
    }
    fputs("</style>\n", out);
}

/* ---- Numbers and text ---- */

/* In tenths of a unit, without a needless point or zero. */
static void print_tenths(FILE *out, long tenths, int first)
{
    const long size = labs(tenths);
    if (!first && tenths >= 0) {
        fputc(' ', out);
    }
    fprintf(out, "%s", tenths < 0 ? "-" : "");
    if (size % 10 == 0) {
        fprintf(out, "%ld", size / 10);
    } else if (size < 10) {
        fprintf(out, ".%ld", size);
    } else {
        fprintf(out, "%ld.%ld", size / 10, size % 10);
    }
}

static void print_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        default: fputc((unsigned char)*text < ' ' ? ' ' : *text, out); break;
        }
    }
}

static void write_text(FILE *out, double x, double y, double size, const char *attributes, const char *text)
{
    fprintf(out, "<text x=\"%g\" y=\"%g\" font-size=\"%g\" " FONT " %s>", x, y, size, attributes);
    print_text(out, text);
    fputs("</text>\n", out);
}

/* ---- Faces ---- */

/* Where a point is in the drawing, in tenths. */
static void to_tenths(const picture_window *window, const double seen[3], long tenths[2])
{
    double at[2];
    picture_to_window(window, seen, at);
    tenths[0] = lround(10 * fmin(1e5, fmax(-1e5, at[0] + window->left)));
    tenths[1] = lround(10 * fmin(1e5, fmax(-1e5, at[1] + window->top)));
}

typedef struct painter {
    FILE *out;
    const picture_window *window;
    uint32_t fill;
    int open;
} painter;

/* A path for all pieces of one fill. Its hairline of the same colour closes the seams that smooth edges leave. */
static void use_fill(painter *p, uint32_t fill)
{
    if (p->open && p->fill == fill) {
        return;
    }
    if (p->open) {
        fputs("\"/>\n", p->out);
    }
    p->open = 1;
    p->fill = fill;
    fprintf(p->out, "<path class=\"f%u\" d=\"", fill);
}

static void end_fill(painter *p)
{
    if (p->open) {
        fputs("\"/>\n", p->out);
    }
    p->open = 0;
}

static void paint_face(painter *p, const picture_face *face)
{
    long last[2], here[2];
    to_tenths(p->window, face->corners[0], last);
    use_fill(p, fill_number(face));
    fputc('M', p->out);
    print_tenths(p->out, last[0], 1);
    print_tenths(p->out, last[1], 0);
    fputc('l', p->out);
    for (int k = 1; k < face->corner_count; k++) {
        to_tenths(p->window, face->corners[k], here);
        print_tenths(p->out, here[0] - last[0], k == 1);
        print_tenths(p->out, here[1] - last[1], 0);
        memcpy(last, here, sizeof last);
    }
    fputc('z', p->out);
}

static uint32_t fill_at(const picture_scene *scene, uint32_t front)
{
    return front == PICTURE_NOTHING ? EMPTY_FILL : fill_number(&scene->faces[front]);
}

/* The squares of one fill: runs of them in each row. */
static void paint_squares(painter *p, const picture_scene *scene, const picture_visible *visible, uint32_t fill)
{
    for (uint32_t y = MOSAIC / 2; y < p->window->height; y += MOSAIC) {
        const uint32_t *row = &visible->front[(size_t)y * p->window->width];
        for (uint32_t x = MOSAIC / 2; x < p->window->width; x += MOSAIC) {
            const uint32_t start = x;
            while (x < p->window->width && fill_at(scene, row[x]) == fill) {
                x += MOSAIC;
            }
            if (x > start) {
                use_fill(p, fill);
                fprintf(p->out, "M%g %gh%uv%dh-%uz", p->window->left + start - MOSAIC / 2.0,
                        p->window->top + y - MOSAIC / 2.0, x - start, MOSAIC, x - start);
            }
        }
    }
}

/* Models with more visible faces than a drawing should have are painted as small squares instead, fill by fill, because
 * a change of fill takes more room than a square. */
static void paint_mosaic(painter *p, const picture_scene *scene, const picture_visible *visible)
{
    for (uint32_t fill = 0; fill < FILLS; fill++) {
        paint_squares(p, scene, visible, fill);
    }
}

/* ---- Lines ---- */

typedef struct line_pen {
    FILE *out;
    const picture_window *window;
    size_t part_count;
} line_pen;

static void count_part(void *user, const picture_edge *edge, double from, double to)
{
    line_pen *pen = user;
    (void)edge;
    (void)from;
    (void)to;
    pen->part_count++;
}

static void draw_part(void *user, const picture_edge *edge, double from, double to)
{
    const line_pen *pen = user;
    long ends[2][2];
    for (int k = 0; k < 2; k++) {
        double seen[3];
        for (int c = 0; c < 3; c++) {
            seen[c] = edge->ends[0][c] + (edge->ends[1][c] - edge->ends[0][c]) * (k ? to : from);
        }
        to_tenths(pen->window, seen, ends[k]);
    }
    if (ends[0][0] != ends[1][0] || ends[0][1] != ends[1][1]) {
        fputc('M', pen->out);
        print_tenths(pen->out, ends[0][0], 1);
        print_tenths(pen->out, ends[0][1], 0);
        fputc('l', pen->out);
        print_tenths(pen->out, ends[1][0] - ends[0][0], 1);
        print_tenths(pen->out, ends[1][1] - ends[0][1], 0);
    }
}

/* Nothing when there are so many lines that they would hide the rest. */
static void draw_edges(FILE *out, const picture_scene *scene, const picture_window *window,
                       const picture_visible *visible, double width)
{
    line_pen pen = {out, window, 0};
    for (size_t i = 0; i < scene->edge_count; i++) {
        picture_visible_parts(window, visible, &scene->edges[i], count_part, &pen);
    }
    for (int on_cut = 0; on_cut < 2 && pen.part_count <= MOST_LINES; on_cut++) {
        fprintf(out, "<path fill=\"none\" stroke=\"#26303c\" stroke-width=\"%g\" stroke-linecap=\"round\" d=\"",
                on_cut ? 1.6 * width : width);
        for (size_t i = 0; i < scene->edge_count; i++) {
            if (scene->edges[i].on_cut == on_cut) {
                picture_visible_parts(window, visible, &scene->edges[i], draw_part, &pen);
            }
        }
        fputs("\"/>\n", out);
    }
}

static void print_contact(FILE *out, const picture_scene *scene, const picture_window *window,
                          const tumble_contact *contact)
{
    double seen[3];
    long start[2], end[2];
    picture_look(&scene->camera, contact->points[0], seen);
    to_tenths(window, seen, start);
    picture_look(&scene->camera, contact->points[1], seen);
    to_tenths(window, seen, end);
    fputc('M', out);
    print_tenths(out, start[0], 1);
    print_tenths(out, start[1], 0);
    fputc('l', out);
    print_tenths(out, end[0] - start[0], 1);
    print_tenths(out, end[1] - start[1], 0);
}

/* Always on top; a light rim sets them off. Points are dots, because the lines have round ends. */
static void draw_contacts(FILE *out, const cli_picture *picture, const picture_scene *scene,
                          const picture_window *window, double width)
{
    const size_t most = 8000, step = picture->contact_count / most + 1;
    for (int rim = 1; rim >= 0 && picture->contact_count; rim--) {
        fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" stroke-linecap=\"round\" d=\"",
                rim ? "#ffffff" : CONTACT_COLOUR, rim ? 1.9 * width : width);
        for (size_t i = 0; i < picture->contact_count; i += step) {
            print_contact(out, scene, window, &picture->contacts[i]);
        }
        fputs("\"/>\n", out);
    }
}

/* ---- The windows ---- */

static tumble_status draw_window(FILE *out, const cli_picture *picture, const picture_scene *scene,
                                 const picture_window *window, double line_width)
{
    picture_visible visible;
    if (!picture_find_visible(scene, window, &visible)) {
        picture_release_visible(&visible);
        return TUMBLE_ERROR_MEMORY;
    }
    painter p = {.out = out, .window = window};
    fputs("<g stroke-width=\".8\" stroke-linejoin=\"round\">\n", out);
    if (visible.count > MOST_FACES) {
        paint_mosaic(&p, scene, &visible);
    } else {
        for (size_t i = 0; i < visible.count; i++) {
            paint_face(&p, &scene->faces[visible.order[i]]);
        }
    }
    end_fill(&p);
    fputs("</g>\n", out);
    if (visible.count <= MOST_FACES) {
        draw_edges(out, scene, window, &visible, line_width);
    }
    draw_contacts(out, picture, scene, window, 4 * line_width);
    picture_release_visible(&visible);
    return TUMBLE_OK;
}

typedef struct bounds {
    double lower[2], upper[2];
} bounds;

static const bounds no_bounds = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

static void extend(bounds *b, const double seen[3])
{
    for (int k = 0; k < 2; k++) {
        b->lower[k] = fmin(b->lower[k], seen[k]);
        b->upper[k] = fmax(b->upper[k], seen[k]);
    }
}

static bounds scene_bounds(const picture_scene *scene)
{
    bounds b = no_bounds;
    for (size_t i = 0; i < scene->face_count; i++) {
        for (int k = 0; k < scene->faces[i].corner_count; k++) {
            extend(&b, scene->faces[i].corners[k]);
        }
    }
    return b;
}

static bounds contact_bounds(const cli_picture *picture, const picture_scene *scene)
{
    bounds b = no_bounds;
    for (size_t i = 0; i < 2 * picture->contact_count; i++) {
        double seen[3];
        picture_look(&scene->camera, picture->contacts[i / 2].points[i % 2], seen);
        extend(&b, seen);
    }
    return b;
}

/* Scales so that the bounds fill a share of the window, but not more than `most` times. */
static picture_window fit_window(const picture_window *window, const bounds *b, double share, double most)
{
    picture_window fitted = *window;
    const double width = b->upper[0] - b->lower[0], height = b->upper[1] - b->lower[1];
    fitted.centre[0] = b->lower[0] <= b->upper[0] ? b->lower[0] / 2 + b->upper[0] / 2 : 0;
    fitted.centre[1] = b->lower[1] <= b->upper[1] ? b->lower[1] / 2 + b->upper[1] / 2 : 0;
    fitted.scale = fmin(most, share * fmin(window->width / width, window->height / height));
    if (!(fitted.scale > 0) || !isfinite(fitted.scale)) {
        fitted.scale = isfinite(most) ? most : 1;
    }
    return fitted;
}

/* ---- The frame around it ---- */

static void write_head(FILE *out, const cli_picture *picture)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
            "<defs>\n"
            "<pattern id=\"cut\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
            "patternTransform=\"rotate(45)\"><rect width=\"7.5\" height=\"7.5\" fill=\"#eef1f4\"/>"
            "<path d=\"M0 0V7.5\" stroke=\"#7d8ea1\" stroke-width=\"1.6\"/></pattern>\n"
            "<clipPath id=\"round\"><circle cx=\"%g\" cy=\"%g\" r=\"%g\"/></clipPath>\n"
            "</defs>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fbfbfa\"/>\n",
            DRAWING_WIDTH, DRAWING_HEIGHT, DRAWING_WIDTH, DRAWING_HEIGHT,
            detail_window.left + detail_window.width / 2.0, detail_window.top + detail_window.height / 2.0,
            detail_window.width / 2.0, DRAWING_WIDTH, DRAWING_HEIGHT);
    write_fills(out);
    const char *title = picture->title           ? picture->title
                        : picture->contact_count ? "Where the two models touch"
                                                 : "The two models do not touch";
    write_text(out, 60, 76, 38, "font-weight=\"bold\" fill=\"#1d2733\"", title);
}

typedef struct legend_entry {
    char fill[16];
    char text[160];
} legend_entry;

static void write_legend(FILE *out, const legend_entry *entries, int count, double x, double y)
{
    for (int i = 0; i < count; i++, y += 46) {
        if (strcmp(entries[i].fill, CONTACT_COLOUR) == 0) {
            fprintf(out, "<path d=\"M%g %gh44\" stroke=\"%s\" stroke-width=\"6\" stroke-linecap=\"round\"/>\n", x,
                    y - 8, entries[i].fill);
        } else {
            fprintf(out,
                    "<rect x=\"%g\" y=\"%g\" width=\"44\" height=\"26\" fill=\"%s\" stroke=\"#26303c\" "
                    "stroke-width=\"1.2\"/>\n",
                    x, y - 21, entries[i].fill);
        }
        write_text(out, x + 62, y, 23, "fill=\"#1d2733\"", entries[i].text);
    }
}

static void add_body_entry(legend_entry *entry, int body, const char *name, const char *fallback)
{
    const double *c = body_colours[body].channels;
    snprintf(entry->fill, sizeof entry->fill, "#%02x%02x%02x", (unsigned)c[0], (unsigned)c[1], (unsigned)c[2]);
    snprintf(entry->text, sizeof entry->text, "%s", name ? name : fallback);
}

static void describe_contacts(const cli_picture *picture, char *text, size_t size)
{
    if (picture->gap) {
        snprintf(text, size, "their distance: %s", picture->gap);
    } else {
        snprintf(text, size, "where they do: %zu %s", picture->contact_count,
                 picture->contact_count == 1 ? "segment" : "segments");
    }
}

static void write_key(FILE *out, const cli_picture *picture, const picture_scene *scene, int detail)
{
    legend_entry entries[5];
    int count = 0;
    add_body_entry(&entries[count++], 0, picture->name_a, "A");
    if (scene->camera.has_cut) {
        snprintf(entries[count].fill, sizeof entries[count].fill, "url(#cut)");
        snprintf(entries[count++].text, sizeof entries[0].text, "its section: the front half is left out");
    }
    add_body_entry(&entries[count++], 1, picture->name_b, "B");
    if (picture->contact_count) {
        snprintf(entries[count].fill, sizeof entries[count].fill, "#d87a68");
        snprintf(entries[count++].text, sizeof entries[0].text,
                 picture->gap ? "polygons that are closest" : "triangles that intersect");
        snprintf(entries[count].fill, sizeof entries[count].fill, CONTACT_COLOUR);
        describe_contacts(picture, entries[count].text, sizeof entries[0].text);
        count++;
    }
    write_legend(out, entries, count, 1110, detail ? 760 : 200);
    if (picture->caption) {
        write_text(out, 60, 1172, 22, "fill=\"#4a5663\"", picture->caption);
    }
}

/* The circle in the main view that the enlargement shows, and the lines that join the two. */
static void write_callout(FILE *out, const cli_picture *picture, const picture_window *whole,
                          const picture_window *detail)
{
    double from[2];
    picture_to_window(whole, (const double[3]){detail->centre[0], detail->centre[1], 0}, from);
    from[0] += whole->left;
    from[1] += whole->top;
    const double to[2] = {detail->left + detail->width / 2.0, detail->top + detail->height / 2.0};
    const double small = detail->width / 2.0 / detail->scale * whole->scale, large = detail->width / 2.0;
    const double distance = hypot(to[0] - from[0], to[1] - from[1]);
    const double along = atan2(to[1] - from[1], to[0] - from[0]);
    const double open =
        distance > large - small ? acos((small - large) / fmax(distance, 1e-9)) : 0; /* outer tangents */
    fputs("<g fill=\"none\" stroke=\"#26303c\" stroke-width=\"1.6\">\n", out);
    for (int side = -1; side <= 1 && distance > large + small; side += 2) {
        const double c = cos(along + side * open), s = sin(along + side * open);
        fprintf(out, "<path stroke-dasharray=\"7 5\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", from[0] + small * c,
                from[1] + small * s, to[0] + large * c, to[1] + large * s);
    }
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", from[0], from[1], small);
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" stroke-width=\"3\"/>\n</g>\n", to[0], to[1], large);
    char text[64];
    snprintf(text, sizeof text, "The %s, enlarged %.*f times", picture->gap ? "gap" : "contact",
             detail->scale / whole->scale < 10 ? 1 : 0, detail->scale / whole->scale);
    write_text(out, to[0], to[1] + large + 42, 23, "text-anchor=\"middle\" fill=\"#1d2733\"", text);
}

static picture_window fit_detail(const cli_picture *picture, const picture_scene *scene, const picture_window *whole)
{
    const bounds contacts = contact_bounds(picture, scene);
    return fit_window(&detail_window, &contacts, 0.5, 25 * whole->scale);
}

/* An enlargement must be worth its place. */
static int has_detail(const cli_picture *picture, const picture_scene *scene, const picture_window *whole)
{
    return picture->contact_count && fit_detail(picture, scene, whole).scale > 1.8 * whole->scale;
}

static tumble_status draw_detail(FILE *out, const cli_picture *picture, const picture_scene *scene,
                                 const picture_window *whole)
{
    const picture_window detail = fit_detail(picture, scene, whole);
    fprintf(out, "<g clip-path=\"url(#round)\">\n<circle cx=\"%g\" cy=\"%g\" r=\"%g\" fill=\"#ffffff\"/>\n",
            detail.left + detail.width / 2.0, detail.top + detail.height / 2.0, detail.width / 2.0);
    const tumble_status status = draw_window(out, picture, scene, &detail, 1.3);
    fputs("</g>\n", out);
    write_callout(out, picture, whole, &detail);
    return status;
}

static tumble_status draw(FILE *out, const cli_picture *picture, const picture_scene *scene)
{
    const bounds all = scene_bounds(scene);
    const picture_window whole = fit_window(&main_window, &all, 0.94, INFINITY);
    write_head(out, picture);
    tumble_status status = draw_window(out, picture, scene, &whole, 0.8);
    const int detail = has_detail(picture, scene, &whole);
    if (status == TUMBLE_OK && detail) {
        status = draw_detail(out, picture, scene, &whole);
    }
    write_key(out, picture, scene, detail);
    fputs("</svg>\n", out);
    return status != TUMBLE_OK ? status : ferror(out) ? TUMBLE_ERROR_FILE : TUMBLE_OK;
}

tumble_status cli_picture_write(tumble_context *context, FILE *out, const cli_picture *picture)
{
    picture_scene scene;
    (void)context;
    tumble_status status = picture_collect(picture, &scene);
    if (status == TUMBLE_OK) {
        status = draw(out, picture, &scene);
    }
    picture_release(&scene);
    return status;
}
