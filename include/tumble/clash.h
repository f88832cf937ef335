/* Tumble: which parts of an assembly clash, and how? See docs/clash.md.
 *
 *     tumble_clashes *clashes;
 *     tumble_clash_run(assembly, NULL, &clashes);
 *     const tumble_clash_result *result = tumble_clashes_result(clashes);
 *     for (size_t i = 0; i < result->clash_count; i++) {
 *         ... result->parts[result->clashes[i].a].name ...
 *     } */
#ifndef TUMBLE_CLASH_H
#define TUMBLE_CLASH_H

#include "assembly.h"
#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What can be between two parts ---- */

/* Every kind once: name, number, word, meaning. */
#define TUMBLE_CLASH_KIND_LIST(X)                                                                     \
    X(CROSSING, 0, "crossing", "they interpenetrate")                                                 \
    X(CONTAINED, 1, "contained", "all of one is inside the other")                                    \
    X(TOUCHING, 2, "touching", "they have points in common, but nothing of one is inside the other")  \
    X(CLEARANCE, 3, "clearance", "they are apart, but nearer than the rule's clearance")              \
    X(DUPLICATE, 4, "duplicate", "they have exactly the same points: the same geometry at one place") \
    X(UNDEFINED, 5, "undefined", "they meet, but an open surface has no inside")

typedef enum tumble_clash_kind {
#define TUMBLE_CLASH_KIND_ENUM(name, number, word, text) TUMBLE_CLASH_##name = number,
    TUMBLE_CLASH_KIND_LIST(TUMBLE_CLASH_KIND_ENUM)
#undef TUMBLE_CLASH_KIND_ENUM
} tumble_clash_kind;

/* From harmless to grave. */
#define TUMBLE_SEVERITY_LIST(X) \
    X(INFO, 0, "info")          \
    X(MINOR, 1, "minor")        \
    X(MAJOR, 2, "major")        \
    X(CRITICAL, 3, "critical")

typedef enum tumble_severity {
#define TUMBLE_SEVERITY_ENUM(name, number, word) TUMBLE_SEVERITY_##name = number,
    TUMBLE_SEVERITY_LIST(TUMBLE_SEVERITY_ENUM)
#undef TUMBLE_SEVERITY_ENUM
} tumble_severity;

/* What has become of a clash since the run before. Without one, all are new. */
#define TUMBLE_CHANGE_LIST(X)                                                    \
    X(NEW, 0, "new", "it was not there before")                                  \
    X(PERSISTENT, 1, "persistent", "it was there before, and is not worse")      \
    X(WORSE, 2, "worse", "of a graver kind, deeper or closer than before")       \
    X(RESOLVED, 3, "resolved", "both parts were compared again, and it is gone") \
    X(UNRETESTED, 4, "unretested", "it was not compared again: a rule, a part or a file is gone")

typedef enum tumble_change {
#define TUMBLE_CHANGE_ENUM(name, number, word, text) TUMBLE_CHANGE_##name = number,
    TUMBLE_CHANGE_LIST(TUMBLE_CHANGE_ENUM)
#undef TUMBLE_CHANGE_ENUM
} tumble_change;

/* "crossing", "major", "new"; never NULL. */
TUMBLE_API const char *tumble_clash_kind_name(tumble_clash_kind kind);
TUMBLE_API const char *tumble_severity_name(tumble_severity severity);
TUMBLE_API const char *tumble_change_name(tumble_change change);

/* ---- Results ---- */

/* Two ends of a piece of a contact curve, in the assembly's frame; both are the same where faces lie on each other or
 * meet in one point. */
typedef struct tumble_clash_segment {
    double points[2][3];
} tumble_clash_segment;

