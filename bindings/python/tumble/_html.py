"""Pictures of models for notebooks, drawn from points that are strewn over the surface."""

from __future__ import annotations

import base64
import html
import struct
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._tumble import Model

_SIZE = 220
_POINTS = 400_000
_COLOUR = (120, 160, 190)


def _png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Rows of red, green, blue and opacity."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _weights(thick: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Of the corners, for each point: evenly spread (Roberts' sequence); of thick triangles, many on edges and corners,
    as these may be all there is of them."""
    import numpy as np

    number = np.arange(1, _POINTS + 1)
    u, v = number * 0.7548776662466927 % 1, number * 0.5698402909980532 % 1
    outside = u + v > 1
    u, v = np.where(outside, 1 - u, u), np.where(outside, 1 - v, v)
    v = np.where(thick & (number % 3 == 0), 0, v)
    u = np.where(thick & (number % 6 == 0), np.round(u), u)
    weights = np.stack([1 - u - v, u, v], axis=1)
    turn = (np.arange(3) + number[:, None] // 6) % 3
    return np.where(thick[:, None], np.take_along_axis(weights, turn, axis=1), weights)


def _cylinders(corners: npt.NDArray[np.float64], points: npt.NDArray[np.float64], normals: npt.NDArray[np.float64],
               radii: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Moves points of axes to the surface, and turns their normals; those at an end go to its disk."""
    import numpy as np

    axes = corners[:, 1] - corners[:, 0]
    axes = np.where(axes.any(axis=1, keepdims=True), axes, corners[:, 2] - corners[:, 0])
    ends = (points[:, None] == corners).all(axis=2).any(axis=1)
    outwards = np.sign(np.einsum("ij,ij->i", points - corners.mean(axis=1), axes))
    axes /= np.maximum(np.linalg.norm(axes, axis=1, keepdims=True), 1e-300)
    normals -= np.einsum("ij,ij->i", normals, axes)[:, None] * axes
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    share = np.where(ends, np.sqrt(np.arange(len(points)) * 0.7548776662466927 % 1), 1)
    points = points + (radii * share)[:, None] * normals
    normals[ends] = outwards[ends, None] * axes[ends]
    return points


def _surface(model: Model, scale: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Points of the surface, divided by the scale, and its normals there."""
    import numpy as np

    corners, polygons = model.triangles()
    corners = corners / scale
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    radii = np.full(len(corners), model.radius / scale)
    if model.info.has_radii:
        radii = np.array([model.radius_of(int(polygon)) / scale for polygon in polygons])
    length = np.linalg.norm(np.diff(corners, axis=1), axis=2).sum(axis=1)
    areas = np.linalg.norm(normals, axis=1) + radii * (length + 4 * radii)
    shares = np.cumsum(areas if areas.sum() > 0 else np.ones(len(areas)))
    chosen = np.searchsorted(shares, (np.arange(_POINTS) + 0.5) / _POINTS * shares[-1])
    thick = radii[chosen] > 0
    points = np.einsum("ij,ijk->ik", _weights(thick), corners[chosen])
    normals = normals[chosen]
    normals[thick] = np.random.default_rng(1).normal(size=(int(thick.sum()), 3))
    size = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / np.where(size > 0, size, 1)
    if model.flat_ends:
        return _cylinders(corners[chosen], points, normals, radii[chosen]), normals
    return points + radii[chosen, None] * normals, normals


def _picture(model: Model) -> str:
    import numpy as np

    if len(model) == 0:
        return ""
    bounds = model.bounds
    scale = float(max(np.max(np.abs(bounds)), model.radius)) or 1.0  # so that squares do not overflow
    points, normals = _surface(model, scale)
    low, high = bounds / scale + np.array([[-model.radius / scale], [model.radius / scale]])
    place = (points - (low + high) / 2) / (float(np.max(high - low)) or 1.0)
    # Seen from the front, right and above, without perspective. A pixel has the mean light of its points that are not
    # behind others, and is opaque with two of them.
    right, up = np.array([0.8, 0.6, 0.0]), np.array([-0.3, 0.4, np.sqrt(0.75)])
    depth = place @ np.cross(right, up)
    x, y = (np.clip(_SIZE * (0.5 + 0.58 * (place @ way)), 0, _SIZE - 1).astype(int) for way in (right, -up))
    pixel = y * _SIZE + x
    nearest = np.full(_SIZE * _SIZE, -np.inf)
    order = np.argsort(depth)
    nearest[pixel[order]] = depth[order]
    front = depth > nearest[pixel] - 0.02
    light = 0.6 + 0.5 * np.abs(normals @ np.array([0.1, -0.5, 0.86]))
    count = np.bincount(pixel[front], minlength=_SIZE * _SIZE)
    mean = np.bincount(pixel[front], light[front], _SIZE * _SIZE) / np.maximum(count, 1)
    pixels = np.column_stack([mean[:, None] * _COLOUR, 128 * count]).clip(0, 255).reshape(_SIZE, _SIZE, 4)
    data = base64.b64encode(_png(pixels.astype(np.uint8))).decode()
    return f'<img width="{_SIZE}" height="{_SIZE}" alt="" src="data:image/png;base64,{data}"/>'


def model_html(model: Model) -> str:
    """A table of facts and a picture."""
    info = model.info
    low, high = info.bounds
    rows: list[tuple[str, Any]] = [
        ("polygons", f"{info.polygon_count:,}"),
        ("triangles", f"{info.triangle_count:,}"),
        ("surfaces", f"{info.surface_count:,}"),
        ("closed", "yes" if info.closed else "no"),
        ("bounds", f"[{low[0]:.4g} {low[1]:.4g} {low[2]:.4g}] to [{high[0]:.4g} {high[1]:.4g} {high[2]:.4g}]"),
        *([("radius", f"{info.radius:.4g}")] if info.radius else []),
        ("hierarchy", f"{info.hierarchy}, depth {info.depth}"),
        ("memory", f"{info.total_bytes:,} bytes"),
    ]
    cells = "".join(f"<tr><th>{html.escape(k)}</th><td>{html.escape(str(v))}</td></tr>" for k, v in rows)
    return f'<div style="display:flex;gap:1em;align-items:center">{_picture(model)}<table>{cells}</table></div>'
