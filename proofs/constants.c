/* Fills the constants of src/math/bounds.h and src/scene/bounds.h into a Gappa script: @NAME@ becomes the exact value of
 * NAME, and @NAME of x y z@ the hypotheses that x, y and z are at most that: |x| <= NAME /\ |y| <= NAME /\ |z| <= NAME.
 *
 *     constants [NAME FACTOR] <script >filled        as it is, or with NAME times FACTOR
 *     constants --list                               all names and values
 *
 * The list of names is taken from the headers by scripts/check_proofs.sh, the values by the compiler: nothing is typed
 * in twice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/bounds.h"
#include "scene/bounds.h"

typedef struct constant {
    const char *name;
    long double value;
} constant;

static const constant constants[] = {
#define TMB_PROOF_CONSTANT(NAME) {#NAME, NAME},
#include "constants.inc"
};

#define COUNT (sizeof constants / sizeof *constants)

static const constant *find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(constants[i].name, name) == 0) {
            return &constants[i];
        }
    }
    return NULL;
}

static int list(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        printf("%s %La\n", constants[i].name, constants[i].value);
    }
    return 0;
}

/* Prints a constant, or what is said of the variables that are listed after " of ". */
static void print_filled(long double value, char *variables)
{
    if (!variables) {
        printf("%La", value);
        return;
    }
    const char *joined = "";
    for (const char *v = strtok(variables, " "); v; v = strtok(NULL, " ")) {
        printf("%s|%s| <= %La", joined, v, value);
        joined = " /\\ ";
    }
}

/* Prints a line with its placeholders replaced; 0 if one is no constant. */
static int fill(char *line, const char *changed, long double factor)
{
    for (char *at = strstr(line, "@TMB_"); at; at = strstr(line, "@TMB_")) {
        char *name = at + 1, *end = strchr(name, '@'), *variables;
        *at = *(end ? end : name + strlen(name)) = 0;
        variables = strstr(name, " of ");
        if (variables) {
            *variables = 0;
            variables += strlen(" of ");
        }
        const constant *c = find(name);
        if (!c || !end) {
            fprintf(stderr, "there is no constant %s in src/math/bounds.h\n", name);
            return 0;
        }
        fputs(line, stdout);
        print_filled(changed && strcmp(changed, name) == 0 ? c->value * factor : c->value, variables);
        line = end + 1;
    }
    fputs(line, stdout);
    return 1;
}

int main(int argc, char **argv)
{
    char line[1024];
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        return list();
    }
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] != '#' && !fill(line, argc == 3 ? argv[1] : NULL, argc == 3 ? strtold(argv[2], NULL) : 1)) {
            return 1;
        }
    }
    return 0;
}
