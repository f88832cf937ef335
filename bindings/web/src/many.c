/* One question about two models at many poses. */
#include "web.h"

int web_test_many(const tumble_model *a, const tumble_model *b, int given, const tumble_pose *poses, size_t count,
                  double clearance, uint8_t *answers)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_TEST;
    options.clearance = clearance;
    tumble_status status = TUMBLE_OK;
    for (size_t i = 0; i < count && status == TUMBLE_OK; i++) {
        tumble_collide_result result;
        status = tumble_collide(web.query, a, web_pose(given, 0), b, &poses[i], &options, &result);
        answers[i] = status == TUMBLE_OK && result.collide;
        web.numbers[0] = (double)i; /* the pose that has failed */
    }
    return (int)status;
}
