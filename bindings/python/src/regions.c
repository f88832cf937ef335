/* Along which curves do two models meet? */
#include <string.h>

#include "binding.h"
#include "tumble/region.h"

static PyObject *curve_object(binding_state *state, PyObject *type, const tumble_regions_result *r,
                              const tumble_contact_curve *curve)
{
    const Py_ssize_t count = (Py_ssize_t)curve->point_count,
                     shapes[2][2] = {{count, 3}, {count - !curve->is_closed, 2}};
    PyObject *points = binding_array_of(state, BINDING_FLOAT64, 2, shapes[0], r->points[curve->first_point]);
    PyObject *pairs =
        points ? binding_array_of(state, BINDING_UINT32, 2, shapes[1], &r->pairs[curve->first_point]) : NULL;
    PyObject *result = pairs
                           ? PyObject_CallFunction(type, "OOOOd", points, pairs, curve->is_closed ? Py_True : Py_False,
                                                   curve->sides_are_known ? Py_True : Py_False, curve->length)
                           : NULL;
    Py_XDECREF(points);
    Py_XDECREF(pairs);
    return result;
}

static PyObject *curve_list(binding_state *state, const tumble_regions_result *r, const tumble_contact_region *region)
{
    PyObject *type = binding_result_class(state, "ContactCurve");
    PyObject *list = type ? PyList_New(0) : NULL;
    for (size_t i = 0; list && i < region->curve_count; i++) {
        PyObject *curve = curve_object(state, type, r, &r->curves[region->first_curve + i]);
        if (!curve || PyList_Append(list, curve)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(curve);
    }
    Py_XDECREF(type);
    return list;
}

static PyObject *region_object(binding_state *state, PyObject *type, const tumble_regions_result *r,
                               const tumble_contact_region *region)
{
    const Py_ssize_t box[2] = {2, 3}, three = 3;
    double bounds[2][3];
    memcpy(bounds[0], region->lower, sizeof bounds[0]);
    memcpy(bounds[1], region->upper, sizeof bounds[1]);
    PyObject *members[4] = {curve_list(state, r, region), binding_array_of(state, BINDING_FLOAT64, 2, box, bounds),
                            binding_array_of(state, BINDING_FLOAT64, 1, &three, region->normal_a),
                            binding_array_of(state, BINDING_FLOAT64, 1, &three, region->normal_b)};
    PyObject *result = members[0] && members[1] && members[2] && members[3]
                           ? PyObject_CallFunction(type, "OdOOOKK", members[0], region->length, members[1], members[2],
                                                   members[3], (unsigned long long)region->contact_count,
                                                   (unsigned long long)region->coplanar_count)
                           : NULL;
    for (int i = 0; i < 4; i++) {
        Py_XDECREF(members[i]);
    }
    return result;
}

static PyObject *region_list(binding_state *state, const tumble_regions_result *r)
{
    PyObject *type = binding_result_class(state, "ContactRegion");
    PyObject *list = type ? PyList_New(0) : NULL;
    for (size_t i = 0; list && i < r->region_count; i++) {
        PyObject *region = region_object(state, type, r, &r->regions[i]);
        if (!region || PyList_Append(list, region)) {
            Py_CLEAR(list);
        }
        Py_XDECREF(region);
    }
    Py_XDECREF(type);
    return list;
}

static PyObject *regions(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"a", "b", "pose_a", "pose_b", NULL};
    PyObject *values[4];
    tumble_regions_result r;
    binding_question question;
    const binding_question *q = &question;
    if (binding_arguments("regions", names, 4, 2, arguments, count, keywords, values) ||
        binding_question_begin(&question, self, values)) {
        return NULL;
    }
    binding_question_run(&question);
    const tumble_status status = tumble_contact_regions(q->query, q->a->model, q->pose_a, q->b->model, q->pose_b, &r);
    PyObject *result = NULL;
    if (binding_question_ran(&question) == 0) {
        result = status == TUMBLE_OK ? region_list(q->state, &r) : binding_question_raise(&question, status);
    }
    binding_question_end(&question, status == TUMBLE_OK ? &r.counters : NULL);
    return result;
}

static PyMethodDef functions[] = {
    {"regions", (PyCFunction)(void (*)(void))regions, METH_FASTCALL | METH_KEYWORDS,
     "regions(a, b, pose_a=None, pose_b=None)\n--\n\n"
     "Where two models meet, as a list of tumble.ContactRegion: connected curves, closed or open, with their points, "
     "lengths,\nboxes and mean normals.\n\n"
     ">>> import tumble\n"
     ">>> tetrahedron = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
     "...                            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
     ">>> found = tumble.regions(tetrahedron, tetrahedron, None, tumble.pose((0.25, 0.125, 0.0625)))\n"
     ">>> len(found), found[0].curves[0].closed, round(found[0].length, 6)\n"
     "(1, True, 2.386485)\n"},
    {NULL, NULL, 0, NULL},
};

const binding_part binding_regions = {.name = "regions", .functions = functions};
