/* Walks through two trees of k-DOPs, compiled once for each instruction set. */
#include "math/lanes.h"
#include "query/kdop_walk.h"

/* Everything that depends on k, as constants: see kdop_kernel_body.h. */
#define K 6
#include "query/kdop_kernel_body.h"
#define K 12
#include "query/kdop_kernel_body.h"
#define K 14
#include "query/kdop_kernel_body.h"
#define K 18
#include "query/kdop_kernel_body.h"
#define K 26
#include "query/kdop_kernel_body.h"

const tmb_kdop_kernels TMB_KERNEL_NAME(tmb_kdop_kernels) = {walk_6, walk_12, walk_14, walk_18, walk_26};
