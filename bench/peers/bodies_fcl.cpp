/* FCL's manager (the dynamic tree) over meshes with trees of oriented boxes, with or without swept spheres; and, for
 * few bodies, a list of all pairs that are enabled, with a look at their boxes first. Trees of swept spheres alone take
 * hundreds of times as long and are left out. */
#include <fcl/fcl.h>

#include <limits>
#include <memory>
#include <vector>

#include "bodies.h"

namespace
{

struct fcl_bodies {
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    fcl::DynamicAABBTreeCollisionManagerd manager;
    std::vector<char> is_disabled; /* of each pair; empty: none */
    std::vector<tumble_pair> enabled;
    std::vector<fcl::Transform3d> poses;
    size_t state_count = 0;

    /* While the manager searches. */
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    bodies_answer answer;
};

template <class Volume> std::shared_ptr<fcl::CollisionGeometryd> build(const peer_mesh &mesh)
{
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (size_t i = 0; i < mesh.point_count; i++) {
        points.emplace_back(mesh.points[3 * i], mesh.points[3 * i + 1], mesh.points[3 * i + 2]);
    }
    for (size_t i = 0; i < mesh.triangle_count; i++) {
        const uint32_t *t = mesh.indices + 3 * i;
        triangles.emplace_back(t[0], t[1], t[2]);
    }
    const auto model = std::make_shared<fcl::BVHModel<Volume>>();
    model->beginModel(static_cast<int>(mesh.triangle_count), static_cast<int>(mesh.point_count));
    model->addSubModel(points, triangles);
    model->endModel();
    model->computeLocalAABB();
    return model;
}

fcl::Transform3d transform_of(const tumble_pose &pose)
{
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            transform.linear()(i, k) = pose.m[i][k];
        }
        transform.translation()[i] = pose.m[i][3];
    }
    return transform;
}

uint32_t number_of(const fcl::CollisionObjectd *object)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(object->getUserData()));
}

void set_disabled(fcl_bodies *world, const bodies_plan *plan)
{
    const size_t count = plan->body_count;
    if (plan->disabled_count == 0) {
        return;
    }
    world->is_disabled.assign(count * count, 0);
    for (size_t i = 0; i < plan->disabled_count; i++) {
        const size_t a = plan->disabled[i].polygon_a, b = plan->disabled[i].polygon_b;
        world->is_disabled[a * count + b] = world->is_disabled[b * count + a] = 1;
    }
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = a + 1; b < count; b++) {
            if (!world->is_disabled[a * count + b]) {
                world->enabled.push_back({a, b});
            }
        }
    }
}

template <class Volume> void *create(const bodies_plan *plan, const tumble_pose *poses)
{
    auto *world = new fcl_bodies;
    std::vector<std::shared_ptr<fcl::CollisionGeometryd>> meshes;
    std::vector<fcl::CollisionObjectd *> all;
    for (size_t i = 0; i < plan->mesh_count; i++) {
        meshes.push_back(build<Volume>(plan->meshes[i]));
    }
    for (size_t i = 0; i < plan->body_count; i++) {
        world->objects.push_back(
            std::make_unique<fcl::CollisionObjectd>(meshes[plan->mesh_of[i]], transform_of(poses[i])));
        world->objects[i]->setUserData(reinterpret_cast<void *>(i));
        all.push_back(world->objects[i].get());
    }
    set_disabled(world, plan);
    world->manager.registerObjects(all);
    world->manager.setup();
    return world;
}

void destroy(void *world)
{
    delete static_cast<fcl_bodies *>(world);
}

void place_states(void *pointer, const tumble_pose *poses, size_t state_count)
{
    auto *world = static_cast<fcl_bodies *>(pointer);
    world->poses.clear();
    for (size_t i = 0; i < state_count * world->objects.size(); i++) {
        world->poses.push_back(transform_of(poses[i]));
    }
    world->state_count = state_count;
}

void place(void *pointer, const tumble_pose *poses)
{
    place_states(pointer, poses, 1);
}

