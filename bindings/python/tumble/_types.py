"""Exceptions, enumerations and results: what the C part of the package raises and returns."""

from __future__ import annotations

import builtins
import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

# ---- Exceptions ----


class Error(Exception):
    """What the library rejects or cannot do. `status` is its number in the C interface."""

    status: int = 0


class ArgumentError(Error, ValueError):
    """An argument is out of range or contradictory."""

    status = 1


class NotFiniteError(Error, ValueError):
    """A number is NaN or infinite."""

    status = 3


class OutOfRangeError(Error, ValueError, IndexError):
    """An index points outside its array."""

    status = 4


class PolygonError(Error, ValueError):
    """A polygon has fewer than three corners."""

    status = 5


class TooLargeError(Error, ValueError):
    """The input exceeds a size limit."""

    status = 6


class PoseError(Error, ValueError):
    """A pose is not a rotation, a translation and a uniform scale."""

    status = 7


class FormatError(Error, ValueError):
    """A file is malformed, truncated or corrupted."""

    status = 9


class UnsupportedError(Error, ValueError):
    """The format or option is not supported."""

    status = 10


class CancelledError(Error):
    """Someone asked to stop."""

    status = 11


class TimeoutError(Error, builtins.TimeoutError):
    """The time-out has passed."""

    status = 12


class BusyError(Error, RuntimeError):
    """Something is in use, or a queue is full."""

    status = 13


class DeviceError(Error, RuntimeError):
    """A device failed, was lost or cannot run the kernels."""

    status = 14


# ---- Types of structured arrays ----


def _dtype(fields: list[Any]) -> numpy.dtype[Any]:
    import numpy

    return numpy.dtype(fields, align=True)


def contact_dtype() -> numpy.dtype[Any]:
    """The type of what contacts() returns: two points, the ends of a segment, for each pair of triangles that meet."""
    return _dtype([("polygon_a", "u4"), ("polygon_b", "u4"), ("coplanar", "u4"), ("apart", "u4"), ("points", "f8", (2, 3))])


def surface_dtype() -> numpy.dtype[Any]:
    """The type of what surfaces() returns."""
    return _dtype([("surface_a", "u4"), ("surface_b", "u4"), ("polygon_a", "u4"), ("polygon_b", "u4")])


def near_dtype() -> numpy.dtype[Any]:
    """The type of lists of near pairs."""
    return _dtype([("polygon_a", "u4"), ("polygon_b", "u4"), ("distance", "f8"), ("point_a", "f8", 3), ("point_b", "f8", 3)])


def answer_dtype() -> numpy.dtype[Any]:
    """The type of the whole answers of a batch."""
    return _dtype([("pair_count", "u8"), ("polygon_a", "u4"), ("polygon_b", "u4"), ("status", "i4"), ("collide", "?")])


def clash_dtype() -> numpy.dtype[Any]:
    """The type of Clashes.table: numbers of parts, rules and groups are -1 where there is none, depths nan."""
    numbers = [(name, "u4") for name in ("kind", "severity", "change", "inside")]
    numbers += [(name, "i8") for name in ("a", "b", "rule", "group")]
    places = [("point", "f8", 3), ("nearest", "f8", (2, 3)), ("normal", "f8", 3), ("box", "f8", (2, 3))]
    return _dtype([*numbers, ("depth", "f8", 2), ("distance", "f8"), *places, ("contact_count", "u8")])


# ---- Enumerations ----


class Answer(enum.IntEnum):
    """Whether two models are within a distance; MAYBE only if the budget ran out."""

    NO = 0
    YES = 1
    MAYBE = 2


class DeviceKind(enum.IntEnum):
    """What a device is."""

    CPU = 0
    OPENCL = 1


class Relation(enum.IntEnum):
    """The spatial relation of two models."""

    APART = 0
    TOUCHING = 1
    CROSSING = 2
    A_IN_B = 3
    B_IN_A = 4
    UNDEFINED = 5


class Side(enum.IntEnum):
    """From which side a ray hits a polygon."""

    EDGE_ON = 0
    FRONT = 1
    BACK = 2


