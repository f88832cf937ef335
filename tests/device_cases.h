/* Devices against tumble_collide: a bench with several devices open, scenes that are hard for them, and one function
 * that asks a device in all modes and compares all answers. */
#ifndef TUMBLE_TESTS_DEVICE_CASES_H
#define TUMBLE_TESTS_DEVICE_CASES_H

#include "sets.h"

enum {
    DEVICE_MOST = 8,
    DEVICE_POOLS = 3,         /* the first seats */
    DEVICE_LIMIT_SECONDS = 60 /* of every wait: nobody waits for ever */
};

/* One open device, and what it was seen doing. */
typedef struct device_seat {
    tumble_device *device;
    tumble_device_kind kind;
    char name[64];
    uint64_t checks, hits, pairs;
    uint64_t retried; /* checks that threads of this machine answered: unusual poses and models */
    uint64_t exact;   /* pairs of triangles that went to exact arithmetic */
    uint64_t refused; /* checks without an answer, as tumble_collide has none */
    uint64_t cut;     /* lists of pairs that did not fit their room */
} device_seat;

typedef struct device_bench {
    test_allocator memory;
    tumble_context *context;
    tumble_query *query;
    device_seat seats[DEVICE_MOST];
    size_t seat_count, question_count;
} device_bench;

/* The pool with 1, 2 and 5 threads, and the first OpenCL device with and without doubles. There must be one, unless the
 * environment variable TUMBLE_TEST_OPENCL is "none", as it must be under the thread sanitizer. End asserts that all
 * memory was given back. As setup and teardown of a group of tests. */
int device_bench_begin(void **state);
int device_bench_end(void **state);

/* Whether OpenCL devices are to be tested. */
int device_has_opencl(void);

/* Ends the program with a message when it runs for longer: no test of devices may hang. */
void device_start_watch(unsigned seconds);

/* Says so if there is no OpenCL to be tested, else starts the watch. */
int device_is_ready(void);

/* Of main: runs tests of OpenCL devices, if there are any. */
#define DEVICE_SKIPPED 77 /* for ctest */
#define DEVICE_RUN(tests, begin, end) device_run(#tests, tests, sizeof tests / sizeof *(tests), begin, end)
int device_run(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction begin,
               CMFixtureFunction end);

/* ---- Questions ---- */

/* Checks as tumble_batch has them: where a count is 1, the item is for all checks; of poses it may be 0. */
typedef struct device_question {
    char name[96];
    const tumble_model *(*models)[2];
    const tumble_model *(*exact)[2]; /* the same models, for the truth: without a hierarchy; NULL: those above */
    size_t pair_count;
    const tumble_pose *poses_a, *poses_b;
    size_t pose_a_count, pose_b_count;
    size_t check_count;
    const tumble_tuning *tuning; /* of the batches; NULL: the default */
} device_question;

/* What tumble_collide says to it. */
typedef struct device_truth {
    tumble_status status;
    test_pairs pairs;
} device_truth;

device_truth *device_find_truth(tumble_query *query, const device_question *question);
void device_free_truth(device_truth *truth, size_t count);

/* Submits the question in every mode, lists with several sizes of room, and contacts; then takes all tickets in their
 * order and compares every answer, every list, and what lies behind the lists. */
void device_compare(device_bench *bench, device_seat *seat, const device_question *question, const device_truth *truth);

/* The same with models that are on the device already. */
void device_compare_pairs(device_bench *bench, device_seat *seat, const device_question *question,
                          const tumble_model_pair *pairs, const device_truth *truth);

/* The same with all devices; pools take turns, unless there is more effort than usual. */
void device_compare_all(device_bench *bench, const device_question *question);

/* ---- Scenes ---- */

typedef struct device_scene {
    const char *name;
    void (*make)(models_mesh *a, models_mesh *b, test_random *random);
    double unit; /* moves by whole multiples of it make them touch */
} device_scene;

enum {
    DEVICE_SCENES = 20
};
extern const device_scene device_scenes[DEVICE_SCENES];

/* Pose number `number` of B: at rest, touching, turned by quarters, turned somehow, scaled, moved by one ulp, ... */
tumble_pose device_pose(test_random *random, const tumble_model_info *info, double unit, size_t number);

#endif
