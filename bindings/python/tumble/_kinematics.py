"""Forward kinematics of a tree of joints, for many configurations at once.

Poses are kept as (3, 4, n): a pose times a constant one is a product of small matrices with long rows. A turn about a
coordinate axis mixes two columns; about others, Rodrigues' formula adds two products."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ._urdf_file import WIDTHS, Array, Description, Joint

#: Configurations that are worked on at a time, so that poses stay in the cache.
BLOCK = 512


def affine(pose: Array) -> Array:
    """(3, 4) to (4, 4)."""
    return np.vstack([pose, (0.0, 0.0, 0.0, 1.0)])


def _cross(axis: Array) -> Array:
    x, y, z = axis
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=np.float64)


class _Constant:
    """A constant pose that others are multiplied with."""

    def __init__(self, pose: Array) -> None:
        self.turns = not np.array_equal(pose[:, :3], np.eye(3))
        self.shift = pose[:, 3].copy()
        self.is_identity = not self.turns and not self.shift.any()
        self.factors = np.ascontiguousarray(affine(pose).T)

    def after(self, pose: Array) -> Array:
        """A new array: `pose`, then this one in its frame."""
        out: Array = np.matmul(self.factors, pose) if self.turns else pose.copy()
        if self.turns:
            return out
        if not self.is_identity:
            out[:, 3] += np.matmul(self.shift, pose[:, :3])
        return out


class _Step:
    """A joint that moves: the body that it is on and where, where its number is, and the constants of its pose."""

    def __init__(self, joint: Joint, parent: int, origin: Array, number: tuple[int, float, float]) -> None:
        self.joint, self.parent = joint, parent
        self.column, self.multiplier, self.offset = number
        self.origin = _Constant(origin)
        along = np.flatnonzero(joint.axis)
        #: the coordinate axis that it turns about, if it is one
        self.along = int(along[0]) if len(along) == 1 else None
        self.sign = float(joint.axis[along[0]])
        k = _cross(joint.axis)
        self.turning = np.ascontiguousarray(np.hstack([k, k @ k]).T)

    def value(self, q: Array) -> Array:
        if self.column < 0:  # it follows a fixed joint
            return np.full(q.shape[1], self.offset)
        out: Array = q[self.column]
        return out if (self.multiplier, self.offset) == (1, 0) else self.multiplier * out + self.offset

    def turn(self, pose: Array, angle: Array) -> None:
        """Turns about the axis, in place."""
        cosine, sine = np.cos(angle), np.sin(angle)
        if self.along is None:
            products = np.matmul(self.turning, pose[:, :3])
            pose[:, :3] += sine * products[:, :3] + (1 - cosine) * products[:, 3:]
            return
        j, k = (self.along + 1) % 3, (self.along + 2) % 3
        first, second = pose[:, j].copy(), pose[:, k]
        sine *= self.sign
        pose[:, j] *= cosine
        pose[:, j] += sine * second
        second *= cosine
        second -= sine * first


def turn(axis: Array, angle: Array) -> Array:
    """(3, 3, n): rotations about an axis."""
    k = _cross(axis)
    out: Array = np.eye(3)[:, :, None] + k[:, :, None] * np.sin(angle) + (k @ k)[:, :, None] * (1 - np.cos(angle))
    return out


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
    """The joints of a robot in order, the numbers of a configuration, and poses of bodies: links that are fixed to each
    other are one."""

    def __init__(self, description: Description) -> None:
        self.links = [description.root]
        self.joints = [joint for joint in description.joints.values() if joint.width]
        self.width = 0
        self._columns: dict[str, int] = {}
        for joint in self.joints:
            self._columns[joint.name] = self.width
            self.width += joint.width
        self.steps: list[_Step] = []  # one per body but the root's, which is number 0
        self._places = {description.root: (0, np.eye(3, 4))}
        for joint in description.joints.values():
            body, place = self.place(joint.parent, joint.origin)
            self.links.append(joint.child)
            if joint.kind != "fixed":
                self.steps.append(_Step(joint, body, place, self._source(joint, description.joints)))
                body, place = len(self.steps), np.eye(3, 4)
            self._places[joint.child] = (body, place)

    def place(self, link: str, origin: Array) -> tuple[int, Array]:
        """The body of a link, and the pose in it of what is at `origin` in the link."""
        body, place = self._places[link]
        return body, place @ affine(origin)

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
        out = step.origin.after(pose)
        if kind in ("revolute", "continuous"):
            step.turn(out, step.value(q))
        elif kind == "prismatic":
            out[:, 3] += step.value(q) * np.matmul(step.joint.axis, out[:, :3])
        elif kind == "planar":
            first, second = _plane(step.joint.axis)
            x, y, angle = q[step.column : step.column + 3]
            out = _after(out, turn(step.joint.axis, angle), first[:, None] * x + second[:, None] * y)
        elif kind == "floating":
            numbers = q[step.column : step.column + 7]
            out = _after(out, quaternion_rotation(numbers[3:]), numbers[:3])
        return out

    def block(self, bodies: Sequence[int], q: Array, base: Array) -> dict[int, Array]:
        """Poses (3, 4, n) of bodies for configurations (width, n) with the root at `base` (3, 4, n). The body that each
        one is on comes before it."""
        poses = {0: base}
        for body in bodies:
            step = self.steps[body - 1]
            poses[body] = self._move(step, poses[step.parent], q)
        return poses

    def needed(self, bodies: Iterable[int]) -> list[int]:
        """These bodies and all that they are on, but the root's, in order."""
        found: set[int] = set()
        for body in bodies:
            while body and body not in found:
                found.add(body)
                body = self.steps[body - 1].parent
        return sorted(found)


class Placement:
    """Shapes fixed to links: their poses for configurations, written into one array."""

    def __init__(self, kinematics: Kinematics, links: Sequence[str], origins: Sequence[Array]) -> None:
        self.kinematics = kinematics
        places = [kinematics.place(link, origin) for link, origin in zip(links, origins)]
        self._items = [(body, _Constant(place)) for body, place in places]
        self._bodies = kinematics.needed(body for body, _ in places)

    def __len__(self) -> int:
        return len(self._items)

    def poses(self, q: Array, base: Array | None, out: Array) -> Array:
        """`out` is (n, shapes, 3, 4); `q` is (n, width) and `base` None, (3, 4) or (n, 3, 4)."""
        for at in range(0, len(q), BLOCK):
            some = np.ascontiguousarray(q[at : at + BLOCK].T)
            count = some.shape[1]
            start = np.eye(3, 4) if base is None else base if base.ndim == 2 else base[at : at + count]
            first = start[:, :, None] if start.ndim == 2 else start.transpose(1, 2, 0)
            root = np.ascontiguousarray(np.broadcast_to(first, (3, 4, count)))
            bodies = self.kinematics.block(self._bodies, some, root)
            for number, (body, origin) in enumerate(self._items):
                pose = bodies[body] if origin.is_identity else origin.after(bodies[body])
                out[at : at + count, number] = pose.transpose(2, 0, 1)
        return out
