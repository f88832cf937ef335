/* Pictures and plots of `tumble check`, `tumble distance` and `tumble demo`, from end to end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_run.h"
#include "png_read.h"
#include "support.h"
#include "svg.h"

#define PAPER 0xfbfbfau

/* One wide, two deep, three high. */
static const char block[] = "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\n"
                            "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

/* The same without its lid. */
static const char open_block[] = "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\n"
                                 "f 4 3 2 1\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

/* Two walls that cross at x = y = 0: seen from the front each is nearer on one side. */
static const char wall_a[] = "v -1 -1 0\nv 1 1 0\nv 1 1 2\nv -1 -1 2\nf 1 2 3 4\n";
static const char wall_b[] = "v -1 1 0\nv 1 -1 0\nv 1 -1 2\nv -1 1 2\nf 1 2 3 4\n";

static int setup(void **state)
{
    cli_setup(state);
    cli_write_file("block.obj", block);
    cli_write_file("open.obj", open_block);
    cli_write_file("wall_a.obj", wall_a);
    cli_write_file("wall_b.obj", wall_b);
    cli_expect(0, "tumble make sphere --triangles 1000 -o ball.obj");
    cli_expect(0, "tumble make sphere --triangles 60000 -o round.stl");
    return 0;
}

/* ---- reading pictures ---- */

/* The SVG without the data of its images. */
static char *words_of(const char *svg)
{
    char *out = malloc(strlen(svg) + 1);
    size_t length = 0;
    while (*svg) {
        const char *data = strstr(svg, "base64,");
        const size_t part = data ? (size_t)(data + 7 - svg) : strlen(svg);
        memcpy(out + length, svg, part);
        length += part;
        svg += part;
        svg += data ? strcspn(svg, "\"") : 0;
    }
    out[length] = '\0';
    return out;
}

typedef struct picture {
    char *svg, *words;
    png_image image; /* of the whole */
} picture;

static picture read_picture(const char *name)
{
    picture p;
    p.svg = cli_read_file(name, NULL);
    p.words = words_of(p.svg);
    p.image = png_read_from_svg(p.svg, 0);
    assert_memory_equal(p.svg, "<svg", 4);
    assert_non_null(strstr(p.svg, "</svg>"));
    return p;
}

/* What a command with --picture draws. */
static picture draw(int status, const char *line)
{
    cli_expect(status, "tumble %s --picture p.svg", line);
    return read_picture("p.svg");
}

static void release(picture *p)
{
    free(p->svg);
    free(p->words);
    free(p->image.pixels);
}

static int is_blue(uint32_t pixel) /* A's surface */
{
    return (int)(pixel & 255) > (int)(pixel >> 16) + 12;
}

static int is_amber(uint32_t pixel) /* B's surface */
{
    return (int)(pixel >> 16) > (int)(pixel & 255) + 40;
}

static double share_of(const png_image *image, int (*is)(uint32_t pixel))
{
    double count = 0;
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            count += is(png_pixel(image, x, y));
        }
    }
    return count / image->width / image->height;
}

typedef struct extent {
    uint32_t left, top, right, bottom;
} extent;

static extent extent_of(const png_image *image)
{
    extent e = {UINT32_MAX, UINT32_MAX, 0, 0};
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            if (png_pixel(image, x, y) != PAPER) {
                e.left = x < e.left ? x : e.left;
                e.right = x > e.right ? x : e.right;
                e.top = y < e.top ? y : e.top;
                e.bottom = y > e.bottom ? y : e.bottom;
            }
        }
    }
    return e;
}

/* ---- text ---- */

typedef struct text_box {
    double left, top, right, bottom;
} text_box;

static void unescape(char *text)
{
    static const char *const escapes[][2] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}};
    for (int i = 0; i < 3; i++) {
        for (char *found = strstr(text, escapes[i][0]); found; found = strstr(found + 1, escapes[i][0])) {
            *found = *escapes[i][1];
            memmove(found + 1, found + strlen(escapes[i][0]), strlen(found + strlen(escapes[i][0])) + 1);
        }
    }
}

