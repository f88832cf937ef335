/* What a page is made of, embedded when the command is built (cmake/TumblePage.cmake). */
#ifndef TUMBLE_CLI_REPORT_PAGE_H
#define TUMBLE_CLI_REPORT_PAGE_H

#include <stddef.h>

extern const unsigned char report_page_html[];
extern const size_t report_page_html_size;
extern const unsigned char report_page_three[]; /* three.js; of size 0 if it was not there */
extern const size_t report_page_three_size;
extern const unsigned char report_page_licence[]; /* of three.js */
extern const size_t report_page_licence_size;

#endif
