"""Reads robot descriptions: URDF (links, joints, collision shapes) and SRDF (pairs of links that may touch)."""

from __future__ import annotations

import math
import os
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Union

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Packages = Union[Mapping[str, "str | os.PathLike[str]"], Iterable["str | os.PathLike[str]"], None]

#: Numbers that a joint takes in a configuration.
WIDTHS = {"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3, "floating": 7}


class UrdfError(ValueError):
    """A robot description is malformed; the message names the file and the element."""


@dataclass(frozen=True)
class Shape:
    """A collision shape: a mesh file, or a box, sphere, cylinder or capsule (the last two along z)."""

    kind: str
    size: tuple[float, ...] = ()  # box: its sides; sphere: radius; cylinder, capsule: radius and length
    path: Path | None = None
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Collision:
    """A shape of a link, and its pose in the frame of the link."""

    name: str
    origin: Array
    shape: Shape


@dataclass(frozen=True)
class Link:
    name: str
    collisions: tuple[Collision, ...]


@dataclass(frozen=True)
class Mimic:
    """A joint that follows another one: multiplier * other + offset."""

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Joint:
    name: str
    kind: str
    parent: str
    child: str
    origin: Array  # (3, 4): the joint's frame in that of the parent
    axis: Array  # of length 1, in the joint's frame
    lower: float
    upper: float
    mimic: Mimic | None

    @property
    def width(self) -> int:
        """How many numbers of a configuration are this joint's."""
        return 0 if self.mimic else WIDTHS[self.kind]


@dataclass(frozen=True)
class Description:
    """A robot as its URDF file describes it. Joints are in an order in which parents come first."""

    name: str
    root: str
    links: Mapping[str, Link]
    joints: Mapping[str, Joint]


# ---- Elements ----


class _Place:
    """An element and how to name it in messages."""

    def __init__(self, element: ElementTree.Element, words: str) -> None:
        self.element = element
        self.words = words

    def fail(self, fact: str) -> UrdfError:
        return UrdfError(f"{self.words}: {fact}")

    def child(self, tag: str) -> _Place | None:
        found = self.element.findall(tag)
        if len(found) > 1:
            raise self.fail(f"has {len(found)} elements <{tag}>; one is allowed")
        return _Place(found[0], f"{self.words}: <{tag}>") if found else None

    def children(self, tag: str) -> Iterator[_Place]:
        for number, element in enumerate(self.element.findall(tag)):
            name = element.get("name")
            yield _Place(element, f"{self.words}: {tag} " + (f"'{name}'" if name else f"number {number}"))

    def need(self, tag: str) -> _Place:
        found = self.child(tag)
        if found is None:
            raise self.fail(f"has no <{tag}>")
        return found

    def text(self, key: str) -> str:
        value = self.element.get(key)
        if value is None or not value.strip():
            raise self.fail(f"has no attribute {key}")
        return value.strip()

    def numbers(self, key: str, count: int, default: Sequence[float] | None = None) -> list[float]:
        value = self.element.get(key)
        if value is None and default is not None:
            return list(default)
        words = self.text(key).split()
        try:
            numbers = [float(word) for word in words]
        except ValueError:
            raise self.fail(f"{key}=\"{value}\" is not made of numbers") from None
        if len(numbers) != count or not all(math.isfinite(number) for number in numbers):
            raise self.fail(f"{key}=\"{value}\" should be {count} finite number" + ("s" if count > 1 else ""))
        return numbers

    def positive(self, key: str, count: int) -> tuple[float, ...]:
        numbers = self.numbers(key, count)
        if min(numbers) <= 0:
            raise self.fail(f"{key}=\"{self.element.get(key)}\" should be larger than 0")
        return tuple(numbers)


def _parse(text: str | bytes, name: str) -> ElementTree.Element:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise UrdfError(f"{name}: is not well-formed XML: {error}") from None
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        space, _, tag = element.tag.rpartition("}")
        values = [value for value in element.attrib.values() if "${" in value or "$(" in value]
        if space.endswith("/xacro") or values:
            what = f"the element <xacro:{tag}>" if space.endswith("/xacro") else values[0]
            raise UrdfError(f"{name}: is a xacro file, with {what}; expand it first: xacro {name} > robot.urdf")
    if root.tag != "robot":
        raise UrdfError(f"{name}: the root element is <{root.tag}>, not <robot>")
    return root


# ---- Poses ----


def rotation(roll: float, pitch: float, yaw: float) -> Array:
    """Turns about the fixed x, then y, then z axis, as `rpy` says."""
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(a), math.sin(a)) for a in (roll, pitch, yaw))
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _origin(place: _Place) -> Array:
    pose = np.eye(3, 4)
    origin = place.child("origin")
    if origin is not None:
        pose[:, :3] = rotation(*origin.numbers("rpy", 3, (0, 0, 0)))
        pose[:, 3] = origin.numbers("xyz", 3, (0, 0, 0))
    return pose


# ---- Links ----