/* The next text behind *at; 0 when there are no more. */
static int next_text(const char **at, text_box *box, char content[600])
{
    const char *found = strstr(*at, "<text ");
    double x, y, size;
    if (!found || sscanf(found, "<text x=\"%lf\" y=\"%lf\" font-size=\"%lf\"", &x, &y, &size) != 3) {
        assert_null(found);
        return 0;
    }
    const char *start = strchr(found, '>') + 1;
    const size_t length = strcspn(start, "<"), head = (size_t)(start - found);
    snprintf(content, 600, "%.*s", (int)length, start);
    unescape(content);
    char attributes[200];
    snprintf(attributes, sizeof attributes, "%.*s", (int)head, found);
    const double width = cli_svg_text_width(content, size, strstr(attributes, "bold") != NULL);
    const double share = strstr(attributes, "\"middle\"") ? 0.5 : strstr(attributes, "\"end\"") ? 1 : 0;
    *box = (text_box){x - share * width, y - size, x + (1 - share) * width, y + 0.3 * size};
    *at = start + length;
    return 1;
}

static void check_texts(const char *words, double width, double height, size_t least)
{
    text_box box;
    char content[600];
    size_t count = 0;
    for (const char *at = words; next_text(&at, &box, content); count++) {
        if (box.left < 4 || box.right > width - 4 || box.top < 0 || box.bottom > height) {
            fail_msg("'%s' runs off the edge: %g to %g", content, box.left, box.right);
        }
    }
    assert_true(count >= least);
}

/* Pixels near the right and left edges of a PNG must be paper. */
static void check_margins(const char *name, uint32_t paper)
{
    size_t size;
    char *bytes = cli_read_file(name, &size);
    png_image image = png_read((uint8_t *)bytes, size);
    for (uint32_t y = 0; y < image.height; y++) {
        for (uint32_t x = 0; x < 6; x++) {
            assert_int_equal(png_pixel(&image, x, y), paper);
            assert_int_equal(png_pixel(&image, image.width - 1 - x, y), paper);
        }
    }
    free(image.pixels);
    free(bytes);
}

static int has_png(void)
{
    return cli_run("rsvg-convert --version").status == 0;
}

static void test_names(void **state)
{
    (void)state;
    cli_expect(0, "mkdir -p some/folder other && cp block.obj some/folder/block.obj && cp ball.obj other/ball.obj");
    picture p = draw(0, "distance some/folder/block.obj other/ball.obj --pose-b '1 0 0 9 0 1 0 0 0 0 1 0'");
    assert_null(strstr(p.words, "folder"));
    assert_null(strstr(p.words, "other"));
    assert_non_null(strstr(p.words, ">A: block.obj<"));
    assert_non_null(strstr(p.words, ">B: ball.obj<"));
    release(&p);
    cli_expect(0, "cp ball.obj other/block.obj");
    p = draw(0, "distance some/folder/block.obj other/block.obj --pose-b '1 0 0 9 0 1 0 0 0 0 1 0'");
    assert_non_null(strstr(p.words, ">A: folder/block.obj<"));
    assert_non_null(strstr(p.words, ">B: other/block.obj<"));
    release(&p);
}

static void test_long_names(void **state)
{
    (void)state;
    char name[240];
    memset(name, 'W', sizeof name);
    strcpy(name + 220, "&<.obj");
    cli_expect(0, "cp block.obj '%s' && cp ball.obj 'M\xff m\xc3\xbc.obj'", name);
    cli_write_file("path.txt", "1 0 0 9 0 1 0 0 0 0 1 0\n1 0 0 4 0 1 0 0 0 0 1 0\n");
    for (int i = 0; i < 2; i++) {
        cli_expect(0, "tumble %s '%s' 'M\xff m\xc3\xbc.obj' --poses path.txt --picture p.svg --plot q.svg",
                   i ? "check" : "distance", name);
        picture p = read_picture("p.svg");
        check_texts(p.words, 1600, 1200, 4);
        assert_non_null(strstr(p.words, "…"));
        assert_non_null(strstr(p.words, "\xef\xbf\xbd m\xc3\xbc.obj")); /* what is no text is a sign for that */
        release(&p);
        char *plot = cli_read_file("q.svg", NULL);
        check_texts(plot, 960, 1000, 8);
        free(plot);
        if (has_png()) {
            cli_expect(0, "rsvg-convert p.svg -o p.png && rsvg-convert q.svg -o q.png");
            check_margins("p.png", PAPER);
            check_margins("q.png", 0xffffff);
        }
    }
}

