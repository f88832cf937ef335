/* PNG from SVG, with the packaged program rsvg-convert. */
#ifndef TUMBLE_CLI_PNG_H
#define TUMBLE_CLI_PNG_H

typedef enum cli_png_result {
    CLI_PNG_WRITTEN = 0,
    CLI_PNG_NO_PROGRAM = 1, /* rsvg-convert is not installed */
    CLI_PNG_FAILED = 2
} cli_png_result;

/* The picture, 1600 pixels wide, under its name when it is complete, else not at all. */
cli_png_result cli_png_from_svg(const char *svg, const char *png);

#endif
