/* The parser of options, and --help. */
#include "options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "io/number.h"
#include "message.h"
#include "words.h"

enum {
    HELP_WIDTH = CLI_HELP_WIDTH,
    HELP_COLUMN = 24
};

/* Where the parser stands. */
typedef struct arguments {
    const cli_usage *usage;
    char **words;
    int count, next;
} arguments;

typedef struct match {
    cli_section *section;
    const cli_option *option;
    const char *value; /* behind "=", or null */
} match;

static void *target_of(const cli_section *section, const cli_option *option)
{
    return (char *)section->target + option->offset;
}

const char *cli_choice_word(const cli_choice *choices, int value)
{
    for (; choices->word; choices++) {
        if (choices->value == value) {
            return choices->word;
        }
    }
    return "?";
}

int cli_was_given(const cli_section *section, const char *name)
{
    for (size_t i = 0; section->options[i].name; i++) {
        if (strcmp(section->options[i].name, name) == 0) {
            return (section->given >> i & 1) != 0;
        }
    }
    return 0;
}

static int usage_error(const cli_usage *usage, const char *what, const char *subject, const char *nearest)
{
    if (nearest) {
        return cli_error("%s '%s': did you mean '%s'? 'tumble %s --help' lists all", what, subject, nearest,
                         usage->name);
    }
    return cli_error("%s '%s': 'tumble %s --help' lists what there is", what, subject, usage->name);
}

/* ---- numbers ---- */

static int is_separator(char letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r') || letter == ',' || letter == ';';
}

size_t cli_scan_numbers(const char *text, double *numbers, size_t capacity, const char **stop)
{
    const char *last = text + strlen(text);
    size_t count = 0;
    *stop = NULL;
    for (;;) {
        while (is_separator(*text)) {
            text++;
        }
        if (*text == '\0' || *text == '#') {
            return count;
        }
        double number;
        const char *end = tmb_parse_double(text, last, &number);
        if (!end || !(is_separator(*end) || *end == '\0' || *end == '#')) {
            *stop = text;
            return count;
        }
        if (count < capacity) {
            numbers[count] = number;
        }
        count++;
        text = end;
    }
}

static int number_error(const cli_option *option, const char *word)
{
    const char *kind = option->whole ? "a whole number" : "a number";
    if (isinf(option->most)) {
        return cli_error("--%s '%s' is out of range: give %s of at least %.15g", option->name, word, kind,
                         option->least);
    }
    return cli_error("--%s '%s' is out of range: give %s from %.15g to %.15g", option->name, word, kind, option->least,
                     option->most);
}

static int parse_number(const cli_option *option, const char *word, double *out)
{
    double number;
    const char *stop;
    if (cli_scan_numbers(word, &number, 1, &stop) != 1 || stop || strchr(word, '#')) {
        return cli_error("--%s '%s' is not a number: give one as in --%s=%.15g", option->name, word, option->name,
                         isfinite(*out) ? *out : option->least + 1);
    }
    if (!isfinite(number) || number < option->least || number > option->most ||
        (option->whole && number != floor(number))) {
        return number_error(option, word);
    }
    *out = number;
    return 0;
}

static int pose_error(const cli_option *option, size_t count)
{
    return cli_error("--%s has %zu numbers where a pose has 12: give the three rows of the matrix, as in "
                     "--%s \"1 0 0 5  0 1 0 0  0 0 1 0\"",
                     option->name, count, option->name);
}

/* The 12 numbers in one argument, or the first of them with the other eleven in the arguments that follow. */
static int parse_pose(arguments *rest, const cli_option *option, const char *word, cli_pose_argument *out)
{
    const char *stop;
    size_t count = cli_scan_numbers(word, out->numbers, 12, &stop);
    const int spread = count == 1 && !stop;
    while (spread && count < 12 && rest->next < rest->count) {
        const char *next = rest->words[rest->next], *unread;
        double number;
        if (cli_scan_numbers(next, &number, 1, &unread) != 1 || unread) {
            break;
        }
        out->numbers[count++] = number;
        rest->next++;
    }
    if (stop) {
        return cli_error("--%s: '%s' is not a number: give 12 numbers, the three rows of a 3x4 matrix", option->name,
                         stop);
    }
    out->given = count == 12;
    return out->given ? 0 : pose_error(option, count);
}

