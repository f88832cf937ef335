/* What the files of the extension share: the module's state, errors, arguments, arrays, poses, models and queries.
 *
 * Written in the limited C API of Python 3.11, so one binary serves that and every later version. The state of an
 * object is reached through one accessor per type, never through the object's layout. Nothing is global: each
 * interpreter has a module of its own with a context of its own.
 *
 * To add functions: a file with a `const binding_part`, and its line in the table of module.c. */
#ifndef TUMBLE_BINDING_H
#define TUMBLE_BINDING_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdlib.h>

#include "tumble/hierarchies.h"
#include "tumble/tumble.h"

/* ---- The module ---- */

/* The types of the extension. */
#define BINDING_TYPE_LIST(X) \
    X(MODEL)                 \
    X(EDITABLE)              \
    X(QUERY)                 \
    X(DEVICE)                \
    X(JOB)                   \
    X(DISTANCE)              \
    X(SCENE)                 \
    X(ASSEMBLY)              \
    X(CLASHES)

typedef enum binding_type {
#define BINDING_TYPE_ENUM(name) BINDING_TYPE_##name,
    BINDING_TYPE_LIST(BINDING_TYPE_ENUM)
#undef BINDING_TYPE_ENUM
    BINDING_TYPE_COUNT
} binding_type;

/* Types of arrays that functions return, in the order of the names in arrays.c. */
typedef enum binding_dtype {
    BINDING_BOOL,
    BINDING_UINT32,
    BINDING_INT64,
    BINDING_UINT64,
    BINDING_FLOAT64,
    BINDING_CONTACT, /* tumble_contact */
    BINDING_SURFACE, /* tumble_surface_pair */
    BINDING_NEAR,    /* tumble_near */
    BINDING_ANSWER,  /* tumble_check_answer */
    BINDING_CLASH,   /* binding_clash */
    BINDING_DTYPE_COUNT
} binding_dtype;

/* An item of the array of all clashes. */
typedef struct binding_clash {
    uint32_t kind, severity, change, inside;
    int64_t a, b, rule, group; /* -1: none */
    double depth[2];           /* nan: not known */
    double distance, point[3], nearest[2][3], normal[3], box[2][3];
    uint64_t contact_count;
} binding_clash;

typedef struct binding_idle_query binding_idle_query;

/* Used with the GIL held only. */
typedef struct binding_state {
    tumble_context *context;
    binding_idle_query *idle; /* queries that no thread uses */
    uint64_t fork_count;      /* forks that led to this process */
    PyObject *types[BINDING_TYPE_COUNT];
    PyObject *results;     /* the module tumble._types: exceptions and classes of results */
    PyObject *numpy;       /* NULL: not imported yet; None: cannot be imported */
    PyObject *numpy_empty; /* numpy.empty */
    PyObject *dtypes[BINDING_DTYPE_COUNT];
    PyObject *distance_type;  /* tumble._results.Distance; NULL: not used yet */
    PyObject *relations;      /* the members of tumble.Relation; NULL: not used yet */
    PyObject *pool;           /* the Device of collide_many; NULL: not used yet */
    struct binding_job *jobs; /* those that are not done, see job.c */
} binding_state;

/* Functions and types of one subject. */
typedef struct binding_part {
    const char *name;
    PyMethodDef *functions;                                     /* or NULL */
    int (*add)(PyObject *module, binding_state *state);         /* or NULL: makes types; -1 with an exception */
    void (*release)(binding_state *state);                      /* or NULL: before the context is destroyed */
    void (*after_fork)(PyObject *module, binding_state *state); /* or NULL: in the child */
} binding_part;

extern const binding_part binding_models, binding_files, binding_collisions, binding_proximity, binding_distances,
    binding_queries, binding_tunings, binding_poses, binding_scenes, binding_devices, binding_batches, binding_self,
    binding_rays, binding_closest, binding_motions, binding_separations, binding_regions, binding_assemblies,
    binding_clashes;

binding_state *binding_state_of(PyObject *module);
/* Of an object whose type, or a base of it, is the extension's. NULL with an exception. */
binding_state *binding_state_of_type(PyTypeObject *type);
binding_state *binding_state_of_object(PyObject *object);
/* Makes a type of the module, puts it into the state and, under its name, into the module. */
int binding_add_type(PyObject *module, binding_type which, PyType_Spec *spec, PyObject *base);
/* A new reference to tumble._types.NAME. */
PyObject *binding_result_class(binding_state *state, const char *name);

/* ---- Errors ---- */

