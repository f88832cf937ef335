"""trimesh.collision without FCL: the same names and signatures, answered by Tumble.

    from tumble.trimesh import CollisionManager

Meshes are anything with `vertices` and `faces`; trimesh itself is not needed. Models are made once per mesh, by its
contents, and shared by all managers.

What differs from trimesh with python-fcl:

- Answers are exact. Transforms are used in double and must be a rotation, a translation and a uniform scale, or raise
  PoseError.
- `ContactData.depth` and `.normal` are those of the two meshes, not of two faces, and proven: moving one by depth along
  the normal frees it. They are worked out when they are asked for; of open meshes there are none. Distances are never
  negative: 0 for meshes that touch.
- Convex meshes are solids, as there: a mesh inside of one collides with it, at distance 0. Other meshes are surfaces.
  CollisionManager(solid=True) makes all closed meshes solids, solid=False none.
- There is one contact per pair of faces: the middle of the segment in which they meet (`points` are its ends)."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ._tumble import Model, separate
from .scene import Meetings, Scene, SceneMode

__all__ = [
    "CollisionManager",
    "ContactData",
    "DistanceData",
    "clear_cache",
    "mesh_to_BVH",
    "mesh_to_convex",
    "scene_to_collision",
]

Array = npt.NDArray[np.float64]
Names = set[tuple[Any, Any]]

#: The name of the mesh of in_collision_single and min_distance_single.
EXTERNAL = "__external"
_A_IN_B, _B_IN_A, _CROSSING = 3, 4, 2

# ---- Models of meshes ----


@dataclass(frozen=True)
class _Entry:
    model: Model
    closed: bool
    corner: Array  # a point of it


def _entry(vertices: npt.NDArray[Any], faces: npt.NDArray[Any]) -> _Entry:
    model = Model(vertices, faces)
    corner = vertices[faces[0, 0]] if len(faces) else np.zeros(3)
    return _Entry(model, model.closed, np.asarray(corner, dtype=np.float64))


class _Cache:
    """The models that were used last, by the contents of their meshes."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._models: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, mesh: Any) -> _Entry:
        vertices, faces = np.asarray(mesh.vertices), np.asarray(mesh.faces)
        key = _key(mesh, vertices, faces)
        with self._lock:
            entry = self._models.get(key)
            if entry is not None:
                self._models.move_to_end(key)
                return entry
        entry = _entry(vertices, faces)
        with self._lock:
            self._models[key] = entry
            while len(self._models) > self._count:
                self._models.popitem(last=False)
        return entry

    def clear(self) -> None:
        with self._lock:
            self._models.clear()


def _key(mesh: Any, vertices: npt.NDArray[Any], faces: npt.NDArray[Any]) -> Hashable:
    """trimesh hashes the contents of its meshes itself and remembers that until they change."""
    shape = (vertices.shape, vertices.dtype.str, faces.shape, faces.dtype.str)
    if type(mesh).__module__.split(".")[0] == "trimesh":
        return ("trimesh", hash(mesh), *shape)
    digest = hashlib.blake2b(np.ascontiguousarray(vertices).data, digest_size=16)
    digest.update(np.ascontiguousarray(faces).data)
    return (digest.digest(), *shape)


_cache = _Cache(256)


def clear_cache() -> None:
    """Forgets the models of meshes; managers keep those of their objects."""
    _cache.clear()


def mesh_to_BVH(mesh: Any) -> Model:
    """The model of a mesh, made once."""
    return _cache.get(mesh).model


def mesh_to_convex(mesh: Any) -> Model:
    """The same model: whether it is a solid is up to the manager."""
    return _cache.get(mesh).model


# ---- Results ----


class _Depth:
    """How two meshes part; worked out when it is asked for, once for all contacts of the pair."""

    def __init__(self, a: Model, pose_a: Any, b: Model, pose_b: Any, sign: float) -> None:
        self._asked = a, b, np.array(pose_a, float)[:3], np.array(pose_b, float)[:3]
        self._sign = sign
        self._found: tuple[float, Array] | None = None

    def find(self) -> tuple[float, Array]:
        if self._found is None:
            a, b, pose_a, pose_b = self._asked
            if not (a.closed and b.closed):
                raise AttributeError("only closed meshes have a depth and a normal: how deep is something in a surface?")
            found = separate(a, b, pose_a, pose_b, touching=True)
            move = np.zeros(3) if found.translation is None else np.asarray(found.translation)
            length = float(np.linalg.norm(move))
            normal = move / length if length else np.zeros(3) if found.normal is None else np.asarray(found.normal)
            self._found = length, self._sign * normal
        return self._found


