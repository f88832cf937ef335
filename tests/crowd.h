/* The same objects in scenes of every method, through the same life. */
#ifndef TUMBLE_TESTS_CROWD_H
#define TUMBLE_TESTS_CROWD_H

#include "mixed_cases.h"

enum {
    CROWD_MODELS = 5,
    CROWD_MOST = 160, /* objects of a scene */
    CROWD_METHODS = 5
};

/* All with all comes first. */
extern const tumble_scene_options crowd_methods[CROWD_METHODS];

typedef struct crowd {
    tumble_model *models[CROWD_MODELS]; /* the first is empty */
    tumble_scene *scenes[CROWD_METHODS];
    tumble_object ids[CROWD_MOST];
    tumble_part parts[CROWD_MOST]; /* as they are in the scenes */
    size_t count;
    double spread; /* where objects are */
} crowd;

void crowd_begin(crowd *crowd, tumble_context *context, test_random *random);
void crowd_end(crowd *crowd);

tumble_part crowd_random_part(const crowd *crowd, test_random *random);

/* Adds, removes, moves or changes some objects, in all scenes alike. */
void crowd_step(crowd *crowd, test_random *random);

/* Whether two objects meet, by the query for two models; their meeting, whose pairs and contacts are the query's. */
int crowd_ask_pair(test_world *w, const tumble_part *a, const tumble_part *b, const tumble_scene_question *q,
                   tumble_meeting *meeting);

#endif