/* Raises the exception of a status. `path` is NULL or the file of TUMBLE_ERROR_FILE. Returns NULL. */
PyObject *binding_raise(binding_state *state, tumble_status status, const char *message, const char *path);
/* With the message of the calling thread's last failure. Must be called in the thread that failed. */
PyObject *binding_raise_last(binding_state *state, tumble_status status, const char *path);
/* A message about a "pose" names `subject` instead, such as "pose_a". */
PyObject *binding_raise_pose(binding_state *state, tumble_status status, const char *message, const char *subject);

/* ---- Arguments ---- */

/* Sorts arguments of METH_FASTCALL | METH_KEYWORDS by `names`, which end with NULL. Those after the first `positional`
 * are keywords only. Items of `out` that are not given are NULL. None is a value like others. */
int binding_arguments(const char *function, const char *const *names, Py_ssize_t positional, Py_ssize_t required,
                      PyObject *const *arguments, Py_ssize_t count, PyObject *keywords, PyObject **out);

/* Values; `object` may be NULL or None, which leave *out as it is. -1 with an exception that has the name. */
int binding_double(PyObject *object, const char *name, double *out);
int binding_size(PyObject *object, const char *name, uint64_t *out);
int binding_flag(PyObject *object, const char *name, bool *out);
/* A word of a list of `count` words, to its number. */
int binding_word(PyObject *object, const char *name, const char *const *words, const int *numbers, size_t count,
                 int *out);

/* The path of a file as bytes, of str, bytes or os.PathLike. NULL with an exception. */
PyObject *binding_path(PyObject *object);

/* ---- Arrays in ---- */

/* Numbers of an argument: a view of its buffer if that has the wanted form, else a copy. The buffer's export is held
 * until binding_array_release, so that it cannot be resized or freed. */
typedef struct binding_array {
    Py_buffer view;
    bool has_view;
    void *copy;
    const void *data; /* packed, in C order */
    size_t item_count;
    int dimension_count;
    Py_ssize_t shape[3];
    bool is_float; /* BINDING_POINTS: float, not double */
} binding_array;

typedef enum binding_kind {
    BINDING_DOUBLES, /* double */
    BINDING_POINTS,  /* float or double */
    BINDING_INDICES, /* uint32_t; negative and larger numbers are rejected */
    BINDING_PADDED   /* uint32_t; -1 is UINT32_MAX: no corner */
} binding_kind;

/* From anything with numbers: buffers as they are, everything else through numpy. `always_copy`: the data do not
 * change even if the buffer does. */
int binding_array_get(binding_state *state, PyObject *object, const char *name, binding_kind kind, bool always_copy,
                      binding_array *out);
void binding_array_release(binding_array *array);

/* ---- Arrays out ---- */

/* A new array; *data is its memory, which is the array's. Without numpy, a memoryview. */
PyObject *binding_new_array(binding_state *state, binding_dtype dtype, int dimension_count, const Py_ssize_t *shape,
                            void **data);
/* An array with a copy of `data`. */
PyObject *binding_array_of(binding_state *state, binding_dtype dtype, int dimension_count, const Py_ssize_t *shape,
                           const void *data);
size_t binding_dtype_size(binding_dtype dtype);

/* ---- Poses ---- */

/* (3, 4), (4, 4), or the tuple (position, quaternion). NULL and None: *out stays as it is and the result is 0; 1: a
 * pose was given; -1: an exception. */
int binding_pose(binding_state *state, PyObject *object, const char *name, tumble_pose *out);

/* n poses: (n, 3, 4), (n, 4, 4), or the tuple of (n, 3) and (n, 4). A single pose is one. Views where possible. */
typedef struct binding_poses_view {
    binding_array array;
    tumble_pose *copy;
    const tumble_pose *poses; /* NULL: none given */
    size_t count;
} binding_poses_view;

int binding_poses_get(binding_state *state, PyObject *object, const char *name, binding_poses_view *out);
void binding_poses_release(binding_poses_view *poses);
PyObject *binding_pose_array(binding_state *state, const tumble_pose *pose);

/* ---- Models ---- */

typedef struct binding_model {
    tumble_model *model;
    PyObject *corners;   /* bytes: the mesh's indices, if the model was made to be deformed; else NULL */
    PyObject *sizes;     /* bytes: its polygon sizes; NULL: triangles */
    Py_hash_t hash;      /* -1: not known */
    size_t user_count;   /* calls and devices that use it now */
    uint64_t fork_count; /* when user_count was counted */
    bool is_edited;      /* an edit is under way */
    bool has_info;
    tumble_model_info info; /* what the library told of it since the last edit, if has_info */
} binding_model;

