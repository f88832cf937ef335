/* The drawing: windows, lines and contacts as SVG. */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture_layout.h"
#include "picture_scene.h"

enum {
    MOST_LINES = 25000,
    MOST_CONTACTS = 1 << 15 /* in a window */
};

/* ---- paths ---- */

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

/* Where a point is in the drawing, in tenths. */
static void to_tenths(const picture_window *window, const double seen[3], long tenths[2])
{
    double at[2];
    picture_to_window(window, seen, at);
    tenths[0] = lround(10 * fmin(1e5, fmax(-1e5, at[0] + window->left)));
    tenths[1] = lround(10 * fmin(1e5, fmax(-1e5, at[1] + window->top)));
}

typedef struct line_pen {
    FILE *out;
    const picture_window *window;
    int keeps_points;  /* a part without length is a dot, as the lines have round ends */
    size_t part_count; /* of what was measured */
    double length;     /* in units of the drawing */
} line_pen;

static void part_ends(const line_pen *pen, const double ends[2][3], double from, double to, long tenths[2][2])
{
    for (int k = 0; k < 2; k++) {
        double seen[3];
        for (int c = 0; c < 3; c++) {
            seen[c] = ends[0][c] + (ends[1][c] - ends[0][c]) * (k ? to : from);
        }
        to_tenths(pen->window, seen, tenths[k]);
    }
}

static void measure_part(void *user, const double ends[2][3], double from, double to)
{
    line_pen *pen = user;
    long tenths[2][2];
    part_ends(pen, ends, from, to, tenths);
    pen->part_count++;
    pen->length += hypot((double)(tenths[1][0] - tenths[0][0]), (double)(tenths[1][1] - tenths[0][1])) / 10;
}

static void draw_part(void *user, const double ends[2][3], double from, double to)
{
    const line_pen *pen = user;
    long tenths[2][2];
    part_ends(pen, ends, from, to, tenths);
    if (pen->keeps_points || tenths[0][0] != tenths[1][0] || tenths[0][1] != tenths[1][1]) {
        fputc('M', pen->out);
        print_tenths(pen->out, tenths[0][0], 1);
        print_tenths(pen->out, tenths[0][1], 0);
        fputc('l', pen->out);
        print_tenths(pen->out, tenths[1][0] - tenths[0][0], 1);
        print_tenths(pen->out, tenths[1][1] - tenths[0][1], 0);
    }
}

static void begin_path(FILE *out, uint32_t colour, double width, double opacity)
{
    fprintf(out, "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" stroke-linecap=\"round\"", colour, width);
    if (opacity < 1) {
        fprintf(out, " stroke-opacity=\"%g\"", opacity);
    }
    fputs(" d=\"", out);
}

/* ---- edges ---- */

static size_t covered_area(const picture_samples *samples)
{
    size_t area = 0;
    for (size_t i = 0; i < (size_t)samples->width * samples->row_count; i++) {
        area += samples->front[i] != PICTURE_NOTHING;
    }
    return area;
}

/* Too many lines would hide the shading: meshes of many small triangles get outlines only. */
static int has_lines(const picture_scene *scene, const picture_window *window, const picture_samples *samples,
                     double width)
{
    line_pen pen = {.window = window};
    for (size_t i = 0; i < scene->edge_count && pen.part_count <= MOST_LINES; i++) {
        picture_visible_parts(window, samples, (const double(*)[3])scene->edges[i].ends, 0, measure_part, &pen);
    }
    return pen.part_count <= MOST_LINES && pen.length * width < 0.07 * (double)covered_area(samples) + 400;
}

static void draw_edges(FILE *out, const picture_scene *scene, const picture_window *window,
                       const picture_samples *samples, double width)
{
    line_pen pen = {.out = out, .window = window};
    for (int on_cut = 0; on_cut < 2; on_cut++) {
        begin_path(out, PICTURE_INK, on_cut ? 1.6 * width : width, 1);
        for (size_t i = 0; i < scene->edge_count; i++) {
            if (scene->edges[i].on_cut == on_cut) {
                picture_visible_parts(window, samples, (const double(*)[3])scene->edges[i].ends, 0, draw_part, &pen);
            }
        }
        fputs("\"/>\n", out);
    }
}

