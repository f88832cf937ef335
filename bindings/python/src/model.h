/* What the files about models share. */
#ifndef TUMBLE_BINDING_MODEL_H
#define TUMBLE_BINDING_MODEL_H

#include "binding.h"

/* The state of an object that is known to be a model. */
binding_model *binding_model_data(PyObject *self);

/* Arguments of everything that builds: hierarchy, threads, deformable, tuning, radius. */
#define BINDING_BUILDING_COUNT 5
typedef struct binding_building {
    tumble_model_options options;
    tumble_tuning tuning;
} binding_building;

int binding_building_get(PyObject *const values[BINDING_BUILDING_COUNT], binding_building *out);

/* Builds without the GIL; Ctrl-C interrupts. */
typedef tumble_status binding_creator(tumble_context *context, const void *source, const tumble_model_options *options,
                                      tumble_model **out);
PyObject *binding_build_by(binding_state *state, PyTypeObject *type, binding_creator *create, const void *source,
                           binding_building *building);
PyObject *binding_build(binding_state *state, PyTypeObject *type, const tumble_mesh *mesh, binding_building *building);

/* Tables of the type Model, in model_facts.c and model_block.c. */
extern PyGetSetDef binding_model_attributes[];
extern PyMethodDef binding_model_methods[];
Py_ssize_t binding_model_length(PyObject *self);
PyObject *binding_model_repr(PyObject *self);
PyObject *binding_model_compare(PyObject *self, PyObject *other, int operation);
Py_hash_t binding_model_hash(PyObject *self);
int binding_model_buffer(PyObject *self, Py_buffer *view, int flags);
void binding_model_buffer_release(PyObject *self, Py_buffer *view);

#define BINDING_FAST(name, function, text)                                               \
    {                                                                                    \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, text \
    }
#define BINDING_FAST_CLASS(name, function, text)                                                      \
    {                                                                                                 \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS | METH_CLASS, text \
    }
#define BINDING_PLAIN(name, function, text)                            \
    {                                                                  \
        name, (PyCFunction)(void (*)(void))function, METH_NOARGS, text \
    }

PyObject *binding_model_save(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_model_load(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_model_from_block(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_model_reduce(PyObject *, PyObject *);
PyObject *binding_model_deformed(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_model_editable(PyObject *, PyObject *);
PyObject *binding_model_read(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_model_parse(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_solid_ball(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_solid_balls(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_solid_capsule(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_solid_cylinder(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_solid_cylinders(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_solid_box(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *binding_solid_polyline(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
int binding_add_editable(PyObject *module, binding_state *state);

#endif
