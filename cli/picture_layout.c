/* Layout and words of a picture. */
#include "picture_layout.h"

#include <ctype.h>
#include <math.h>

#include "svg.h"

enum {
    DRAWING_WIDTH = 1600,
    DRAWING_HEIGHT = 1200,
    MARGIN = 60,
    KEY_LEFT = 1110,
    KEY_TOP = 176,
    DETAIL_TOP = 190,
    DETAIL_BOTTOM = 610, /* the lower of the places for the enlargement */
    CLOSE_UP_TOP = 780
};

static const picture_window whole_window = {.left = 30, .top = 116, .width = 1060, .height = 1010};
static const picture_window detail_window = {.left = 1096, .top = DETAIL_TOP, .width = 480, .height = 480};

/* ---- places ---- */

/* The centre of the enlargement in the overview. */
static void contact_place(const picture_layout *layout, double at[2])
{
    const double centre[3] = {layout->detail.centre[0], layout->detail.centre[1], 0};
    picture_to_window(&layout->whole, centre, at);
    at[0] += layout->whole.left;
    at[1] += layout->whole.top;
}

static void lay_out_close_up(const picture_scene *scene, picture_layout *layout, int body)
{
    const double small = 12;
    const picture_window window = {.left = KEY_LEFT + 240 * body, .top = CLOSE_UP_TOP, .width = 220, .height = 220};
    const picture_bounds b = picture_body_bounds(scene, body);
    const double size = fmax(b.upper[0] - b.lower[0], b.upper[1] - b.lower[1]) * layout->whole.scale;
    layout->has_close_up[body] = size >= 0 && size < small && !layout->has_detail;
    layout->close_ups[body] = picture_fit_window(&window, &b, 0.66, INFINITY);
}

/* The enlargement is placed at the height of the contacts, so that no text lies between them. */
picture_layout picture_lay_out(const picture_scene *scene)
{
    const picture_bounds all = picture_scene_bounds(scene);
    picture_layout layout = {.whole = picture_fit_window(&whole_window, &all, 0.94, INFINITY), .key_top = KEY_TOP};
    layout.detail = picture_fit_detail(scene, &detail_window, &layout.whole);
    layout.has_detail = scene->contact_count && layout.detail.scale > 1.8 * layout.whole.scale;
    if (layout.has_detail) {
        double at[2];
        contact_place(&layout, at);
        const int low = at[1] > (DETAIL_TOP + DETAIL_BOTTOM + detail_window.height) / 2.0;
        layout.detail.top = low ? DETAIL_BOTTOM : DETAIL_TOP;
        layout.key_top = low ? KEY_TOP : DETAIL_TOP + detail_window.height + 96;
    }
    lay_out_close_up(scene, &layout, 0);
    lay_out_close_up(scene, &layout, 1);
    return layout;
}

/* ---- the head ---- */

static const char *default_title(const cli_picture *picture)
{
    switch (picture->subject) {
    case CLI_PICTURE_CLEARANCE:
        return picture->contact_count ? "Where the models come too close" : "The models are apart";
    case CLI_PICTURE_GAP: return "How far apart the models are";
    default: return picture->contact_count ? "Where the models intersect" : "The models do not intersect";
    }
}

/* Cut material as the image has it: lines along x + y = 0 for A and along x = y for B, whose middles are at 1.1. */
static void write_pattern(FILE *out, unsigned bodies)
{
    const double on_line_x[4] = {0, 1, 1, 1};
    fprintf(out,
            "<pattern id=\"cut%u\" width=\"10\" height=\"10\" patternUnits=\"userSpaceOnUse\">"
            "<rect width=\"10\" height=\"10\" fill=\"#%06x\"/><path stroke=\"#%06x\" stroke-width=\"1.55\" d=\"%s%s\"/>"
            "</pattern>\n",
            bodies, picture_cap_colour(bodies, 7, 2.5), picture_cap_colour(bodies, on_line_x[bodies & 3], 0),
            bodies & 1 ? "M-1 2.1L2.1-1M-1 12.1L12.1-1M9 12.1L12.1 9" : "",
            bodies & 2 ? "M-1-2.1L12.1 11M-1 7.9L3.1 12M9-2.1L12.1 1" : "");
}

void picture_write_head(FILE *out, const cli_picture *picture)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%d\" "
            "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"" CLI_SVG_FONT "\">\n<defs>\n",
            DRAWING_WIDTH, DRAWING_HEIGHT, DRAWING_WIDTH, DRAWING_HEIGHT);
    for (unsigned bodies = 1; bodies <= 3; bodies++) {
        write_pattern(out, bodies);
    }
    fprintf(out, "</defs>\n<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", DRAWING_WIDTH, DRAWING_HEIGHT,
            PICTURE_PAPER);
    const cli_svg_text title = {MARGIN, 76, 38, DRAWING_WIDTH - 2 * MARGIN, 1, "fill=\"#1d2733\""};
    cli_svg_write_text(out, &title, picture->title ? picture->title : default_title(picture));
}

