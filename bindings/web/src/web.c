/* The module itself: its state, its memory, its messages. */
#include "web.h"

#include <stdlib.h>
#include <string.h>

web_state web;

int web_start(void)
{
    tumble_context_options options = tumble_default_context_options();
    options.thread_count = 1;
    tumble_status status = tumble_context_create(&options, &web.context);
    if (status == TUMBLE_OK) {
        status = tumble_query_create(web.context, &web.query);
    }
    return (int)status;
}

double *web_poses(void)
{
    return &web.poses[0].m[0][0];
}

double *web_numbers(void)
{
    return web.numbers;
}

void *web_allocate(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

void web_release(void *p)
{
    free(p);
}

const char *web_error(void)
{
    static char text[1024];
    tumble_last_error(web.context, text, sizeof text);
    return text;
}

const char *web_status_name(int status)
{
    return tumble_status_name((tumble_status)status);
}

const char *web_version(void)
{
    return tumble_version();
}

const tumble_pose *web_pose(int given, int which)
{
    return (given >> which & 1) != 0 ? &web.poses[which] : NULL;
}

void web_results(const double *values, size_t count)
{
    memcpy(web.numbers, values, count * sizeof *values);
}

double web_address(const void *p)
{
    return (double)(uintptr_t)p;
}
