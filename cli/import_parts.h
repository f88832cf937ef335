/* The parts of a file that assimp read, as bytes between two processes: which surfaces are a geometry, and which part
 * has which geometry, where. Whoever reads them trusts no byte. */
#ifndef TUMBLE_CLI_IMPORT_PARTS_H
#define TUMBLE_CLI_IMPORT_PARTS_H

#include "import_reply.h"
#include "tumble/assembly.h"

#define CLI_IMPORT_NONE UINT32_MAX

/* Texts are never NULL. */
typedef struct cli_import_part {
    const char *name, *path, *material, *class_name, *guid;
    uint32_t host; /* number of the part whose opening it fills; CLI_IMPORT_NONE */
    double transform[12];
} cli_import_part;

/* Begin, surfaces and add for each part; or no add for a part that has none. The bytes: how many geometries and parts
 * there are; of each geometry the number of its surfaces, and these; of each part its geometry (CLI_IMPORT_NONE: it has
 * no polygons), its host, 12 numbers of its place, and five texts that end with 0, in the order of cli_import_part. */
typedef struct cli_part_writer {
    tumble_context *context;
    tmb_buffer lists; /* uint32_t: of each geometry the number of its surfaces, and these */
    size_t list_words, list_start;
    tmb_buffer starts; /* size_t: where the list of a geometry starts */
    size_t geometry_count;
    tmb_buffer bytes; /* the parts */
    size_t byte_count;
    uint32_t part_count;
} cli_part_writer;

void cli_part_writer_start(cli_part_writer *writer, tumble_context *context);
tumble_status cli_part_writer_begin(cli_part_writer *writer);
tumble_status cli_part_writer_add_surface(cli_part_writer *writer, uint32_t surface);
tumble_status cli_part_writer_add(cli_part_writer *writer, const cli_import_part *part);
tumble_status cli_part_writer_end(cli_part_writer *writer, tmb_buffer *out, size_t *size);

/* Adds the parts of a reply, or each surface as one where it has none, moved by a transform. */
tumble_status cli_add_import_parts(tumble_assembly *assembly, const char *path, const cli_import_reply *reply,
                                   const double transform[12]);

#endif
