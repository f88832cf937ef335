/* --help: what the tables of options say. */
#include "option_help.h"

#include <string.h>

#include "words.h"

enum {
    HELP_WIDTH = CLI_HELP_WIDTH,
    HELP_COLUMN = 24
};

static void describe_default(const cli_section *section, const cli_option *option, char *text, size_t size)
{
    const void *target = (const char *)section->target + option->offset;
    if (option->kind == CLI_NUMBER && option->show_default) {
        snprintf(text, size, " (default: %.15g)", *(const double *)target);
    } else if (option->kind == CLI_CHOICE && option->show_default) {
        snprintf(text, size, " (default: %s)", cli_choice_word(option->choices, *(const int *)target));
    }
}

static void print_choices(FILE *file, const cli_option *option)
{
    if (!option->choices || !option->choices->help) {
        return;
    }
    size_t longest = 0;
    for (const cli_choice *choice = option->choices; choice->word; choice++) {
        longest = strlen(choice->word) > longest ? strlen(choice->word) : longest;
    }
    for (const cli_choice *choice = option->choices; choice->word; choice++) {
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

/* The first word that is one, alone or after "=". */
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

void cli_print_help(FILE *file, const cli_usage *usage, int argc, char **argv)
{
    const char *topic = find_topic(usage, argc, argv);
    if (topic && topic != every_topic) {
        print_topic(file, usage, topic);
    } else {
        print_help(file, usage, topic != NULL);
    }
}