static int segment_meets_box(double x0, double y0, double x1, double y1, const text_box *box)
{
    for (int i = 0; i <= 2000; i++) {
        const double x = x0 + (x1 - x0) * i / 2000, y = y0 + (y1 - y0) * i / 2000;
        if (x > box->left && x < box->right && y > box->top && y < box->bottom) {
            return 1;
        }
    }
    return 0;
}

/* A small ball at places all around: the leader goes to the enlargement and crosses no text. */
static void test_leader(void **state)
{
    (void)state;
    static const double places[][3] = {{1, 1, 0.2}, {1, 1, 2.9}, {0, 1, 0.1}, {0.5, 0, 2.8}, {0.5, 1, 3}, {0.5, 1, 0}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char line[200];
        snprintf(line, sizeof line, "check block.obj ball.obj --count --pose-b '.1 0 0 %g 0 .1 0 %g 0 0 .1 %g'",
                 places[i][0], places[i][1], places[i][2]);
        picture p = draw(1, line);
        const char *leader = strstr(p.words, "<path class=\"leader\"");
        assert_non_null(leader);
        double x0, y0, x1, y1;
        assert_int_equal(sscanf(strstr(leader, " d=\"M"), " d=\"M%lf %lfL%lf %lf", &x0, &y0, &x1, &y1), 4);
        text_box box;
        char content[600];
        for (const char *at = p.words; next_text(&at, &box, content);) {
            if (segment_meets_box(x0, y0, x1, y1, &box)) {
                fail_msg("the leader crosses '%s'", content);
            }
        }
        assert_non_null(strstr(p.words, "The contacts, enlarged"));
        check_texts(p.words, 1600, 1200, 6);
        release(&p);
    }
}

/* ---- words ---- */

static void test_words(void **state)
{
    (void)state;
    static const char *const commands[] = {"check", "distance"};
    for (int i = 0; i < 2; i++) {
        char line[200];
        snprintf(line, sizeof line, "%s block.obj ball.obj --pose-b '1 0 0 1.5 0 1 0 1 0 0 1 1'", commands[i]);
        picture p = draw(1, line);
        assert_null(strstr(p.words, "gap"));
        assert_null(strstr(p.words, "istance"));
        assert_null(strstr(p.words, "apart"));
        assert_null(strstr(p.words, "closest"));
        assert_non_null(strstr(p.words, ">Where the models intersect<"));
        assert_non_null(strstr(p.words, ">polygons that intersect<"));
        assert_non_null(strstr(p.words, ">where they meet<"));
        release(&p);
    }
    picture p = draw(0, "distance block.obj block.obj --pose-b '1 0 0 1.5 0 1 0 1 0 0 1 1'");
    assert_non_null(strstr(p.words, ">How far apart the models are<"));
    assert_non_null(strstr(p.words, ">distance: 0.5<"));
    assert_null(strstr(p.words, "intersect"));
    assert_null(strstr(p.words, "meet"));
    release(&p);
    p = draw(1, "check block.obj ball.obj --pose-b '1 0 0 2.5 0 1 0 1 0 0 1 1' --clearance 0.6");
    assert_non_null(strstr(p.words, ">Where the models come too close<"));
    assert_non_null(strstr(p.words, ">at most 0.6 apart<"));
    assert_null(strstr(p.words, "intersect"));
    release(&p);
    p = draw(0, "check block.obj ball.obj --pose-b '1 0 0 2.5 0 1 0 1 0 0 1 1'");
    assert_non_null(strstr(p.words, ">The models do not intersect<"));
    assert_non_null(strstr(p.words, ">No polygons intersect<"));
    assert_null(strstr(p.words, "where they meet"));
    release(&p);
}

/* ---- what is seen ---- */