/* ---- marks ---- */

static void write_ring(FILE *out, double x, double y, double radius, double width)
{
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\"/>\n", x,
            y, radius, PICTURE_INK, width);
}

void picture_mark_small_body(FILE *out, const picture_layout *layout, int body)
{
    const picture_window *close_up = &layout->close_ups[body], *whole = &layout->whole;
    const double centre[3] = {close_up->centre[0], close_up->centre[1], 0}, radius = 16;
    const double times = close_up->scale / whole->scale;
    double at[2];
    picture_to_window(whole, centre, at);
    const double x = at[0] + whole->left, y = at[1] + whole->top, middle = close_up->left + close_up->width / 2.0;
    const cli_svg_text letter = {
        x, y > whole->top + 60 ? y - radius - 8 : y + radius + 26, 23, 0, 1, "text-anchor=\"middle\" fill=\"#1d2733\""};
    const cli_svg_text label = {
        middle, close_up->top - 14, 20, close_up->width, 0, "text-anchor=\"middle\" fill=\"#1d2733\""};
    char text[64];
    snprintf(text, sizeof text, times < 1e6 ? "%c, enlarged %.0f times" : "%c, enlarged %.3g times", body ? 'B' : 'A',
             times);
    write_ring(out, x, y, radius, 1.6);
    cli_svg_write_text(out, &letter, body ? "B" : "A");
    write_ring(out, middle, close_up->top + close_up->height / 2.0, close_up->width / 2.0, 2.4);
    cli_svg_write_text(out, &label, text);
}

void picture_write_leader(FILE *out, const picture_layout *layout)
{
    const picture_window *detail = &layout->detail;
    double from[2];
    contact_place(layout, from);
    const double to[2] = {detail->left + detail->width / 2.0, detail->top + detail->height / 2.0};
    const double large = detail->width / 2.0, small = large / detail->scale * layout->whole.scale;
    const double distance = hypot(to[0] - from[0], to[1] - from[1]);
    const double x = (to[0] - from[0]) / distance, y = (to[1] - from[1]) / distance;
    for (int rim = 1; rim >= 0 && distance > large + small; rim--) {
        fprintf(out, "<path class=\"leader\" stroke=\"#%06x\" stroke-width=\"%g\"%s d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
                rim ? PICTURE_PAPER : PICTURE_INK, rim ? 5.0 : 1.8, rim ? "" : " stroke-dasharray=\"9 6\"",
                from[0] + small * x, from[1] + small * y, to[0] - large * x, to[1] - large * y);
    }
    for (int rim = 1; rim >= 0; rim--) {
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\"/>\n",
                from[0], from[1], small, rim ? PICTURE_PAPER : PICTURE_INK, rim ? 5.0 : 1.8);
    }
}

static const char *subject_word(const cli_picture *picture)
{
    return picture->subject == CLI_PICTURE_GAP ? "gap" : picture->contact_count == 1 ? "contact" : "contacts";
}

void picture_write_callout(FILE *out, const cli_picture *picture, const picture_layout *layout)
{
    const picture_window *detail = &layout->detail;
    const double large = detail->width / 2.0, times = detail->scale / layout->whole.scale;
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"3\"/>\n",
            detail->left + large, detail->top + large, large, PICTURE_INK);
    char text[64];
    snprintf(text, sizeof text, "The %s, enlarged %.*f times", subject_word(picture), times < 10 ? 1 : 0, times);
    const cli_svg_text where = {
        detail->left + large, detail->top - 22, 23, detail->width, 0, "text-anchor=\"middle\" fill=\"#1d2733\""};
    cli_svg_write_text(out, &where, text);
}

/* ---- the key ---- */

typedef enum sign_kind {
    SIGN_FILL,
    SIGN_LINE,
    SIGN_PALE_LINE
} sign_kind;

typedef struct key {
    FILE *out;
    double y;
} key;

static void write_sign(FILE *out, sign_kind kind, const char *fill, double y)
{
    if (kind == SIGN_FILL) {
        fprintf(out,
                "<rect x=\"%d\" y=\"%g\" width=\"44\" height=\"26\" fill=\"%s\" stroke=\"#%06x\" "
                "stroke-width=\"1.2\"/>\n",
                KEY_LEFT, y - 21, fill, PICTURE_INK);
    } else {
        fprintf(out,
                "<path d=\"M%d %gh38\" stroke=\"%s\" stroke-width=\"%g\" stroke-opacity=\"%g\" "
                "stroke-linecap=\"round\"/>\n",
                KEY_LEFT + 3, y - 8, fill, kind == SIGN_LINE ? 6.0 : 4.5, kind == SIGN_LINE ? 1.0 : 0.55);
    }
}

