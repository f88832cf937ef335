"""Reads the polygons of Collada files, which many URDF files use: meshes placed by the nodes of the scene, in metres.

Materials, skins and animations are ignored, and so is the up axis, as ROS does."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Corners = npt.NDArray[np.int64]
Mesh = tuple[Array, Corners, Corners]  # vertices, corners, corners per polygon


class ColladaError(ValueError):
    """A Collada file is malformed; the message says where."""


def _numbers(element: ElementTree.Element | None, what: str) -> Array:
    text = "" if element is None else element.text or ""
    try:
        return np.array(text.split(), dtype=np.float64)
    except ValueError:
        raise ColladaError(f"{what} is not made of numbers") from None


def _integers(element: ElementTree.Element, what: str) -> Corners:
    return _numbers(element, what).astype(np.int64)


class _File:
    def __init__(self, text: bytes) -> None:
        try:
            self.root = ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            raise ColladaError(f"is not well-formed XML: {error}") from None
        for element in self.root.iter():
            if isinstance(element.tag, str):
                element.tag = element.tag.rpartition("}")[2]
        if self.root.tag != "COLLADA":
            raise ColladaError(f"the root element is <{self.root.tag}>, not <COLLADA>")
        self.by_id = {element.get("id"): element for element in self.root.iter() if element.get("id")}

    def at(self, url: str | None, tag: str) -> ElementTree.Element:
        """What "#name" refers to."""
        found = self.by_id.get((url or "").removeprefix("#"))
        if found is None or found.tag != tag:
            raise ColladaError(f"there is no <{tag}> with the id '{url}'")
        return found

    # ---- Geometry ----

    def _points(self, source: ElementTree.Element) -> Array:
        what = f"the array of '{source.get('id')}'"
        values = _numbers(source.find("float_array"), what)
        accessor = source.find("technique_common/accessor")
        stride = 3 if accessor is None else int(accessor.get("stride", "3"))
        offset = 0 if accessor is None else int(accessor.get("offset", "0"))
        if stride < 3 or offset < 0 or len(values) < offset:
            raise ColladaError(f"{what} does not hold points")
        count = (len(values) - offset) // stride
        return values[offset : offset + count * stride].reshape(count, stride)[:, :3]

    def _position_input(self, primitive: ElementTree.Element) -> tuple[int, int, Array] | None:
        """Where corners are among the indices of a primitive: offset, stride; and their points."""
        inputs = primitive.findall("input")
        stride = 1 + max((int(item.get("offset", "0")) for item in inputs), default=0)
        for item in inputs:
            if item.get("semantic") == "VERTEX":
                for inner in self.at(item.get("source"), "vertices").findall("input"):
                    if inner.get("semantic") == "POSITION":
                        points = self._points(self.at(inner.get("source"), "source"))
                        return int(item.get("offset", "0")), stride, points
        return None

    def meshes(self, geometry: ElementTree.Element) -> Iterator[Mesh]:
        for primitive in geometry.findall("mesh/*"):
            if primitive.tag not in ("triangles", "polylist", "polygons"):
                continue  # sources, lines, and strips that URDF exporters do not write
            found = self._position_input(primitive)
            if found is None:
                continue
            offset, stride, points = found
            what = f"a list of indices of '{geometry.get('id')}'"
            lists = [_integers(p, what)[offset::stride] for p in primitive.findall("p")]
            corners = np.concatenate(lists) if lists else np.empty(0, np.int64)
            if primitive.tag == "polylist" and primitive.find("vcount") is not None:
                sizes = _integers(primitive.findall("vcount")[0], what)
            elif primitive.tag == "polygons":
                sizes = np.array([len(p) for p in lists], dtype=np.int64)
            else:
                sizes = np.full(len(corners) // 3, 3, dtype=np.int64)
            if sizes.sum() != len(corners) or (len(corners) and not 0 <= corners.min() <= corners.max() < len(points)):
                raise ColladaError(f"{what} does not fit its points or polygons")
            yield points, corners, sizes

    # ---- Nodes ----

    def _transform(self, node: ElementTree.Element) -> Array:
        out = np.eye(4)
        what = f"a transform of node '{node.get('id') or node.get('name')}'"
        for element in node:
            if element.tag not in ("matrix", "translate", "rotate", "scale"):
                continue
            values, step = _numbers(element, what), np.eye(4)
            if len(values) != {"matrix": 16, "translate": 3, "rotate": 4, "scale": 3}[element.tag]:
                raise ColladaError(f"{what} has {len(values)} numbers")
            if element.tag == "matrix":
                step = values.reshape(4, 4)
            elif element.tag == "translate":
                step[:3, 3] = values
            elif element.tag == "scale":
                step[:3, :3] = np.diag(values)
            else:
                step[:3, :3] = _rotation(values[:3], math.radians(values[3]))
            out = out @ step
        return out

    def placed(self, node: ElementTree.Element, outer: Array, depth: int = 0) -> Iterator[tuple[Array, Mesh]]:
        """All meshes of a node and the nodes in it, with their transforms."""
        if depth > 100:
            raise ColladaError(f"node '{node.get('id')}' is nested too deeply, or within itself")
        here = outer @ self._transform(node)
        for instance in node.findall("instance_geometry"):
            for mesh in self.meshes(self.at(instance.get("url"), "geometry")):
                yield here, mesh
        for instance in node.findall("instance_node"):
            yield from self.placed(self.at(instance.get("url"), "node"), here, depth + 1)
        for inner in node.findall("node"):
            yield from self.placed(inner, here, depth + 1)

    def everything(self) -> Iterator[tuple[Array, Mesh]]:
        unit = self.root.find("asset/unit")
        outer = np.diag([float(unit.get("meter", "1")) if unit is not None else 1.0] * 3 + [1.0])
        instance = self.root.find("scene/instance_visual_scene")
        if instance is None:
            raise ColladaError("has no scene")
        for node in self.at(instance.get("url"), "visual_scene").findall("node"):
            yield from self.placed(node, outer)


def _rotation(axis: Array, angle: float) -> Array:
    length = float(np.linalg.norm(axis))
    x, y, z = axis / (length or 1.0)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out: Array = np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * (k @ k)
    return out


def read(path: Path) -> Mesh:
    """Vertices, corners and corners per polygon of a whole file."""
    try:
        parts = list(_File(path.read_bytes()).everything())
    except ColladaError as error:
        raise ColladaError(f"{path}: {error}") from None
    except (ValueError, AttributeError) as error:  # numbers in attributes
        raise ColladaError(f"{path}: is malformed: {error}") from None
    vertices, corners, sizes, start = [np.empty((0, 3))], [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
    for transform, (points, indices, counts) in parts:
        vertices.append(points @ transform[:3, :3].T + transform[:3, 3])
        corners.append(indices + start)
        sizes.append(counts)
        start += len(points)
    return np.concatenate(vertices), np.concatenate(corners), np.concatenate(sizes)
