/* Lists of parts. */
#include "part_list.h"

#include <string.h>

#include "io/json_read.h"

static const char *const list_words[] = {
#define LIST_WORD(name, word) word,
    CLI_LIST_WORD_LIST(LIST_WORD)
#undef LIST_WORD
};

static const char known_words[] = "name, file, pose, path, guid, class and material";

void cli_part_list_release(tumble_context *context, cli_part_list *list)
{
    tmb_buffer_release(context, &list->parts);
    tmb_texts_release(context, &list->texts);
}

static cli_listed_part empty_part(const char *at)
{
    cli_listed_part part = {.pose = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, .at = at};
    for (int i = 0; i < CLI_LIST_WORDS; i++) {
        part.words[i] = "";
    }
    return part;
}

static tumble_status add_part(const tmb_source *source, cli_part_list *list, const cli_listed_part *part)
{
    if (!*part->words[CLI_LIST_FILE]) {
        return tmb_fail_at_line(source, part->at, TUMBLE_ERROR_FORMAT, "the part '%.80s' has no file: name one",
                                part->words[CLI_LIST_NAME]);
    }
    if (!tmb_buffer_append(source->context, &list->parts, &list->count, part, 1, sizeof *part)) {
        return tmb_fail_memory(source->context, "a list of parts");
    }
    return TUMBLE_OK;
}

static int keep(const tmb_source *source, cli_part_list *list, const char *text, const char **out)
{
    const char *kept = tmb_texts_keep(source->context, &list->texts, text);
    *out = kept ? kept : "";
    return kept != NULL;
}

/* 12 numbers between blanks; an empty text is the identity. */
static tumble_status read_pose(const tmb_source *source, const char *text, cli_listed_part *part)
{
    const char *end = text + strlen(text), *at = tmb_skip_space(text, end);
    int count = 0;
    while (at < end) {
        double number;
        const char *after = tmb_parse_double(at, end, &number);
        if (!after || (after < end && !tmb_is_space(*after))) {
            return tmb_fail_at_line(source, part->at, TUMBLE_ERROR_FORMAT,
                                    "the pose has %s, which is no number: give 12 numbers separated by blanks",
                                    tmb_quote_word(at, end).text);
        }
        if (count < 12) {
            part->pose[count] = number;
        }
        count++;
        at = tmb_skip_space(after, end);
    }
    if (count != 0 && count != 12) {
        return tmb_fail_at_line(source, part->at, TUMBLE_ERROR_FORMAT,
                                "the pose has %d number%s: give 12, the rows of a 3x4 matrix, or none", count,
                                count == 1 ? "" : "s");
    }
    return TUMBLE_OK;
}

