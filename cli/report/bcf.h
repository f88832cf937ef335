/* BCF, the format in which building people pass issues on: 2.1 and 3.0. A topic for each group of clashes. */
#ifndef TUMBLE_CLI_BCF_H
#define TUMBLE_CLI_BCF_H

#include "report_file.h"
#include "snapshot.h"

typedef enum bcf_version {
    BCF_2_1 = 0,
    BCF_3_0 = 1
} bcf_version;

/* What BCF allows, or readers stand. */
enum {
    BCF_TOPICS = 10000,
    BCF_SNAPSHOTS = 1000,  /* of the largest groups: each takes a hundredth of a second */
    BCF_COMPONENTS = 1000, /* more make readers slow */
    BCF_LINES = 1000,
    BCF_WIDTH = 640,
    BCF_HEIGHT = 480
};

/* 8-4-4-4-12 hexadecimal digits. */
typedef struct bcf_guid {
    char text[37];
} bcf_guid;
bcf_guid bcf_guid_of(const char id[33]);

/* A group of clashes as a topic. `parts` are all parts of its clashes, each once and at most BCF_COMPONENTS, those of
 * side A first; `first_count` of them are A's. */
typedef struct bcf_topic {
    const clash_report *report;
    const tumble_clash_group *group;
    const char *date;
    uint32_t *parts;
    size_t part_count, first_count;
    snapshot_camera camera; /* in the assembly's unit */
    double distance;        /* from the eye to what is looked at */
    bcf_guid guid, viewpoint;
    int has_snapshot;
} bcf_topic;

tumble_status bcf_topic_make(const clash_report *report, uint32_t group, const char *date, bcf_topic *topic);
void bcf_topic_release(bcf_topic *topic);

/* The files of a topic, in memory, to be freed. */
typedef struct bcf_text {
    char *bytes;
    size_t size;
} bcf_text;
tumble_status bcf_write_markup(const bcf_topic *topic, bcf_version version, bcf_text *out);
tumble_status bcf_write_viewpoint(const bcf_topic *topic, bcf_version version, bcf_text *out);
tumble_status bcf_draw(const bcf_topic *topic, bcf_text *out);

/* "Open", or the status of all clashes of the group if a person gave them all the same. */
const char *bcf_status(const clash_report *report, const tumble_clash_group *group);

#endif