/* A pair of parts, and what a rule says about it. All coordinates are those of the assembly's frame. */
typedef struct tumble_clash {
    /* 32 hexadecimal digits: a hash of the rule's name, of both parts' keys and of an ordinal. The same in every run,
     * whatever the order of files and the number of threads. */
    char id[33];
    tumble_clash_kind kind;
    tumble_severity severity;
    tumble_change change;
    uint32_t a, b;  /* numbers of parts, a < b; of a resolved or unretested clash UINT32_MAX where the part is gone */
    uint32_t rule;  /* number of the rule that found it; UINT32_MAX: that rule is gone */
    uint32_t group; /* number of its group; UINT32_MAX: none, as for resolved ones */
    int inside;     /* CONTAINED: 1 if A is inside B, 2 if B is inside A; else 0 */
    /* How far one part has to move to be free, which it is when the two touch at most: at least depth[0], and moving B
     * by depth[1] along `normal` is proven to free it. Both 0 if they only touch. */
    bool has_depth;
    double depth[2];
    double distance;        /* of the surfaces; 0 if they meet */
    double point[3];        /* one that shows it: on the contact curve, or between the nearest points */
    double nearest[2][3];   /* CLEARANCE, CONTAINED without contact: the nearest points, on A and on B */
    double normal[3];       /* unit vector along which B leaves A soonest; 0 if unknown */
    double box[2][3];       /* lower and upper corner of all that meets; of CLEARANCE, around the nearest points */
    uint64_t contact_count; /* pairs of triangles that meet, all of them */
    const tumble_clash_segment *segments; /* the contact curve, or the first pieces of it; NULL: not kept */
    size_t segment_count;
    const char *key_a, *key_b; /* of the parts: tumble_assembly_part.key; also of parts that are gone */
    const char *review;        /* what a person set the status to, "approved", carried over; empty: nothing */
    const char *comment;       /* likewise */
    const char *reason;        /* UNRETESTED: why; UNDEFINED: which part is open; else empty */
} tumble_clash;

/* How groups are made. */
typedef enum tumble_grouping {
    TUMBLE_GROUP_PARTS = 0,   /* few parts that explain all clashes, each with its clashes; touching ones come last */
    TUMBLE_GROUP_CLASSES = 1, /* a pair of classes */
    TUMBLE_GROUP_SUBTREE = 2, /* the nearest node of the tree that holds both parts */
    TUMBLE_GROUP_NEAR = 3     /* clashes whose points are chained by steps of at most a radius */
} tumble_grouping;

/* Clashes that belong together; every clash that is not gone is in exactly one. The largest come first. */
typedef struct tumble_clash_group {
    const char *name;         /* for people: the part's name, "IfcBeam and IfcDuct", "first floor" */
    char id[33];              /* of its grouping and its member with the smallest id: stable like those of clashes */
    uint32_t part;            /* PARTS: number of the part; else UINT32_MAX */
    tumble_severity severity; /* the gravest of its clashes */
    size_t clash_count;
    const uint32_t *clashes; /* their numbers, ascending */
} tumble_clash_group;

/* What was asked for: a rule of the rules' file, or the one that stands for none. */
typedef struct tumble_clash_rule_view {
    const char *name;
    double clearance;         /* nearer than this is a clash; 0: only contact is */
    double touch;             /* crossings that a move of at most this is proven to end are filed as touching */
    tumble_severity severity; /* of its clashes that are not filed as touching */
    uint64_t set_counts[2];   /* parts in its sets A and B */
    uint64_t pair_count;      /* of parts it compared */
    uint64_t clash_count;
    char hash[33]; /* of all that decides what the rule finds */
} tumble_clash_rule_view;

/* All of a run. Everything in it belongs to the result, or to the assembly, and lives as long as both. Parts that are
 * added to the assembly later are not in it. */
typedef struct tumble_clash_result {
    bool complete; /* false: stopped before all pairs were compared */
    const tumble_assembly_part *parts;
    size_t part_count;
    const tumble_model *const *models; /* of the parts' numbers */
    size_t model_count;
    const char (*hashes)[33]; /* of the models: equal geometry has equal ones, in every run; NULL: not known */
    char basis[33];           /* hash of the version and of options that answers depend on, as they do on the rules */
    double metres;            /* length of the assembly's unit in metres; 0: unknown */
    int up;                   /* 1, 2, 3: x, y, z points up, negative: the other way; 0: unknown */
    const tumble_clash_rule_view *rules;
    size_t rule_count;
    /* In the order of (a, b, rule); resolved and unretested ones at the end. */
    const tumble_clash *clashes;
    size_t clash_count;
    tumble_grouping grouping;
    const tumble_clash_group *groups;
    size_t group_count;
    uint64_t pair_count;     /* pairs of parts whose boxes are close enough to be compared */
    uint64_t known_count;    /* pairs of parts and rules whose answers are those of the run before */
    uint64_t question_count; /* of the others, those that differ in models or relative pose, and were answered */
    uint64_t kind_counts[6]; /* clashes by kind, without those that are gone */
    double seconds;
} tumble_clash_result;

/* ---- Rules ---- */

/* Which parts are compared with which others, and what is told: docs/clash.md describes the file. */
typedef struct tumble_clash_rules tumble_clash_rules;

/* Reads rules from a file, or from a text that has `name` in messages. They can be given to several runs, also at a
 * time.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_FILE
 *         TUMBLE_ERROR_FORMAT    something is wrong or not known; the message has the line and says what there could be
 *         TUMBLE_ERROR_TOO_LARGE there are more than 1,000 rules, or pairs to be ignored
 *         TUMBLE_ERROR_MEMORY */
