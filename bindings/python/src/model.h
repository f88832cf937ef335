/* What the files about models share. */
#ifndef TUMBLE_BINDING_MODEL_H
#define TUMBLE_BINDING_MODEL_H

#include "binding.h"

/* The state of an object that is known to be a model. */
binding_model *binding_model_data(PyObject *self);
int binding_model_options_of(PyObject *hierarchy, PyObject *threads, int deformable, tumble_model_options *options);

#endif
