/* Clashes: what their files share. */
#ifndef TUMBLE_BINDING_CLASHES_H
#define TUMBLE_BINDING_CLASHES_H

#include "assemblies.h"

/* An object around new clashes and their rules, or NULL, which it owns; destroys them if it fails. */
PyObject *binding_clashes_wrap(binding_state *state, tumble_clashes *clashes, tumble_clash_rules *rules,
                               PyObject *assembly);

#endif
