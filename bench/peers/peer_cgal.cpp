/* CGAL with exact predicates. Yes or no: Rigid_triangle_mesh_collision_detection, a tree of aligned boxes. All pairs:
 * it has no such question about two trees, so box_intersection_d (no hierarchy) and do_intersect on moved triangles;
 * that makes it a second exact judge. */
#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "move.h"
#include "peer.h"

namespace
{

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using surface = CGAL::Surface_mesh<kernel::Point_3>;
using detection = CGAL::Rigid_triangle_mesh_collision_detection<surface>;
using box = CGAL::Box_intersection_d::Box_with_info_d<double, 3, uint32_t>;

/* For all pairs: triangles at a pose, and their boxes, in any order. */
struct soup {
    std::vector<kernel::Triangle_3> triangles;
    std::vector<box> boxes;
};

struct cgal_model {
    surface mesh;
    detection::AABB_tree tree;
    soup still, moved; /* made when all pairs are first asked for */
};

using detections = std::map<std::pair<void *, void *>, std::unique_ptr<detection>>;

detections &all_detections()
{
    static detections map;
    return map;
}

std::vector<tumble_pair> &last_pairs()
{
    static std::vector<tumble_pair> list;
    return list;
}

kernel::Point_3 point_of(const peer_mesh *mesh, uint32_t i)
{
    const double *p = mesh->points + 3 * static_cast<size_t>(i);
    return kernel::Point_3(p[0], p[1], p[2]);
}

bool add_connected(surface *out, const peer_mesh *mesh)
{
    std::vector<surface::Vertex_index> corners;
    for (size_t i = 0; i < mesh->point_count; i++) {
        corners.push_back(out->add_vertex(point_of(mesh, static_cast<uint32_t>(i))));
    }
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->indices + 3 * i;
        if (out->add_face(corners[t[0]], corners[t[1]], corners[t[2]]) == surface::null_face()) {
            return false;
        }
    }
    return true;
}

/* A surface with more than two triangles at an edge has no connected form there: each triangle gets its own corners. */
void add_apart(surface *out, const peer_mesh *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->indices + 3 * i;
        const auto a = out->add_vertex(point_of(mesh, t[0])), b = out->add_vertex(point_of(mesh, t[1])),
                   c = out->add_vertex(point_of(mesh, t[2]));
        out->add_face(a, b, c);
    }
}

void *build(const peer_mesh *mesh)
{
    auto *model = new cgal_model;
    if (!add_connected(&model->mesh, mesh)) {
        model->mesh.clear();
        add_apart(&model->mesh, mesh);
    }
    const auto range = faces(model->mesh);
    const surface &fixed = model->mesh;
    model->tree.insert(range.first, range.second, fixed, get(CGAL::vertex_point, fixed));
    model->tree.build();
    return model;
}

void destroy(void *pointer)
{
    detections &map = all_detections();
    for (auto item = map.begin(); item != map.end();) {
        const bool uses = item->first.first == pointer || item->first.second == pointer;
        item = uses ? map.erase(item) : std::next(item);
    }
    delete static_cast<cgal_model *>(pointer);
}

detection *detection_of(void *a, void *b)
{
    std::unique_ptr<detection> &place = all_detections()[{a, b}];
    if (!place) {
        place.reset(new detection);
        for (void *pointer : {a, b}) {
            auto *model = static_cast<cgal_model *>(pointer);
            place->add_mesh(model->tree, model->mesh, CGAL::parameters::apply_per_connected_component(false));
        }
    }
    return place.get();
}

int first(void *a, void *b, const tumble_pose *pose)
{
    detection *d = detection_of(a, b);
    const double(*m)[4] = pose->m;
    d->set_transformation(1, kernel::Aff_transformation_3(m[0][0], m[0][1], m[0][2], m[0][3], m[1][0], m[1][1], m[1][2],
                                                          m[1][3], m[2][0], m[2][1], m[2][2], m[2][3]));
    return !d->get_all_intersections(0).empty();
}

kernel::Point_3 moved_point(const kernel::Point_3 &p, const tumble_pose *pose)
{
    return kernel::Point_3(move_coordinate(pose->m[0], p.x(), p.y(), p.z()),
                           move_coordinate(pose->m[1], p.x(), p.y(), p.z()),
                           move_coordinate(pose->m[2], p.x(), p.y(), p.z()));
}

/* `pose` may be NULL: the points as they are. */
void fill(const surface &mesh, const tumble_pose *pose, soup *out)
{
    std::vector<kernel::Point_3> points;
    out->triangles.clear();
    out->boxes.clear();
    for (const auto v : mesh.vertices()) {
        points.push_back(pose ? moved_point(mesh.point(v), pose) : mesh.point(v));
    }
    for (const auto f : mesh.faces()) {
        auto corner = mesh.vertices_around_face(mesh.halfedge(f)).begin();
        const auto &p = points[*corner++], &q = points[*corner++], &r = points[*corner];
        out->triangles.emplace_back(p, q, r);
        out->boxes.emplace_back(out->triangles.back().bbox(), static_cast<uint32_t>(f));
    }
}

size_t all(void *a, void *b, const tumble_pose *pose)
{
    auto *model_a = static_cast<cgal_model *>(a), *model_b = static_cast<cgal_model *>(b);
    soup *still = &model_a->still, *moved = &model_b->moved;
    std::vector<tumble_pair> &found = last_pairs();
    if (still->triangles.empty()) {
        fill(model_a->mesh, nullptr, still);
    }
    fill(model_b->mesh, pose, moved);
    found.clear();
    CGAL::box_intersection_d(still->boxes.begin(), still->boxes.end(), moved->boxes.begin(), moved->boxes.end(),
                             [&](const box &s, const box &t) {
                                 if (CGAL::do_intersect(still->triangles[s.info()], moved->triangles[t.info()])) {
                                     found.push_back({s.info(), t.info()});
                                 }
                             });
    return found.size();
}

size_t pairs(void *, void *, tumble_pair *out, size_t capacity)
{
    const size_t count = std::min(capacity, last_pairs().size());
    std::copy_n(last_pairs().begin(), count, out);
    return count;
}

size_t self(void *pointer)
{
    auto *model = static_cast<cgal_model *>(pointer);
    std::vector<std::pair<surface::Face_index, surface::Face_index>> found;
    CGAL::Polygon_mesh_processing::self_intersections(faces(model->mesh), model->mesh, std::back_inserter(found));
    return found.size();
}

} // namespace

const peer_library *peer_cgal(void)
{
    static const peer_library list[] = {
        {"cgal", CGAL_VERSION_STR, "first: Rigid_triangle_mesh_collision_detection; all: box_intersection_d", build,
         destroy, nullptr, nullptr, first, all, pairs, nullptr, nullptr, nullptr, 0, 0, nullptr, self},
        {}};
    return list;
}
