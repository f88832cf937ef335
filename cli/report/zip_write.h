/* ZIP archives (APPNOTE 6.3): deflated files, the same bytes for the same content. At most 65535 entries and 4 GiB. */
#ifndef TUMBLE_CLI_ZIP_WRITE_H
#define TUMBLE_CLI_ZIP_WRITE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Start with {.file = ...}, at the file's start. */
typedef struct zip_writer {
    FILE *file;
    uint64_t offset;
    struct zip_entry *entries;
    size_t entry_count, entry_capacity;
} zip_writer;

/* A file; a name that ends in a slash is a folder. Compressed unless that would not save anything. All return 0 if
 * memory runs out or the archive would be too large; errors of the stream show in its own flag. */
int zip_add(zip_writer *zip, const char *name, const void *bytes, size_t size);

/* Writes the directory, and releases everything, also after an error. */
int zip_finish(zip_writer *zip);

#endif
