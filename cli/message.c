/* Messages on stderr. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cli_exit_of(const int seen[3])
{
    return seen[1] ? CLI_EXIT_INTERSECT : seen[2] ? CLI_EXIT_MAYBE : CLI_EXIT_OK;
}

/* The command reads standard input from a copy, whose path would tell nobody anything. */
static const char *renamed_path, *its_name;

void cli_rename_in_messages(const char *path, const char *name)
{
    renamed_path = path;
    its_name = name;
}

static void print_renamed(const char *text)
{
    for (const char *found; renamed_path && (found = strstr(text, renamed_path)) != NULL;) {
        fwrite(text, 1, (size_t)(found - text), stderr);
        fputs(its_name, stderr);
        text = found + strlen(renamed_path);
    }
    fputs(text, stderr);
}

static void print_message(const char *kind, const char *format, va_list arguments)
{
    char text[1 << 14]; /* room for two paths */
    fflush(stdout);
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "tumble: %s: ", kind);
    print_renamed(text);
    fputc('\n', stderr);
}

int cli_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("error", format, arguments);
    va_end(arguments);
    return CLI_EXIT_ERROR;
}

void cli_warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("warning", format, arguments);
    va_end(arguments);
}

void cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("note", format, arguments);
    va_end(arguments);
}

const char *cli_advice(tumble_status status)
{
    switch (status) {
    case TUMBLE_ERROR_MEMORY: return "free some memory, or use smaller models";
    case TUMBLE_ERROR_NOT_FINITE: return "use numbers that are finite, also where the poses move them";
    case TUMBLE_ERROR_INDEX:
    case TUMBLE_ERROR_POLYGON: return "repair the mesh";
    case TUMBLE_ERROR_TOO_LARGE: return "split the model into smaller ones";
    case TUMBLE_ERROR_POSE:
        return "give a rotation times one positive scale, and a translation, as three rows of four numbers";
    case TUMBLE_ERROR_FILE: return "check the name and the permissions";
    case TUMBLE_ERROR_FORMAT: return "the file is damaged or misnamed; export it again";
    case TUMBLE_ERROR_UNSUPPORTED: return "convert it to OBJ, OFF, STL or PLY";
    case TUMBLE_ERROR_DEVICE: return "choose another device, such as --device cpu; 'tumble devices' lists them";
    default: return "please report this as a defect of tumble";
    }
}

/* The same, but an output also needs its folder and room on the disk. */
static const char *advice_about(tumble_status status, const char *text)
{
    const int is_output = status == TUMBLE_ERROR_FILE && strstr(text, ": cannot write it: ");
    return is_output ? "give a name in a folder that exists, is writable and has room" : cli_advice(status);
}

int cli_library_error(const tumble_context *context, tumble_status status, const char *subject)
{
    char text[1024] = "";
    if (tumble_last_error(context, text, sizeof text) != status || text[0] == '\0') {
        snprintf(text, sizeof text, "%s", tumble_status_text(status));
    }
    if (!subject || strncmp(text, subject, strlen(subject)) == 0) {
        return cli_error("%s: %s", text, advice_about(status, text));
    }
    return cli_error("%s: %s: %s", subject, text, advice_about(status, text));
}

int cli_query_error(const tumble_query *query, tumble_status status)
{
    char text[1024] = "";
    (void)tumble_query_error(query, text, sizeof text);
    if (status == TUMBLE_ERROR_UNSUPPORTED && text[0]) { /* which says what to use instead: no file is the matter */
        return cli_error("%s", text);
    }
    return cli_error("%s: %s", text[0] ? text : tumble_status_text(status), cli_advice(status));
}

int cli_memory_error(const char *what)
{
    return cli_error("out of memory for %s: %s", what, cli_advice(TUMBLE_ERROR_MEMORY));
}