/* ---- contacts ---- */

/* Segments drawn so far, keyed by the unit squares of their ends: contacts of small triangles often cover each other.
 * Open addressing; 0 marks a free slot. */
typedef struct segment_set {
    uint64_t *keys;
    size_t mask;
} segment_set;

static uint64_t segment_key(const long tenths[2][2])
{
    uint64_t key = 1; /* 15 bits per coordinate; only points outside the window may collide */
    for (int i = 0; i < 4; i++) {
        key = key << 15 ^ ((uint64_t)(tenths[i / 2][i % 2] + 1000000) / 10 & 0x7fff);
    }
    return key;
}

/* Returns 0 if the key was there already. */
static int enter_segment(segment_set *set, uint64_t key)
{
    size_t place = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & set->mask;
    while (set->keys[place] && set->keys[place] != key) {
        place = (place + 1) & set->mask;
    }
    const int is_new = !set->keys[place];
    set->keys[place] = key;
    return is_new;
}

/* The contacts drawn in a window, in view coordinates. */
typedef struct contact_list {
    double (*ends)[2][3];
    size_t count;
} contact_list;

static void list_contacts(const picture_scene *scene, const picture_window *window, segment_set *set,
                          contact_list *list)
{
    const size_t step = scene->contact_count / (16 * (size_t)MOST_CONTACTS) + 1;
    for (size_t i = 0; i < scene->contact_count && list->count < MOST_CONTACTS; i += step) {
        double(*ends)[3] = list->ends[list->count];
        long tenths[2][2];
        for (int k = 0; k < 2; k++) {
            picture_look(&scene->camera, scene->contacts[i][k], ends[k]);
            to_tenths(window, ends[k], tenths[k]);
        }
        list->count += enter_segment(set, segment_key((const long(*)[2])tenths)) ? 1 : 0;
    }
}

static int find_contacts(const picture_scene *scene, const picture_window *window, contact_list *list)
{
    segment_set set = {.mask = 4 * MOST_CONTACTS - 1};
    set.keys = calloc(set.mask + 1, sizeof *set.keys);
    list->count = 0;
    list->ends = malloc((size_t)MOST_CONTACTS * sizeof *list->ends);
    const int done = set.keys && list->ends;
    if (done) {
        list_contacts(scene, window, &set, list);
    }
    free(set.keys);
    return done;
}

static void visit_contacts(line_pen *pen, const contact_list *list, const picture_samples *samples, int hidden,
                           picture_draw_part *visit)
{
    for (size_t i = 0; i < list->count; i++) {
        picture_visible_parts(pen->window, samples, (const double(*)[3])list->ends[i], hidden, visit, pen);
    }
}

/* Draws contacts on top of everything, with a light halo; paler where a surface hides them. Sets *hidden if any are.
 * Returns 0 if memory runs out. */
static int draw_contacts(FILE *out, const picture_scene *scene, const picture_window *window,
                         const picture_samples *samples, double width, int *hidden)
{
    contact_list list;
    line_pen pen = {.out = out, .window = window, .keeps_points = 1};
    const int done = find_contacts(scene, window, &list);
    visit_contacts(&pen, &list, samples, 1, measure_part);
    *hidden = pen.part_count > 0;
    for (int pale = *hidden; pale >= 0 && list.count; pale--) {
        for (int rim = 1; rim >= 0; rim--) {
            const double thick = pale ? 0.75 * width : width;
            begin_path(out, rim ? 0xffffff : PICTURE_CONTACT, rim ? thick + 0.9 * width : thick,
                       pale ? (rim ? 0.6 : 0.55) : 1);
            visit_contacts(&pen, &list, samples, pale, draw_part);
            fputs("\"/>\n", out);
        }
    }
    free(list.ends);
    return done;
}

