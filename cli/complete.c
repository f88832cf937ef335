#include "complete.h"

#include <string.h>

static const char files[] = ":files";

static int starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* The length of the first sentence or half of one, without what stands in brackets. */
static int first_words(const char *help)
{
    size_t length = strcspn(help, ";(\n");
    const char *stop = strstr(help, ". ");
    length = stop && (size_t)(stop - help) < length ? (size_t)(stop - help) : length;
    while (length > 0 && help[length - 1] == ' ') {
        length--;
    }
    return (int)length;
}

static void print_candidate(const char *start, const char *word, const char *help)
{
    printf("%s%s\t%.*s\n", start, word, help ? first_words(help) : 0, help ? help : "");
}

void cli_complete_offer(const char *current, const char *word, const char *help)
{
    if (starts_with(word, current)) {
        print_candidate("", word, help);
    }
}

static int takes_file(const cli_option *option)
{
    return option->kind == CLI_TEXT && option->argument &&
           (strstr(option->argument, "FILE") || strcmp(option->argument, "DIR") == 0);
}

/* The values of an option; `start` is what each of them is printed after. */
static void complete_value(const cli_option *option, const char *current, const char *start)
{
    for (const cli_choice *choice = option->choices; choice && choice->word; choice++) {
        if (starts_with(choice->word, current)) {
            print_candidate(start, choice->word, choice->help);
        }
    }
    if (takes_file(option)) {
        puts(files);
    }
}

/* Whether the word is this option's name, of so many letters: "-o", "--output". */
static int names_option(const cli_option *option, const char *word, size_t length)
{
    if (length == 2 && word[1] != '-') {
        return option->letter && word[1] == option->letter;
    }
    return length == strlen(option->name) + 2 && starts_with(word, "--") &&
           strncmp(word + 2, option->name, length - 2) == 0;
}

static const cli_option *find_option(const cli_usage *usage, const char *word, size_t length)
{
    for (const cli_section *section = usage->sections; word[0] == '-' && section->title; section++) {
        for (const cli_option *option = section->options; option->name; option++) {
            if (names_option(option, word, length)) {
                return option;
            }
        }
    }
    return NULL;
}

static void complete_name(const cli_usage *usage, const char *current)
{
    char name[64];
    for (const cli_section *section = usage->sections; section->title; section++) {
        for (const cli_option *option = section->options; option->name; option++) {
            snprintf(name, sizeof name, "--%s", option->name);
            cli_complete_offer(current, name, option->help);
        }
    }
    cli_complete_offer(current, "--help", "explains the command");
}

/* "--name=value" in one word. */
static void complete_assignment(const cli_usage *usage, const char *current, size_t length)
{
    const cli_option *option = find_option(usage, current, length);
    char start[80];
    if (option && length + 2 < sizeof start) {
        snprintf(start, sizeof start, "%.*s", (int)length + 1, current);
        complete_value(option, current + length + 1, start);
    }
}

/* Bash makes a word of its own of "=". */
static const char *previous_word(int count, char **words)
{
    int i = count - 2;
    while (i >= 0 && strcmp(words[i], "=") == 0) {
        i--;
    }
    return i >= 0 ? words[i] : "";
}

static int after_options(int count, char **words)
{
    for (int i = 0; i + 1 < count; i++) {
        if (strcmp(words[i], "--") == 0) {
            return 1;
        }
    }
    return 0;
}

void cli_complete(const cli_usage *usage, int count, char **words)
{
    const char *current = count > 0 && strcmp(words[count - 1], "=") != 0 ? words[count - 1] : "";
    const char *previous = previous_word(count, words);
    const cli_option *option = find_option(usage, previous, strlen(previous));
    const size_t equals = strcspn(current, "=");
    const int only_operands = after_options(count, words);
    if (!only_operands && option && option->kind != CLI_FLAG) {
        complete_value(option, current, "");
    } else if (!only_operands && current[0] == '-' && current[equals]) {
        complete_assignment(usage, current, equals);
    } else if (!only_operands && current[0] == '-') {
        complete_name(usage, current);
    } else if (usage->most_operands > 0) {
        puts(files);
    }
}
