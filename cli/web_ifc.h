/* IFC files read by the npm package web-ifc, if there is Node.js and the package: IFC2x3 and IFC4, with names, the
 * spatial tree and what fills which opening. */
#ifndef TUMBLE_CLI_WEB_IFC_H
#define TUMBLE_CLI_WEB_IFC_H

#include <stddef.h>

/* Whether it is a file for it, by its name. */
int cli_web_ifc_reads(const char *path);

/* Becomes Node.js, which sends a reply (import_reply.h) through the descriptor; does not return. */
_Noreturn void cli_web_ifc_exec(const char *path, int descriptor);

/* Whether the status of that process says that something is not installed. */
int cli_web_ifc_is_missing(int status);

/* Says, once, what to install. */
void cli_web_ifc_advise(const char *path);

/* The program for Node.js (cmake/TumbleEmbed.cmake): a line that names the file, then the file. */
extern const char *const cli_ifc_texts[];
extern const size_t cli_ifc_text_sizes[];
extern const unsigned cli_ifc_text_count;

#endif