TUMBLE_API tumble_status tumble_clash_rules_read(tumble_context *context, const char *path, tumble_clash_rules **out);
TUMBLE_API tumble_status tumble_clash_rules_parse(tumble_context *context, const char *text, size_t size,
                                                  const char *name, tumble_clash_rules **out);
TUMBLE_API void tumble_clash_rules_destroy(tumble_clash_rules *rules);

TUMBLE_API size_t tumble_clash_rules_count(const tumble_clash_rules *rules);

/* A rule by number, with default options for what it leaves open, and how many parts of an assembly are in its sets; a
 * NULL assembly has none.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_INDEX    there is no such rule */
TUMBLE_API tumble_status tumble_clash_rules_view(const tumble_clash_rules *rules, size_t number,
                                                 const tumble_assembly *assembly, tumble_clash_rule_view *out);

/* ---- The run before ---- */

/* What clashes.json says of a run. */
typedef struct tumble_clash_before tumble_clash_before;

/* Reads a clashes.json that tumble_clash_write_json or the report page wrote: from a file, or a text that has `name` in
 * messages. One can be given to several runs, also at a time.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_FILE
 *         TUMBLE_ERROR_FORMAT  it is no such file; the message has the line
 *         TUMBLE_ERROR_INDEX   a clash has a part or a rule that is not listed
 *         TUMBLE_ERROR_MEMORY */
TUMBLE_API tumble_status tumble_clash_before_read(tumble_context *context, const char *path, tumble_clash_before **out);
TUMBLE_API tumble_status tumble_clash_before_parse(tumble_context *context, const char *text, size_t size,
                                                   const char *name, tumble_clash_before **out);
TUMBLE_API void tumble_clash_before_destroy(tumble_clash_before *before);

/* ---- The run ---- */

/* Called now and then, also during a long question, with the number of questions that are answered, on any of the run's
 * threads but never on two at once. Return true to end the run with what is known by then: the result is marked as
 * incomplete. */
typedef bool tumble_clash_progress(void *user, uint64_t done, uint64_t total);

typedef struct tumble_clash_options {
    double clearance;         /* parts that are nearer than this clash, too; default: 0 */
    double touch;             /* crossings that a move of at most this is proven to end are TOUCHING; default: 0 */
    uint64_t depth_budget;    /* tests of boxes and triangles for the depth of two parts; 0: none; default: 10000 */
    tumble_severity severity; /* of clashes that are not touching; default: MAJOR */
    /* What is compared; `clearance`, `touch` and `severity` are those of rules that state none. Default: NULL, all
     * parts with all others. They must live as long as the clashes. */
    const tumble_clash_rules *rules;
    /* The run before: its clashes get a change, and people's statuses and comments. Pairs that cannot have changed, as
     * both parts and the rule are what they were, are not asked about again. Default: NULL. */
    const tumble_clash_before *before;
    bool retest;                     /* ask about these, too; the result is the same; default: false */
    size_t segment_limit;            /* how many pieces of a contact curve are kept; default: 256 */
    size_t segment_bytes;            /* the most memory for all of them; later clashes keep none; default: 256 MiB */
    tumble_grouping grouping;        /* default: PARTS */
    double group_radius;             /* NEAR: the length of the steps */
    uint32_t thread_count;           /* 0: the context's */
    tumble_clash_progress *progress; /* optional */
    void *progress_user;
} tumble_clash_options;

TUMBLE_API tumble_clash_options tumble_default_clash_options(void);

typedef struct tumble_clashes tumble_clashes;

/* Compares every part of an assembly with every other one. NULL options are the defaults. Pairs with the same models
 * and the same relative pose are one question. Nothing is left out before the exact answer, which is that of
 * tumble_relate, tumble_collide and tumble_distance for B moved into A's frame. The result is the same for every number
 * of threads. The assembly must not change during the run, and must exist as long as the clashes.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_MEMORY
 *         those of tumble_collide, tumble_relate and tumble_distance; the message names both parts */
TUMBLE_API tumble_status tumble_clash_run(const tumble_assembly *assembly, const tumble_clash_options *options,
                                          tumble_clashes **out);
TUMBLE_API const tumble_clash_result *tumble_clashes_result(const tumble_clashes *clashes);
TUMBLE_API void tumble_clashes_destroy(tumble_clashes *clashes);

/* Writes clashes.json as docs/clash.md describes it, under a temporary name first. The same result gives the same
 * bytes. */
TUMBLE_API tumble_status tumble_clash_write_json(tumble_context *context, const tumble_clash_result *result,
                                                 const char *path);

#ifdef __cplusplus
}
#endif

#endif