class Place(enum.IntEnum):
    """Where a point is."""

    OUTSIDE = 0
    INSIDE = 1
    ON_SURFACE = 2
    UNDEFINED = 3


class SelfKind(enum.IntEnum):
    """How two polygons of a model meet."""

    DUPLICATE = 1
    CROSSING = 2
    OVERLAPPING = 3
    TOUCHING = 4
    DEGENERATE = 5
    NEAR = 6


class ClashKind(enum.IntEnum):
    """What is between two parts of an assembly."""

    CROSSING = 0
    CONTAINED = 1
    TOUCHING = 2
    CLEARANCE = 3
    DUPLICATE = 4
    UNDEFINED = 5


class Severity(enum.IntEnum):
    """How grave a clash is."""

    INFO = 0
    MINOR = 1
    MAJOR = 2
    CRITICAL = 3


class Change(enum.IntEnum):
    """What has become of a clash since the run before; without one, all are new."""

    NEW = 0
    PERSISTENT = 1
    WORSE = 2
    RESOLVED = 3
    UNRETESTED = 4


# ---- Results ----


@dataclass(frozen=True)
class PointPlaces:
    """Where points are, an item per point."""

    places: Any  # numbers of Place
    windings: Any  # how often the surface winds around the point, if that was the rule
    polygons: Any  # the first one that holds the point; -1: none


@dataclass(frozen=True)
class RayHits:
    """Hits of rays: the closest ones, an item per ray, or all of them."""

    t: Any  # inf: nothing is hit
    polygons: Any  # -1: nothing is hit
    sides: Any  # numbers of Side
    points: Any  # origin + t * direction; nan: nothing is hit


@dataclass(frozen=True)
class ClosestPoints:
    """The polygons that are nearest to points: an item per point, or a row of several."""

    distances: Any  # inf: no polygon
    polygons: Any  # -1: no polygon
    points: Any  # nan: no polygon
    lower: Any  # proven bounds of the distances
    upper: Any


@dataclass(frozen=True)
class Motion:
    """A motion during the time from 0 to 1, at constant speed: from a pose, a turn by an angle (radians, any number of
    turns) about an axis through a point, which moves along with the translation."""

    pose: Any = None  # None: the identity
    translation: Any = (0.0, 0.0, 0.0)
    angle: float = 0.0
    axis: Any = (0.0, 0.0, 1.0)  # of any length
    point: Any = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Path:
    """Motions one after the other: piece i during the time from times[i] to times[i + 1]."""

    pieces: Any  # of Motion
    times: Any = None  # one more than pieces, each later than the one before; None: 0, 1, 2, ...


@dataclass(frozen=True)
class FirstContact:
    """When two models in motion are in contact for the first time."""

    answer: Answer  # NO: never; MAYBE: the budget ran out
    complete: bool  # False: the budget ran out
    free_until: float  # before it, they are free at every real time
    touching_at: float  # there is a contact up to then; inf: none is known
    error: float  # in contact: within the clearance plus this; 0: exactly
    pair: tuple[int, int] | None
    points: Any  # the closest ones of the pair, at touching_at; or None


@dataclass(frozen=True)
class ContactIntervals:
    """All contacts of two models in motion."""

    times: Any  # (k, 4): free_until, touching_at, touching_until, free_from
    pairs: Any  # (k, 2): polygons that are in contact at touching_at
    error: float  # in contact: within the clearance plus this; 0: exactly
    complete: bool  # False: the budget ran out
    decided_until: float  # these are all contacts before this time


@dataclass(frozen=True)
class ClearanceAlong:
    """How close two models in motion come."""

    complete: bool  # False: the budget ran out
    lower: float  # at every real time they are at least this far apart
    upper: float  # at `time` at most this; inf: nothing was found
    time: float
    pair: tuple[int, int] | None
    points: Any  # the closest ones of the pair, at `time`; or None


