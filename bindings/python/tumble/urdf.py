"""Robots: reads URDF and SRDF files into a scene, with forward kinematics in numpy.

    robot = tumble.urdf.load("robot.urdf", srdf="robot.srdf")
    free = ~robot.collide_states(q)          # q: (n, robot.width)

Every collision shape of a link is an object of `robot.scene`; obstacles are objects that you add there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _collada, _shapes
from ._kinematics import Kinematics, Placement
from ._tumble import Model, read_mesh
from ._types import Counters
from ._urdf_file import (
    Collision,
    Description,
    Joint,
    Link,
    Mimic,
    Packages,
    Semantics,
    Shape,
    UrdfError,
    pair_of,
    parse_srdf,
    parse_urdf,
)
from .scene import Scene, States

__all__ = ["Collision", "Description", "Joint", "Link", "Mimic", "Proposal", "Robot", "Shape", "UrdfError", "load"]

Array = npt.NDArray[np.float64]
LinkPair = tuple[str, str]
LinkNames = Union[tuple[Union[str, None], Union[str, None]], None]
PathLike = Union[str, "os.PathLike[str]"]
#: Makes vertices (n, 3) and faces (m, 3) of a mesh file that the library does not read.
Loader = Callable[[Path], tuple[Any, Any]]
#: Poses that are worked out and asked about at a time.
_BLOCK = 1 << 14


def load(
    path: PathLike,
    srdf: PathLike | None = None,
    *,
    packages: Packages = None,
    adjacent: bool | None = None,
    padding: float | Mapping[str, float] = 0.0,
    tolerance: float = 0.01,
    loader: Loader | None = None,
    threads: int = 0,
) -> Robot:
    """Reads a robot.

    >>> import tumble
    >>> with open("slide.urdf", "w") as file:
    ...     _ = file.write('''<robot name="slide">
    ...       <link name="rail"><collision><geometry><box size="2 0.1 0.1"/></geometry></collision></link>
    ...       <link name="ball"><collision><geometry><sphere radius="0.25"/></geometry></collision></link>
    ...       <joint name="up" type="prismatic"><parent link="rail"/><child link="ball"/>
    ...         <axis xyz="0 0 1"/><limit lower="0" upper="1"/></joint>
    ...     </robot>''')
    >>> robot = tumble.urdf.load("slide.urdf", adjacent=False)
    >>> robot.collide_states([[0.0], [0.25], [0.5]]).tolist()
    [True, True, False]

    `packages` says where package://name/ is: {name: folder}, or folders that hold packages. By default
    ROS_PACKAGE_PATH, AMENT_PREFIX_PATH and the folders above the file are searched.
    `adjacent`: whether pairs of links that a joint connects may touch. By default they may unless there is an SRDF
    file, which lists them itself.
    `padding` grows all links, or those that it names.
    `tolerance`: cylinders are prisms around the true shape, at most this part of their radius larger; see
    Robot.shape_error. All other shapes are exact.
    `loader` reads mesh files of formats other than OBJ, OFF, STL and PLY. Without one, Collada files are read, too."""
    file = Path(path)
    description = parse_urdf(file.read_bytes(), file.resolve().parent, str(path), packages)
    semantics = None
    if srdf is not None:
        semantics = parse_srdf(Path(srdf).read_bytes(), str(srdf), description.links)
    return Robot(
        description,
        semantics,
        adjacent=adjacent,
        padding=padding,
        tolerance=tolerance,
        loader=loader,
        threads=threads,
    )


# ---- Models of shapes ----


@dataclass(frozen=True)
class _Solid:
    """A shape as an object of a scene: its model, a radius around that, and by how much it may exceed the shape."""

    model: Model
    radius: float = 0.0
    error: float = 0.0


class _Models:
    """Makes models of shapes, each once."""

    def __init__(self, tolerance: float, loader: Loader | None) -> None:
        if not 0 < tolerance <= 1:
            raise ValueError(f"tolerance: expected a number above 0 and up to 1, not {tolerance}")
        self.sides = _shapes.sides_for(tolerance)
        self.loader = loader
        self.known: dict[Shape, _Solid] = {}

    def make(self, shape: Shape, words: str) -> _Solid:
        if shape not in self.known:
            self.known[shape] = self._make(shape, words)
        return self.known[shape]

    def _make(self, shape: Shape, words: str) -> _Solid:
        if shape.kind == "mesh":
            return _Solid(self._read(shape, words))
        if shape.kind == "box":
            return _Solid(Model(*_shapes.box(*shape.size)))
        if shape.kind == "cylinder":
            mesh, error = _shapes.cylinder(shape.size[0], shape.size[1], self.sides)
            return _Solid(Model(*mesh), 0.0, error)
        half = shape.size[1] / 2 if shape.kind == "capsule" else 0.0  # of the segment inside; a ball has a point
        points = np.array([[0.0, 0.0, -half], [0.0, 0.0, half]])
        return _Solid(Model(points, [[0, 1, 1]] if half else [[0, 0, 0]]), shape.size[0])

    def _read(self, shape: Shape, words: str) -> Model:
        assert shape.path is not None
        scale = np.array(shape.scale)
        kind = shape.path.suffix.lower()
        if self.loader is not None and kind not in (".obj", ".off", ".stl", ".ply"):
            vertices, faces = self.loader(shape.path)
            return Model(np.asarray(vertices, dtype=np.float64) * scale, faces)
        try:
            if kind == ".dae":
                vertices, corners, sizes = _collada.read(shape.path)
                surfaces = None
            else:
                mesh = read_mesh(shape.path)
                vertices, corners, sizes, surfaces = mesh.vertices, mesh.indices, mesh.sizes, mesh.surfaces
            if len(sizes) == 0:
                raise UrdfError(f"{shape.path} holds no polygons")
            return Model(vertices * scale, corners, surfaces, sizes=sizes)
        except ValueError as error:
            hint = "" if kind in (".obj", ".off", ".stl", ".ply", ".dae") else "; give a loader, or convert it to STL"
            raise UrdfError(f"{words}: {error}{hint}") from None


# ---- Pairs that need no check ----


@dataclass(frozen=True)
class Proposal:
    """Pairs of links that need no check, found by random configurations."""

    #: pairs that a joint connects, directly or through links without shapes, or that cannot move to each other
    adjacent: tuple[LinkPair, ...]
    #: other pairs that touched in every sample
    always: tuple[LinkPair, ...]
    #: other pairs that touched in none: they may still touch in a configuration that was not drawn
    never: tuple[LinkPair, ...]
    #: how many samples each pair of links touched in, if in any
    counts: Mapping[LinkPair, int]
    samples: int

    def pairs(self) -> tuple[LinkPair, ...]:
        """All of them."""
        return self.adjacent + self.always + self.never

    def srdf(self, name: str) -> str:
        """The text of an SRDF file; `name` is that of the robot."""
        lines = [f'<robot name="{name}">']
        for reason, pairs in (("Adjacent", self.adjacent), ("Always", self.always), ("Never", self.never)):
            lines += [f'  <disable_collisions link1="{a}" link2="{b}" reason="{reason}"/>' for a, b in pairs]
        return "\n".join([*lines, "</robot>", ""])


def _adjacent_pairs(description: Description) -> set[LinkPair]:
    """Pairs of links with shapes between which there is one joint that moves, or none; links without shapes, and what
    is fixed to each other, count as one."""
    parent = {joint.child: joint for joint in description.joints.values()}

    def body(link: str) -> str:
        """The topmost link that this one is fixed to."""
        while link in parent and parent[link].kind == "fixed":
            link = parent[link].parent
        return link

    solid = [name for name, link in description.links.items() if link.collisions]
    solid_bodies = {body(name) for name in solid}

    def above(link: str) -> str | None:
        """The next body with shapes on the way to the root."""
        at = body(link)
        while at in parent:
            at = body(parent[at].parent)
            if at in solid_bodies:
                return at
        return None

    pairs = set()
    for first in solid:
        for second in solid:
            if first < second:
                a, b = body(first), body(second)
                if a == b or above(a) == b or above(b) == a:
                    pairs.add((first, second))
    return pairs


# ---- Robots ----


class Robot:
    """A robot in a scene. A configuration is a row of `width` numbers, in the order of `joint_names`.

    Revolute, continuous and prismatic joints take one number each; planar ones three (x, y, angle); floating ones seven
    (x, y, z, then the quaternion w, x, y, z). Fixed joints and those that mimic others take none."""

    def __init__(
        self,
        description: Description,
        semantics: Semantics | None = None,
        *,
        adjacent: bool | None = None,
        padding: float | Mapping[str, float] = 0.0,
        tolerance: float = 0.01,
        loader: Loader | None = None,
        threads: int = 0,
    ) -> None:
        self.description = description
        self.scene = Scene(threads=threads)
        self._kinematics = Kinematics(description)
        self._links: list[str] = []  # of each object
        self._shapes: list[Collision] = []
        self._names: dict[int, str] = {}
        #: named configurations of an SRDF file: {state: {joint: values}}
        self.states = {} if semantics is None else dict(semantics.states)
        self._add_shapes(_Models(tolerance, loader), padding)
        self._ignore_own()
        if semantics is None if adjacent is None else adjacent:
            self.ignore(_adjacent_pairs(description))
        if semantics is not None:
            self.ignore(semantics.disabled)

    def _add_shapes(self, models: _Models, padding: float | Mapping[str, float]) -> None:
        made: list[_Solid] = []
        clearances: list[float] = []
        for link in self.description.links.values():
            grown = padding.get(link.name, 0.0) if isinstance(padding, Mapping) else padding
            for collision in link.collisions:
                made.append(models.make(collision.shape, f"link '{link.name}': collision {collision.name}"))
                clearances.append(grown)
                self._links.append(link.name)
                self._shapes.append(collision)
        self._placement = Placement(self._kinematics, self._links, [shape.origin for shape in self._shapes])
        if isinstance(padding, Mapping):
            self._check_links(padding)
        #: by how much a cylinder may exceed the true shape, at most
        self.shape_error = max((solid.error for solid in made), default=0.0)
        #: the handles of all shapes, in the order of links and their shapes
        self.objects: npt.NDArray[np.uint64] = self.scene.add_many(
            [solid.model for solid in made],
            self.shape_poses(self.neutral)[0] if made else None,
            clearance=np.array(clearances),
            radius=np.array([solid.radius for solid in made]),
        )
        self._names = dict(zip(self.objects.tolist(), self._links))

    def _ignore_own(self) -> None:
        """Shapes of one link are not compared."""
        for link in set(self._links):
            self.scene.ignore_all(self.handles(link))

    def _check_links(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.description.links:
                raise ValueError(f"the robot has no link '{name}'")

    # ---- What it has ----

    @property
    def name(self) -> str:
        return self.description.name

    @property
    def link_names(self) -> list[str]:
        """All links, the root first."""
        return list(self._kinematics.links)

    @property
    def joint_names(self) -> list[str]:
        """The joints that a configuration has numbers for."""
        return [joint.name for joint in self._kinematics.joints]

    @property
    def width(self) -> int:
        """How many numbers a configuration has."""
        return self._kinematics.width

    @property
    def lower(self) -> Array:
        """The least value of each number of a configuration."""
        return self._kinematics.limits()[0]

    @property
    def upper(self) -> Array:
        """The largest value of each number of a configuration."""
        return self._kinematics.limits()[1]

    @property
    def neutral(self) -> Array:
        """The configuration 0, or as close to it as the limits allow."""
        return self._kinematics.neutral()

    def handles(self, link: str) -> npt.NDArray[np.uint64]:
        """The objects of a link."""
        self._check_links([link])
        return self.objects[[name == link for name in self._links]]

    def link_of(self, handle: int) -> str | None:
        """The link of an object; None for what is not the robot's, such as an obstacle."""
        return self._names.get(int(handle))

    def __repr__(self) -> str:
        links = len(self.description.links)
        return f"<tumble.urdf.Robot {self.name}: {links} links, {len(self.objects)} shapes, {self.width} numbers>"

    # ---- Configurations ----

    def configuration(self, values: Mapping[str, Any] | str = "") -> Array:
        """A configuration from values of some joints, or the name of a state of the SRDF file; others are neutral."""
        if isinstance(values, str):
            if values and values not in self.states:
                raise ValueError(f"there is no state '{values}'; there are {', '.join(self.states) or 'none'}")
            values = self.states[values] if values else {}
        out = self.neutral
        for name, value in values.items():
            joint = self.description.joints.get(name)
            if joint is None:
                raise ValueError(f"the robot has no joint '{name}'")
            numbers = np.atleast_1d(np.asarray(value, dtype=np.float64))
            if joint.width != len(numbers):
                raise ValueError(f"joint '{name}' takes {joint.width} numbers, not {len(numbers)}")
            column = self._kinematics.column(name)
            out[column : column + len(numbers)] = numbers
        return out

    def random(self, count: int, seed: int | None = None) -> Array:
        """Random configurations (count, width) within the limits. Turns without limits are between -pi and pi, shifts
        of planar and floating joints between -1 and 1."""
        generator = np.random.default_rng(seed)
        lower, upper = (limits.copy() for limits in self._kinematics.limits())
        floating = []
        for joint in self._kinematics.joints:
            column = self._kinematics.column(joint.name)
            if joint.kind == "floating":
                floating.append(column + 3)
            turns = {"continuous": [column], "planar": [column + 2]}.get(joint.kind, [])
            lower[turns], upper[turns] = -np.pi, np.pi
        lower[np.isinf(lower)], upper[np.isinf(upper)] = -1.0, 1.0
        out: Array = generator.uniform(lower, upper, size=(count, self.width))
        for column in floating:
            out[:, column : column + 4] = generator.normal(size=(count, 4))
        return out

    def _rows(self, q: Any) -> Array:
        array = np.asarray(q, dtype=np.float64)
        if array.ndim == 1:
            array = array[None]
        if array.ndim != 2 or array.shape[1] != self.width:
            raise ValueError(f"q: expected shape (n, {self.width}), not {np.shape(q)}")
        if not np.isfinite(array).all():
            raise ValueError(f"q: row {int(np.argmin(np.isfinite(array).all(axis=1)))} is not finite")
        return array

    def _base(self, base: Any, count: int) -> Array | None:
        if base is None:
            return None
        array = np.asarray(base, dtype=np.float64)
        if array.shape[-2:] not in ((3, 4), (4, 4)) or array.shape[:-2] not in ((), (count,)):
            raise ValueError(f"base: expected shape (3, 4) or ({count}, 3, 4), not {array.shape}")
        return array[..., :3, :]

    def forward(self, q: Any, base: Any = None) -> Array:
        """Poses (n, links, 3, 4) of all links for configurations (n, width), in the order of `link_names`. `base` is
        the pose of the root, one or one per configuration."""
        rows = self._rows(q)
        links = self._kinematics.links
        everything = Placement(self._kinematics, links, [np.eye(3, 4)] * len(links))
        out = np.empty((len(rows), len(links), 3, 4))
        return everything.poses(rows, self._base(base, len(rows)), out)

    def shape_poses(self, q: Any, base: Any = None) -> Array:
        """Poses (n, shapes, 3, 4) of all collision shapes: what Scene.states takes for `objects`."""
        rows = self._rows(q)
        out = np.empty((len(rows), len(self._placement), 3, 4))
        return self._placement.poses(rows, self._base(base, len(rows)), out)

    def move(self, q: Any, base: Any = None) -> None:
        """Moves the robot in its scene to one configuration."""
        poses = self.shape_poses(q, base)
        if len(poses) != 1:
            raise ValueError(f"q: expected one configuration, not {len(poses)}")
        self.scene.move(self.objects, poses[0])

    # ---- Pairs that are not compared ----

    def ignore(self, pairs: Iterable[LinkPair], ignore: bool = True) -> None:
        """Pairs of links that are not compared, or are again."""
        found = []
        for first, second in pairs:
            if first != second:
                found += [(a, b) for a in self.handles(first).tolist() for b in self.handles(second).tolist()]
        self.scene.ignore(np.array(found, np.uint64).reshape(-1, 2), ignore)

    def propose(self, samples: int = 10000, seed: int = 0) -> Proposal:
        """Which pairs of links need no check? Adjacent ones, and others that touch always or never in random
        configurations. What is ignored now does not matter, and obstacles do not count. Then:

            robot.ignore(robot.propose().pairs())"""
        adjacent = _adjacent_pairs(self.description)
        counts = self._count_touching(self.random(samples, seed))
        solid = sorted(set(self._links))
        others = [(a, b) for a in solid for b in solid if a < b and (a, b) not in adjacent]
        return Proposal(
            tuple(sorted(adjacent)),
            tuple(pair for pair in others if samples and counts.get(pair, 0) == samples),
            tuple(pair for pair in others if samples and pair not in counts),
            counts,
            samples,
        )

    def _count_touching(self, q: Array) -> dict[LinkPair, int]:
        """In how many configurations each pair of links touches, if in any."""
        counts: dict[LinkPair, int] = {}
        if not len(self.objects):
            return counts
        with Scene() as scene:
            parts = [self.scene.get(handle) for handle in self.objects]
            objects = scene.add_many(
                [part.model for part in parts],
                np.array([part.pose for part in parts]),
                clearance=np.array([part.clearance for part in parts]),
                radius=np.array([part.radius for part in parts]),
            )
            names = dict(zip(objects.tolist(), self._links))
            for link in set(self._links):
                scene.ignore_all(objects[[name == link for name in self._links]])
            for at in range(0, len(q), _BLOCK):
                for there in self.shape_poses(q[at : at + _BLOCK]):
                    scene.move(objects, there)
                    for pair in {pair_of(names[a], names[b]) for a, b in scene.pairs().tolist()}:
                        counts[pair] = counts.get(pair, 0) + 1
        return counts

    # ---- Questions ----

    def collide_states(
        self, q: Any, *, base: Any = None, clearance: float = 0.0, out: npt.NDArray[np.bool_] | None = None
    ) -> npt.NDArray[np.bool_]:
        """(n,) bool: in which configurations (n, width) does the robot touch itself or an obstacle?"""
        answer = self.ask_states(q, "test", base=base, clearance=clearance).touch
        if out is None:
            return answer
        out[...] = answer
        return out

    def ask_states(
        self,
        q: Any,
        mode: str = "test",
        *,
        base: Any = None,
        clearance: float = 0.0,
        within: float = float("inf"),
        stop_at_first: bool = False,
    ) -> States:
        """Scene.states for configurations: "test", "first" (also which objects touch first; see link_of) or "nearest"
        (the nearest pair that is not ignored). `stop_at_first` ends with the first configuration that touches."""
        rows = self._rows(q)
        bases = self._base(base, len(rows))
        parts: list[States] = []
        poses = np.empty((min(len(rows), _BLOCK), len(self._placement), 3, 4))
        for at in range(0, max(len(rows), 1), _BLOCK):
            some = rows[at : at + _BLOCK]
            where = bases if bases is None or bases.ndim == 2 else bases[at : at + _BLOCK]
            block = self._placement.poses(some, where, poses[: len(some)])
            parts.append(
                self.scene.states(
                    self.objects, block, mode, clearance=clearance, within=within, stop_at_first=stop_at_first
                )
            )
            if stop_at_first and parts[-1].touch_count:
                break
        return _joined(parts)

    def pairs(self, q: Any = None, *, base: Any = None, clearance: float = 0.0) -> list[tuple[str | None, str | None]]:
        """Which links touch each other, or something else (None), in one configuration? Without one: now."""
        if q is not None:
            self.move(q, base)
        found = self.scene.pairs(clearance=clearance).tolist()
        links = [(self.link_of(a), self.link_of(b)) for a, b in found]
        return list(dict.fromkeys(pair for pair in links if pair != (None, None)))

    def first_pairs(self, q: Any, *, base: Any = None, clearance: float = 0.0) -> list[LinkNames]:
        """For each configuration the links of the first pair that touches; None instead of a pair if none does, and
        instead of a link for what is not the robot's."""
        answer = self.ask_states(q, "first", base=base, clearance=clearance)
        assert answer.pairs is not None or not len(answer)
        pairs = [] if answer.pairs is None else answer.pairs.tolist()
        return [(self.link_of(a), self.link_of(b)) if t else None for t, (a, b) in zip(answer.touch.tolist(), pairs)]


def _joined(parts: list[States]) -> States:
    """Answers one after the other."""
    if len(parts) == 1:
        return parts[0]
    firsts = [part.first_touch for part in parts]
    at, first = 0, None
    for part, found in zip(parts, firsts):
        if first is None and found is not None:
            first = at + found
        at += len(part)
    pairs = [part.pairs for part in parts if part.pairs is not None]
    nearest = [part.nearest for part in parts if part.nearest is not None]
    return States(
        np.concatenate([part.touch for part in parts]),
        np.concatenate(pairs) if pairs else None,
        np.concatenate(nearest) if nearest else None,
        sum(part.touch_count for part in parts),
        first,
        Counters(*(sum(getattr(part.counters, field.name) for part in parts) for field in fields(Counters))),
    )