/* NULL with TypeError if the object is no model. */
binding_model *binding_model_of(binding_state *state, PyObject *object, const char *name);
/* Between these two, nobody can edit the model, so the GIL may be released. -1: it is being edited. */
int binding_model_begin(binding_state *state, binding_model *model);
void binding_model_end(binding_state *state, binding_model *model);
/* The same for the one who edits. -1: it is in use. */
int binding_edit_begin(binding_state *state, binding_model *model);
void binding_edit_end(binding_model *model);
/* A model object around a new model, which it owns; destroys the model if it fails. */
PyObject *binding_model_wrap(PyTypeObject *type, tumble_model *model);

/* The arrays of a mesh. */
typedef struct binding_mesh {
    binding_array points, indices, sizes, surfaces, radii;
    double *equal_radii;               /* of one radius for all */
    uint32_t *polygon_sizes, *corners; /* of polygons of mixed sizes */
    tumble_mesh mesh;
} binding_mesh;

/* `radius` is NULL, None, a number or one per polygon. */
int binding_mesh_get(binding_state *state, PyObject *vertices, PyObject *faces, PyObject *sizes, PyObject *surfaces,
                     PyObject *radius, binding_mesh *out);
void binding_mesh_release(binding_mesh *mesh);

/* The tuning of an argument: a mapping of names such as "kdop.k". 1: given, 0: not, -1: exception. */
int binding_tuning(PyObject *object, tumble_tuning *out);
PyObject *binding_tuning_mapping(const tumble_tuning *tuning);

/* A member of tumble.Relation. */
PyObject *binding_relation(binding_state *state, tumble_relation relation);

/* ---- Work without the GIL ---- */

/* While the GIL is released: takes it now and then and looks for signals, such as Ctrl-C. */
typedef struct binding_work {
    PyThreadState *thread;
    double next; /* when to look again */
    bool is_interrupted;
} binding_work;

void binding_work_begin(binding_work *work); /* releases the GIL */
void binding_work_end(binding_work *work);   /* takes it */
/* When the main interpreter ends: work of other threads stops. */
void binding_work_end_all(void);
bool binding_work_must_end(void);           /* before taking the GIL in a callback of the library: stop instead */
bool binding_work_look(binding_work *work); /* true: an exception is set, stop */
/* A progress function for tumble_model_options; `user` is the binding_work. */
bool binding_work_progress(void *user, double fraction);
double binding_seconds(void);

/* ---- Queries ---- */

/* What the progress function of a query asks. */
typedef struct binding_asker {
    binding_work work;         /* of the thread that asks the query, which may see Ctrl-C, */
    bool is_working;           /* while this is set; */
    bool (*must_stop)(void *); /* or of threads that Python does not know; may be NULL */
    void *user;
} binding_asker;

struct binding_idle_query {
    binding_idle_query *next;
    tumble_query *query;
    binding_asker asker;
};

/* A query that the calling thread may use until it gives it back. NULL with an exception. */
binding_idle_query *binding_query_take(binding_state *state);
void binding_query_give(binding_state *state, binding_idle_query *query);

typedef struct binding_query {
    tumble_query *query;
    binding_asker asker;
    tumble_coherence coherence;
    PyObject *models[2]; /* of the last call, about which the query remembers something */
    tumble_counters counters;
    bool is_busy;
} binding_query;

/* What all questions about two models share: (a, b, pose_a, pose_b). Asked of the module, with a query of the free
 * list, or of a Query. */
typedef struct binding_question {
    binding_state *state;
    binding_query *own;       /* the Query, or NULL */
    binding_idle_query *idle; /* or one of the free list */
    tumble_query *query;
    binding_asker *asker;
    binding_model *a, *b;
    tumble_pose poses[2];
    const tumble_pose *pose_a, *pose_b; /* NULL: identity */
    tumble_coherence coherence;
} binding_question;

/* Questions about two models, which are functions of the module and methods of Query. */
extern PyMethodDef binding_collision_functions[], binding_proximity_functions[];

/* A tumble.Distance; `pairs` may be NULL. */
PyObject *binding_distance_result(binding_state *state, const tumble_distance_result *result, PyObject *pairs);

/* `self` is the module or a Query; `values` are a, b, pose_a, pose_b. After success call binding_question_end. */
int binding_question_begin(binding_question *question, PyObject *self, PyObject *const *values);
void binding_question_end(binding_question *question, const tumble_counters *counters);
/* Around the call of the library: without the GIL, and Ctrl-C ends it. -1: it did, and its exception is set. */
void binding_question_run(binding_question *question);
int binding_question_ran(binding_question *question);
/* Raises what the query's last call failed with; before binding_question_end. */
PyObject *binding_question_raise(binding_question *question, tumble_status status);

#endif
