/* Node.js with web-ifc. */
#include "web_ifc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "foreign.h"
#include "message.h"

enum {
    NO_PACKAGE = 126,
    NO_NODE = 127,
    REPLY_DESCRIPTOR = 3
};

int cli_web_ifc_reads(const char *path)
{
    return strcmp(cli_ending_of(path).text, "ifc") == 0;
}

/* A file that has no name, with the program, at its start; negative: there is none. */
static int open_program(void)
{
    const char *text = cli_ifc_texts[0], *start = memchr(text, '\n', cli_ifc_text_sizes[0]);
    FILE *file = tmpfile();
    if (!file || !start) {
        return -1;
    }
    const size_t size = cli_ifc_text_sizes[0] - (size_t)(start + 1 - text);
    const int is_written = fwrite(start + 1, 1, size, file) == size && fflush(file) == 0;
    return is_written && lseek(fileno(file), 0, SEEK_SET) == 0 ? fileno(file) : -1;
}

/* The folder above that of the command: /usr of /usr/bin/tumble. */
static void name_prefix(void)
{
    char path[4096];
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    path[size > 0 ? size : 0] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (!slash) {
            return;
        }
        *slash = '\0';
    }
    setenv("TUMBLE_PREFIX", path, 1);
}

_Noreturn void cli_web_ifc_exec(const char *path, int descriptor)
{
    char format_status[16];
    const char *node = getenv("TUMBLE_NODE");
    const int program = open_program();
    snprintf(format_status, sizeof format_status, "%d", (int)TUMBLE_ERROR_FORMAT);
    if (program < 0 || dup2(descriptor, REPLY_DESCRIPTOR) < 0 || dup2(program, STDIN_FILENO) < 0) {
        _exit(1);
    }
    name_prefix();
    execlp(node && *node ? node : "node", "node", "--input-type=module", "-", path, format_status, (char *)NULL);
    _exit(NO_NODE);
}

int cli_web_ifc_is_missing(int status)
{
    return WIFEXITED(status) && (WEXITSTATUS(status) == NO_PACKAGE || WEXITSTATUS(status) == NO_NODE);
}

void cli_web_ifc_advise(const char *path)
{
    static int is_told;
    if (!is_told) {
        cli_note("%s: read by assimp, without the building's tree and its openings, and IFC2x3 only; for all of it "
                 "install Node.js and, with 'npm install web-ifc', its reader",
                 path);
    }
    is_told = 1;
}