/* ---- windows ---- */

typedef struct window_style {
    double line_width;
    uint32_t background;
} window_style;

static int draw_samples(FILE *out, const picture_scene *scene, const picture_window *window, const window_style *style,
                        picture_samples *samples, int *hidden)
{
    picture_take_samples(scene, window, 0, samples);
    const int lines = has_lines(scene, window, samples, style->line_width);
    if (!picture_write_image(out, scene, window, !lines, style->background)) {
        return 0;
    }
    if (lines) {
        draw_edges(out, scene, window, samples, style->line_width);
    }
    const int done = draw_contacts(out, scene, window, samples, 4 * style->line_width, hidden);
    (void)picture_write_move(out, scene, window);
    return done;
}

static int draw_window(FILE *out, const picture_scene *scene, const picture_window *window, const window_style *style,
                       int *hidden)
{
    picture_samples samples;
    const int done = picture_allocate_samples(&samples, window, window->height) &&
                     draw_samples(out, scene, window, style, &samples, hidden);
    picture_release_samples(&samples);
    return done;
}

/* Draws a window clipped to a circle. `number` makes the clip path's id unique. */
static int draw_round(FILE *out, const picture_scene *scene, const picture_window *window, int number, int *hidden)
{
    const window_style style = {1.3, 0xffffff};
    const double radius = window->width / 2.0, x = window->left + radius, y = window->top + radius;
    fprintf(out,
            "<clipPath id=\"round%d\"><circle cx=\"%g\" cy=\"%g\" r=\"%g\"/></clipPath>\n"
            "<g clip-path=\"url(#round%d)\">\n<circle cx=\"%g\" cy=\"%g\" r=\"%g\" fill=\"#ffffff\"/>\n",
            number, x, y, radius, number, x, y, radius);
    const int done = draw_window(out, scene, window, &style, hidden);
    fputs("</g>\n", out);
    return done;
}

static int draw_close_ups(FILE *out, const picture_scene *scene, const picture_layout *layout)
{
    for (int body = 0; body < 2; body++) {
        int hidden;
        if (layout->has_close_up[body] && !draw_round(out, scene, &layout->close_ups[body], 1 + body, &hidden)) {
            return 0;
        }
        if (layout->has_close_up[body]) {
            picture_mark_small_body(out, layout, body);
        }
    }
    return 1;
}

/* ---- all of it ---- */

static int draw(FILE *out, const cli_picture *picture, picture_scene *scene)
{
    const window_style style = {0.8, PICTURE_PAPER};
    const picture_layout layout = picture_lay_out(scene);
    int hidden = 0;
    picture_write_head(out, picture);
    if (!draw_window(out, scene, &layout.whole, &style, &hidden) || !draw_close_ups(out, scene, &layout)) {
        return 0;
    }
    if (layout.has_detail) {
        picture_write_leader(out, &layout);
        if (!draw_round(out, scene, &layout.detail, 0, &hidden)) { /* the key describes the enlargement */
            return 0;
        }
        picture_write_callout(out, picture, &layout);
    }
    picture_write_key(out, picture, scene, &layout, hidden);
    fputs("</svg>\n", out);
    return 1;
}

tumble_status cli_picture_write(FILE *out, const cli_picture *picture)
{
    picture_scene scene;
    tumble_status status = picture_read(picture, &scene);
    if (status == TUMBLE_OK) {
        const int done = picture_choose_camera(&picture->view, &scene) && picture_collect_faces(&scene) &&
                         picture_collect_edges(&scene) && draw(out, picture, &scene);
        status = !done ? TUMBLE_ERROR_MEMORY : ferror(out) ? TUMBLE_ERROR_FILE : TUMBLE_OK;
    }
    picture_release(&scene);
    return status;
}
