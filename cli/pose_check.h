/* From numbers to poses: which matrices are accepted, and what is said of others. */
#ifndef TUMBLE_CLI_POSE_CHECK_H
#define TUMBLE_CLI_POSE_CHECK_H

#include "pose_text.h"
#include "tumble/math.h"

/* A pose of the library. With `orthonormalise` the nearest rotation with the mean scale, which is 1 if the digits
 * cannot tell it from 1, for matrices that are within 0.01 of one; and quaternions of any length. Returns 0 or an exit
 * status after reporting the error, which begins with `subject`. */
int cli_pose_from_raw(tumble_context *context, const cli_raw_pose *raw, int orthonormalise, const char *subject,
                      tumble_pose *out);

#endif
