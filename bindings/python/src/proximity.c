/* Distance and spatial relation of two models. */
#include "binding.h"

const binding_part binding_proximity = {.name = "proximity"};