/* Whole faces that are painted one after the other would be wrong here. */
static void test_crossing_faces(void **state)
{
    (void)state;
    picture p = draw(1, "check wall_a.obj wall_b.obj --view front");
    const extent e = extent_of(&p.image);
    const uint32_t middle = (e.top + e.bottom) / 2, width = e.right - e.left;
    const uint32_t left = png_pixel(&p.image, e.left + width / 4, middle);
    const uint32_t right = png_pixel(&p.image, e.right - width / 4, middle);
    assert_true((left & 255) * (right >> 16) > (right & 255) * (left >> 16)); /* A is bluer, though both are marked */
    const uint32_t near = png_pixel(&p.image, e.left + width / 20, middle);
    assert_int_equal(near, left); /* one face, one colour, up to the middle */
    assert_int_equal(png_pixel(&p.image, e.right - width / 20, middle), right);
    assert_int_equal(png_pixel(&p.image, e.left + width * 9 / 20, middle), left);
    assert_int_equal(png_pixel(&p.image, e.right - width * 9 / 20, middle), right);
    release(&p);
}

/* Pixels of the colour of contacts in a PNG, also pale ones. */
static size_t contact_pixels(const char *name)
{
    size_t size, count = 0;
    char *bytes = cli_read_file(name, &size);
    png_image image = png_read((uint8_t *)bytes, size);
    for (uint32_t y = 120; y < 1120; y++) {
        for (uint32_t x = 30; x < 1085; x++) {
            const uint32_t pixel = png_pixel(&image, x, y);
            const int red = (int)(pixel >> 16), green = (int)(pixel >> 8 & 255), blue = (int)(pixel & 255);
            count += red > 140 && red > green + 60 && blue > green;
        }
    }
    free(image.pixels);
    free(bytes);
    return count;
}

/* A ball that pokes through the wall at x = 1, from inside: from the other sides a wall is before it. */
static void test_contacts_are_never_hidden(void **state)
{
    (void)state;
    static const struct {
        const char *model, *view;
        int hidden;
    } cases[] = {
        {"block.obj", "left", 1}, {"block.obj", "right", 0}, {"open.obj", "left", 1}, {"open.obj", "bottom", 1}};
    const int png = has_png();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[300];
        snprintf(line, sizeof line,
                 "check %s ball.obj --count --view %s --section none --pose-b '.3 0 0 .8 0 .3 0 1 0 0 .3 1'",
                 cases[i].model, cases[i].view);
        picture p = draw(1, line);
        assert_int_equal(strstr(p.words, "the same, behind a surface") != NULL, cases[i].hidden);
        assert_int_equal(strstr(p.words, "stroke-opacity=\"0.55\" d=\"M") != NULL, cases[i].hidden);
        assert_null(strstr(p.words, "cut open"));
        release(&p);
        if (png) {
            cli_expect(0, "rsvg-convert p.svg -o p.png");
            assert_true(contact_pixels("p.png") > 100);
        }
    }
}

/* Without a view the wall before the contacts is cut open, of closed models and of open ones. */
static void test_walls_are_cut(void **state)
{
    (void)state;
    static const char *const models[] = {"block.obj", "open.obj"};
    for (int i = 0; i < 2; i++) {
        char line[200];
        snprintf(line, sizeof line, "check %s ball.obj --count --pose-b '.3 0 0 .5 0 .3 0 1 0 0 .3 .25'", models[i]);
        picture p = draw(1, line);
        assert_non_null(strstr(p.words, "A is cut open"));
        assert_int_equal(strstr(p.words, ">A, cut open<") != NULL, i == 0); /* hatched material */
        assert_true(share_of(&p.image, is_amber) > 0.02);
        release(&p);
    }
    picture p = draw(1, "check block.obj ball.obj --relation --pose-b '.3 0 0 .5 0 .3 0 1 0 0 .3 1'");
    assert_non_null(strstr(p.words, "A is cut open")); /* no contact, but else one would not see B */
    assert_true(share_of(&p.image, is_amber) > 0.02);
    release(&p);
    p = draw(0, "distance block.obj ball.obj --pose-b '.3 0 0 .5 0 .3 0 1 0 0 .3 1'");
    assert_non_null(strstr(p.words, "A is cut open"));
    assert_null(strstr(p.words, "behind a surface"));
    release(&p);
}

