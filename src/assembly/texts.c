/* Texts of an assembly: never moved, freed together. */
#include <string.h>

#include "assembly/assembly.h"

enum {
    BLOCK_BYTES = 64 * 1024
};

typedef struct tmb_text_block {
    struct tmb_text_block *next;
    size_t used, capacity;
    char bytes[];
} tmb_text_block;

static tmb_text_block *add_block(tumble_context *context, tmb_texts *texts, size_t least)
{
    const size_t capacity = least > BLOCK_BYTES ? least : BLOCK_BYTES;
    tmb_text_block *block = tmb_allocate(context, 1, sizeof *block + capacity);
    if (block) {
        *block = (tmb_text_block){.next = texts->blocks, .capacity = capacity};
        texts->blocks = block;
    }
    return block;
}

const char *tmb_texts_keep(tumble_context *context, tmb_texts *texts, const char *text)
{
    if (!text || !*text) {
        return "";
    }
    const size_t size = strlen(text) + 1;
    tmb_text_block *block = texts->blocks;
    if (!block || block->capacity - block->used < size) {
        block = add_block(context, texts, size);
    }
    if (!block) {
        return NULL;
    }
    char *out = block->bytes + block->used;
    memcpy(out, text, size);
    block->used += size;
    return out;
}

void tmb_texts_release(tumble_context *context, tmb_texts *texts)
{
    while (texts->blocks) {
        tmb_text_block *block = texts->blocks;
        texts->blocks = block->next;
        tmb_release(context, block);
    }
}
