/* Options of single hierarchies, by name. */
#include "binding.h"

int binding_tuning(PyObject *object, tumble_tuning *out)
{
    *out = tumble_default_tuning();
    return object && object != Py_None ? 1 : 0;
}
