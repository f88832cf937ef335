/* Lists of parts: from files and poses to the assembly. */
#include "list_load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clash_files.h"
#include "foreign.h"
#include "io/file.h"
#include "message.h"
#include "part_list.h"

/* What is in a file: the parts as they are without the list. */
typedef struct prototype {
    const char *file; /* as the list has it */
    const char *path;
    tmb_buffer parts, ignored; /* tumble_assembly_part with hosts from 0, tumble_part_pair from 0 */
    size_t part_count, ignored_count;
} prototype;

typedef struct list_loader {
    clash_run *run;
    tumble_context *context;
    const char *path;
    tmb_source source;
    cli_part_list list;
    tmb_buffer prototypes, prototype_of; /* uint32_t of the list's parts */
    size_t prototype_count;
    tmb_number_table by_file;
} list_loader;

int cli_is_part_list(const char *path)
{
    const cli_ending ending = cli_ending_of(path);
    return strcmp(ending.text, "csv") == 0 || strcmp(ending.text, "json") == 0;
}

static const cli_listed_part *part_at(const list_loader *l, size_t number)
{
    return (const cli_listed_part *)l->list.parts.data + number;
}

static int no_memory(const list_loader *l)
{
    return cli_library_error(l->context, tmb_fail_memory(l->context, "a list of parts"), l->path);
}

/* ---- the list ---- */

/* What the readers of texts say tells what to do. */
static int text_error(const list_loader *l, tumble_status status)
{
    const tmb_error error = tmb_last_error(l->context);
    return status == TUMBLE_ERROR_FORMAT ? cli_error("%s", error.text) : cli_library_error(l->context, status, l->path);
}

static int parse(list_loader *l, tmb_buffer *data)
{
    size_t size;
    tumble_status status = tmb_file_read(l->context, l->path, data, &size);
    if (status == TUMBLE_OK) {
        const int is_json = strcmp(cli_ending_of(l->path).text, "json") == 0;
        l->source = (tmb_source){l->context, l->path, data->data, size};
        status = (is_json ? cli_part_list_of_json : cli_part_list_of_csv)(&l->source, &l->list);
    }
    if (status != TUMBLE_OK) {
        return text_error(l, status);
    }
    return l->list.count > 0 ? 0 : cli_error("%s: the list has no parts: give one that has", l->path);
}

/* ---- files ---- */

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    }
    return hash ^ hash >> 29;
}

static uint64_t hash_of_prototype(const void *user, uint32_t number)
{
    const list_loader *l = user;
    return hash_text(((const prototype *)l->prototypes.data)[number].file);
}

/* The path from where the command runs; it lives as long as the assembly. NULL: memory ran out. */
static const char *path_beside(list_loader *l, const char *file)
{
    const char *slash = strrchr(l->path, '/');
    const size_t folder = slash && file[0] != '/' ? (size_t)(slash - l->path) + 1 : 0, length = strlen(file);
    char *joined = tmb_allocate(l->context, folder + length + 1, 1);
    if (!joined) {
        return NULL;
    }
    memcpy(joined, l->path, folder);
    memcpy(joined + folder, file, length + 1);
    const char *kept = tmb_texts_keep(l->context, &l->run->assembly->texts, joined);
    tmb_release(l->context, joined);
    return kept;
}

static int check_file(const list_loader *l, const cli_listed_part *part, const char *path)
{
    const unsigned long long line = tmb_line_of(&l->source, part->at);
    struct stat file;
    if (stat(path, &file) != 0 || access(path, R_OK) != 0) {
        return cli_error("%s: line %llu: the file %s cannot be opened (%s): names are relative to the list's folder",
                         l->path, line, path, strerror(errno));
    }
    if (S_ISDIR(file.st_mode)) {
        return cli_error("%s: line %llu: %s is a folder: name a file", l->path, line, path);
    }
    if (cli_is_part_list(path)) {
        return cli_error("%s: line %llu: %s is a list itself: name the files of its parts", l->path, line, path);
    }
    return 0;
}

