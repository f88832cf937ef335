/* Experiments on devices: what they share.
 *
 * A scene is a shape and its copy. The baseline is a single thread with tumble_collide: it is timed in processor time,
 * which does not count other programs, and devices must find its answers. Devices are timed in wall time, from
 * submission until the answers are there. */
#ifndef TUMBLE_BENCH_DEVICE_H
#define TUMBLE_BENCH_DEVICE_H

#include "models.h"
#include "series.h"
#include "statistics.h"
#include "tumble/hierarchies.h"
#include "tumble/tumble.h"

typedef enum device_goal {
    DEVICE_GOAL_BATCH,
    DEVICE_GOAL_HUGE,
    DEVICE_GOAL_LATENCY,
    DEVICE_GOAL_POOL,
    DEVICE_GOALS
} device_goal;

/* How often a goal was reached. */
typedef struct device_score {
    size_t reached, count;
    double least, most; /* of what was measured */
    bench_geometric_mean mean;
} device_score;

typedef struct device_bench {
    bench_series series;
    tumble_context *context;
    uint32_t number; /* of the device */
    tumble_device *device;
    tumble_device_info info;
    double open_microseconds; /* the first time */
    tumble_device *pool;      /* all processors, to compare with; NULL when that is the device */
    uint32_t processors;
    device_score scores[DEVICE_GOALS];
} device_bench;

/* ---- Scenes ---- */

typedef struct device_scene {
    const char *shape;
    size_t triangles;
    tumble_model *model;
    size_t bytes; /* of its block */
    tumble_query *query;
    double reach; /* the distance of the centres at which two copies touch: the median over random orientations; 0: not
                     yet known */
} device_scene;

device_scene device_scene_create(device_bench *b, const char *shape, size_t triangles);
void device_scene_destroy(device_scene *scene);

/* What the command line says, or else the experiment's own, by names and numbers with commas. */
const bench_words *device_words(const bench_words *given, const char *otherwise, bench_words *room);
bench_numbers device_numbers(const bench_numbers *given, const char *otherwise);
size_t device_checks(const device_bench *b, size_t otherwise);

/* Calls `run` for each shape and size. */
void device_each_scene(device_bench *b, const char *shapes, const char *sizes,
                       void (*run)(device_bench *b, device_scene *scene));

/* ---- Poses of the copy ---- */

/* touching: random orientations, distances about that of the first touch, so that about half of them collide.
 * near:     apart, by gaps of up to a hundredth of the shape's size.
 * deep:     centres at 0.2 to 0.6 of the distance of the first touch.
 * mixed:    centres anywhere in a cube of three sizes, most of them far apart.
 * same:     one centre for both. */
tumble_pose *device_make_poses(const device_bench *b, device_scene *scene, const char *kind, size_t count);

/* ---- Measuring; all times are microseconds ---- */

/* Of a whole batch; medians of the repetitions. */
typedef struct device_times {
    double total, waiting, upload, run, result;
    double processor; /* time of all threads of this program, which does not depend on what else runs */
    uint64_t retried, exact;
} device_times;

typedef struct device_row device_row;

/* Checks of a scene and its copy. */
typedef struct device_load {
    const device_scene *scene;
    tumble_mode mode;
    tumble_pose *poses;
    size_t count;
    const tumble_tuning *tuning; /* NULL: the default */
} device_load;

/* Calls `run` for each kind of poses and mode that the command line names, or else these and `test,count`. */
void device_each_load(device_bench *b, device_scene *scene, const char *kinds, size_t count,
                      void (*run)(device_bench *b, const device_load *load, device_row *row));

/* Submits a batch and waits for it; gives up unless all went well. */
device_times device_run(device_bench *b, tumble_device *device, const tumble_batch *batch);
device_times device_median(const device_times *samples, size_t count);

/* Once to warm the device, and then timed. */
device_times device_time_batch(device_bench *b, tumble_device *device, const tumble_batch *batch);

/* The model goes to the device, the checks run once to warm it, and then they are timed. `answers` has room for all. */
device_times device_time_load(device_bench *b, tumble_device *device, const device_load *load,
                              tumble_check_answer *answers);

/* Evenly spread checks of a load, at most so many. The poses are new. */
device_load device_sample(const device_load *load, size_t most);
/* For one thread: as many as the command line says, or fewer if these would take more than about a second. */
device_load device_thread_sample(device_bench *b, const device_load *load);
size_t device_sample_index(const device_load *load, const device_load *sample, size_t i);

/* One thread: the time of a check, and the answers. */
double device_time_thread(device_bench *b, const device_load *load, tumble_check_answer *answers);

/* Whether a device's answers are those of one thread, which were taken of a sample. */
void device_compare(device_bench *b, const device_load *load, const tumble_check_answer *found,
                    const device_load *sample, const tumble_check_answer *expected);

/* One check that lists all pairs. */
typedef struct device_list {
    tumble_pair *pairs;
    size_t count;
    double microseconds; /* of one thread */
} device_list;

device_list device_list_by_thread(device_bench *b, const device_scene *scene, const tumble_pose *pose);
device_times device_time_list(device_bench *b, tumble_device *device, const device_scene *scene,
                              const tumble_pose *pose, const device_list *expected);

/* ---- Writing ---- */

/* A line of the CSV file; NaN and NULL: nothing. */
struct device_row {
    const device_scene *scene;
    const char *poses, *mode;
    const char *variant; /* how the models are built and compared, where that varies */
    uint32_t threads;    /* of the pool; 0: the device is not one */
    size_t checks, sample;
    uint64_t hits, pairs;
    double thread_us, pool_us; /* a check */
    device_times times;
    double ratio, pool_ratio;                                   /* times as fast as one thread, as the pool */
    double one_ratio;                                           /* as the pool with one thread */
    double median_us, ninety_us, ninety_nine_us;                /* of single checks */
    double model_us, gigabytes_a_second, open_us, next_open_us; /* of models; of the device */
    double resident, swapped_in, swapped_bytes;                 /* models there; brought in by a batch */
    double all_ratio;                                           /* times as long as with room for all models */
    double wide_ratio;                                          /* as with wide models */
};

device_row device_row_of(const device_scene *scene, const char *poses, const char *mode);

/* Sets hits and pairs, of all checks. */
void device_count_hits(device_row *row, const tumble_check_answer *answers);
void device_write(device_bench *b, const device_row *row);

/* A number for a table; "-" when it is NaN. The text is the row's. */
typedef struct device_text {
    char text[24];
} device_text;
device_text device_number(double value, int decimals);

/* Keeps the score; "reached", "not reached", or nothing where the goal is not for this device. */
const char *device_judge(device_bench *b, device_goal goal, double value);

/* ---- The experiments ---- */

void device_batch(device_bench *b);
void device_huge(device_bench *b);
void device_latency(device_bench *b);
void device_pool(device_bench *b);
void device_swap(device_bench *b);
void device_trees(device_bench *b);
void device_upload(device_bench *b);

#endif
