/* The module: its parts, its state, and how an interpreter loads it. */
#include "binding.h"

/* One line for each file with functions. */
static const binding_part *const parts[] = {
    &binding_models,      /* model.c, model_*.c */
    &binding_files,       /* files.c */
    &binding_tunings,     /* tuning.c */
    &binding_queries,     /* query.c */
    &binding_collisions,  /* collide.c */
    &binding_distances,   /* distance_result.c */
    &binding_proximity,   /* proximity.c */
    &binding_motions,     /* motions.c */
    &binding_separations, /* separate.c */
    &binding_regions,     /* regions.c */
    &binding_rays,        /* rays.c */
    &binding_closest,     /* points.c */
    &binding_self,        /* self.c */
    &binding_poses,       /* pose_arithmetic.c */
    &binding_devices,     /* device.c, job.c */
    &binding_batches,     /* checks.c, many.c */
    &binding_scenes,      /* scenes.c, scene_*.c */
    &binding_assemblies,  /* assemblies.c */
    &binding_clashes,     /* clashes.c, clash_run.c */
};
#define PART_COUNT (sizeof parts / sizeof parts[0])

binding_state *binding_state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

static struct PyModuleDef definition;

/* PyType_GetModule knows a heap type's own module only: a class that Python derives has none, so its bases are asked.
 */
static binding_state *find_state(PyTypeObject *type)
{
    for (PyTypeObject *base = type; base; base = PyType_GetSlot(base, Py_tp_base)) {
        if (PyType_GetFlags(base) & Py_TPFLAGS_HEAPTYPE) {
            PyObject *module = PyType_GetModule(base);
            if (module && PyModule_GetDef(module) == &definition) {
                return PyModule_GetState(module);
            }
            PyErr_Clear();
        }
    }
    return NULL;
}

/* An exception that is set stays: buffers are released while one is on its way. */
binding_state *binding_state_of_type(PyTypeObject *type)
{
    PyObject *error, *value, *trace;
    PyErr_Fetch(&error, &value, &trace);
    binding_state *state = find_state(type);
    PyErr_Restore(error, value, trace);
    if (!state) {
        PyErr_SetString(PyExc_TypeError, "not a type of tumble");
    }
    return state;
}

binding_state *binding_state_of_object(PyObject *object)
{
    return binding_state_of_type(Py_TYPE(object));
}

int binding_add_type(PyObject *module, binding_type which, PyType_Spec *spec, PyObject *base)
{
    binding_state *state = binding_state_of(module);
    PyObject *type = PyType_FromModuleAndSpec(module, spec, base);
    if (!type) {
        return -1;
    }
    state->types[which] = type;
    return PyModule_AddType(module, (PyTypeObject *)type);
}

PyObject *binding_result_class(binding_state *state, const char *name)
{
    return PyObject_GetAttrString(state->results, name);
}

/* ---- Life ---- */

static int open_state(binding_state *state)
{
    state->results = PyImport_ImportModule("tumble._types");
    if (!state->results) {
        return -1;
    }
    if (tumble_context_create(NULL, &state->context) != TUMBLE_OK) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

static int execute(PyObject *module)
{
    binding_state *state = binding_state_of(module);
    if (open_state(state) || PyModule_AddStringConstant(module, "__version__", tumble_version())) {
        return -1;
    }
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (parts[i]->functions && PyModule_AddFunctions(module, parts[i]->functions)) {
            return -1;
        }
        if (parts[i]->add && parts[i]->add(module, state)) {
            return -1;
        }
    }
    return 0;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    binding_state *state = binding_state_of(module);
    if (!state) {
        return 0;
    }
    for (int i = 0; i < BINDING_TYPE_COUNT; i++) {
        Py_VISIT(state->types[i]);
    }
    for (int i = 0; i < BINDING_DTYPE_COUNT; i++) {
        Py_VISIT(state->dtypes[i]);
    }
    Py_VISIT(state->results);
    Py_VISIT(state->numpy);
    Py_VISIT(state->numpy_empty);
    Py_VISIT(state->pool);
    Py_VISIT(state->relations);
    Py_VISIT(state->distance_type);
    return 0;
}

static int clear(PyObject *module)
{
    binding_state *state = binding_state_of(module);
    if (!state) {
        return 0;
    }
    for (int i = 0; i < BINDING_TYPE_COUNT; i++) {
        Py_CLEAR(state->types[i]);
    }
    for (int i = 0; i < BINDING_DTYPE_COUNT; i++) {
        Py_CLEAR(state->dtypes[i]);
    }
    Py_CLEAR(state->results);
    Py_CLEAR(state->numpy);
    Py_CLEAR(state->numpy_empty);
    Py_CLEAR(state->pool);
    Py_CLEAR(state->relations);
    Py_CLEAR(state->distance_type);
    return 0;
}

/* The last object of the module's types is gone by now: each holds its type, which holds the module. */
static void release(void *module)
{
    binding_state *state = binding_state_of(module);
    clear(module);
    if (!state) {
        return;
    }
    for (size_t i = PART_COUNT; i-- > 0;) {
        if (parts[i]->release) {
            parts[i]->release(state);
        }
    }
    tumble_context_destroy(state->context);
    state->context = NULL;
}

static PyObject *after_fork(PyObject *module, PyObject *nothing)
{
    (void)nothing;
    binding_state *state = binding_state_of(module);
    state->fork_count++;
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (parts[i]->after_fork) {
            parts[i]->after_fork(module, state);
        }
    }
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"_after_fork", after_fork, METH_NOARGS, "In a child process: forgets threads, which fork does not copy."},
    {NULL, NULL, 0, NULL},
};

/* Python 3.11 rejects the slot of 3.12 that promises a module per interpreter, each with its own GIL; so the table is
 * filled by the version that runs. */
static PyModuleDef_Slot slots[3] = {{Py_mod_exec, execute}};
#define SLOT_MULTIPLE_INTERPRETERS 3
#define PER_INTERPRETER_GIL ((void *)2)

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "tumble._tumble",
    .m_doc = "The C part of the package tumble.",
    .m_size = sizeof(binding_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

PyMODINIT_FUNC PyInit__tumble(void);

PyMODINIT_FUNC PyInit__tumble(void)
{
    if (Py_Version >= 0x030C0000) {
        slots[1] = (PyModuleDef_Slot){SLOT_MULTIPLE_INTERPRETERS, PER_INTERPRETER_GIL};
    }
    return PyModuleDef_Init(&definition);
}
