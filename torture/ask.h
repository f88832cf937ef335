/* Asks the library the questions of a case and compares its answers with the truth. */
#ifndef TUMBLE_TORTURE_ASK_H
#define TUMBLE_TORTURE_ASK_H

#include "life.h"
#include "truth.h"
#include "world.h"

/* Answers compared, by question and hierarchies; the last column is for pairs of different ones. */
enum {
    TORTURE_COLUMNS = 6
};
typedef struct torture_tally {
    uint64_t checks[TORTURE_KINDS][TORTURE_COLUMNS];
    uint64_t errors;               /* among them: errors that were expected */
    double seconds[TORTURE_KINDS]; /* of the processor, the truth included */
} torture_tally;

typedef struct torture_failure {
    int is_failure;
    size_t question; /* its number in the case */
    torture_kind kind;
    char text[480];
} torture_failure;

/* Asks all questions in their order, up to the first failure. Limits become known. */
void torture_ask_all(torture_world *world, torture_case *c, torture_tally *tally, torture_failure *failure);

/* ---- For the files that ask, and those that write questions down ---- */

typedef struct torture_stage {
    torture_world *world;
    torture_case *c;
    torture_tally *tally;
    tumble_query *queries[TORTURE_LEVELS];
    torture_model models[2][TORTURE_RECIPES];
    torture_model plain[2]; /* without hierarchy, fresh */
    torture_triangles triangles[2];
    torture_truth *truths[TORTURE_POSES];
    tumble_status pose_status[TORTURE_POSES];
    /* Contacts of the models without hierarchy, without clearance, in their order; the first ones are verified. */
    tumble_contact *contacts[TORTURE_POSES];
    int knows_contacts[TORTURE_POSES];
    unsigned char *self_kinds[2]; /* of each two polygons of A, and as a soup; as they become known */
    uint64_t batch;               /* checks of the last question beyond the first */
    char wrong[480];
} torture_stage;

void torture_stage_begin(torture_stage *s, torture_world *world, torture_case *c, torture_tally *tally);
void torture_stage_end(torture_stage *s);

/* Sets the text of what is wrong, unless there is one, and returns 0. */
int torture_wrong(torture_stage *s, const char *format, ...);

torture_truth *torture_stage_truth(torture_stage *s, size_t pose);
const tumble_model *torture_stage_model(torture_stage *s, const torture_question *q, int side);
const torture_recipe *torture_stage_recipe(const torture_stage *s, const torture_question *q, int side);

/* The limit's value; and in A's frame, as docs/semantics.md has it. */
double torture_limit_value(torture_stage *s, const torture_question *q, torture_limit *limit);
long double torture_limit_in_a(torture_stage *s, const torture_question *q, double value);

/* Of a question with radii: those of the two models, and the sum of all with the clearance that is left. */
typedef struct torture_radii {
    double radius[2], sum;
} torture_radii;
torture_radii torture_radii_of(torture_stage *s, torture_question *q);

/* Compares a status with what it has to be: 1 when there is an answer to look at, 0 when there is none or it is wrong.
 * `outward`: A's points are moved by A's pose as well; `b_outward`: and B's; -1: or not. */
int torture_check_status(torture_stage *s, const torture_question *q, tumble_status status, int outward, int b_outward);

/* Each returns 1 when all is right. */
int torture_ask_collide(torture_stage *s, torture_question *q);
int torture_ask_distance(torture_stage *s, torture_question *q);
int torture_ask_relate(torture_stage *s, torture_question *q);
int torture_ask_facts(torture_stage *s, torture_question *q);
int torture_ask_ray(torture_stage *s, torture_question *q);
int torture_ask_inside(torture_stage *s, torture_question *q);
int torture_ask_closest(torture_stage *s, torture_question *q);
int torture_ask_overlap(torture_stage *s, torture_question *q);
int torture_ask_self(torture_stage *s, torture_question *q);
int torture_ask_radius(torture_stage *s, torture_question *q);
int torture_ask_batch(torture_stage *s, torture_question *q);
int torture_ask_col(torture_stage *s, torture_question *q);

/* Where a polygon pair is in a sorted list; its end when it is not there. */
size_t torture_find_pair(const tumble_pair *pairs, size_t count, tumble_pair wanted);

/* Asks once and sets a reply. */
typedef void torture_asker(torture_stage *s, const torture_question *q, tumble_query *query, const tumble_model *a,
                           const tumble_model *b, void *reply);

/* Asks a question on as many threads as it says, with a query for each: `replies` has one of `size` bytes for each of
 * at most TORTURE_THREADS. 0 if a model cannot be made. */
enum {
    TORTURE_THREADS = 8
};
int torture_ask_on_threads(torture_stage *s, const torture_question *q, torture_asker *ask, void *replies, size_t size);

#endif