/* ---- one option ---- */

static int choice_error(const cli_option *option, const char *word)
{
    char list[256] = "";
    cli_nearest nearest = {word, NULL, 0};
    for (const cli_choice *choice = option->choices; choice->word; choice++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", choice->word);
        cli_nearest_offer(&nearest, choice->word);
    }
    if (nearest.best) {
        return cli_error("--%s knows no '%s': did you mean '%s'? There are %s", option->name, word, nearest.best, list);
    }
    return cli_error("--%s knows no '%s': choose one of %s", option->name, word, list);
}

static int parse_choice(const cli_option *option, const char *word, int *out)
{
    for (const cli_choice *choice = option->choices; choice->word; choice++) {
        if (strcmp(choice->word, word) == 0) {
            *out = choice->value;
            return 0;
        }
    }
    return choice_error(option, word);
}

static int store(arguments *rest, const match *found)
{
    const cli_option *option = found->option;
    void *target = target_of(found->section, option);
    const char *value = found->value;
    if (option->kind == CLI_FLAG) {
        if (value) {
            return cli_error("--%s takes no value: leave '=%s' out", option->name, value);
        }
        *(int *)target = option->value;
        return 0;
    }
    if (!value) {
        if (rest->next >= rest->count) {
            return cli_error("--%s needs a value: give --%s %s", option->name, option->name, option->argument);
        }
        value = rest->words[rest->next++];
    }
    switch (option->kind) {
    case CLI_NUMBER: return parse_number(option, value, target);
    case CLI_CHOICE: return parse_choice(option, value, target);
    case CLI_POSE: return parse_pose(rest, option, value, target);
    default: *(const char **)target = value; return 0;
    }
}

/* ---- finding options ---- */

/* Whether `word` is this option's name, alone or with a value behind "=". */
static int is_named(const cli_option *option, const char *word, const char **value)
{
    const size_t length = strlen(option->name);
    if (word[0] == '-' && word[1] != '-') {
        *value = word[2] == '=' ? word + 3 : word[2] ? word + 2 : NULL;
        return option->letter && word[1] == option->letter;
    }
    *value = word[2 + length] == '=' ? word + 3 + length : NULL;
    return word[2 + length] == '=' || word[2 + length] == '\0';
}

static int find_option(const cli_usage *usage, const char *word, match *found)
{
    for (cli_section *section = usage->sections; section->title; section++) {
        for (const cli_option *option = section->options; option->name; option++) {
            const int longer = word[1] == '-';
            if (longer && strncmp(word + 2, option->name, strlen(option->name)) != 0) {
                continue;
            }
            if (is_named(option, word, &found->value)) {
                found->section = section;
                found->option = option;
                return 1;
            }
        }
    }
    return 0;
}

static int unknown_option(const cli_usage *usage, const char *word)
{
    char wanted[64], nearest_word[64];
    snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(word, "="), word);
    cli_nearest nearest = {wanted + strspn(wanted, "-"), NULL, 0};
    cli_nearest_offer(&nearest, "help");
    for (const cli_section *section = usage->sections; section->title; section++) {
        for (const cli_option *option = section->options; option->name; option++) {
            cli_nearest_offer(&nearest, option->name);
        }
    }
    snprintf(nearest_word, sizeof nearest_word, "--%s", nearest.best ? nearest.best : "");
    return usage_error(usage, "unknown option", wanted, nearest.best ? nearest_word : NULL);
}

