/* Lists of parts: CSV with a row for each part, or JSON with an object for each. Docs: docs/clash.md. */
#ifndef TUMBLE_CLI_PART_LIST_H
#define TUMBLE_CLI_PART_LIST_H

#include "assembly/assembly.h"
#include "io/text.h"

/* What a column or a member may be; `path` to `material` are optional words of the assembly's part. */
#define CLI_LIST_WORD_LIST(X) \
    X(NAME, "name")           \
    X(FILE, "file")           \
    X(POSE, "pose")           \
    X(PATH, "path")           \
    X(GUID, "guid")           \
    X(CLASS, "class")         \
    X(MATERIAL, "material")

typedef enum cli_list_word {
#define CLI_LIST_ENUM(name, word) CLI_LIST_##name,
    CLI_LIST_WORD_LIST(CLI_LIST_ENUM)
#undef CLI_LIST_ENUM
    CLI_LIST_WORDS
} cli_list_word;

typedef struct cli_listed_part {
    const char *words[CLI_LIST_WORDS]; /* "" where there is none; of POSE always */
    double pose[12];                   /* the identity if none is given */
    const char *at;                    /* in the source, for messages */
} cli_listed_part;

typedef struct cli_part_list {
    tmb_buffer parts; /* cli_listed_part */
    size_t count;
    tmb_texts texts;
} cli_part_list;

/* Both start with an empty list, and it is released in any case. Every part has a file. */
tumble_status cli_part_list_of_csv(const tmb_source *source, cli_part_list *out);
tumble_status cli_part_list_of_json(const tmb_source *source, cli_part_list *out);
void cli_part_list_release(tumble_context *context, cli_part_list *list);

#endif