class _Paths:
    """Where the files of `package://name/…` and of relative names are."""

    def __init__(self, folder: Path, packages: Packages) -> None:
        self.folder = folder
        self.named: dict[str, Path] = {}
        self.searched: list[Path] = []
        if isinstance(packages, (str, os.PathLike)):
            packages = [packages]
        if isinstance(packages, Mapping):
            self.named = {name: Path(path) for name, path in packages.items()}
        else:
            self.searched = [Path(path) for path in packages or ()]
        self.searched += [Path(path) for path in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep) if path]
        prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
        self.searched += [Path(path) / "share" for path in prefixes if path]
        self.searched += [folder, *folder.parents]

    def resolve(self, place: _Place, name: str) -> Path:
        scheme, separator, rest = name.partition("://")
        if not separator:
            return self._existing(place, name, self.folder / name)
        if scheme == "file":
            return self._existing(place, name, Path(rest))
        if scheme not in ("package", "model"):
            raise place.fail(f"the file name {name} starts with {scheme}://; package:// and file:// are understood")
        package, _, inner = rest.lstrip("/").partition("/")
        if package in self.named:
            return self._existing(place, name, self.named[package] / inner)
        for folder in self.searched:
            for candidate in (folder / package / inner, folder / inner if folder.name == package else None):
                if candidate is not None and candidate.is_file():
                    return candidate
        raise FileNotFoundError(
            f"{place.words}: {name} was not found; say where the package is: packages={{'{package}': 'folder'}}"
        )

    @staticmethod
    def _existing(place: _Place, name: str, path: Path) -> Path:
        if not path.is_file():
            raise FileNotFoundError(f"{place.words}: {name} was not found: there is no file {path}")
        return path


def _shape(geometry: _Place, paths: _Paths) -> Shape:
    found = [element for element in geometry.element if isinstance(element.tag, str)]
    if len(found) != 1:
        raise geometry.fail(f"holds {len(found)} shapes; one is allowed")
    kind = found[0].tag
    place = _Place(found[0], f"{geometry.words}: <{kind}>")
    if kind == "mesh":
        scale = place.numbers("scale", 3, (1, 1, 1))
        if 0 in scale:
            raise place.fail("has a scale of 0")
        return Shape("mesh", (), paths.resolve(place, place.text("filename")), (scale[0], scale[1], scale[2]))
    if kind == "box":
        return Shape("box", place.positive("size", 3))
    if kind == "sphere":
        return Shape("sphere", place.positive("radius", 1))
    if kind in ("cylinder", "capsule"):
        return Shape(kind, place.positive("radius", 1) + place.positive("length", 1))
    raise geometry.fail(f"the shape <{kind}> is unknown; there are mesh, box, sphere, cylinder and capsule")


def _link(place: _Place, paths: _Paths) -> Link:
    name = place.text("name")
    collisions = []
    for number, collision in enumerate(place.children("collision")):
        shape = _shape(collision.need("geometry"), paths)
        collisions.append(Collision(collision.element.get("name") or str(number), _origin(collision), shape))
    return Link(name, tuple(collisions))


# ---- Joints ----


def _axis(place: _Place, kind: str) -> Array:
    found = place.child("axis")
    axis = np.array(found.numbers("xyz", 3, (1, 0, 0)) if found else (1.0, 0.0, 0.0))
    length = float(np.linalg.norm(axis))
    if length == 0:
        if kind in ("fixed", "floating"):
            return np.array((1.0, 0.0, 0.0))
        raise place.fail("has an axis of length 0")
    return axis / length


def _limits(place: _Place, kind: str) -> tuple[float, float]:
    if kind not in ("revolute", "prismatic"):
        return -math.inf, math.inf
    limit = place.need("limit")
    (lower,), (upper,) = limit.numbers("lower", 1, (0,)), limit.numbers("upper", 1, (0,))
    if lower > upper:
        raise limit.fail(f"the lower limit {lower:g} is above the upper one, {upper:g}")
    return lower, upper


def _mimic(place: _Place) -> Mimic | None:
    found = place.child("mimic")
    if found is None:
        return None
    return Mimic(found.text("joint"), found.numbers("multiplier", 1, (1,))[0], found.numbers("offset", 1, (0,))[0])


def _joint(place: _Place) -> Joint:
    kind = place.text("type")
    if kind not in WIDTHS:
        raise place.fail(f"the type '{kind}' is unknown; there are {', '.join(WIDTHS)}")
    lower, upper = _limits(place, kind)
    mimic = _mimic(place) if kind != "fixed" else None
    if mimic and WIDTHS[kind] != 1:
        raise place.fail(f"a {kind} joint cannot mimic another one")
    parent, child = place.need("parent").text("link"), place.need("child").text("link")
    return Joint(place.text("name"), kind, parent, child, _origin(place), _axis(place, kind), lower, upper, mimic)


# ---- The tree ----