static int parse_option(arguments *rest, const char *word)
{
    match found;
    if (!find_option(rest->usage, word, &found)) {
        return unknown_option(rest->usage, word);
    }
    found.section->given |= (uint64_t)1 << (found.option - found.section->options);
    return store(rest, &found);
}

static int wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return 1;
        }
    }
    return 0;
}

static int parse_all(arguments *rest, cli_operands *operands)
{
    const cli_usage *usage = rest->usage;
    int options_end = 0;
    while (rest->next < rest->count) {
        const char *word = rest->words[rest->next++];
        if (!options_end && strcmp(word, "--") == 0) {
            options_end = 1;
        } else if (!options_end && word[0] == '-' && word[1] != '\0') {
            const int error = parse_option(rest, word);
            if (error) {
                return error;
            }
        } else if (operands->count < usage->most_operands) {
            operands->words[operands->count++] = word;
        } else {
            return cli_error("'%s' is one argument too many: 'tumble %s' takes %s", word, usage->name, usage->operands);
        }
    }
    if (operands->count < usage->least_operands) {
        return cli_error("'tumble %s' takes %s: 'tumble %s --help' explains", usage->name, usage->operands,
                         usage->name);
    }
    return 0;
}

/* ---- help ---- */

static void describe_default(const cli_section *section, const cli_option *option, char *text, size_t size)
{
    const void *target = target_of(section, option);
    if (option->kind == CLI_NUMBER && option->show_default) {
        snprintf(text, size, " (default: %.15g)", *(const double *)target);
    } else if (option->kind == CLI_CHOICE && option->show_default) {
        snprintf(text, size, " (default: %s)", cli_choice_word(option->choices, *(const int *)target));
    }
}

static void print_choices(FILE *file, const cli_option *option)
{
    size_t longest = 0;
    for (const cli_choice *choice = option->choices; choice && choice->word; choice++) {
        longest = strlen(choice->word) > longest ? strlen(choice->word) : longest;
    }
    for (const cli_choice *choice = option->choices; choice && choice->word; choice++) {
        const int printed = fprintf(file, "%*s%s", HELP_COLUMN + 2, "", choice->word);
        cli_print_wrapped(file, choice->help, (size_t)printed, HELP_COLUMN + 4 + longest, HELP_WIDTH);
    }
}

