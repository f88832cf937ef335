/* Bullet: GImpact, its only way to collide moving meshes. The two stages that btGImpactCollisionAlgorithm goes through
 * for two meshes, boxes and then triangles by clipping, without the contact manifold; margins are 0. The box stage has
 * no early exit. */
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <BulletCollision/Gimpact/btTriangleShapeEx.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <string>
#include <vector>

#include "peer.h"

namespace
{

struct bullet_model {
    std::vector<btScalar> points;
    std::vector<int> indices;
    btTriangleIndexVertexArray *arrays;
    btGImpactMeshShape *shape;
};

std::vector<tumble_pair> &last_pairs()
{
    static std::vector<tumble_pair> list;
    return list;
}

void *build(const peer_mesh *mesh)
{
    auto *model = new bullet_model;
    model->points.reserve(3 * mesh->point_count);
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        model->points.push_back(static_cast<btScalar>(mesh->points[i]));
    }
    model->indices.assign(mesh->indices, mesh->indices + 3 * mesh->triangle_count);
    model->arrays =
        new btTriangleIndexVertexArray(static_cast<int>(mesh->triangle_count), model->indices.data(), 3 * sizeof(int),
                                       static_cast<int>(mesh->point_count), model->points.data(), 3 * sizeof(btScalar));
    model->shape = new btGImpactMeshShape(model->arrays);
    model->shape->setMargin(0);
    model->shape->updateBound();
    return model;
}

void destroy(void *pointer)
{
    auto *model = static_cast<bullet_model *>(pointer);
    delete model->shape;
    delete model->arrays;
    delete model;
}

btTransform transform_of(const tumble_pose *pose)
{
    btMatrix3x3 rotation;
    btVector3 shift;
    for (int i = 0; i < 3; i++) {
        rotation[i].setValue(static_cast<btScalar>(pose->m[i][0]), static_cast<btScalar>(pose->m[i][1]),
                             static_cast<btScalar>(pose->m[i][2]));
        shift[i] = static_cast<btScalar>(pose->m[i][3]);
    }
    return btTransform(rotation, shift);
}

void load(const btGImpactMeshShapePart *part, int index, const btTransform &transform, btPrimitiveTriangle *out)
{
    part->getPrimitiveTriangle(index, *out);
    out->m_margin = 0;
    out->applyTransform(transform);
    out->buildTriPlane();
}

size_t ask(void *a, void *b, const tumble_pose *pose, bool only_first)
{
    static btPairSet candidates;
    btGImpactMeshShapePart *part_a = static_cast<bullet_model *>(a)->shape->getMeshPart(0);
    btGImpactMeshShapePart *part_b = static_cast<bullet_model *>(b)->shape->getMeshPart(0);
    const btTransform at_a = btTransform::getIdentity(), at_b = transform_of(pose);
    std::vector<tumble_pair> &found = last_pairs();
    btPrimitiveTriangle triangle_a, triangle_b;
    GIM_TRIANGLE_CONTACT contact;
    found.clear();
    candidates.resizeNoInitialize(0);
    btGImpactQuantizedBvh::find_collision(part_a->getBoxSet(), at_a, part_b->getBoxSet(), at_b, candidates);
    part_a->lockChildShapes();
    part_b->lockChildShapes();
    for (int i = 0; i < candidates.size() && !(only_first && !found.empty()); i++) {
        const GIM_PAIR &pair = candidates[i];
        load(part_a, pair.m_index1, at_a, &triangle_a);
        load(part_b, pair.m_index2, at_b, &triangle_b);
        if (triangle_a.overlap_test_conservative(triangle_b) &&
            triangle_a.find_triangle_collision_clip_method(triangle_b, contact)) {
            found.push_back({static_cast<uint32_t>(pair.m_index1), static_cast<uint32_t>(pair.m_index2)});
        }
    }
    part_a->unlockChildShapes();
    part_b->unlockChildShapes();
    return found.size();
}

int first(void *a, void *b, const tumble_pose *pose)
{
    return ask(a, b, pose, true) > 0;
}

size_t all(void *a, void *b, const tumble_pose *pose)
{
    return ask(a, b, pose, false);
}

size_t pairs(void *, void *, tumble_pair *out, size_t capacity)
{
    const size_t count = std::min(capacity, last_pairs().size());
    std::copy_n(last_pairs().begin(), count, out);
    return count;
}

const char *version()
{
    static const std::string text = std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
    return text.c_str();
}

} // namespace

const peer_library *peer_bullet(void)
{
    static const peer_library list[] = {{"bullet", version(), "GImpact: find_collision and triangles by clipping",
                                         build, destroy, nullptr, nullptr, first, all, pairs},
                                        {}};
    return list;
}