/* Moves the parts that the file has added, and what is known about their pairs, from the assembly to the prototype. */
static int take_parts(list_loader *l, size_t first, size_t first_ignored, prototype *p)
{
    tumble_assembly *assembly = l->run->assembly;
    size_t count, ignored;
    const tumble_assembly_part *parts = tumble_assembly_parts(assembly, &count);
    const tumble_part_pair *pairs = tumble_assembly_ignored(assembly, &ignored);
    const uint32_t shift = (uint32_t)first;
    int has_room =
        tmb_buffer_append(l->context, &p->parts, &p->part_count, parts + first, count - first, sizeof *parts);
    for (size_t i = first_ignored; i < ignored && has_room; i++) {
        const tumble_part_pair pair = {pairs[i].a - shift, pairs[i].b - shift};
        has_room = tmb_buffer_append(l->context, &p->ignored, &p->ignored_count, &pair, 1, sizeof pair);
    }
    for (size_t i = 0; i < p->part_count; i++) {
        tumble_assembly_part *part = (tumble_assembly_part *)p->parts.data + i;
        part->host = part->host == UINT32_MAX ? UINT32_MAX : part->host - shift;
    }
    tmb_assembly_truncate(assembly, first);
    return has_room ? 0 : no_memory(l);
}

static int read_prototype(list_loader *l, const cli_listed_part *part, prototype *p)
{
    size_t first, first_ignored;
    p->path = path_beside(l, p->file);
    if (!p->path) {
        return no_memory(l);
    }
    (void)tumble_assembly_parts(l->run->assembly, &first);
    (void)tumble_assembly_ignored(l->run->assembly, &first_ignored);
    int error = check_file(l, part, p->path);
    error = error ? error : cli_clash_read_file(l->run, p->path);
    return error ? error : take_parts(l, first, first_ignored, p);
}

/* The prototype of a file, which is read when it is named first. */
static int find_prototype(list_loader *l, const cli_listed_part *part, uint32_t *number)
{
    const char *file = part->words[CLI_LIST_FILE];
    if (!tmb_number_table_reserve(l->context, &l->by_file, l->prototype_count, hash_of_prototype, l)) {
        return no_memory(l);
    }
    uint32_t *slots = l->by_file.slots.data;
    const prototype *known = l->prototypes.data;
    size_t slot = tmb_number_table_start(&l->by_file, hash_text(file));
    while (slots[slot] && strcmp(known[slots[slot] - 1].file, file) != 0) {
        slot = tmb_number_table_next(&l->by_file, slot);
    }
    if (!slots[slot]) {
        const prototype fresh = {.file = file};
        if (!tmb_buffer_append(l->context, &l->prototypes, &l->prototype_count, &fresh, 1, sizeof fresh)) {
            return no_memory(l);
        }
        slots[slot] = (uint32_t)l->prototype_count;
        *number = slots[slot] - 1;
        return read_prototype(l, part, (prototype *)l->prototypes.data + *number);
    }
    *number = slots[slot] - 1;
    return 0;
}

static int read_prototypes(list_loader *l)
{
    int error = 0;
    if (!tmb_buffer_reserve(l->context, &l->prototype_of, l->list.count, sizeof(uint32_t), 0)) {
        return no_memory(l);
    }
    uint32_t *prototype_of = l->prototype_of.data;
    for (size_t i = 0; i < l->list.count && !error; i++) {
        error = find_prototype(l, part_at(l, i), &prototype_of[i]);
    }
    return error;
}

/* ---- parts ---- */

/* First `inner`, then `outer`. */
static void compose(const double outer[12], const tumble_pose *inner, double out[12])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            double sum = j == 3 ? outer[4 * i + 3] : 0;
            for (int k = 0; k < 3; k++) {
                sum += outer[4 * i + k] * inner->m[k][j];
            }
            out[4 * i + j] = sum;
        }
    }
}

static const char *either(const char *first, const char *second)
{
    return *first ? first : second;
}

/* "list/name" or the path that the list gives, and below it what the file has below its own name. */
static char *make_path(const list_loader *l, const cli_listed_part *listed, const char *name, const char *below)
{
    const char *slash = strrchr(l->path, '/'), *stem = slash ? slash + 1 : l->path, *dot = strrchr(stem, '.');
    const char *given = listed->words[CLI_LIST_PATH];
    const size_t room = strlen(stem) + strlen(given) + strlen(name) + strlen(below) + 3;
    char *path = tmb_allocate(l->context, room, 1);
    if (path && *given) {
        snprintf(path, room, "%s%s", given, below);
    } else if (path) {
        snprintf(path, room, "%.*s/%s%s", dot ? (int)(dot - stem) : (int)strlen(stem), stem, name, below);
    }
    return path;
}