void move(fcl_bodies *world, size_t state)
{
    const size_t count = world->objects.size();
    for (size_t i = 0; i < count; i++) {
        world->objects[i]->setTransform(world->poses[state * count + i]);
        world->objects[i]->computeAABB();
    }
}

/* Of the manager, for a pair whose boxes overlap. Stops when only one contact was asked for. */
bool meet(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *user)
{
    auto *world = static_cast<fcl_bodies *>(user);
    const uint32_t i = number_of(a), k = number_of(b);
    if (!world->is_disabled.empty() && world->is_disabled[i * world->objects.size() + k]) {
        return false;
    }
    world->answer.candidates++;
    world->result.clear();
    const size_t count = fcl::collide(a, b, world->request, world->result);
    world->answer.body_pairs += count > 0;
    world->answer.triangle_pairs += count;
    world->answer.hash += count > 0 ? bodies_hash(i, k) : 0;
    return false;
}

bool count_pair(fcl::CollisionObjectd *, fcl::CollisionObjectd *, void *user)
{
    static_cast<fcl_bodies *>(user)->answer.candidates++;
    return false;
}

bool meet_once(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *user)
{
    meet(a, b, user);
    return static_cast<fcl_bodies *>(user)->answer.body_pairs > 0;
}

bodies_answer ask(fcl_bodies *world, size_t state, size_t most, fcl::CollisionCallBack<double> callback)
{
    world->request = fcl::CollisionRequestd(most, false);
    world->answer = {};
    move(world, state);
    world->manager.update();
    world->manager.collide(world, callback);
    return world->answer;
}

bodies_answer all(void *world)
{
    return ask(static_cast<fcl_bodies *>(world), 0, std::numeric_limits<int>::max(), meet);
}

bodies_answer touching(void *world)
{
    return ask(static_cast<fcl_bodies *>(world), 0, 1, meet);
}

bodies_answer candidates(void *world)
{
    return ask(static_cast<fcl_bodies *>(world), 0, 1, count_pair);
}

void test_states(void *pointer, unsigned char *answers)
{
    auto *world = static_cast<fcl_bodies *>(pointer);
    for (size_t i = 0; i < world->state_count; i++) {
        answers[i] = ask(world, i, 1, meet_once).body_pairs > 0;
    }
}

bool test_list(fcl_bodies *world)
{
    for (const tumble_pair &pair : world->enabled) {
        fcl::CollisionObjectd *a = world->objects[pair.polygon_a].get(), *b = world->objects[pair.polygon_b].get();
        if (!a->getAABB().overlap(b->getAABB())) {
            continue;
        }
        world->result.clear();
        if (fcl::collide(a, b, world->request, world->result) > 0) {
            return true;
        }
    }
    return false;
}

void test_states_by_list(void *pointer, unsigned char *answers)
{
    auto *world = static_cast<fcl_bodies *>(pointer);
    world->request = fcl::CollisionRequestd(1, false);
    for (size_t i = 0; i < world->state_count; i++) {
        move(world, i);
        answers[i] = test_list(world);
    }
}

template <class Volume> bodies_peer by_manager(const char *name, const char *method)
{
    return {name, FCL_VERSION, method,     create<Volume>, destroy,    place,
            all,  touching,    candidates, place_states,   test_states};
}

template <class Volume> bodies_peer by_list(const char *name, const char *method)
{
    return {name,    FCL_VERSION, method,       create<Volume>,     destroy, place, nullptr,
            nullptr, nullptr,     place_states, test_states_by_list};
}

} // namespace

const bodies_peer *bodies_fcl(void)
{
    static const bodies_peer list[] = {by_manager<fcl::OBBd>("fcl-obb", "dynamic tree, BVHModel<OBB>"),
                                       by_manager<fcl::OBBRSSd>("fcl-obbrss", "dynamic tree, BVHModel<OBBRSS>"),
                                       by_list<fcl::OBBd>("fcl-obb-list", "all enabled pairs, BVHModel<OBB>"),
                                       by_list<fcl::OBBRSSd>("fcl-obbrss-list", "all enabled pairs, BVHModel<OBBRSS>"),
                                       {}};
    return list;
}