class ContactData:
    """Where two meshes meet."""

    def __init__(self, names: tuple[Any, Any], faces: tuple[int, int], points: Array, depth: _Depth) -> None:
        self.names = set(names)
        self._depth = depth
        self._inds: dict[Any, int] = dict(zip(names, faces))
        #: (2, 3): the ends of the segment in which the two faces meet
        self.points = points

    @property
    def point(self) -> Array:
        """The middle of the segment."""
        middle: Array = (self.points[0] + self.points[1]) / 2
        return middle

    @property
    def normal(self) -> Array:
        """The unit vector along which the other mesh leaves that of the manager: the one that was given, the one of the
        other manager or, of two in one manager, the one that was added later."""
        return self._depth.find()[1]

    @property
    def depth(self) -> float:
        """How far it has to move along `normal` until the two meshes touch at most: a proven move, and close to the
        shortest. Raises AttributeError for open meshes."""
        return self._depth.find()[0]

    def index(self, name: Any) -> int:
        """The face of the mesh with this name; -1 if none meets, because the other mesh is inside this solid."""
        return self._inds[name]


class DistanceData:
    """Where two meshes are closest."""

    def __init__(self, names: tuple[Any, Any], faces: tuple[int, int], points: Array, distance: float) -> None:
        self.names = set(names)
        self._inds: dict[Any, int] = dict(zip(names, faces))
        self._points: dict[Any, Array] = dict(zip(names, points))
        self._distance = distance

    @property
    def distance(self) -> float:
        """0 if they touch, or one is inside of a solid."""
        return self._distance

    def index(self, name: Any) -> int:
        """The closest face of the mesh with this name; -1 if the other mesh is inside this solid."""
        return self._inds[name]

    def point(self, name: Any) -> Array:
        """The closest point of the mesh with this name."""
        return self._points[name]


@dataclass(frozen=True)
class _Object:
    handle: int
    model: Model
    is_solid: bool
    corner: Array  # in its own frame


def _with(result: Any, *options: tuple[bool, Any]) -> Any:
    """The result alone, or a tuple of it and what else was asked for."""
    wanted = [value for is_wanted, value in options if is_wanted]
    return (result, *wanted) if wanted else result


def _matrix(transform: Any) -> Array:
    matrix = np.eye(4) if transform is None else np.asarray(transform, dtype=np.float64)
    if matrix.shape != (4, 4):
        raise ValueError("transform must be (4,4)!")
    return matrix


# ---- The manager ----


