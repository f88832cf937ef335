"""Meshes of simple shapes. Cylinders are prisms that contain the true shape and exceed it by a known error."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Mesh = tuple[npt.NDArray[np.float64], npt.NDArray[np.uint32]]

_BOX_SIDES = ((0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6))
_BOX_ENDS = ((0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3))


def box(x: float, y: float, z: float) -> Mesh:
    """A box around the origin with these sides."""
    corners = np.array([(i, j, k) for i in (-0.5, 0.5) for j in (-0.5, 0.5) for k in (-0.5, 0.5)])
    return corners * (x, y, z), np.array(_BOX_SIDES + _BOX_ENDS, dtype=np.uint32)


def _rings(heights: npt.NDArray[np.float64], radii: npt.NDArray[np.float64], sides: int) -> Mesh:
    """Rings of points about z, closed by a point at either end, whose radius is 0."""
    angle = np.arange(sides) * (2 * math.pi / sides)
    around = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    inner = [np.column_stack([r * around, np.full(sides, h)]) for h, r in zip(heights[1:-1], radii[1:-1])]
    points = np.concatenate([[[0, 0, heights[0]]], *inner, [[0, 0, heights[-1]]]])
    i = np.arange(sides)
    j = (i + 1) % sides
    last = len(points) - 1
    faces = [np.column_stack([np.zeros(sides, int), 1 + j, 1 + i])]
    for ring in range(len(inner) - 1):
        low, high = 1 + ring * sides, 1 + (ring + 1) * sides
        faces += [np.column_stack([low + i, low + j, high + j]), np.column_stack([low + i, high + j, high + i])]
    top = last - sides
    faces.append(np.column_stack([np.full(sides, last), top + i, top + j]))
    return points, np.concatenate(faces).astype(np.uint32)


def cylinder(radius: float, length: float, sides: int) -> tuple[Mesh, float]:
    """A prism around a cylinder along z, and by how much it exceeds it: at its edges."""
    outer = radius / math.cos(math.pi / sides)
    half = length / 2
    heights = np.array([-half, -half, half, half])
    return _rings(heights, np.array([0, outer, outer, 0]), sides), outer - radius


def sides_for(tolerance: float) -> int:
    """Sides of a prism around a cylinder that exceeds it by at most this part of its radius."""
    sides = 8
    while 1 / math.cos(math.pi / sides) - 1 > tolerance and sides < 1024:
        sides += 4
    return sides
