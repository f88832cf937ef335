/* Text in SVG. */
#include "svg.h"

#include <stdint.h>
#include <string.h>

enum {
    LONGEST_TEXT = 1024
};

/* ---- UTF-8 ---- */

/* The size in bytes of the first character; 0 if it is not valid UTF-8 or not allowed in XML. */
static size_t character_size(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t size = bytes[0] < 0x80 ? 1 : bytes[0] < 0xc2 ? 0 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    const int too_long = (bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xf0 && bytes[1] < 0x90);
    const int not_in_xml = (bytes[0] == 0xed && bytes[1] >= 0xa0) || bytes[0] > 0xf4 ||
                           (bytes[0] == 0xf4 && bytes[1] >= 0x90) ||
                           (bytes[0] == 0xef && bytes[1] == 0xbf && bytes[2] >= 0xbe);
    return too_long || not_in_xml ? 0 : size;
}

/* The distance to the next character; invalid bytes count as one each. */
static size_t step_over(const char *text)
{
    const size_t size = character_size(text);
    return size ? size : 1;
}

static const char replacement[] = "\xef\xbf\xbd", ellipsis[] = "\xe2\x80\xa6";

/* Copies what fits. Invalid bytes become U+FFFD, control characters blanks. */
static void copy_text(char *out, size_t capacity, const char *text)
{
    size_t length = 0;
    while (*text && length + 5 < capacity) {
        const size_t size = character_size(text);
        if (size == 0) {
            memcpy(out + length, replacement, 3);
            length += 3;
        } else if (size == 1) {
            out[length++] = (unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text;
        } else {
            memcpy(out + length, text, size);
            length += size;
        }
        text += step_over(text);
    }
    out[length] = '\0';
}

/* ---- widths ---- */

/* Of ' ' to '~' in DejaVu Sans, the widest of the fonts, in fiftieths of the size. */
static const uint8_t widths[2][95] = {
    {16, 21, 23, 42, 32, 48, 39, 14, 20, 20, 25, 42, 16, 19, 16, 17, 32, 32, 32, 32, 32, 32, 32, 32,
     32, 32, 17, 17, 42, 42, 42, 27, 50, 35, 35, 35, 39, 32, 29, 39, 38, 15, 15, 33, 28, 44, 38, 40,
     31, 40, 35, 32, 31, 37, 35, 50, 35, 31, 35, 20, 17, 20, 42, 25, 25, 31, 32, 28, 32, 31, 18, 32,
     32, 14, 14, 29, 14, 49, 32, 31, 32, 32, 21, 27, 20, 32, 30, 41, 30, 30, 27, 32, 17, 32, 42},
    {18, 23, 27, 42, 35, 51, 44, 16, 23, 23, 27, 42, 19, 21, 19, 19, 35, 35, 35, 35, 35, 35, 35, 35,
     35, 35, 20, 20, 42, 42, 42, 30, 50, 39, 39, 37, 42, 35, 35, 42, 42, 19, 19, 39, 32, 50, 42, 43,
     37, 43, 39, 37, 35, 41, 39, 56, 39, 37, 37, 23, 19, 23, 42, 25, 25, 34, 36, 30, 36, 34, 22, 36,
     36, 18, 18, 34, 18, 53, 36, 35, 36, 36, 25, 30, 24, 36, 33, 47, 33, 33, 30, 36, 19, 36, 42}};

static double character_width(const char *text, int bold)
{
    const unsigned char first = (unsigned char)*text;
    return first >= ' ' && first <= '~' ? widths[bold != 0][first - ' '] / 50.0 : 1.15; /* all others: a full em */
}

double cli_svg_text_width(const char *text, double size, int bold)
{
    double width = 0;
    for (; *text; text += step_over(text)) {
        width += character_width(text, bold);
    }
    return size * width;
}

/* The start of the last character before `place`. */
static size_t last_character(const char *text, size_t place)
{
    do {
        place--;
    } while (place > 0 && ((unsigned char)text[place] & 0xc0) == 0x80);
    return place;
}

/* Keeps more of the start than of the end, but always some of the end: it has the extension. */
void cli_svg_shorten(char *text, double size, int bold, double room)
{
    if (cli_svg_text_width(text, size, bold) <= room) {
        return;
    }
    const double letters = room / size - character_width(ellipsis, bold);
    double used = 0;
    size_t head = 0, tail = strlen(text);
    while (used + character_width(text + head, bold) <= 0.6 * letters) {
        used += character_width(text + head, bold);
        head += step_over(text + head);
    }
    for (size_t next = last_character(text, tail); next > head; next = last_character(text, tail)) {
        used += character_width(text + next, bold);
        if (used > letters) {
            break;
        }
        tail = next;
    }
    while (tail - head < sizeof ellipsis - 1 && text[tail]) { /* make room for its bytes */
        tail += step_over(text + tail);
    }
    if (tail - head >= sizeof ellipsis - 1) {
        memmove(text + head + sizeof ellipsis - 1, text + tail, strlen(text + tail) + 1);
        memcpy(text + head, ellipsis, sizeof ellipsis - 1);
    }
}

/* ---- writing ---- */

static void print_escaped(FILE *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", file); break;
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        default: fputc(*text, file); break;
        }
    }
}

void cli_svg_write_text(FILE *file, const cli_svg_text *where, const char *text)
{
    const double smallest = 0.75; /* of the font size */
    char copy[LONGEST_TEXT] = "";
    double size = where->size;
    copy_text(copy, sizeof copy, text);
    const double width = cli_svg_text_width(copy, size, where->bold);
    if (where->room > 0 && width > where->room) {
        size *= where->room / width > smallest ? where->room / width : smallest;
        cli_svg_shorten(copy, size, where->bold, where->room * (1 + 1e-12));
    }
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.4g\"%s%s%s>", where->x, where->y, size,
            where->bold ? " font-weight=\"bold\"" : "", where->attributes ? " " : "",
            where->attributes ? where->attributes : "");
    print_escaped(file, copy);
    fputs("</text>\n", file);
}

/* ---- names ---- */

const char *cli_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* One folder more; the whole path when there are no more. */
static const char *longer_name(const char *path, const char *name)
{
    const char *start = name > path ? name - 1 : path;
    while (start > path && start[-1] != '/') {
        start--;
    }
    return start;
}

void cli_short_names(const char *const paths[2], const char *names[2])
{
    names[0] = cli_base_name(paths[0]);
    names[1] = cli_base_name(paths[1]);
    while (strcmp(names[0], names[1]) == 0 && (names[0] > paths[0] || names[1] > paths[1]) &&
           strcmp(paths[0], paths[1]) != 0) {
        names[0] = longer_name(paths[0], names[0]);
        names[1] = longer_name(paths[1], names[1]);
    }
}