class CollisionManager:
    """Named meshes at poses; see the module for what differs from trimesh's.

    >>> from types import SimpleNamespace
    >>> import numpy as np, tumble
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> mesh = SimpleNamespace(vertices=np.eye(4)[:, :3], faces=faces)
    >>> manager = tumble.trimesh.CollisionManager()
    >>> handle = manager.add_object("part", mesh)
    >>> there = np.eye(4)
    >>> there[0, 3] = 0.5
    >>> manager.in_collision_single(mesh, there, return_names=True)
    (True, {'part'})
    >>> there[0, 3] = 2
    >>> manager.min_distance_single(mesh, there, return_name=True)
    (1.0, 'part')
    """

    def __init__(self, solid: bool | None = None) -> None:
        self._scene = Scene()
        self._objs: dict[Any, _Object] = {}
        self._names: dict[int, Any] = {}
        self._solid = solid

    def _make(self, mesh: Any) -> _Object:
        """A mesh that is not in the scene."""
        entry = _cache.get(mesh)
        solid = bool(getattr(mesh, "is_convex", False)) if self._solid is None else self._solid
        return _Object(0, entry.model, solid and entry.closed, entry.corner)

    def _object(self, name: Any) -> _Object:
        if name not in self._objs:
            raise ValueError(f"{name} not in collision manager!")
        return self._objs[name]

    def add_object(self, name: Any, mesh: Any, transform: Any = None) -> int:
        """Adds a mesh under a name, or replaces the one of that name. Returns its handle in the scene."""
        pose = _matrix(transform)
        one = self._make(mesh)
        handle = self._scene.add(one.model, pose)
        if name in self._objs:
            self.remove_object(name)
        self._objs[name] = replace(one, handle=handle)
        self._names[handle] = name
        return handle

    def remove_object(self, name: Any) -> None:
        """Removes a mesh."""
        handle = self._object(name).handle
        self._scene.remove(handle)
        del self._objs[name], self._names[handle]

    def set_transform(self, name: Any, transform: Any) -> None:
        """Moves a mesh."""
        self._scene.move(self._object(name).handle, _matrix(transform)[None])

    # ---- Collisions ----

    def in_collision_single(
        self, mesh: Any, transform: Any = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Does a mesh collide with any of the manager? -> bool [, set of names] [, list of ContactData]"""
        one = self._make(mesh)
        pairs, data = self._collide(one, _matrix(transform), EXTERNAL, return_names or return_data, return_data, -1.0)
        names = {own for _, own in pairs}
        return _with(bool(pairs), (return_names, names), (return_data, data))

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Do any two meshes collide? -> bool [, set of sorted pairs of names] [, list of ContactData]"""
        pairs, data = self._collide(None, None, None, return_names or return_data, return_data)
        names = {tuple(sorted(pair)) for pair in pairs} if return_names else set()
        return _with(bool(pairs), (return_names, names), (return_data, data))

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Does a mesh of this manager collide with one of the other? -> bool [, set of (own, other)] [, data]"""
        names: Names = set()
        data: list[ContactData] = []
        few, many, is_swapped = _fewer_first(self, other_manager)
        sign = -1.0 if is_swapped else 1.0
        for name, one in list(few._objs.items()):
            pose = few._scene.get(one.handle).pose
            pairs, contacts = many._collide(one, pose, name, return_names or return_data, return_data, sign)
            names |= {(second, first) if is_swapped else (first, second) for first, second in pairs}
            data += contacts
            if names and not (return_names or return_data):
                break
        return _with(bool(names), (return_names, names), (return_data, data))

    def _collide(
        self, one: _Object | None, pose: Any, name: Any, all_pairs: bool, want_data: bool, sign: float = 1.0
    ) -> tuple[list[tuple[Any, Any]], list[ContactData]]:
        """Names of pairs that collide: of the manager, or of one mesh with those of the manager."""
        part = None if one is None else (one.model, pose)
        mode = SceneMode.ALL if want_data else SceneMode.PAIRS if all_pairs else SceneMode.TEST
        answer = self._scene.ask(mode, contacts=want_data, part=part)
        if mode == SceneMode.TEST:
            is_inside = not answer.touch and any(True for _ in self._contained(one, pose))
            return [(None, None)] if answer.touch or is_inside else [], []
        pairs = [self._names_of(pair, name) for pair in answer.objects.tolist()]
        data = self._contacts(answer, pairs, one, pose, sign) if want_data else []
        met = {tuple(pair) for pair in answer.objects.tolist()}
        for handles, inner, point in self._contained(one, pose):
            if handles not in met:
                names = self._names_of(handles, name)
                pairs.append(names)
                faces = (0, -1) if inner == 0 else (-1, 0)
                if want_data:
                    depth = self._depth(handles, one, pose, sign)
                    data.append(ContactData(names, faces, np.array([point, point]), depth))
        return pairs, data

    def _names_of(self, handles: Any, name: Any) -> tuple[Any, Any]:
        first, second = handles
        return (name if first == 0 else self._names[first]), self._names[second]

    def _depth(self, handles: Any, one: _Object | None, pose: Any, sign: float) -> _Depth:
        states = [self._scene.get(handle) if handle else None for handle in handles]
        models = [state.model if state else one.model if one else None for state in states]
        poses = [state.pose if state else pose for state in states]
        assert models[0] is not None and models[1] is not None
        return _Depth(models[0], poses[0], models[1], poses[1], sign)

    def _contacts(
        self, answer: Meetings, pairs: list[tuple[Any, Any]], one: _Object | None, pose: Any, sign: float
    ) -> list[ContactData]:
        offsets = answer.contact_offsets.tolist()
        first, second = answer.contacts["polygon_a"].tolist(), answer.contacts["polygon_b"].tolist()
        points = answer.contacts["points"]
        data: list[ContactData] = []
        for k, (names, handles) in enumerate(zip(pairs, answer.objects.tolist())):
            depth = self._depth(handles, one, pose, sign)
            data += [ContactData(names, (first[i], second[i]), points[i], depth) for i in range(offsets[k], offsets[k + 1])]
        return data

    # ---- Solids ----

    def _contained(self, one: _Object | None, pose: Any) -> Iterator[tuple[tuple[int, int], int, Array]]:
        """Pairs of which a solid contains points of the other mesh: handles, which of them is inside, a point of it."""
        solids = any(item.is_solid for item in self._objs.values())
        if not (solids or (one is not None and one.is_solid)):
            return
        answer = self._scene.relations(part=None if one is None else (one.model, pose))
        for (first, second), relation in zip(answer.objects.tolist(), answer.relations.tolist()):
            a = one if first == 0 else self._objs[self._names[first]]
            b = self._objs[self._names[second]]
            assert a is not None
            is_inside = (relation == _A_IN_B and b.is_solid) or (relation == _CROSSING and b.is_solid)
            if is_inside or (relation in (_B_IN_A, _CROSSING) and a.is_solid):
                inner = a if is_inside else b
                where = pose if inner is one else self._scene.get(inner.handle).pose
                point = np.asarray(where)[:3, :3] @ inner.corner + np.asarray(where)[:3, 3]
                yield (first, second), 0 if is_inside else 1, point

    # ---- Distances ----

    def min_distance_single(
        self, mesh: Any, transform: Any = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """How far is a mesh from the nearest one of the manager? -> float [, name] [, DistanceData]"""
        one = self._make(mesh)
        found = self._nearest(one, _matrix(transform), EXTERNAL)
        return _with(found.distance, (return_name, found.names and found.names[1]), (return_data, found.data))

    def min_distance_internal(self, name: Any = None, return_names: bool = False, return_data: bool = False) -> Any:
        """The least distance of any two meshes, or of one to the others -> float [, sorted pair of names] [, data]"""
        if name is None:
            found = self._nearest(None, None, None)
        else:
            one = self._object(name)
            pose = self._scene.get(one.handle).pose
            self._scene.activate(one.handle, False)
            try:
                found = self._nearest(one, pose, name)
            finally:
                self._scene.activate(one.handle, True)
        names = tuple(sorted(found.names)) if return_names and found.names else None
        return _with(found.distance, (return_names, names), (return_data, found.data))

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of a mesh of this manager to one of the other -> float [, (own, other)] [, data]"""
        best = _Nearest(float("inf"), None, None)
        few, many, is_swapped = _fewer_first(self, other_manager)
        for name, one in list(few._objs.items()):
            found = many._nearest(one, few._scene.get(one.handle).pose, name, best.distance)
            if found.distance < best.distance:
                best = found
            if best.distance == 0:
                break
        names = best.names and (best.names[::-1] if is_swapped else best.names)
        return _with(best.distance, (return_names, names), (return_data, best.data))

    def _nearest(self, one: _Object | None, pose: Any, name: Any, within: float = float("inf")) -> _Nearest:
        answer = self._scene.nearest(within, part=None if one is None else (one.model, pose))
        if not (len(answer) and answer.nearest["distance"][0] == 0):
            for handles, inner, point in self._contained(one, pose):
                names = self._names_of(handles, name)
                faces = (0, -1) if inner == 0 else (-1, 0)
                return _Nearest(0.0, names, DistanceData(names, faces, np.array([point, point]), 0.0))
        if not len(answer):
            return _Nearest(float("inf"), None, None)
        near = answer.nearest[0]
        names = self._names_of(answer.objects[0].tolist(), name)
        faces = (int(near["polygon_a"]), int(near["polygon_b"]))
        points = np.array([near["point_a"], near["point_b"]])
        distance = float(near["distance"])
        return _Nearest(distance, names, DistanceData(names, faces, points, distance))


@dataclass(frozen=True)
class _Nearest:
    distance: float
    names: tuple[Any, Any] | None
    data: DistanceData | None


def _fewer_first(
    own: CollisionManager, other: CollisionManager
) -> tuple[CollisionManager, CollisionManager, bool]:
    """The manager with fewer objects, the other one, and whether they were swapped."""
    is_swapped = len(other._objs) < len(own._objs)
    return (other, own, True) if is_swapped else (own, other, False)


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Any, int]]:
    """A manager of all meshes of a trimesh.Scene, and the handle of each node."""
    manager = CollisionManager()
    objects = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(name=node, mesh=scene.geometry[geometry], transform=transform)
    return manager, objects