static int word_of(const char *text)
{
    for (int i = 0; i < CLI_LIST_WORDS; i++) {
        if (strcmp(text, list_words[i]) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---- CSV ---- */

enum {
    MOST_COLUMNS = 32
};

typedef struct csv_reader {
    const tmb_source *source;
    cli_part_list *list;
    const char *at, *end;
    char separator;
    int words[MOST_COLUMNS]; /* of columns */
    int column_count;
    tmb_buffer field;
} csv_reader;

static tumble_status no_memory(const csv_reader *r)
{
    return tmb_fail_memory(r->source->context, "a list of parts");
}

static int is_field_end(const csv_reader *r, const char *at)
{
    return at == r->end || *at == r->separator || tmb_is_newline(*at);
}

/* Up to the quote that ends the field; two quotes are one. */
static tumble_status read_quoted(csv_reader *r, size_t *length)
{
    tumble_context *context = r->source->context;
    const char *opening = r->at++;
    for (;; r->at++) {
        if (r->at == r->end) {
            return tmb_fail_at_line(r->source, opening, TUMBLE_ERROR_FORMAT,
                                    "a quotation mark is not closed: end the field with another \"");
        }
        if (*r->at == '"' && (++r->at == r->end || *r->at != '"')) {
            break;
        }
        if (*r->at && !tmb_buffer_append(context, &r->field, length, r->at, 1, 1)) {
            return no_memory(r);
        }
    }
    if (!is_field_end(r, r->at)) {
        return tmb_fail_at_line(r->source, r->at, TUMBLE_ERROR_FORMAT,
                                "something follows a closed quotation mark: write two \" for one inside a field");
    }
    return TUMBLE_OK;
}

/* Without quotes blanks at both ends do not count. */
static tumble_status read_plain(csv_reader *r, size_t *length)
{
    const char *start = r->at;
    while (!is_field_end(r, r->at)) {
        r->at++;
    }
    const char *last = r->at;
    while (last > start && tmb_is_blank(last[-1])) {
        last--;
    }
    const size_t size = (size_t)(last - start);
    return tmb_buffer_append(r->source->context, &r->field, length, start, size, 1) ? TUMBLE_OK : no_memory(r);
}

/* The next field of the row, in r->field. */
static tumble_status read_field(csv_reader *r)
{
    size_t length = 0;
    while (r->at < r->end && tmb_is_blank(*r->at) && *r->at != r->separator) {
        r->at++;
    }
    const int is_quoted = r->at < r->end && *r->at == '"';
    const tumble_status status = is_quoted ? read_quoted(r, &length) : read_plain(r, &length);
    if (status != TUMBLE_OK) {
        return status;
    }
    return tmb_buffer_append(r->source->context, &r->field, &length, "", 1, 1) ? TUMBLE_OK : no_memory(r);
}

/* The header's first separator is that of the file: spreadsheets of some countries write semicolons. */
static char find_separator(const csv_reader *r)
{
    const char *at = r->at;
    while (at < r->end && !tmb_is_newline(*at) && *at != ',' && *at != ';' && *at != '\t') {
        at++;
    }
    return at < r->end && !tmb_is_newline(*at) ? *at : ',';
}

/* Takes the separator before the next field of the row; 0: the row is over. */
static int take_separator(csv_reader *r)
{
    const int has_more = r->at < r->end && *r->at == r->separator;
    r->at += has_more;
    return has_more;
}

static void lower_letters(char *text)
{
    for (; *text; text++) {
        *text = (char)(*text >= 'A' && *text <= 'Z' ? *text | 0x20 : *text);
    }
}

static tumble_status add_column(csv_reader *r)
{
    char *name = r->field.data;
    lower_letters(name);
    const int word = word_of(name);
    if (word < 0) {
        return tmb_fail_at_line(r->source, r->at, TUMBLE_ERROR_FORMAT,
                                "the column '%.40s' is unknown: begin with a row of names, of which %s are known", name,
                                known_words);
    }
    for (int i = 0; i < r->column_count; i++) {
        if (r->words[i] == word) {
            return tmb_fail_at_line(r->source, r->at, TUMBLE_ERROR_FORMAT, "two columns are called %s: remove one",
                                    list_words[word]);
        }
    }
    r->words[r->column_count++] = word; /* there are fewer words than room */
    return TUMBLE_OK;
}

static tumble_status read_header(csv_reader *r)
{
    int has_file = 0;
    r->separator = find_separator(r);
    do {
        tumble_status status = read_field(r);
        if (status == TUMBLE_OK) {
            status = add_column(r);
        }
        if (status != TUMBLE_OK) {
            return status;
        }
        has_file = has_file || r->words[r->column_count - 1] == CLI_LIST_FILE;
    } while (take_separator(r));
    return has_file ? TUMBLE_OK
                    : tmb_fail_at_line(r->source, r->at, TUMBLE_ERROR_FORMAT,
                                       "no column is called file: begin with a row such as name,file,pose");
}

static tumble_status take_field(csv_reader *r, int column, cli_listed_part *part)
{
    const int word = r->words[column];
    if (word == CLI_LIST_POSE) {
        return read_pose(r->source, r->field.data, part);
    }
    return keep(r->source, r->list, r->field.data, &part->words[word]) ? TUMBLE_OK : no_memory(r);
}

static tumble_status read_row(csv_reader *r)
{
    cli_listed_part part = empty_part(r->at);
    int column = 0;
    do {
        tumble_status status = read_field(r);
        if (status == TUMBLE_OK && column == r->column_count) {
            if (!*(const char *)r->field.data) { /* spreadsheets write empty ones at the end */
                continue;
            }
            status = tmb_fail_at_line(r->source, part.at, TUMBLE_ERROR_FORMAT,
                                      "the row has more fields than the first one, %d: put fields with commas into "
                                      "quotation marks",
                                      r->column_count);
        }
        if (status == TUMBLE_OK) {
            status = take_field(r, column++, &part);
        }
        if (status != TUMBLE_OK) {
            return status;
        }
    } while (take_separator(r));
    return add_part(r->source, r->list, &part);
}

/* Whether there is another row; blank lines and those with separators alone are none. */
static int find_row(csv_reader *r)
{
    for (;;) {
        const char *at = r->at;
        while (at < r->end && (tmb_is_blank(*at) || *at == r->separator)) {
            at++;
        }
        if (at == r->end) {
            return 0;
        }
        if (!tmb_is_newline(*at)) {
            return 1;
        }
        r->at = at + 1;
    }
}

tumble_status cli_part_list_of_csv(const tmb_source *source, cli_part_list *out)
{
    const tmb_text text = tmb_text_begin(source);
    csv_reader r = {.source = source, .list = out, .at = text.at, .end = text.end};
    tumble_status status = TUMBLE_OK;
    if (!find_row(&r)) {
        return tmb_fail_at_line(source, r.at, TUMBLE_ERROR_FORMAT,
                                "the list is empty: begin with a row such as name,file,pose");
    }
    status = read_header(&r);
    while (status == TUMBLE_OK && find_row(&r)) {
        status = read_row(&r);
    }
    tmb_buffer_release(source->context, &r.field);
    return status;
}

/* ---- JSON ---- */

static void read_json_pose(tmb_json_reader *json, cli_listed_part *part)
{
    if (tmb_json_next(json) == '[') {
        tmb_json_read_numbers(json, part->pose, 12);
        return;
    }
    const char *text = tmb_json_read_text(json);
    const tumble_status status = json->status == TUMBLE_OK ? read_pose(json->source, text, part) : json->status;
    json->status = status;
}

static void read_json_part(tmb_json_reader *json, cli_part_list *list)
{
    (void)tmb_json_next(json);
    cli_listed_part part = empty_part(json->at);
    tmb_json_enter(json, '{');
    for (const char *key; (key = tmb_json_key(json)) != NULL;) {
        const int word = word_of(key);
        if (word < 0) {
            tmb_json_fail(json, TUMBLE_ERROR_FORMAT, "'%.40s' is unknown: a part has %s", key, known_words);
        } else if (tmb_json_next(json) == 'n') {
            tmb_json_skip(json);
        } else if (word == CLI_LIST_POSE) {
            read_json_pose(json, &part);
        } else if (!keep(json->source, list, tmb_json_read_text(json), &part.words[word])) {
            json->status = tmb_fail_memory(json->source->context, "a list of parts");
        }
    }
    if (json->status == TUMBLE_OK) {
        json->status = add_part(json->source, list, &part);
    }
}

static void read_json_parts(tmb_json_reader *json, cli_part_list *list)
{
    tmb_json_enter(json, '[');
    while (json->status == TUMBLE_OK && tmb_json_item(json)) {
        read_json_part(json, list);
    }
}

tumble_status cli_part_list_of_json(const tmb_source *source, cli_part_list *out)
{
    tmb_json_reader json;
    int has_parts = 0;
    tmb_json_begin(&json, source);
    if (tmb_json_next(&json) == '[') {
        read_json_parts(&json, out);
        return tmb_json_end(&json);
    }
    tmb_json_enter(&json, '{');
    for (const char *key; (key = tmb_json_key(&json)) != NULL;) {
        if (strcmp(key, "parts") == 0) {
            has_parts = 1;
            read_json_parts(&json, out);
        } else {
            tmb_json_fail(&json, TUMBLE_ERROR_FORMAT, "'%.40s' is unknown: a list of parts has parts", key);
        }
    }
    if (!has_parts) {
        tmb_json_fail(&json, TUMBLE_ERROR_FORMAT, "there are no parts: give {\"parts\": [...]}");
    }
    return tmb_json_end(&json);
}
