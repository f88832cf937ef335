/* Assemblies and their clashes: what their files share. The classes of tumble/assembly.py say what methods mean. */
#ifndef TUMBLE_BINDING_ASSEMBLIES_H
#define TUMBLE_BINDING_ASSEMBLIES_H

#include "binding.h"

typedef struct binding_assembly {
    tumble_assembly *assembly;
    size_t user_count;   /* runs under way */
    uint64_t fork_count; /* when user_count was counted */
    bool is_changed;     /* a change is under way */
} binding_assembly;

binding_assembly *binding_assembly_data(PyObject *self);

/* Between these two nobody changes the assembly, so the GIL may be released. -1 with an exception: somebody does. */
int binding_assembly_begin(binding_state *state, binding_assembly *assembly);
void binding_assembly_end(binding_state *state, binding_assembly *assembly);

/* A list of tuples, in the order of tumble.Part: those from number `first` on. */
PyObject *binding_assembly_parts(binding_state *state, const tumble_assembly_part *parts, size_t first, size_t count);

/* UTF-8 as the library gives it; files may have other bytes in their names. */
PyObject *binding_text(const char *text);

/* Assembly._clash: a new _tumble.Clashes. */
PyObject *binding_assembly_clash(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords);

#endif
