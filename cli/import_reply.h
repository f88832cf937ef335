/* What the process that runs assimp sends back: an error, or a mesh. Whoever receives it trusts no byte of it. */
#ifndef TUMBLE_CLI_IMPORT_REPLY_H
#define TUMBLE_CLI_IMPORT_REPLY_H

#include "frame.h"
#include "io/mesh_buffer.h"

typedef struct cli_import_reply {
    tumble_status status;
    char message[512]; /* what failed, starting with the file; then what to do about it */
    char advice[256];
    cli_frame frame;
    tumble_mesh_buffer *buffer; /* not yet finished; NULL after an error */
    tmb_buffer parts;           /* bytes of import_parts.h, where these were asked for; the receiver releases them */
    size_t part_bytes;
} cli_import_reply;

/* Writes all of it. Returns 0 when nobody reads it. */
int cli_reply_send(int descriptor, const cli_import_reply *reply);

/* Takes it apart: checks that it is whole, that every index is in range and that every number is finite. Returns
 * TUMBLE_ERROR_FORMAT when it is not, or TUMBLE_ERROR_MEMORY; then there is no buffer. Otherwise the caller destroys
 * out->buffer. */
tumble_status cli_reply_receive(tumble_context *context, const void *bytes, size_t size, cli_import_reply *out);

#endif