def _named(places: Iterable[tuple[_Place, Link]] | Iterable[tuple[_Place, Joint]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for place, item in places:
        if item.name in found:
            raise place.fail("occurs twice")
        found[item.name] = item
    return found


def _check_mimics(name: str, joints: Mapping[str, Joint]) -> None:
    for joint in joints.values():
        seen, at = [joint.name], joint
        while at.mimic:
            source = joints.get(at.mimic.joint)
            if source is None:
                raise UrdfError(f"{name}: joint '{at.name}': mimics '{at.mimic.joint}', which does not exist")
            if WIDTHS[source.kind] > 1:
                raise UrdfError(f"{name}: joint '{at.name}': mimics '{source.name}', a {source.kind} joint")
            if source.name in seen:
                raise UrdfError(f"{name}: joint '{joint.name}': mimics itself: {' -> '.join(seen)} -> {source.name}")
            seen.append(source.name)
            at = source


def _root(name: str, links: Mapping[str, Link], joints: Mapping[str, Joint]) -> str:
    parents: dict[str, Joint] = {}
    for joint in joints.values():
        for end, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in links:
                raise UrdfError(f"{name}: joint '{joint.name}': its {end} link '{link}' does not exist")
        if joint.child in parents:
            other = parents[joint.child].name
            raise UrdfError(f"{name}: link '{joint.child}' is the child of two joints, '{other}' and '{joint.name}'")
        parents[joint.child] = joint
    roots = [link for link in links if link not in parents]
    if not roots:
        raise UrdfError(f"{name}: " + ("has no links" if not links else "every link has a parent: joints form a cycle"))
    if len(roots) > 1:
        raise UrdfError(f"{name}: links '{roots[0]}' and '{roots[1]}' both have no parent; a robot is one tree")
    return roots[0]


def _ordered(name: str, root: str, links: Mapping[str, Link], joints: Mapping[str, Joint]) -> dict[str, Joint]:
    children: dict[str, list[Joint]] = {}
    for joint in joints.values():
        children.setdefault(joint.parent, []).append(joint)
    order: dict[str, Joint] = {}
    reached, waiting = {root}, [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        for joint in below:
            order[joint.name] = joint
            reached.add(joint.child)
        waiting.extend(joint.child for joint in reversed(below))
    lost = [link for link in links if link not in reached]
    if lost:
        raise UrdfError(f"{name}: link '{lost[0]}' is not connected to '{root}': its joints form a cycle")
    return order


def parse_urdf(text: str | bytes, folder: Path, name: str, packages: Packages = None) -> Description:
    """A description from the text of a URDF file; `folder` is where relative file names start."""
    top = _Place(_parse(text, name), name)
    paths = _Paths(folder, packages)
    links = _named([(place, _link(place, paths)) for place in top.children("link")])
    joints = _named([(place, _joint(place)) for place in top.children("joint")])
    typed_links: dict[str, Link] = links  # type: ignore[assignment]
    typed_joints: dict[str, Joint] = joints  # type: ignore[assignment]
    root = _root(name, typed_links, typed_joints)
    _check_mimics(name, typed_joints)
    order = _ordered(name, root, typed_links, typed_joints)
    return Description(top.element.get("name") or "robot", root, typed_links, order)


# ---- SRDF ----


@dataclass(frozen=True)
class Semantics:
    """What an SRDF file says: disabled pairs of links with the reasons, and named states of joints."""

    disabled: Mapping[tuple[str, str], str]
    states: Mapping[str, Mapping[str, tuple[float, ...]]] = field(default_factory=dict)


def pair_of(first: str, second: str) -> tuple[str, str]:
    """Two names in the order of the alphabet."""
    return (first, second) if first <= second else (second, first)


def _pairs(top: _Place, tag: str, links: Mapping[str, Link]) -> Iterator[tuple[tuple[str, str], _Place]]:
    """Pairs of links. One that the robot does not have is no error: SRDF files serve several variants of a robot."""
    for place in top.children(tag):
        pair = pair_of(place.text("link1"), place.text("link2"))
        for link in pair:
            if link not in links:
                warnings.warn(f"{place.words}: the robot has no link '{link}'", stacklevel=4)
        if pair[0] in links and pair[1] in links:
            yield pair, place


def _group_states(top: _Place) -> dict[str, dict[str, tuple[float, ...]]]:
    states: dict[str, dict[str, tuple[float, ...]]] = {}
    for place in top.children("group_state"):
        values: dict[str, tuple[float, ...]] = {}
        for joint in place.children("joint"):
            words = joint.text("value").split()
            values[joint.text("name")] = tuple(joint.numbers("value", len(words)))
        states[place.text("name")] = values
    return states


def parse_srdf(text: str | bytes, name: str, links: Mapping[str, Link]) -> Semantics:
    """Reads `disable_collisions`, `disable_default_collisions`, `enable_collisions` and `group_state`."""
    top = _Place(_parse(text, name), name)
    disabled: dict[tuple[str, str], str] = {}
    for place in top.children("disable_default_collisions"):
        link = place.text("link")
        if link in links:
            disabled.update((pair_of(link, other), "Default") for other in links if other != link)
    for pair, _ in _pairs(top, "enable_collisions", links):
        disabled.pop(pair, None)
    for pair, place in _pairs(top, "disable_collisions", links):
        disabled[pair] = place.element.get("reason") or "User"
    return Semantics(disabled, _group_states(top))