static void add_entry(key *k, sign_kind kind, const char *fill, const char *text)
{
    const double left = KEY_LEFT + 62;
    const cli_svg_text where = {left, k->y, 23, DRAWING_WIDTH - 24 - left, 0, "fill=\"#1d2733\""};
    write_sign(k->out, kind, fill, k->y);
    cli_svg_write_text(k->out, &where, text);
    k->y += 46;
}

static void add_colour(key *k, sign_kind kind, uint32_t colour, const char *text)
{
    char fill[16];
    snprintf(fill, sizeof fill, "#%06x", colour);
    add_entry(k, kind, fill, text);
}

static void add_body(key *k, const cli_picture *picture, const picture_scene *scene, int body)
{
    const char *name = body ? picture->name_b : picture->name_a;
    char text[512];
    snprintf(text, sizeof text, name ? "%c: %s" : "%c", body ? 'B' : 'A', name ? name : "");
    add_colour(k, SIGN_FILL, picture_body_colour(body, 0), text);
    if ((scene->camera.cut_bodies >> body & 1) && scene->bodies[body].closed) {
        snprintf(text, sizeof text, "%c, cut open", body ? 'B' : 'A');
        add_entry(k, SIGN_FILL, body ? "url(#cut2)" : "url(#cut1)", text);
    }
}

static void add_contacts(key *k, const cli_picture *picture, int hidden)
{
    static const char *const polygons[] = {"polygons that intersect", "polygons that come too close",
                                           "the closest polygons"};
    char text[160];
    const char *line = "where they meet";
    if (picture->subject == CLI_PICTURE_GAP) {
        snprintf(text, sizeof text, "distance: %s", picture->distance ? picture->distance : "unknown");
        line = text;
    } else if (picture->subject == CLI_PICTURE_CLEARANCE) {
        snprintf(text, sizeof text, "at most %s apart", picture->distance ? picture->distance : "that far");
        line = text;
    }
    add_colour(k, SIGN_FILL, picture_body_colour(0, 1), polygons[picture->subject]);
    fprintf(k->out, "<rect x=\"%g\" y=\"%g\" width=\"21.4\" height=\"24.8\" fill=\"#%06x\"/>\n", KEY_LEFT + 22.0,
            k->y - 46 - 20.4, picture_body_colour(1, 1)); /* half in the colour of A, half in that of B */
    add_colour(k, SIGN_LINE, PICTURE_CONTACT, line);
    if (hidden) {
        add_colour(k, SIGN_PALE_LINE, PICTURE_CONTACT, "the same, behind a surface");
    }
}

static void add_move(key *k, const cli_picture *picture)
{
    char text[160];
    snprintf(text, sizeof text, "the move of B, %s long", picture->distance ? picture->distance : "so far");
    add_colour(k, SIGN_LINE, PICTURE_MOVE, text);
}

/* The note about cuts that follows the caption. */
static const char *cut_words(const picture_scene *scene)
{
    static const char *const words[] = {"", "A is cut open", "B is cut open", "both are cut open"};
    return words[scene->camera.cut_bodies & 3];
}

void picture_write_key(FILE *out, const cli_picture *picture, const picture_scene *scene, const picture_layout *layout,
                       int hidden)
{
    key k = {out, layout->key_top};
    add_body(&k, picture, scene, 0);
    if (!picture->alone) {
        add_body(&k, picture, scene, 1);
    }
    if (scene->camera.cut_bodies == 3 && scene->bodies[0].closed && scene->bodies[1].closed) {
        add_entry(&k, SIGN_FILL, "url(#cut3)", "material of both");
    }
    if (scene->contact_count) {
        add_contacts(&k, picture, hidden);
    }
    if (scene->has_move) {
        add_move(&k, picture);
    }
    char caption[512];
    const char *cut = cut_words(scene);
    snprintf(caption, sizeof caption, "%s%s%s", picture->caption ? picture->caption : "",
             picture->caption && *cut ? "; " : "", cut);
    caption[0] = (char)toupper((unsigned char)caption[0]);
    const cli_svg_text where = {MARGIN, 1172, 22, DRAWING_WIDTH - 2 * MARGIN, 0, "fill=\"#4a5663\""};
    cli_svg_write_text(out, &where, caption);
}