static int add_part(list_loader *l, const cli_listed_part *listed, const prototype *p, size_t number)
{
    const tumble_assembly_part *part = (const tumble_assembly_part *)p->parts.data + number;
    const size_t stem = strcspn(part->path, "/");
    const int is_single = p->part_count == 1; /* it is what the list names */
    char *file = tmb_allocate(l->context, stem + 1, 1);
    double transform[12];
    if (!file) {
        return no_memory(l);
    }
    memcpy(file, part->path, stem);
    file[stem] = '\0';
    const char *name = either(listed->words[CLI_LIST_NAME], file);
    char *path = make_path(l, listed, name, is_single ? "" : part->path + stem);
    compose(listed->pose, &part->pose, transform);
    const tumble_assembly_item item = {.name = is_single ? name : part->name,
                                       .path = path,
                                       .file = part->file,
                                       .guid = either(listed->words[CLI_LIST_GUID], part->guid),
                                       .class_name = either(listed->words[CLI_LIST_CLASS], part->class_name),
                                       .material = either(listed->words[CLI_LIST_MATERIAL], part->material),
                                       .model = part->model,
                                       .transform = transform,
                                       .broken = part->broken};
    const tumble_status status =
        path ? tumble_assembly_add(l->run->assembly, &item) : tmb_fail_memory(l->context, "the path of a part");
    tmb_release(l->context, path);
    tmb_release(l->context, file);
    if (status != TUMBLE_OK) {
        char subject[512];
        snprintf(subject, sizeof subject, "%.400s: line %llu", l->path, tmb_line_of(&l->source, listed->at));
        return cli_library_error(l->context, status, subject);
    }
    return 0;
}

/* What the file says about pairs of its parts. */
static tumble_status add_pairs(list_loader *l, const prototype *p, size_t first)
{
    tumble_assembly *assembly = l->run->assembly;
    const tumble_part_pair *pairs = p->ignored.data;
    const tumble_assembly_part *parts = p->parts.data;
    const uint32_t shift = (uint32_t)first;
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; i < p->ignored_count && status == TUMBLE_OK; i++) {
        status = tumble_assembly_ignore(assembly, pairs[i].a + shift, pairs[i].b + shift);
    }
    for (uint32_t i = 0; i < p->part_count && status == TUMBLE_OK; i++) {
        if (parts[i].host != UINT32_MAX) {
            status = tumble_assembly_set_host(assembly, i + shift, parts[i].host + shift);
        }
    }
    return status;
}

static int add_parts(list_loader *l)
{
    const uint32_t *prototype_of = l->prototype_of.data;
    int error = 0;
    for (size_t i = 0; i < l->list.count && !error; i++) {
        const prototype *p = (const prototype *)l->prototypes.data + prototype_of[i];
        size_t first;
        (void)tumble_assembly_parts(l->run->assembly, &first);
        for (size_t j = 0; j < p->part_count && !error; j++) {
            error = add_part(l, part_at(l, i), p, j);
        }
        const tumble_status status = error ? TUMBLE_OK : add_pairs(l, p, first);
        error = status == TUMBLE_OK ? error : cli_library_error(l->context, status, l->path);
    }
    return error;
}

int cli_load_part_list(clash_run *run, const char *path)
{
    list_loader l = {.run = run, .context = run->context, .path = path};
    tmb_buffer data = {0};
    int error = parse(&l, &data);
    error = error ? error : read_prototypes(&l);
    error = error ? error : add_parts(&l);
    for (size_t i = 0; i < l.prototype_count; i++) {
        prototype *p = (prototype *)l.prototypes.data + i;
        tmb_buffer_release(l.context, &p->parts);
        tmb_buffer_release(l.context, &p->ignored);
    }
    tmb_buffer *buffers[] = {&l.prototypes, &l.prototype_of, &l.by_file.slots, &data};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(l.context, buffers[i]);
    }
    cli_part_list_release(l.context, &l.list);
    return error;
}
