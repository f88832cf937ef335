/* Text and images in drawings: building blocks of the command's pictures. */
#include "svg.h"

#include <stdlib.h>
#include <string.h>

#include "deflate.h"
#include "image.h"
#include "png_read.h"
#include "support.h"

/* ---- names ---- */

static void test_base_name(void **state)
{
    (void)state;
    assert_string_equal(cli_base_name("part.obj"), "part.obj");
    assert_string_equal(cli_base_name("a/b/part.obj"), "part.obj");
    assert_string_equal(cli_base_name("/part.obj"), "part.obj");
    assert_string_equal(cli_base_name("folder/"), "folder/");
    assert_string_equal(cli_base_name("-"), "-");
}

static void check_short(const char *a, const char *b, const char *short_a, const char *short_b)
{
    const char *const paths[2] = {a, b};
    const char *names[2];
    cli_short_names(paths, names);
    assert_string_equal(names[0], short_a);
    assert_string_equal(names[1], short_b);
}

static void test_short_names(void **state)
{
    (void)state;
    check_short("a/part.obj", "b/other.obj", "part.obj", "other.obj");
    check_short("x/old/part.obj", "x/new/part.obj", "old/part.obj", "new/part.obj");
    check_short("old/y/part.obj", "new/y/part.obj", "old/y/part.obj", "new/y/part.obj");
    check_short("part.obj", "new/part.obj", "part.obj", "new/part.obj");
    check_short("x//part.obj", "x/part.obj", "/part.obj", "x/part.obj");
    check_short("x/part.obj", "x/part.obj", "part.obj", "part.obj");
}

/* ---- text ---- */

static char *written(const cli_svg_text *where, const char *text)
{
    char *out = calloc(1, 4096);
    FILE *file = fmemopen(out, 4096, "w");
    assert_non_null(file);
    cli_svg_write_text(file, where, text);
    fclose(file);
    return out;
}

static void test_width(void **state)
{
    (void)state;
    assert_true(cli_svg_text_width("", 20, 0) == 0);
    assert_true(cli_svg_text_width("mmm", 20, 0) > cli_svg_text_width("iii", 20, 0));
    assert_true(cli_svg_text_width("mmm", 20, 1) > cli_svg_text_width("mmm", 20, 0));
    const double one = cli_svg_text_width("ü", 10, 0); /* one letter, two bytes */
    assert_true(one > 5 && one < 12);
}

static void test_shorten(void **state)
{
    (void)state;
    char text[64] = "a_rather_long_name_of_a_part.obj";
    const double room = cli_svg_text_width(text, 20, 0);
    cli_svg_shorten(text, 20, 0, room);
    assert_string_equal(text, "a_rather_long_name_of_a_part.obj");
    cli_svg_shorten(text, 20, 0, room / 2);
    assert_true(cli_svg_text_width(text, 20, 0) <= room / 2);
    assert_memory_equal(text, "a_rath", 6);
    assert_non_null(strstr(text, "…"));
    assert_string_equal(text + strlen(text) - 4, ".obj");
    char umlauts[64] = "üüüüüüüüüüüüüüüüüüüü";
    cli_svg_shorten(umlauts, 20, 0, 150);
    char *out = written(&(cli_svg_text){.size = 20}, umlauts);
    assert_null(strstr(out, "\xef\xbf\xbd")); /* no letter was cut in two */
    free(out);
}

/* Smaller first, shorter then; whatever room there is, it is enough. */
static void test_room(void **state)
{
    (void)state;
    const char *text = "some words that need room";
    const double width = cli_svg_text_width(text, 20, 0);
    for (double room = 40; room < 1.2 * width; room += 7) {
        char *out = written(&(cli_svg_text){.x = 5, .y = 6, .size = 20, .room = room}, text), content[128];
        double x, y, size;
        assert_int_equal(sscanf(out, "<text x=\"%lf\" y=\"%lf\" font-size=\"%lf\">%127[^<]", &x, &y, &size, content),
                         4);
        assert_true(x == 5 && y == 6 && size >= 15 && size <= 20);
        assert_true(cli_svg_text_width(content, size, 0) <= room * 1.001);
        assert_int_equal(strcmp(content, text) == 0, room >= 0.75 * width);
        free(out);
    }
}