/* A contact on the far side is looked at from there, and nothing is cut. */
static void test_view_of_the_far_side(void **state)
{
    (void)state;
    picture p = draw(1, "check block.obj ball.obj --count --pose-b '.4 0 0 .5 0 .4 0 1 0 0 .4 -.3'"); /* below */
    assert_null(strstr(p.words, "cut open"));
    assert_true(share_of(&p.image, is_amber) > 0.01);
    release(&p);
}

/* The first pixel of a row is a mixture as often as not. */
static void test_smooth_edges(void **state)
{
    (void)state;
    picture p = draw(0, "check round.stl ball.obj --test --pose-b '.01 0 0 0 0 .01 0 0 0 0 .01 0' --section none");
    const extent e = extent_of(&p.image);
    size_t rows = 0, mixed = 0, colours = 0;
    uint32_t last = 0;
    for (uint32_t y = e.top + (e.bottom - e.top) / 8; y < e.bottom - (e.bottom - e.top) / 8; y++, rows++) {
        uint32_t x = e.left;
        while (png_pixel(&p.image, x, y) == PAPER) {
            x++;
        }
        const uint32_t edge = png_pixel(&p.image, x, y) & 255, inside = png_pixel(&p.image, x + 8, y) & 255;
        mixed += edge > inside + 4 && edge < (PAPER & 255);
        colours += edge != last;
        last = edge;
    }
    assert_true(rows > 1000);
    assert_true(mixed > rows / 4);
    assert_true(colours > rows / 10);
    assert_true(strlen(p.svg) < 3000000);
    release(&p);
}

/* ---- view and section ---- */

static void check_shape(const char *view, double width, double height)
{
    char line[200];
    snprintf(line, sizeof line,
             "check block.obj ball.obj --test --section none --pose-b '.1 0 0 .5 0 .1 0 1 0 0 .1 1' %s", view);
    picture p = draw(0, line);
    const extent e = extent_of(&p.image);
    const double shape = (double)(e.right - e.left) / (double)(e.bottom - e.top);
    if (fabs(shape / (width / height) - 1) > 0.01) {
        fail_msg("%s: width by height is %g, not %g by %g", view, shape, width, height);
    }
    release(&p);
}

static void test_views(void **state)
{
    (void)state;
    check_shape("--view front", 1, 3);
    check_shape("--view right --view-up y", 3, 2);
    check_shape("--view front --view-up y", 1, 2); /* from z */
    check_shape("--view top --view-up y", 1, 3);
    check_shape("--view front --view-up -x", 3, 1);
    check_shape("--view '0 0 -5'", 1, 2);
    check_shape("--view '1 1 0'", 3 / sqrt(2), 3);
    check_shape("--view front --view-up '1 0 1'", 4, 4); /* turned by 45 degrees: both are (1 + 3) / sqrt 2 */
}

/* `front` looks from -y: what is at +x is on the right, and what is at -y in front. */
static void test_sides(void **state)
{
    (void)state;
    static const char *const poses[] = {".2 0 0 .5 0 .2 0 -1 0 0 .2 1", ".2 0 0 .5 0 .2 0 3 0 0 .2 1"};
    for (int i = 0; i < 2; i++) {
        for (int back = 0; back < 2; back++) {
            char line[200];
            snprintf(line, sizeof line, "check block.obj ball.obj --test --section none --view %s --pose-b '%s'",
                     back ? "back" : "front", poses[i]);
            picture p = draw(0, line);
            assert_int_equal(share_of(&p.image, is_amber) > 0.001, i == back);
            release(&p);
        }
    }
    picture p = draw(0, "check block.obj ball.obj --test --view front --pose-b '.3 0 0 3 0 .3 0 1 0 0 .3 1'");
    const extent e = extent_of(&p.image);
    const uint32_t y = (e.top + e.bottom) / 2 + (e.bottom - e.top) / 6; /* z = 1 */
    assert_true(is_amber(png_pixel(&p.image, e.right - 20, y)) && is_blue(png_pixel(&p.image, e.left + 20, y)));
    release(&p);
}

