/* PNG from SVG, with the packaged program rsvg-convert. */
#ifndef TUMBLE_CLI_PNG_H
#define TUMBLE_CLI_PNG_H

/* 1 when `png` has been written, 0 when rsvg-convert is not installed or failed: then there is no `png`. */
int cli_png_from_svg(const char *svg, const char *png);

#endif
