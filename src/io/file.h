/* Files: read whole, mapped, and written atomically. */
#ifndef TUMBLE_SRC_IO_FILE_H
#define TUMBLE_SRC_IO_FILE_H

#include "base/context.h"

/* Reads a whole file, or all that comes out of a pipe, into `data`; the caller releases it, also after a failure. Mesh
 * files are read rather than mapped: truncating a mapped file would kill the process. */
tumble_status tmb_file_read(tumble_context *context, const char *path, tmb_buffer *data, size_t *size);

/* Reads at most `capacity` bytes from the start; none from a pipe, whose bytes would be lost to the next reader. */
tumble_status tmb_file_read_start(tumble_context *context, const char *path, void *data, size_t capacity, size_t *size);

/* Maps a regular, non-empty file, privately and for reading; *mapping is NULL for any other. */
tumble_status tmb_file_map(tumble_context *context, const char *path, void **mapping, size_t *size);
void tmb_file_unmap(void *mapping, size_t size);

/* Fails with the message of errno, for example: a.obj: cannot write it: No space left on device */
tumble_status tmb_fail_file(tumble_context *context, const char *action, const char *path, int error);

/* A file that is being written. Bytes go to a temporary file beside the target, which replaces the target once it is
 * complete; anything but a regular file, such as a pipe, is written directly. After an error nothing more is written,
 * and tmb_output_commit reports it. */
typedef struct tmb_output {
    tumble_context *context;
    const char *path; /* as the caller gave it */
    char *target;     /* without symbolic links */
    char *temporary;  /* NULL: written directly */
    int descriptor;
    int error;  /* errno of what went wrong first */
    char *data; /* bytes not yet written */
    size_t used;
} tmb_output;

tumble_status tmb_output_open(tumble_context *context, const char *path, tmb_output *output);

/* Room for `size` bytes, at most TMB_OUTPUT_ROOM, of which tmb_output_advance takes the number used. */
#define TMB_OUTPUT_ROOM 4096
char *tmb_output_room(tmb_output *output);
void tmb_output_advance(tmb_output *output, size_t size);
void tmb_output_write(tmb_output *output, const void *data, size_t size);

/* Finishes the file, or removes it if anything failed. Either way the output is closed. */
tumble_status tmb_output_commit(tmb_output *output);

#endif
