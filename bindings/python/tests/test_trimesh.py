"""trimesh's collision manager, with meshes that only have vertices and faces, against single queries."""

from types import SimpleNamespace

import numpy as np
import pytest

import tumble as tb
from conftest import torus
from test_scene import random_poses
from tumble import _shapes
from tumble import trimesh as tt


def mesh(points_and_faces, **more):
    points, faces = points_and_faces
    return SimpleNamespace(vertices=np.asarray(points), faces=np.asarray(faces), **more)


def at(x=0.0, y=0.0, z=0.0):
    out = np.eye(4)
    out[:3, 3] = x, y, z
    return out


@pytest.fixture
def cube():
    return mesh(_shapes.box(1, 1, 1), is_convex=True)


@pytest.fixture
def ring():
    return mesh(torus(rings=20, sides=10), is_convex=False)


# ---- What trimesh's own tests say, as far as it is not about depth ----


def test_one_to_many(cube):
    manager = tt.CollisionManager()
    manager.add_object("cube0", cube)
    manager.add_object("cube1", cube, at(5))
    assert manager.in_collision_single(cube) is True
    hit, names, data = manager.in_collision_single(cube, at(5.2), return_names=True, return_data=True)
    assert hit is True and names == {"cube1"} and len(data) > 0
    for contact in data:
        assert contact.names == {"cube1", "__external"} and contact.point.shape == (3,)
        assert 0 <= contact.index("cube1") < 12 and 0 <= contact.index("__external") < 12
        assert 4.6 < contact.point[0] < 5.6
    assert manager.in_collision_single(cube, at(-5), return_names=True, return_data=True) == (False, set(), [])


def test_internal_and_changes(cube):
    manager = tt.CollisionManager()
    manager.add_object("cube0", cube)
    manager.add_object("cube1", cube, at(5))
    assert manager.in_collision_internal() is False
    manager.add_object("cube2", cube, at(5))
    assert manager.in_collision_internal(return_names=True) == (True, {("cube1", "cube2")})
    manager.set_transform("cube2", at(-5))
    assert manager.in_collision_internal() is False
    manager.add_object("cube2", cube, at(5.5))  # replaces
    assert manager.in_collision_internal() is True
    manager.remove_object("cube2")
    assert manager.in_collision_internal(return_names=True, return_data=True) == (False, set(), [])
    for call in (lambda: manager.remove_object("cube2"), lambda: manager.set_transform("cube2", at())):
        with pytest.raises(ValueError, match="cube2 not in collision manager"):
            call()


def test_other_manager(cube):
    manager, other = tt.CollisionManager(), tt.CollisionManager()
    manager.add_object("cube0", cube)
    manager.add_object("cube1", cube, at(5))
    other.add_object("cube0", cube, at(-5))
    assert manager.in_collision_other(other) is False
    assert manager.min_distance_other(other, return_names=True) == (4.0, ("cube0", "cube0"))
    other.add_object("cube3", cube, at(5.5))
    other.add_object("cube4", cube, at(50))
    assert manager.in_collision_other(other, return_names=True) == (True, {("cube1", "cube3")})
    assert other.in_collision_other(manager, return_names=True) == (True, {("cube3", "cube1")})
    hit, data = manager.in_collision_other(other, return_data=True)
    assert hit and data[0].names == {"cube1", "cube3"}
    other.remove_object("cube3")
    distance, names, data = manager.min_distance_other(other, return_names=True, return_data=True)
    assert distance == 4.0 and names == ("cube0", "cube0") and data.distance == 4.0


def test_distances(cube):
    manager = tt.CollisionManager()
    assert manager.min_distance_single(cube) == float("inf")
    assert manager.min_distance_internal(return_names=True) == (float("inf"), None)
    manager.add_object("cube1", cube, at(5))
    assert manager.min_distance_single(cube, return_name=True) == (4.0, "cube1")
    assert manager.min_distance_single(cube, at(5.75)) == 0.0  # trimesh: -0.25
    manager.add_object("cube2", cube, at(-5))
    assert manager.min_distance_single(cube, at(-2), return_name=True) == (2.0, "cube2")
    assert manager.min_distance_internal(return_names=True) == (9.0, ("cube1", "cube2"))
    manager.add_object("cube3", cube, at(-2))
    assert manager.min_distance_internal(return_names=True) == (2.0, ("cube2", "cube3"))
    assert manager.min_distance_internal(name="cube1", return_names=True) == (6.0, ("cube1", "cube3"))
    distance, data = manager.min_distance_internal(return_data=True)
    gap = data.point("cube2") - data.point("cube3")
    assert np.linalg.norm(gap) == distance == data.distance and 0 <= data.index("cube2") < 12
    with pytest.raises(ValueError, match="not in collision manager"):
        manager.min_distance_internal(name="cube9")


# ---- What differs ----


def test_solids(cube, ring):
    small = mesh(_shapes.box(0.1, 0.1, 0.1), is_convex=True)
    manager = tt.CollisionManager()
    manager.add_object("cube", cube)
    assert manager.in_collision_single(small) is True
    hit, names, data = manager.in_collision_single(small, return_names=True, return_data=True)
    assert hit and names == {"cube"} and data[0].index("cube") == -1 and data[0].index("__external") == 0
    assert np.abs(data[0].point).max() <= 0.05
    distance, name, data = manager.min_distance_single(small, return_name=True, return_data=True)
    assert (distance, name, data.distance) == (0.0, "cube", 0.0)
    manager.add_object("small", small)
    assert manager.in_collision_internal(return_names=True) == (True, {("cube", "small")})
    surfaces = tt.CollisionManager(solid=False)
    surfaces.add_object("cube", cube)
    assert surfaces.in_collision_single(small) is False
    assert surfaces.min_distance_single(small) == pytest.approx(0.45)
    shells = tt.CollisionManager()  # a torus is not convex, so it is a surface unless all are solids
    shells.add_object("ring", ring)
    assert shells.in_collision_single(small, at(1)) is False
    solids = tt.CollisionManager(solid=True)
    solids.add_object("ring", ring)
    assert solids.in_collision_single(small, at(1), return_names=True) == (True, {"ring"})
    assert solids.in_collision_single(small) is False


