/* ZIP archives. All entries are dated 1 January 1980, the earliest that the format has. */
#include "zip_write.h"

#include <stdlib.h>
#include <string.h>

#include "deflate.h"

enum {
    VERSION = 20, /* of the format: deflate and folders */
    UTF8_NAMES = 0x800,
    DATE = 0x21,
    STORED = 0,
    DEFLATED = 8,
    MOST_ENTRIES = 65535
};

typedef struct zip_entry {
    char *name;
    uint32_t check, compressed, size, offset, method;
} zip_entry;

static uint32_t check_of(const uint8_t *bytes, size_t size)
{
    uint32_t table[256], check = UINT32_MAX;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++) {
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320U : 0);
        }
    }
    for (size_t i = 0; i < size; i++) {
        check = check >> 8 ^ table[(check ^ bytes[i]) & 0xff];
    }
    return ~check;
}

static void put(zip_writer *zip, const void *bytes, size_t size)
{
    if (size) {
        fwrite(bytes, 1, size, zip->file);
    }
    zip->offset += size;
}

static void put_numbers(zip_writer *zip, const uint32_t *numbers, const char *sizes)
{
    for (; *sizes; sizes++, numbers++) {
        uint8_t bytes[4];
        for (int i = 0; i < 4; i++) {
            bytes[i] = (uint8_t)(*numbers >> (8 * i));
        }
        put(zip, bytes, (size_t)(*sizes - '0'));
    }
}

static zip_entry *new_entry(zip_writer *zip, const char *name)
{
    if (zip->entry_count == zip->entry_capacity) {
        const size_t capacity = 2 * zip->entry_capacity + 64;
        zip_entry *entries = realloc(zip->entries, capacity * sizeof *entries);
        if (!entries) {
            return NULL;
        }
        zip->entries = entries;
        zip->entry_capacity = capacity;
    }
    zip_entry *entry = &zip->entries[zip->entry_count];
    *entry = (zip_entry){.name = strdup(name)};
    if (!entry->name) {
        return NULL;
    }
    zip->entry_count++;
    return entry;
}

int zip_add(zip_writer *zip, const char *name, const void *bytes, size_t size)
{
    size_t packed_size = 0;
    uint8_t *packed = size ? cli_deflate(bytes, size, &packed_size) : NULL;
    zip_entry *entry = !size || packed ? new_entry(zip, name) : NULL;
    if (!entry || zip->entry_count > MOST_ENTRIES || zip->offset + size > 0xf0000000U) {
        free(packed);
        return 0;
    }
    /* Without the two bytes before and the four after that "zlib" puts around it. */
    const int deflated = size && packed_size - 6 < size;
    entry->method = deflated ? DEFLATED : STORED;
    entry->size = (uint32_t)size;
    entry->compressed = deflated ? (uint32_t)packed_size - 6 : entry->size;
    entry->check = check_of(bytes, size);
    entry->offset = (uint32_t)zip->offset;
    put_numbers(zip,
                (const uint32_t[]){0x04034b50, VERSION, UTF8_NAMES, entry->method, 0, DATE, entry->check,
                                   entry->compressed, entry->size, (uint32_t)strlen(name), 0},
                "42222244422");
    put(zip, name, strlen(name));
    put(zip, deflated ? packed + 2 : bytes, entry->compressed);
    free(packed);
    return 1;
}

static void put_directory_entry(zip_writer *zip, const zip_entry *entry)
{
    const uint32_t length = (uint32_t)strlen(entry->name);
    const uint32_t folder = length && entry->name[length - 1] == '/' ? 0x10 : 0;
    put_numbers(zip,
                (const uint32_t[]){0x02014b50, VERSION, VERSION, UTF8_NAMES, entry->method, 0, DATE, entry->check,
                                   entry->compressed, entry->size, length, 0, 0, 0, 0, folder, entry->offset},
                "42222224442222244");
    put(zip, entry->name, length);
}

int zip_finish(zip_writer *zip)
{
    const uint64_t start = zip->offset;
    for (size_t i = 0; i < zip->entry_count; i++) {
        put_directory_entry(zip, &zip->entries[i]);
        free(zip->entries[i].name);
    }
    const uint32_t count = (uint32_t)zip->entry_count, size = (uint32_t)(zip->offset - start);
    put_numbers(zip, (const uint32_t[]){0x06054b50, 0, 0, count, count, size, (uint32_t)start, 0}, "42222442");
    free(zip->entries);
    *zip = (zip_writer){.file = zip->file};
    return start <= 0xf0000000U && count <= MOST_ENTRIES;
}