static void check_content(const char *text, const char *expected)
{
    char *out = written(&(cli_svg_text){.size = 10}, text);
    const char *content = strchr(out, '>') + 1;
    assert_int_equal(strcspn(content, "<"), strlen(expected));
    assert_memory_equal(content, expected, strlen(expected));
    free(out);
}

/* What is no text of XML does not get into it. */
static void test_escapes(void **state)
{
    (void)state;
    check_content("a<b>&c", "a&lt;b&gt;&amp;c");
    check_content("tab\there\n\x7f", "tab here  ");
    check_content("größe ½ µ 部品 🙂", "größe ½ µ 部品 🙂");
    check_content("\xff", "\xef\xbf\xbd");
    check_content("a\xc3", "a\xef\xbf\xbd");
    check_content("\xc0\xaf\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    check_content("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    check_content("\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

/* ---- compression ---- */

static void check_round_trip(const uint8_t *bytes, size_t size, size_t most)
{
    size_t packed_size = 0;
    uint8_t *packed = cli_deflate(bytes, size, &packed_size), *unpacked = malloc(size + 1);
    assert_non_null(packed);
    inflate_bytes(packed, packed_size, unpacked, size);
    assert_memory_equal(unpacked, bytes, size);
    assert_true(packed_size <= most);
    free(packed);
    free(unpacked);
}

static void test_deflate(void **state)
{
    (void)state;
    enum {
        SIZE = 300000
    };
    uint8_t *bytes = calloc(SIZE, 1);
    for (size_t size = 0; size < 20; size++) {
        check_round_trip(bytes, size, 220);
    }
    check_round_trip(bytes, SIZE, 1200); /* one string again and again */
    for (size_t i = 0; i < SIZE; i++) {
        bytes[i] = (uint8_t)rand_r(&(unsigned){(unsigned)i * 7919u + 1});
    }
    check_round_trip(bytes, SIZE, SIZE + SIZE / 50); /* nothing to be had */
    for (size_t i = 0; i < SIZE; i++) {
        bytes[i] = (uint8_t)(i % 251 < 200 ? i / 1000 : (i * i) >> 5);
    }
    check_round_trip(bytes, SIZE, SIZE / 2);
    uint64_t weight = 1, next = 1; /* frequencies as those of Fibonacci: the deepest code there is */
    size_t place = 0;
    for (unsigned symbol = 0; symbol < 24; symbol++) {
        for (uint64_t i = 0; i < weight && place < SIZE; i++) {
            bytes[place++] = (uint8_t)symbol;
        }
        const uint64_t sum = weight + next;
        weight = next;
        next = sum;
    }
    for (size_t i = place - 1; i > 0; i--) { /* in no order, so that nothing repeats */
        const size_t other = (i * 2654435761u) % (i + 1);
        const uint8_t byte = bytes[i];
        bytes[i] = bytes[other];
        bytes[other] = byte;
    }
    check_round_trip(bytes, place, place);
    free(bytes);
}

static void test_image(void **state)
{
    (void)state;
    for (uint32_t width = 1; width < 60; width += 7) {
        const uint32_t height = 3 + width / 2;
        cli_image image = {width, height, malloc((size_t)3 * width * height)};
        for (uint32_t i = 0; i < 3 * width * height; i++) {
            image.pixels[i] = (uint8_t)(i * i / 7 + (i / width) * 3);
        }
        const size_t room = 1 << 20;
        char *out = calloc(1, room);
        FILE *file = fmemopen(out, room, "w");
        assert_non_null(file);
        fputs("data:image/png;base64,", file);
        assert_true(cli_image_write_base64(file, &image));
        fputs("\"", file);
        fclose(file);
        png_image read = png_read_from_svg(out, 0);
        assert_true(read.width == width && read.height == height && read.channels == 3);
        assert_memory_equal(read.pixels, image.pixels, (size_t)3 * width * height);
        free(read.pixels);
        free(image.pixels);
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base_name), cmocka_unit_test(test_short_names), cmocka_unit_test(test_width),
        cmocka_unit_test(test_shorten),   cmocka_unit_test(test_room),        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_deflate),   cmocka_unit_test(test_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