@dataclass(frozen=True)
class ContactCurve:
    """Segments one after the other, in which two models meet."""

    points: Any  # (n, 3)
    pairs: Any  # (n or n - 1, 2): the polygons that meet from each point to the next
    closed: bool  # the last point is joined to the first
    sides_known: bool  # on the outside of a, what is inside b lies on the left; on the outside of b, a on the right
    length: float


@dataclass(frozen=True)
class ContactRegion:
    """Where two models meet, as far as it is connected."""

    curves: Any  # of ContactCurve; none: a point, or only triangles of one plane meet
    length: float
    bounds: Any  # (2, 3)
    normal_a: Any  # the mean normals of the triangles, weighted by area; 0 if they cancel
    normal_b: Any
    contacts: int  # pairs of triangles
    coplanar: int  # of them that overlap in one plane


@dataclass(frozen=True)
class Separation:
    """How far two models must be moved to part them."""

    answer: Answer  # YES: at pose_b they are apart; NO: every such move is longer than within; MAYBE: neither is known
    complete: bool  # False: the budget ran out
    relation: Relation  # before the move
    lower: float  # proven bounds of the length of the shortest move
    upper: float  # inf: no move is known
    translation: Any  # of b; None: no move is known
    pose_b: Any  # after it; or None
    pair: tuple[int, int] | None  # polygons that touch last on the way; None: none do
    normal: Any  # of the plane in which they touch, away from a; or None
    lower_along: float | None  # with a direction: the shortest move is a multiple of it between these
    upper_along: float | None
    tight: bool | None  # with a direction: so is it, and not much longer
    deepest: Any  # without a direction: the point that proves lower; None: lower is 0
    depth_a: float | None  # a's surface is that far away from it; negative: it is outside
    depth_b: float | None
    directions: int  # that were tried


@dataclass(frozen=True)
class ModelInfo:
    """What a model knows about itself."""

    polygon_count: int
    triangle_count: int
    point_count: int
    surface_count: int
    degenerate_count: int
    closed: bool
    points_are_float: bool
    deformable: bool
    radius: float
    has_radii: bool
    bounds: tuple[tuple[float, float, float], tuple[float, float, float]]
    hierarchy: str
    node_count: int
    depth: int
    hierarchy_bytes: int
    total_bytes: int
    build_seconds: float


@dataclass(frozen=True)
class Counters:
    """The work of a query."""

    box_tests: int
    box_updates: int
    primitive_tests: int
    exact_tests: int
    bytes_touched: int
    seconds: float


@dataclass(frozen=True)
class DeviceInfo:
    """A device of this machine."""

    kind: DeviceKind
    name: str
    platform: str
    version: str
    unit_count: int
    is_gpu: bool
    has_doubles: bool
    memory_bytes: int


@dataclass(frozen=True)
class DeviceMemory:
    """How the memory of a device is used. The pool of threads has none of its own."""

    limit_bytes: int
    used_bytes: int
    buffer_bytes: int
    model_count: int
    model_bytes: int
    resident_count: int
    resident_bytes: int
    swapped_out_count: int
    swapped_out_bytes: int
    swapped_in_count: int
    swapped_in_bytes: int


@dataclass(frozen=True)
class JobReport:
    """How far a job is, and how long its parts took."""

    done: bool
    done_count: int
    check_count: int
    retried_count: int
    exact_count: int
    waiting_seconds: float
    upload_seconds: float
    run_seconds: float
    result_seconds: float


@dataclass(frozen=True)
class RelationResult:
    """The relation of two models, whether they are closed, and a pair of polygons that meet."""

    relation: Relation
    closed_a: bool
    closed_b: bool
    surfaces_meet: bool
    pair: tuple[int, int] | None


@dataclass(frozen=True, eq=False)
class Mesh:
    """The arrays of a mesh file: Model(mesh.vertices, mesh.indices, mesh.surfaces, sizes=mesh.sizes)."""

    vertices: numpy.ndarray[Any, Any]
    indices: numpy.ndarray[Any, Any]
    sizes: numpy.ndarray[Any, Any]
    surfaces: numpy.ndarray[Any, Any]
    surface_names: dict[int, str]
    warning: str | None