static char *svg_of(int status, const char *line)
{
    cli_expect(status, "tumble %s --picture p.svg", line);
    return cli_read_file("p.svg", NULL);
}

static void check_same(int status, const char *one, const char *other)
{
    char *a = svg_of(status, one), *b = svg_of(status, other);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

#define INSIDE "check block.obj ball.obj --test --pose-b '.3 0 0 .5 0 .3 0 1 0 0 .3 1' "

static void test_sections(void **state)
{
    (void)state;
    picture p = draw(0, INSIDE "--view right --section none");
    assert_true(share_of(&p.image, is_amber) == 0 && share_of(&p.image, is_blue) > 0.1);
    release(&p);
    p = draw(0, INSIDE "--view right --section 'x .5'"); /* both are cut, and hatched */
    assert_non_null(strstr(p.words, "both are cut open"));
    assert_non_null(strstr(p.words, ">A, cut open<"));
    assert_non_null(strstr(p.words, ">B, cut open<"));
    assert_true(share_of(&p.image, is_amber) > 0.001);
    release(&p);
    p = draw(0, INSIDE "--view right --section 'x .1'"); /* the ball begins at 0.2 and is gone */
    assert_true(share_of(&p.image, is_amber) == 0);
    release(&p);
    check_same(0, INSIDE "--view right --section 'x .5'", INSIDE "--view '1 0 0' --section '1 0 0 .5'");
    check_same(0, INSIDE "--view left --section 'x .5'", INSIDE "--view left --section '-2 0 0 -1'");
    p = draw(0, INSIDE "--view front --section 'x .5'"); /* edge on: the side of +x is gone */
    const extent half = extent_of(&p.image);
    assert_true(fabs((half.right - half.left) / (double)(half.bottom - half.top) * 6 - 1) < 0.02);
    release(&p);
    p = draw(1,
             "check block.obj ball.obj --count --view right --section 'x .9' --pose-b '.3 0 0 .9 0 .3 0 1 0 0 .3 1'");
    assert_null(strstr(p.words, "where they meet")); /* contacts on what is cut away, at x = 1, go with it */
    assert_non_null(strstr(p.words, "material of both"));
    release(&p);
    p = draw(0, INSIDE "--section 'z 1'"); /* looks upon the section by itself */
    assert_true(share_of(&p.image, is_amber) > 0.001);
    release(&p);
}

static void test_demo_view(void **state)
{
    (void)state;
    cli_expect(0, "tumble demo --steps 40 -o whole --section none --view front --json");
    picture p = read_picture("whole/demo-contacts.svg");
    assert_null(strstr(p.words, "cut open"));
    release(&p);
    cli_expect(0, "tumble demo --steps 40 -o cut --json");
    p = read_picture("cut/demo-contacts.svg");
    assert_non_null(strstr(p.words, "A is cut open"));
    check_texts(p.words, 1600, 1200, 7);
    release(&p);
}

/* ---- sameness, sizes ---- */

static void test_same_bytes(void **state)
{
    (void)state;
    static const char line[] = "check round.stl ball.obj --count --pose-b '1 0 0 .5 0 1 0 0 0 0 1 0' --threads 2";
    check_same(1, line, "check round.stl ball.obj --count --pose-b '1 0 0 .5 0 1 0 0 0 0 1 0' --threads 1");
    cli_write_file("path.txt", "1 0 0 9 0 1 0 0 0 0 1 0\n1 0 0 1.5 0 1 0 0 0 0 1 0\n");
    cli_expect(1, "tumble check round.stl ball.obj --count --poses path.txt --plot a.svg");
    cli_expect(
        1,
        "tumble check round.stl ball.obj --count --poses path.txt --plot b.svg && exit 9; cmp a.svg b.svg && exit 1");
    cli_expect(1, "tumble distance round.stl ball.obj --poses path.txt --plot a.svg");
    cli_expect(1,
               "tumble distance round.stl ball.obj --poses path.txt --plot b.svg && exit 9; cmp a.svg b.svg && exit 1");
}

/* Coordinates far from 0, huge and tiny ones: the same picture. */
static void test_sizes(void **state)
{
    (void)state;
    static const char pose[] = "'%s 0 0 %s 0 %s 0 0 0 0 %s 0'", *const sizes[] = {"1", "1e150", "1e-150"};
    char *pictures[3];
    for (int i = 0; i < 3; i++) {
        char a[200], b[200];
        snprintf(a, sizeof a, pose, sizes[i], "0", sizes[i], sizes[i]);
        snprintf(b, sizeof b, pose, sizes[i], sizes[i], sizes[i], sizes[i]);
        cli_expect(1, "tumble check ball.obj ball.obj --count --pose-a %s --pose-b %s --picture p.svg", a, b);
        pictures[i] = cli_read_file("p.svg", NULL);
    }
    png_image images[3];
    for (int i = 0; i < 3; i++) {
        images[i] = png_read_from_svg(pictures[i], 0);
        const extent e = extent_of(&images[i]), first = extent_of(&images[0]);
        assert_true(labs((long)e.left - (long)first.left) <= 1 && labs((long)e.bottom - (long)first.bottom) <= 1);
    }
    for (int i = 0; i < 3; i++) {
        free(images[i].pixels);
        free(pictures[i]);
    }
}

/* Models that are too small to be seen are marked, and shown in close-ups. */
static void test_far_apart(void **state)
{
    (void)state;
    picture p = draw(0, "distance ball.obj block.obj --pose-b '1 0 0 5000 0 1 0 800 0 0 1 90'");
    assert_non_null(strstr(p.words, ">A</text>"));
    assert_non_null(strstr(p.words, ">B</text>"));
    assert_non_null(strstr(p.words, ">A, enlarged "));
    assert_non_null(strstr(p.words, ">B, enlarged "));
    for (size_t i = 1; i < 3; i++) { /* and shown by themselves */
        png_image close_up = png_read_from_svg(p.svg, i);
        assert_true(share_of(&close_up, i == 1 ? is_blue : is_amber) > 0.2);
        free(close_up.pixels);
    }
    check_texts(p.words, 1600, 1200, 8);
    release(&p);
}

/* ---- plots ---- */

static void check_plot(int status, const char *options, const char *title, const char *mark)
{
    cli_expect(status, "tumble check block.obj ball.obj --poses path.txt %s --plot q.svg", options);
    char *plot = cli_read_file("q.svg", NULL);
    if (!strstr(plot, title) || (mark && !strstr(plot, mark))) {
        fail_msg("%s: neither '%s' nor '%s' in %s", options, title, mark ? mark : "", plot);
    }
    assert_null(strstr(plot, "time of a query"));
    assert_null(strstr(strstr(plot, title), "class=\"mark\"")); /* no line is drawn over the title */
    check_texts(plot, 960, 1000, 6);
    free(plot);
}

static void test_plots(void **state)
{
    (void)state;
    cli_write_file("path.txt", "1 0 0 9 0 1 0 1 0 0 1 1\n1 0 0 1.9 0 1 0 1 0 0 1 1\n1 0 0 1.5 0 1 0 1 0 0 1 1\n"
                               "1 0 0 9 0 1 0 1 0 0 1 1\n");
    check_plot(1, "", ">intersecting pairs of polygons<", ">first contact: step 1<");
    check_plot(1, "", ">most pairs: step 2<", NULL);
    check_plot(1, "--json --count -o out.jsonl", ">intersecting pairs of polygons<", ">first contact: step 1<");
    check_plot(1, "--test", ">do they intersect? 1: yes", ">first contact: step 1<");
    check_plot(1, "--first", ">do they intersect? 1: yes", ">first contact: step 1<");
    check_plot(1, "--relation", ">do they have anything in common? 1: yes", ">first in common: step 1<");
    check_plot(1, "--clearance 7.5 --count", ">pairs of polygons that are at most 7.5 apart<",
               ">first too close: step 0<");
    check_plot(1, "--budget-boxes 100000", ">do they intersect? 1: yes", ">first contact: step 1<");
    check_plot(1, "--surfaces all", ">intersecting pairs of surfaces<", ">first contact and most pairs: step 1<");
    check_plot(1, "--count --device cpu", ">intersecting pairs of polygons<", ">first contact: step 1<");
    cli_expect(1, "tumble check block.obj ball.obj --poses path.txt --count --stats --plot q.svg --picture p.svg");
    char *plot = cli_read_file("q.svg", NULL);
    assert_non_null(strstr(plot, "time of a query"));
    free(plot);
    picture p = read_picture("p.svg");
    assert_non_null(strstr(p.words, ">Step 2 of the path: "));
    release(&p);
    cli_expect(1, "tumble distance block.obj ball.obj --poses path.txt --plot q.svg");
    plot = cli_read_file("q.svg", NULL);
    assert_non_null(strstr(plot, ">first contact: step 1<"));
    assert_null(strstr(plot, "closest"));
    free(plot);
}

/* One pose of many: the peak is there, and the file is small. */
static void test_long_plot(void **state)
{
    (void)state;
    enum {
        STEPS = 20000
    };
    char *path = malloc((size_t)STEPS * 40);
    size_t length = 0;
    for (int i = 0; i < STEPS; i++) {
        length += (size_t)sprintf(path + length, "1 0 0 %d 0 1 0 1 0 0 1 1\n", i == 12345 ? 1 : 9);
    }
    cli_write_file("long.txt", path);
    free(path);
    cli_expect(1, "tumble check block.obj ball.obj --poses long.txt --test --plot q.svg");
    size_t size;
    char *plot = cli_read_file("q.svg", &size);
    assert_true(size < 200000);
    assert_non_null(strstr(plot, ">first contact: step 12345<"));
    assert_non_null(strstr(plot, " 136.00L")); /* the top of the panel */
    free(plot);
}

/* ---- errors ---- */

static void test_errors(void **state)
{
    (void)state;
    cli_expect_error("tumble check block.obj ball.obj --view front", "--view", "--picture", NULL);
    cli_expect_error("tumble check block.obj ball.obj --section 'x 1'", "--section", "--picture", NULL);
    cli_expect_error("tumble distance block.obj ball.obj --view-up y", "--view-up", "--picture", NULL);
    cli_expect_error("tumble check block.obj ball.obj --plot q.svg", "--plot", "--poses", "--picture", NULL);
    cli_expect_error("tumble check block.obj ball.obj --picture p.gif", "--picture 'p.gif'", ".svg or .png", NULL);
    static const char *const wrong[][2] = {{"--view sideways", "front, back, left, right, top, bottom, iso"},
                                           {"--view '1 2'", "not a direction"},
                                           {"--view '0 0 0'", "not a direction"},
                                           {"--view '1 2 nan'", "not a direction"},
                                           {"--view '1 2 3 4'", "not a direction"},
                                           {"--view-up w", "x, y, z"},
                                           {"--section 'w 1'", "not a plane"},
                                           {"--section x", "not a plane"},
                                           {"--section 'x 1 2'", "not a plane"},
                                           {"--section '0 0 0 1'", "not a plane"},
                                           {"--section '1 0 0'", "not a plane"},
                                           {"--section ''", "not a plane"},
                                           {"--section 'x inf'", "not a plane"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[200];
        snprintf(line, sizeof line, "tumble check block.obj ball.obj --picture p.svg %s", wrong[i][0]);
        cli_expect_error(line, wrong[i][1], NULL);
    }
    cli_expect_error("tumble demo --view up", "--view 'up'", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),          cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_leader),         cmocka_unit_test(test_words),
        cmocka_unit_test(test_crossing_faces), cmocka_unit_test(test_contacts_are_never_hidden),
        cmocka_unit_test(test_walls_are_cut),  cmocka_unit_test(test_view_of_the_far_side),
        cmocka_unit_test(test_smooth_edges),   cmocka_unit_test(test_views),
        cmocka_unit_test(test_sides),          cmocka_unit_test(test_sections),
        cmocka_unit_test(test_demo_view),      cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_sizes),          cmocka_unit_test(test_far_apart),
        cmocka_unit_test(test_plots),          cmocka_unit_test(test_long_plot),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, setup, cli_teardown);
}
