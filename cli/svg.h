/* SVG text that is always well-formed and fits the available room. */
#ifndef TUMBLE_CLI_SVG_H
#define TUMBLE_CLI_SVG_H

#include <stddef.h>
#include <stdio.h>

/* Without the attribute's name: for elements, or once for the whole drawing. */
#define CLI_SVG_FONT "DejaVu Sans, Liberation Sans, Helvetica, Arial, sans-serif"

typedef struct cli_svg_text {
    double x, y;
    double size; /* of the font */
    double room; /* the text is made smaller, then shortened in the middle, to be at most this wide; 0: any */
    int bold;
    const char *attributes; /* of the element, or NULL: fill, text-anchor, class */
} cli_svg_text;

void cli_svg_write_text(FILE *file, const cli_svg_text *where, const char *text);

/* An upper bound of the text's width in the fonts above. */
double cli_svg_text_width(const char *text, double size, int bold);

/* Shortens `text` (in place) in its middle, so that it is at most `room` wide. */
void cli_svg_shorten(char *text, double size, int bold, double room);

/* The end of a path: the file's name, without its folders. */
const char *cli_base_name(const char *path);

/* Short names of two files: base names, with as many parent folders as needed to tell them apart. */
void cli_short_names(const char *const paths[2], const char *names[2]);

#endif
