"""Forward kinematics of a tree of joints, for many configurations at once.

Poses are kept as (3, 4, n): a pose times a constant one is a product of small matrices with long rows, and a turn adds
two more of them, times sine and 1 - cosine (Rodrigues' formula)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ._urdf_file import WIDTHS, Array, Description, Joint

#: Configurations that are worked on at a time, so that poses stay in the cache.
BLOCK = 512


def affine(pose: Array) -> Array:
    """(3, 4) to (4, 4)."""
    return np.vstack([pose, (0.0, 0.0, 0.0, 1.0)])


@dataclass
class _Step:
    """A joint: where its numbers are, and the constant factors of its pose, transposed."""

    joint: Joint
    parent: int
    column: int
    multiplier: float
    offset: float
    factors: Array


def _cross(axis: Array) -> Array:
    x, y, z = axis
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=np.float64)


def _factors(joint: Joint) -> Array:
    """Rows: the columns of the joint's origin; then what a turn or a shift multiplies."""
    origin = affine(joint.origin)
    if joint.kind in ("revolute", "continuous"):
        k = _cross(joint.axis)
        more = [origin[:, :3] @ k, origin[:, :3] @ k @ k]
    elif joint.kind == "prismatic":
        more = [origin[:, :3] @ joint.axis[:, None]]
    else:
        more = []
    return np.ascontiguousarray(np.hstack([origin, *more]).T)


def turn(axis: Array, angle: Array) -> Array:
    """(3, 3, n): rotations about an axis."""
    k = _cross(axis)
    return np.eye(3)[:, :, None] + k[:, :, None] * np.sin(angle) + (k @ k)[:, :, None] * (1 - np.cos(angle))


def quaternion_rotation(q: Array) -> Array:
    """(3, 3, n) from (4, n): w, x, y, z of any length."""
    length = np.sqrt((q * q).sum(axis=0))
    if not np.all(length > 0):
        raise ValueError("the quaternion of a floating joint is 0")
    w, x, y, z = q / length
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _plane(axis: Array) -> tuple[Array, Array]:
    """Two directions in the plane across an axis; across z they are x and y."""
    least = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = least - axis * float(least @ axis)
    first /= np.linalg.norm(first)
    return first, np.cross(axis, first)


def _after(pose: Array, rotation: Array, shift: Array) -> Array:
    """`pose`, then a turn and a shift in its frame; all with a last axis of n."""
    out = np.empty_like(pose)
    out[:, :3] = np.einsum("ijn,jkn->ikn", pose[:, :3], rotation)
    out[:, 3] = pose[:, 3] + np.einsum("ijn,jn->in", pose[:, :3], shift)
    return out


class Kinematics:
    """The joints of a robot in order, the numbers of a configuration, and poses of links."""

    def __init__(self, description: Description) -> None:
        self.links = [description.root]
        self.joints = [joint for joint in description.joints.values() if joint.width]
        self.width = 0
        self._columns: dict[str, int] = {}
        for joint in self.joints:
            self._columns[joint.name] = self.width
            self.width += joint.width
        self._steps: list[_Step] = []
        for joint in description.joints.values():
            column, multiplier, offset = self._source(joint, description.joints)
            parent = self.links.index(joint.parent)
            self.links.append(joint.child)
            self._steps.append(_Step(joint, parent, column, multiplier, offset, _factors(joint)))

    def column(self, joint: str) -> int:
        return self._columns[joint]

    def _source(self, joint: Joint, joints: Mapping[str, Joint]) -> tuple[int, float, float]:
        """Column, multiplier and offset of a joint's number, also if it follows others."""
        multiplier, offset = 1.0, 0.0
        while joint.mimic:
            offset += multiplier * joint.mimic.offset
            multiplier *= joint.mimic.multiplier
            joint = joints[joint.mimic.joint]
        return self._columns.get(joint.name, -1), multiplier, offset

    def limits(self) -> tuple[Array, Array]:
        """The least and the largest value of each number of a configuration."""
        lower, upper = np.full(self.width, -math.inf), np.full(self.width, math.inf)
        for joint in self.joints:
            if WIDTHS[joint.kind] == 1:
                lower[self.column(joint.name)], upper[self.column(joint.name)] = joint.lower, joint.upper
        return lower, upper

    def neutral(self) -> Array:
        """0, or the limit next to it; floating joints: no turn."""
        lower, upper = self.limits()
        out = np.clip(np.zeros(self.width), lower, upper)
        for joint in self.joints:
            if joint.kind == "floating":
                out[self.column(joint.name) + 3] = 1.0
        return out

    def _move(self, step: _Step, pose: Array, q: Array) -> Array:
        """The pose of the child of a joint; `pose` is that of its parent."""
        kind = step.joint.kind
        product = np.matmul(step.factors, pose)
        if kind in ("revolute", "continuous", "prismatic"):
            value = step.multiplier * q[step.column] + step.offset
            if kind == "prismatic":
                product[:, 3] += value * product[:, 4]
            else:
                product[:, :3] += np.sin(value) * product[:, 4:7] + (1 - np.cos(value)) * product[:, 7:10]
        elif kind == "planar":
            first, second = _plane(step.joint.axis)
            x, y, angle = q[step.column : step.column + 3]
            shift = first[:, None] * x + second[:, None] * y
            return _after(product, turn(step.joint.axis, angle), shift)
        elif kind == "floating":
            numbers = q[step.column : step.column + 7]
            return _after(product, quaternion_rotation(numbers[3:]), numbers[:3])
        return product[:, :4]

    def block(self, q: Array, base: Array) -> list[Array]:
        """Poses (3, 4, n) of all links for configurations (width, n) with the root at `base` (3, 4, n)."""
        poses = [base]
        for step in self._steps:
            poses.append(self._move(step, poses[step.parent], q))
        return poses


class Placement:
    """Shapes fixed to links: their poses for configurations, written into one array."""

    def __init__(self, kinematics: Kinematics, links: Sequence[int], origins: Sequence[Array]) -> None:
        self.kinematics = kinematics
        identity = np.eye(3, 4)
        self._items = [
            (link, None if np.array_equal(origin, identity) else np.ascontiguousarray(affine(origin).T))
            for link, origin in zip(links, origins)
        ]

    def __len__(self) -> int:
        return len(self._items)

    def poses(self, q: Array, base: Array | None, out: Array) -> Array:
        """`out` is (n, shapes, 3, 4); `q` is (n, width) and `base` None, (3, 4) or (n, 3, 4)."""
        for at in range(0, len(q), BLOCK):
            some = np.ascontiguousarray(q[at : at + BLOCK].T)
            count = some.shape[1]
            start = np.eye(3, 4) if base is None else base if base.ndim == 2 else base[at : at + count]
            first = start[:, :, None] if start.ndim == 2 else start.transpose(1, 2, 0)
            links = self.kinematics.block(some, np.ascontiguousarray(np.broadcast_to(first, (3, 4, count))))
            for number, (link, factor) in enumerate(self._items):
                pose = links[link] if factor is None else np.matmul(factor, links[link])
                out[at : at + count, number] = pose.transpose(2, 0, 1)
        return out
