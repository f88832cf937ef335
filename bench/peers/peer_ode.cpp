/* ODE, the Open Dynamics Engine, whose trimeshes are OPCODE trees. Its interface, dCollide, makes contacts of pairs and
 * merges those that are close, so it is asked for yes or no only; it has no early exit. */
#include <ode/ode.h>

#include <cstdarg>
#include <vector>

#include "peer.h"

namespace
{

struct ode_model {
    std::vector<float> points;
    std::vector<dTriIndex> indices;
    dTriMeshDataID data;
    dGeomID as_a, as_b; /* a geom has one pose */
};

/* It warns, again and again, of contacts that are close to each other; printing would count as its time. */
void ignore_message(int, const char *, va_list)
{
}

void start_once()
{
    dSetMessageHandler(ignore_message);
    static const bool started = dInitODE2(0) && dAllocateODEDataForThread(dAllocateMaskAll);
    (void)started;
}

void *build(const peer_mesh *mesh)
{
    start_once();
    auto *model = new ode_model;
    model->points.reserve(3 * mesh->point_count);
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        model->points.push_back(static_cast<float>(mesh->points[i]));
    }
    model->indices.assign(mesh->indices, mesh->indices + 3 * mesh->triangle_count);
    model->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(model->data, model->points.data(), 3 * sizeof(float),
                                static_cast<int>(mesh->point_count), model->indices.data(),
                                static_cast<int>(model->indices.size()), 3 * sizeof(dTriIndex));
    model->as_a = dCreateTriMesh(nullptr, model->data, nullptr, nullptr, nullptr);
    model->as_b = dCreateTriMesh(nullptr, model->data, nullptr, nullptr, nullptr);
    return model;
}

void destroy(void *pointer)
{
    auto *model = static_cast<ode_model *>(pointer);
    dGeomDestroy(model->as_a);
    dGeomDestroy(model->as_b);
    dGeomTriMeshDataDestroy(model->data);
    delete model;
}

void place(dGeomID geom, const tumble_pose *pose)
{
    dMatrix3 rotation = {};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            rotation[4 * i + k] = static_cast<dReal>(pose->m[i][k]);
        }
    }
    dGeomSetRotation(geom, rotation);
    dGeomSetPosition(geom, static_cast<dReal>(pose->m[0][3]), static_cast<dReal>(pose->m[1][3]),
                     static_cast<dReal>(pose->m[2][3]));
}

int first(void *a, void *b, const tumble_pose *pose)
{
    const dGeomID geom_a = static_cast<ode_model *>(a)->as_a, geom_b = static_cast<ode_model *>(b)->as_b;
    dContactGeom contact = {};
    place(geom_b, pose);
    return dCollide(geom_a, geom_b, 1 | CONTACTS_UNIMPORTANT, &contact, sizeof contact) > 0;
}

} // namespace

const peer_library *peer_ode(void)
{
    static const peer_library list[] = {{"ode", dODE_VERSION, "dCollide of two trimeshes (OPCODE), one contact", build,
                                         destroy, nullptr, nullptr, first, nullptr, nullptr},
                                        {}};
    return list;
}
