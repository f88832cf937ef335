/* Options of a command, told once in tables: what is parsed is what --help shows. */
#ifndef TUMBLE_CLI_OPTIONS_H
#define TUMBLE_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum cli_option_kind {
    CLI_FLAG,   /* target: int, becomes `value` */
    CLI_TEXT,   /* target: const char * */
    CLI_NUMBER, /* target: double */
    CLI_CHOICE, /* target: int, becomes the choice's value */
    CLI_WORDS,  /* target: cli_words; one argument, or a word and up to `value` numbers after it */
    CLI_STEP    /* the same, but all that are given are kept in order; target: cli_steps */
} cli_option_kind;

typedef struct cli_choice {
    const char *word; /* NULL ends the list */
    int value;
    const char *help; /* NULL for all: the option's own help names them */
} cli_choice;

/* The value of an option that may be spread over several arguments, as in --move-b 1 2 3. */
typedef struct cli_words {
    const struct cli_option *option; /* NULL: not given */
    const char *first;               /* the value, or where it begins */
    char *const *more;               /* the arguments after it */
    size_t more_count;
} cli_words;

enum {
    CLI_MOST_STEPS = 32
};

typedef struct cli_steps {
    cli_words items[CLI_MOST_STEPS];
    size_t count;
} cli_steps;

typedef struct cli_option {
    cli_option_kind kind;
    char letter;          /* "-o", or 0 */
    const char *name;     /* "--name"; NULL ends the table */
    const char *argument; /* what --help calls the value; NULL for flags */
    const char *help;
    size_t offset; /* of the target, in the section's target */
    int value;     /* CLI_FLAG, CLI_WORDS, CLI_STEP */
    const cli_choice *choices;
    double least, most; /* CLI_NUMBER */
    int whole;          /* CLI_NUMBER: integers only */
    int show_default;   /* --help tells the target's value before parsing */
} cli_option;

/* Options that belong together, and the struct into which they are parsed. */
typedef struct cli_section {
    const char *title; /* NULL ends the list */
    const cli_option *options;
    void *target;
    uint64_t given;    /* set by cli_parse: bit i when option i of the table was given */
    const char *topic; /* not NULL: --help only names the options, and explains them when it is asked for this word */
    const char *help;  /* what to know before the options; may be NULL */
} cli_section;

typedef struct cli_usage {
    const char *name;    /* "check" */
    const char *purpose; /* one line */
    const char *usage;   /* one or more lines, without "tumble" */
    const char *description;
    void (*print_more)(FILE *file); /* what --help shows after the description; may be NULL */
    cli_section *sections;          /* those with a topic last */
    const char *topics;             /* the option whose values they are, "hierarchy"; NULL: none */
    const char *examples;
    const char *exit_status;
    size_t least_operands, most_operands; /* at most CLI_MOST_OPERANDS */
    const char *operands;                 /* what they are, for the message when the number is wrong */
} cli_usage;

enum {
    CLI_MOST_OPERANDS = 1024,
    CLI_HELP_WIDTH = 80
};

typedef struct cli_operands {
    const char *words[CLI_MOST_OPERANDS];
    size_t count;
} cli_operands;

/* Parses what follows the command's name. Returns 1 to go on; 0 when the command ends here with *exit_status, because
 * help was asked for and printed or because of an error that was reported. Help that is asked for together with a
 * topic, as in `--help kdop` or `--hierarchy kdop --help`, tells about that; `--help all` tells everything. */
int cli_parse(const cli_usage *usage, int argc, char **argv, cli_operands *operands, int *exit_status);

int cli_was_given(const cli_section *section, const char *name);

/* The word of a choice's value. */
const char *cli_choice_word(const cli_choice *choices, int value);

#endif
