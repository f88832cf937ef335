/* The parser of options. */
#include "options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "io/number.h"
#include "message.h"
#include "option_help.h"
#include "words.h"

/* Where the parser stands. */
typedef struct arguments {
    const cli_usage *usage;
    char **words;
    int count, next;
} arguments;

typedef struct match {
    cli_section *section;
    const cli_option *option;
    const char *value; /* after "=", or NULL */
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
    return cli_error("%s '%s': 'tumble %s --help' lists all", what, subject, usage->name);
}

/* ---- numbers ---- */

/* The whole word is a number; blanks around it are fine. */
static int is_number(const char *word, double *out)
{
    static const char blanks[] = " \t\r\n";
    const char *start = word + strspn(word, blanks), *end = tmb_parse_double(start, start + strlen(start), out);
    return end && end[strspn(end, blanks)] == '\0';
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
    if (!is_number(word, &number)) {
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

/* A value with blanks or brackets in it is whole; after a single word, the numbers that follow belong to it. */
static cli_words take_words(arguments *rest, const cli_option *option, const char *word)
{
    cli_words words = {.option = option, .first = word, .more = rest->words + rest->next};
    const int is_whole = word[strcspn(word, " \t\r\n,;[")] != '\0';
    double number;
    while (!is_whole && words.more_count < (size_t)option->value && rest->next < rest->count &&
           is_number(rest->words[rest->next], &number)) {
        words.more_count++;
        rest->next++;
    }
    return words;
}

static int keep_step(arguments *rest, const cli_option *option, const char *word, cli_steps *out)
{
    if (out->count == CLI_MOST_STEPS) {
        return cli_error("--%s '%s' is one too many: give at most %d such options, or one matrix", option->name, word,
                         (int)CLI_MOST_STEPS);
    }
    out->items[out->count++] = take_words(rest, option, word);
    return 0;
}

/* ---- one option ---- */

typedef struct choice_list {
    char text[256];
} choice_list;

/* "first, all" */
static choice_list list_choices(const cli_option *option)
{
    choice_list list = {""};
    for (const cli_choice *choice = option->choices; choice && choice->word; choice++) {
        const size_t used = strlen(list.text);
        snprintf(list.text + used, sizeof list.text - used, "%s%s", used ? ", " : "", choice->word);
    }
    return list;
}

static int choice_error(const cli_option *option, const char *word)
{
    cli_nearest nearest = {word, NULL, 0};
    for (const cli_choice *choice = option->choices; choice->word; choice++) {
        cli_nearest_offer(&nearest, choice->word);
    }
    if (nearest.best) {
        return cli_error("--%s '%s' is unknown: did you mean '%s'? Choose one of %s", option->name, word, nearest.best,
                         list_choices(option).text);
    }
    return cli_error("--%s '%s' is unknown: choose one of %s", option->name, word, list_choices(option).text);
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

static int missing_value(const cli_usage *usage, const cli_option *option)
{
    const choice_list choices = list_choices(option);
    if (choices.text[0]) {
        return cli_error("--%s needs a value: give one of %s, as in --%s %s", option->name, choices.text, option->name,
                         option->choices->word);
    }
    return cli_error("--%s needs a value: give --%s %s; 'tumble %s --help' explains it", option->name, option->name,
                     option->argument, usage->name);
}

/* Flags of one target say different things about it, as --first and --count do: only one can be meant. */
static int refuse_contrary_flag(const match *found)
{
    const cli_option *options = found->section->options, *option = found->option;
    for (size_t i = 0; options[i].name; i++) {
        const int given = (found->section->given >> i & 1) != 0;
        if (given && options[i].kind == CLI_FLAG && options[i].offset == option->offset &&
            options[i].value != option->value) {
            return cli_error("--%s and --%s contradict each other: leave one of them out", options[i].name,
                             option->name);
        }
    }
    return 0;
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
        return refuse_contrary_flag(found);
    }
    if (!value) {
        if (rest->next >= rest->count) {
            return missing_value(rest->usage, option);
        }
        value = rest->words[rest->next++];
    }
    switch (option->kind) {
    case CLI_NUMBER: return parse_number(option, value, target);
    case CLI_CHOICE: return parse_choice(option, value, target);
    case CLI_WORDS: *(cli_words *)target = take_words(rest, option, value); return 0;
    case CLI_STEP: return keep_step(rest, option, value, target);
    default: *(const char **)target = value; return 0;
    }
}

/* ---- finding options ---- */

/* Whether `word` is this option's name, alone or with a value after "=". */
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
        cli_print_help(stdout, usage, argc, argv);
        *exit_status = CLI_EXIT_OK;
        return 0;
    }
    arguments rest = {usage, argv, argc, 0};
    *exit_status = parse_all(&rest, operands);
    return *exit_status == 0;
}
