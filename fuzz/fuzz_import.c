/* What the process that runs assimp sends back: any bytes are refused, or give a mesh in which every count and index is
 * right. The input is a list of changes to a good reply, so that the checks after the first ones are reached. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import_reply.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    REPLY_MOST = 4096,
    SEEDS = 3,
    CHANGE_BYTES = 4
};

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

/* ---- Good replies ---- */

typedef struct reply_bytes {
    unsigned char bytes[REPLY_MOST];
    size_t size;
} reply_bytes;

static void catch_reply(const cli_import_reply *reply, reply_bytes *out)
{
    int ends[2];
    require(pipe(ends) == 0);
    require(cli_reply_send(ends[1], reply)); /* a pipe holds it */
    const ssize_t size = read(ends[0], out->bytes, sizeof out->bytes);
    require(size > 0 && size < REPLY_MOST);
    out->size = (size_t)size;
    close(ends[0]);
    close(ends[1]);
}

/* Two polygons; with surfaces, names and another size than three on request. */
static tumble_mesh_buffer *make_mesh(tumble_context *context, int is_rich)
{
    static const char rich[] =
        "o one\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng left\nf 1 2 3 4\no two\nusemtl red\nf 1 2 4\n";
    static const char plain[] = "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 2 1\n";
    const char *text = is_rich ? rich : plain;
    tumble_mesh_buffer *mesh = NULL;
    require(tumble_mesh_read_memory(context, text, strlen(text), is_rich ? TUMBLE_FORMAT_OBJ : TUMBLE_FORMAT_OFF,
                                    &mesh) == TUMBLE_OK);
    return mesh;
}

static const reply_bytes *good_reply(tumble_context *context, unsigned which)
{
    static reply_bytes made[SEEDS];
    reply_bytes *out = &made[which % SEEDS];
    if (!out->size) {
        cli_import_reply reply = {.message = "a.gltf: no mesh", .advice = "look at it", .frame = {0.001, 2}};
        reply.status = which % SEEDS ? TUMBLE_OK : TUMBLE_ERROR_FORMAT;
        reply.buffer = which % SEEDS ? make_mesh(context, which % SEEDS == 2) : NULL;
        catch_reply(&reply, out);
        tumble_mesh_buffer_destroy(reply.buffer);
    }
    return out;
}

/* ---- Changes ---- */

/* Each change is a place of two bytes, what to do, and a value; the last one may cut the reply or make it longer. */
static void change(reply_bytes *reply, const uint8_t *data, size_t size)
{
    for (; size >= CHANGE_BYTES; data += CHANGE_BYTES, size -= CHANGE_BYTES) {
        const size_t place = (size_t)(data[0] << 8 | data[1]) % reply->size;
        switch (data[2] & 3) {
        case 0: reply->bytes[place] = data[3]; break;
        case 1: reply->bytes[place] = (unsigned char)(reply->bytes[place] + data[3]); break;
        case 2: reply->bytes[place / 8 * 8] = data[3]; break; /* the least byte of a number */
        default: reply->bytes[place / 4 * 4] = data[3]; break;
        }
    }
    if (size == 1) {
        reply->size = data[0] < 128 ? reply->size - data[0] % reply->size : reply->size + data[0] - 127;
    }
}

static void check_mesh(const tumble_mesh *mesh)
{
    size_t corners = mesh->polygon_sizes ? 0 : 3 * mesh->polygon_count;
    for (size_t i = 0; mesh->polygon_sizes && i < mesh->polygon_count; i++) {
        require(mesh->polygon_sizes[i] >= 3);
        corners += mesh->polygon_sizes[i];
    }
    require(corners == mesh->index_count);
    for (size_t i = 0; i < mesh->index_count; i++) {
        require(mesh->indices[i] < mesh->point_count);
    }
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        require(isfinite(mesh->points[i]));
    }
}

static void check_reply(tumble_context *context, cli_import_reply *reply)
{
    char name[8];
    require(memchr(reply->message, 0, sizeof reply->message) && memchr(reply->advice, 0, sizeof reply->advice));
    require((reply->buffer != NULL) == (reply->status == TUMBLE_OK));
    if (reply->buffer && tmb_mesh_buffer_finish(reply->buffer) == TUMBLE_OK) {
        check_mesh(tumble_mesh_buffer_mesh(reply->buffer));
        for (uint32_t i = 0; i < 5; i++) {
            (void)tumble_mesh_buffer_surface_name(reply->buffer, i, name, sizeof name);
        }
    }
    tumble_mesh_buffer_destroy(reply->buffer);
    tmb_buffer_release(context, &reply->parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tumble_context *context;
    static reply_bytes reply;
    cli_import_reply received;
    if (!context) {
        require(tumble_context_create(NULL, &context) == TUMBLE_OK);
    }
    if (size == 0) {
        return 0;
    }
    reply = *good_reply(context, data[0]);
    change(&reply, data + 1, size - 1);
    void *exact = malloc(reply.size); /* so that nothing is read after it unnoticed */
    require(exact != NULL);
    memcpy(exact, reply.bytes, reply.size);
    if (cli_reply_receive(context, exact, reply.size, &received) == TUMBLE_OK) {
        check_reply(context, &received);
    } else {
        require(received.buffer == NULL);
    }
    free(exact);
    return 0;
}