static void print_option(FILE *file, const cli_section *section, const cli_option *option)
{
    char text[512], preset[64] = "";
    char letter[8] = "    ";
    if (option->letter) {
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    int printed = fprintf(file, "  %s--%s%s%s", letter, option->name, option->argument ? " " : "",
                          option->argument ? option->argument : "");
    if (printed + 2 > HELP_COLUMN) {
        printed = 0;
        fputc('\n', file);
    }
    describe_default(section, option, preset, sizeof preset);
    snprintf(text, sizeof text, "%s%s", option->help, preset);
    cli_print_wrapped(file, text, (size_t)printed, HELP_COLUMN, HELP_WIDTH);
    print_choices(file, option);
}

/* Lines that are to be copied stay as they are. */
static void print_lines(FILE *file, const char *title, const char *text)
{
    fprintf(file, "\n%s:\n", title);
    while (text && *text) {
        const size_t length = strcspn(text, "\n");
        fprintf(file, "  %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_section(FILE *file, const cli_section *section)
{
    fprintf(file, "\n%s:\n", section->title);
    if (section->help) {
        cli_print_wrapped(file, section->help, 0, 2, HELP_WIDTH);
        fputc('\n', file);
    }
    for (const cli_option *option = section->options; option->name; option++) {
        print_option(file, section, option);
    }
}

static int has_topic(const cli_section *section, const char *topic)
{
    return section->topic && strcmp(section->topic, topic) == 0;
}

/* ---- topics ---- */

static const char every_topic[] = "all";

/* The first word that is one, alone or behind "=". */
static const char *find_topic(const cli_usage *usage, int argc, char **argv)
{
    for (int i = 0; i < argc && usage->topics; i++) {
        const char *equals = strrchr(argv[i], '='), *word = equals ? equals + 1 : argv[i];
        if (strcmp(word, every_topic) == 0) {
            return every_topic;
        }
        for (const cli_section *section = usage->sections; section->title; section++) {
            if (has_topic(section, word)) {
                return section->topic;
            }
        }
    }
    return NULL;
}

/* The names of a topic's options, which may be in several sections. */
static void print_names(FILE *file, const cli_usage *usage, const char *topic)
{
    char text[512] = "";
    for (const cli_section *section = usage->sections; section->title; section++) {
        for (const cli_option *option = section->options; has_topic(section, topic) && option->name; option++) {
            const size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s--%s", used ? " " : "", option->name);
        }
    }
    const int printed = fprintf(file, "  %s", topic);
    cli_print_wrapped(file, text, (size_t)printed, 12, HELP_WIDTH);
}

static const char *an_example(const cli_usage *usage)
{
    const char *topic = every_topic;
    for (const cli_section *section = usage->sections; section->title; section++) {
        topic = section->topic ? section->topic : topic;
    }
    return topic;
}

static void print_topics(FILE *file, const cli_usage *usage)
{
    const char *last = "";
    fprintf(file, "\nOptions of a %s (explained by 'tumble %s --help %s', or %s):\n", usage->topics, usage->name,
            an_example(usage), every_topic);
    for (const cli_section *section = usage->sections; section->title; section++) {
        if (section->topic && strcmp(section->topic, last) != 0) {
            print_names(file, usage, section->topic);
            last = section->topic;
        }
    }
}

/* ---- all of it ---- */

static void print_topic(FILE *file, const cli_usage *usage, const char *topic)
{
    const char *more = strstr(usage->usage, "[options]");
    fprintf(file, "tumble %s: the options of %s %s\n", usage->name, usage->topics, topic);
    fprintf(file, "\nUsage:\n  %.*s--%s %s [options]\n", more ? (int)(more - usage->usage) : 0, usage->usage,
            usage->topics, topic);
    for (const cli_section *section = usage->sections; section->title; section++) {
        if (has_topic(section, topic)) {
            print_section(file, section);
        }
    }
}

static void print_help(FILE *file, const cli_usage *usage, int with_topics)
{
    fprintf(file, "tumble %s: %s\n", usage->name, usage->purpose);
    print_lines(file, "Usage", usage->usage);
    if (usage->description) {
        fputc('\n', file);
        cli_print_wrapped(file, usage->description, 0, 0, HELP_WIDTH);
    }
    if (usage->print_more) {
        usage->print_more(file);
    }
    for (const cli_section *section = usage->sections; section->title; section++) {
        if (!section->topic || with_topics) {
            print_section(file, section);
        }
    }
    if (usage->topics && !with_topics) {
        print_topics(file, usage);
    }
    print_lines(file, "Examples", usage->examples);
    print_lines(file, "Exit status", usage->exit_status);
}

/* ---- the entrance ---- */

int cli_parse(const cli_usage *usage, int argc, char **argv, cli_operands *operands, int *exit_status)
{
    *operands = (cli_operands){{NULL}, 0};
    if (argc > 0 && strcmp(argv[argc - 1], CLI_COMPLETE) == 0) {
        cli_complete(usage, argc - 1, argv);
        *exit_status = CLI_EXIT_OK;
        return 0;
    }
    if (wants_help(argc, argv)) {
        const char *topic = find_topic(usage, argc, argv);
        if (topic && topic != every_topic) {
            print_topic(stdout, usage, topic);
        } else {
            print_help(stdout, usage, topic != NULL);
        }
        *exit_status = CLI_EXIT_OK;
        return 0;
    }
    arguments rest = {usage, argv, argc, 0};
    *exit_status = parse_all(&rest, operands);
    return *exit_status == 0;
}
