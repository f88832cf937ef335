"""Pictures of models for notebooks: SVG, drawn here."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._tumble import Model

_SIZE = 220
_MOST = 1500  # triangles; of larger models, every n-th is drawn


def _picture(model: Model) -> str:
    import numpy as np

    corners, _ = model.triangles()
    if len(corners) == 0:
        return ""
    corners = np.asarray(corners)[:: -(-len(corners) // _MOST)]
    low, high = model.bounds
    reach = float(np.max(high - low)) or 1.0
    place = (corners - (low + high) / 2) / reach
    # Seen from the front, right and above, without perspective.
    right = np.array([0.8, 0.6, 0.0])
    up = np.array([-0.3, 0.4, np.sqrt(0.75)])
    x, y = place @ right, place @ up
    depth = (place @ np.cross(right, up)).mean(axis=1)
    normal = np.cross(place[:, 1] - place[:, 0], place[:, 2] - place[:, 0])
    length = np.linalg.norm(normal, axis=1)
    light = np.abs(normal @ np.array([0.1, -0.5, 0.86])) / np.where(length > 0, length, 1)
    shapes = []
    for i in np.argsort(depth):
        points = " ".join(f"{_SIZE * (0.5 + 0.62 * a):.1f},{_SIZE * (0.5 - 0.62 * b):.1f}" for a, b in zip(x[i], y[i]))
        grey = int(90 + 150 * light[i])
        shapes.append(f'<polygon points="{points}" fill="rgb({grey - 50},{grey - 10},{grey})"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIZE}" height="{_SIZE}" viewBox="0 0 {_SIZE} {_SIZE}" '
        f'stroke="#345" stroke-width="0.3" stroke-linejoin="round">{"".join(shapes)}</svg>'
    )


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
