/* The unit that 3MF and AMF files state, which assimp does not pass on. */
#ifndef TUMBLE_CLI_ZIP_TEXT_H
#define TUMBLE_CLI_ZIP_TEXT_H

#include <stddef.h>

#include "tumble/base.h"

/* In metres; millimetres when the file leaves it out, as both formats say; 0: the file cannot be understood. */
double cli_3mf_unit(tumble_context *context, const char *path);
double cli_amf_unit(tumble_context *context, const char *path);

/* The same, of a file in memory. */
double cli_3mf_unit_of_data(const void *data, size_t size);
double cli_amf_unit_of_data(const void *data, size_t size);

/* The first bytes of the first file in a ZIP archive whose name ends like this, at most `capacity` of them; 0: there
 * is none. */
size_t cli_zip_start(const unsigned char *zip, size_t size, const char *ending, unsigned char *out, size_t capacity);

/* As many bytes as there are, at most `capacity`, of a stream in the format DEFLATE (RFC 1951). */
size_t cli_inflate(const unsigned char *data, size_t size, unsigned char *out, size_t capacity);

#endif