def test_depth_and_normal(cube, ring):
    """As of FCL: the other mesh leaves that of the manager along the normal."""
    manager, few, many = (tt.CollisionManager() for _ in range(3))
    for name, place in (("a", at()), ("far", at(9))):
        manager.add_object(name, cube, place)
    _, data = manager.in_collision_single(cube, at(0.9), return_data=True)
    few.add_object("b", cube, at(0.9))
    for name in "xyz":
        many.add_object(name, cube, at(0.9 if name == "y" else 30))
    for other in (few, many):
        data += manager.in_collision_other(other, return_data=True)[1]
    manager.add_object("later", cube, at(0.9))
    data += manager.in_collision_internal(return_data=True)[1]
    manager.set_transform("a", at(5))  # contacts are of the poses there were
    assert len({contact.depth for contact in data}) == 1 and len(data) > 10
    for contact in data:
        assert contact.depth == pytest.approx(0.1) and contact.normal == pytest.approx([1, 0, 0])
    rings = tt.CollisionManager()
    rings.add_object("ring", ring)
    contact = rings.in_collision_single(ring, at(1.5), return_data=True)[1][0]
    apart = at()
    apart[:3, 3] = [1.5, 0, 0] + contact.depth * 1.0000001 * contact.normal
    assert contact.depth > 0 and not rings.in_collision_single(ring, apart)


def test_what_raises(cube):
    manager = tt.CollisionManager()
    manager.add_object("cube", cube)
    half = SimpleNamespace(vertices=cube.vertices, faces=np.asarray(cube.faces)[:6])
    _, data = manager.in_collision_single(half, at(0.5), return_data=True)
    with pytest.raises(AttributeError, match="closed"):
        data[0].depth
    with pytest.raises(AttributeError, match="closed"):
        data[0].normal
    with pytest.raises(ValueError, match=r"\(4,4\)"):
        manager.add_object("bad", cube, np.eye(3))
    with pytest.raises(tb.PoseError):
        manager.set_transform("cube", np.diag([1.0, 2.0, 1.0, 1.0]))
    with pytest.raises(tb.PoseError):
        manager.in_collision_single(cube, np.diag([1.0, 1.0, -1.0, 1.0]))
    with pytest.raises(AttributeError):
        manager.add_object("bad", object())
    assert manager.in_collision_single(cube, at(0.5))


def test_models_are_made_once(cube, monkeypatch):
    made = []
    monkeypatch.setattr(tt, "Model", lambda *arrays: made.append(1) or tb.Model(*arrays))
    tt.clear_cache()
    manager = tt.CollisionManager()
    manager.add_object("cube", cube)
    for x in (0, 1, 2):
        manager.in_collision_single(mesh((cube.vertices.copy(), cube.faces.copy())), at(x))
    assert len(made) == 1 and tt.mesh_to_BVH(cube) is tt.mesh_to_convex(cube)
    cube.vertices[0] *= 2  # another mesh now
    manager.in_collision_single(cube)
    assert len(made) == 2
    tt.clear_cache()


# ---- Against single queries ----


def test_random(ring):
    random = np.random.default_rng(2)
    poses = np.tile(np.eye(4), (24, 1, 1))
    poses[:, :3] = random_poses(random, 24, 1.8)
    meshes = [ring if i % 2 else mesh(_shapes.box(0.5, 1, 1.5)) for i in range(24)]
    models = [tb.Model(m.vertices, m.faces) for m in meshes]
    manager, other = tt.CollisionManager(), tt.CollisionManager()
    for i in range(24):
        (manager if i < 14 else other).add_object(f"{i:02}", meshes[i], poses[i])

    def touch(i, j):
        return tb.collide(models[i], models[j], poses[i], poses[j])

    def names(pairs):
        return {(f"{i:02}", f"{j:02}") for i, j in pairs if touch(i, j)}

    inner = names((i, j) for i in range(14) for j in range(i + 1, 14))
    across = names((i, j) for i in range(14) for j in range(14, 24))
    assert len(inner) > 3 and len(across) > 3
    assert manager.in_collision_internal(return_names=True) == (True, inner)
    assert manager.in_collision_other(other, return_names=True) == (True, across)
    assert manager.in_collision_internal(return_data=True)[1][0].names in [set(pair) for pair in inner]
    for i in range(14, 24):
        hit, found = manager.in_collision_single(meshes[i], poses[i], return_names=True)
        assert found == {own for own, far in across if far == f"{i:02}"} and hit == bool(found)
        distances = [tb.distance(models[j], models[i], poses[j], poses[i]).value for j in range(14)]
        assert manager.min_distance_single(meshes[i], poses[i]) == pytest.approx(min(distances), abs=1e-12)


def test_scene_to_collision(cube):
    class Graph(dict):
        nodes_geometry = ["left", "right"]

    graph = Graph(left=(at(0), "cube"), right=(at(0.5), "cube"))
    manager, objects = tt.scene_to_collision(SimpleNamespace(graph=graph, geometry={"cube": cube}))
    assert manager.in_collision_internal(return_names=True) == (True, {("left", "right")})
    assert set(objects) == {"left", "right"}
