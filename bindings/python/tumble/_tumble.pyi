"""Types of the C part."""

import sys
from collections.abc import Generator, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Literal, SupportsFloat, SupportsIndex, TypeVar, final, overload

import numpy
from numpy.typing import ArrayLike, NDArray

from ._results import Distance
from ._types import (
    Answer,
    ClearanceAlong,
    ClosestPoints,
    ContactIntervals,
    ContactRegion,
    Counters,
    DeviceInfo,
    DeviceMemory,
    FirstContact,
    JobReport,
    Mesh,
    ModelInfo,
    Motion,
    Path,
    PointPlaces,
    RayHits,
    Relation,
    RelationResult,
    SelfKind,
    Separation,
)

_Path = str | bytes | PathLike[str] | PathLike[bytes]
_Pose = ArrayLike | tuple[ArrayLike, ArrayLike] | None
_Polygons = ArrayLike | Sequence[Sequence[int]]
_Models = Model | list[Any] | tuple[Any, ...]
_Hierarchy = Literal["auto", "wide", "boxtree", "kdop", "rtree", "brute"]
_Tuning = dict[str, Any] | None
_Format = Literal["obj", "off", "stl", "stl-text", "ply", "ply-text"] | None
_Coherence = Literal["none", "pair", "front", "all"]
_Mode = Literal["test", "count", "first", "answers"]
_Lists = Literal["pairs", "contacts"]
_Number = SupportsFloat | SupportsIndex
_M = TypeVar("_M", bound=Model)
_D = TypeVar("_D", bound=DistanceBase)

__version__: str

class Model:
    def __new__(
        cls: type[_M],
        vertices: ArrayLike,
        faces: _Polygons,
        surfaces: ArrayLike | None = ...,
        *,
        sizes: ArrayLike | None = ...,
        hierarchy: _Hierarchy = ...,
        threads: int = ...,
        deformable: bool = ...,
        tuning: _Tuning = ...,
        radius: ArrayLike = ...,
    ) -> _M: ...
    @property
    def radius(self) -> float: ...
    @property
    def flat_ends(self) -> bool: ...
    @property
    def bounds(self) -> NDArray[numpy.float64]: ...
    @property
    def closed(self) -> bool: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def hierarchy(self) -> str: ...
    @property
    def info(self) -> ModelInfo: ...
    @property
    def tuning(self) -> dict[str, Any]: ...
    @classmethod
    def read(
        cls: type[_M],
        path: _Path,
        *,
        crease: float | None = ...,
        hierarchy: _Hierarchy = ...,
        threads: int = ...,
        deformable: bool = ...,
        tuning: _Tuning = ...,
        radius: _Number = ...,
    ) -> _M: ...
    @classmethod
    def parse(
        cls: type[_M],
        data: Any,
        format: _Format = ...,
        *,
        crease: float | None = ...,
        hierarchy: _Hierarchy = ...,
        threads: int = ...,
        deformable: bool = ...,
        tuning: _Tuning = ...,
        radius: _Number = ...,
    ) -> _M: ...
    @classmethod
    def load(cls: type[_M], path: _Path) -> _M: ...
    @classmethod
    def from_block(cls: type[_M], block: Any) -> _M: ...
    @classmethod
    def ball(
        cls: type[_M],
        centre: ArrayLike,
        radius: _Number,
        *,
        hierarchy: _Hierarchy = ...,
        threads: int = ...,
        tuning: _Tuning = ...,
    ) -> _M: ...
    @classmethod
    def balls(
        cls: type[_M],
        centres: ArrayLike,
        radii: ArrayLike,
        *,
        hierarchy: _Hierarchy = ...,
        threads: int = ...,
        tuning: _Tuning = ...,
    ) -> _M: ...
    @classmethod
    def capsule(
        cls: type[_M],
        a: ArrayLike,
        b: ArrayLike,
        radius: _Number,
        *,
        hierarchy: _Hierarchy = ...,
        threads: int = ...,
        tuning: _Tuning = ...,
    ) -> _M: ...
    @classmethod
    def cylinder(
        cls: type[_M],
        a: ArrayLike,
        b: ArrayLike,
        radius: _Number,
        *,
        hierarchy: _Hierarchy = ...,
        threads: int = ...,
        tuning: _Tuning = ...,
    ) -> _M: ...
    @classmethod
    def cylinders(
        cls: type[_M],
        ends: ArrayLike,
        radii: ArrayLike,
        *,
        hierarchy: _Hierarchy = ...,
        threads: int = ...,
        tuning: _Tuning = ...,
    ) -> _M: ...
    @classmethod
    def box(
        cls: type[_M],
        lower: ArrayLike,
        upper: ArrayLike,
        radius: _Number = ...,
        *,
        hierarchy: _Hierarchy = ...,
        threads: int = ...,
        tuning: _Tuning = ...,
    ) -> _M: ...
    @classmethod
    def polyline(
        cls: type[_M],
        points: ArrayLike,
        radius: _Number,
        *,
        hierarchy: _Hierarchy = ...,
        threads: int = ...,
        tuning: _Tuning = ...,
    ) -> _M: ...
    def save(self, path: _Path) -> None: ...
    def deformed(self: _M, vertices: ArrayLike, faces: _Polygons | None = ..., *, sizes: ArrayLike | None = ...) -> _M: ...
    def editable(self) -> EditableModel: ...
    def triangles(self) -> tuple[NDArray[numpy.float64], NDArray[numpy.uint32]]: ...
    def surface_of(self, __polygon: int) -> int: ...
    def radius_of(self, __polygon: int) -> float: ...
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, __value: object) -> bool: ...
    def __ne__(self, __value: object) -> bool: ...
    def __lt__(self, __value: Any) -> bool: ...
    def __le__(self, __value: Any) -> bool: ...
    def __gt__(self, __value: Any) -> bool: ...
    def __ge__(self, __value: Any) -> bool: ...
    def __reduce_ex__(self, __protocol: SupportsIndex) -> tuple[Any, ...]: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, __flags: int) -> memoryview: ...

class EditableModel(Model):
    def insert(
        self,
        vertices: ArrayLike,
        faces: _Polygons,
        surfaces: ArrayLike | None = ...,
        *,
        sizes: ArrayLike | None = ...,
        radius: ArrayLike | None = ...,
    ) -> int: ...
    def set_radius(self, __radius: _Number) -> None: ...
    def remove(self, __polygons: ArrayLike) -> None: ...
    def remove_surface(self, __surface: int) -> None: ...
    def frozen(self) -> Model: ...
    __hash__: None  # type: ignore[assignment]

@final
class Query:
    def __new__(cls, coherence: _Coherence = ...) -> Query: ...
    @property
    def counters(self) -> Counters: ...
    @property
    def coherence(self) -> str: ...
    def collide(
        self, a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
    ) -> bool: ...
    def count(
        self, a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
    ) -> int: ...
    def first(
        self, a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
    ) -> tuple[int, int] | None: ...
    def pairs(
        self, a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
    ) -> NDArray[numpy.uint32]: ...
    def contacts(
        self, a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
    ) -> NDArray[numpy.void]: ...
    def surfaces(
        self, a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
    ) -> NDArray[numpy.void]: ...
    def distance(
        self,
        a: Model,
        b: Model,
        pose_a: _Pose = ...,
        pose_b: _Pose = ...,
        *,
        within: _Number | None = ...,
        enough: _Number = ...,
        budget: _Number | None = ...,
        budget_tests: int = ...,
        relative_error: _Number = ...,
        absolute_error: _Number = ...,
        pairs: bool = ...,
        tuning: _Tuning = ...,
    ) -> Distance: ...
    def relation(self, a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ...) -> Relation: ...
    def relate(self, a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ...) -> RelationResult: ...

class DistanceBase:
    def __new__(
        cls: type[_D],
        value: float,
        points: Any,
        polygons: tuple[int, int] | None,
        lower: float,
        upper: float,
        answer: int,
        penetration: float,
        undecided_count: int,
        complete: bool,
        pairs: Any,
    ) -> _D: ...
    value: float
    points: NDArray[numpy.float64] | None
    polygons: tuple[int, int] | None
    lower: float
    upper: float
    answer: Answer
    penetration: float
    undecided_count: int
    complete: bool
    pairs: NDArray[numpy.void] | None
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Job:
    @property
    def report(self) -> JobReport: ...
    def result(self, timeout: _Number | None = ...) -> Any: ...
    def done(self) -> bool: ...
    def cancel(self) -> bool: ...
    def _wake(self) -> int: ...
    def __await__(self) -> Generator[Any, None, Any]: ...

@final
class Device:
    def __new__(
        cls,
        number: int = ...,
        *,
        threads: int = ...,
        queue_capacity: int = ...,
        memory_limit: int = ...,
        without_doubles: bool = ...,
        retry_on_cpu: bool = ...,
    ) -> Device: ...
    @property
    def info(self) -> DeviceInfo: ...
    @property
    def memory(self) -> DeviceMemory: ...
    @property
    def closed(self) -> bool: ...
    def submit(
        self,
        a: _Models,
        b: _Models,
        poses_a: _Pose = ...,
        poses_b: _Pose = ...,
        *,
        mode: _Mode | _Lists = ...,
        out: Any = ...,
        capacity: int = ...,
        on_cpu: bool = ...,
        timeout: _Number | None = ...,
        tuning: _Tuning = ...,
    ) -> Job: ...
    def finish(self, timeout: _Number | None = ...) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Device: ...
    def __exit__(
        self, __type: type[BaseException] | None, __value: BaseException | None, __traceback: TracebackType | None
    ) -> None: ...

class Scene:
    """Tables and numbers behind tumble.Scene."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any: ...
    @property
    def closed(self) -> bool: ...
    def close(self) -> None: ...
    def __len__(self) -> int: ...
    def _add(self, *args: Any, **kwargs: Any) -> Any: ...
    def _remove(self, *args: Any, **kwargs: Any) -> Any: ...
    def _move(self, *args: Any, **kwargs: Any) -> Any: ...
    def _activate(self, *args: Any, **kwargs: Any) -> Any: ...
    def _set(self, *args: Any, **kwargs: Any) -> Any: ...
    def _get(self, *args: Any, **kwargs: Any) -> Any: ...
    def _ignore(self, *args: Any, **kwargs: Any) -> Any: ...
    def _ignore_groups(self, *args: Any, **kwargs: Any) -> Any: ...
    def _update(self, *args: Any, **kwargs: Any) -> Any: ...
    def _candidates(self, *args: Any, **kwargs: Any) -> Any: ...
    def _stream(self, *args: Any, **kwargs: Any) -> Any: ...
    def _ask(self, *args: Any, **kwargs: Any) -> Any: ...
    def _states(self, *args: Any, **kwargs: Any) -> Any: ...
    def _cast(self, *args: Any, **kwargs: Any) -> Any: ...
    def _locate(self, *args: Any, **kwargs: Any) -> Any: ...
    def _approach(self, *args: Any, **kwargs: Any) -> Any: ...
    def _overlap_sphere(self, *args: Any, **kwargs: Any) -> Any: ...
    def _overlap_box(self, *args: Any, **kwargs: Any) -> Any: ...
    def use_device(self, __device: Device | None) -> None: ...

def collide(
    a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
) -> bool: ...
def count(
    a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
) -> int: ...
def first(
    a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
) -> tuple[int, int] | None: ...
def pairs(
    a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
) -> NDArray[numpy.uint32]: ...
def contacts(
    a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
) -> NDArray[numpy.void]: ...
def surfaces(
    a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ..., clearance: _Number = ..., *, tuning: _Tuning = ...
) -> NDArray[numpy.void]: ...
def self_collide(
    model: Model, *, clearance: _Number = ..., rings: int = ..., soup: bool = ..., threads: int = ...
) -> bool: ...
def self_count(model: Model, *, clearance: _Number = ..., rings: int = ..., soup: bool = ..., threads: int = ...) -> int: ...
def self_first(
    model: Model, *, clearance: _Number = ..., rings: int = ..., soup: bool = ..., threads: int = ...
) -> tuple[int, int, SelfKind] | None: ...
def self_pairs(
    model: Model, *, clearance: _Number = ..., rings: int = ..., soup: bool = ..., threads: int = ...
) -> NDArray[numpy.uint32]: ...
def self_contacts(
    model: Model, *, clearance: _Number = ..., rings: int = ..., soup: bool = ..., threads: int = ...
) -> NDArray[numpy.void]: ...
def distance(
    a: Model,
    b: Model,
    pose_a: _Pose = ...,
    pose_b: _Pose = ...,
    *,
    within: _Number | None = ...,
    enough: _Number = ...,
    budget: _Number | None = ...,
    budget_tests: int = ...,
    relative_error: _Number = ...,
    absolute_error: _Number = ...,
    pairs: bool = ...,
    tuning: _Tuning = ...,
) -> Distance: ...
def first_contact(
    a: Model,
    b: Model,
    motion_a: Motion | Path | None = ...,
    motion_b: Motion | Path | None = ...,
    *,
    clearance: _Number = ...,
    tolerance: _Number = ...,
    begin: _Number = ...,
    end: _Number = ...,
    budget: _Number | None = ...,
    budget_tests: int = ...,
) -> FirstContact: ...
def contact_intervals(
    a: Model,
    b: Model,
    motion_a: Motion | Path | None = ...,
    motion_b: Motion | Path | None = ...,
    *,
    clearance: _Number = ...,
    tolerance: _Number = ...,
    budget: _Number | None = ...,
    budget_tests: int = ...,
) -> ContactIntervals: ...
def clearance_along(
    a: Model,
    b: Model,
    motion_a: Motion | Path | None = ...,
    motion_b: Motion | Path | None = ...,
    *,
    begin: _Number = ...,
    end: _Number = ...,
    relative_error: _Number = ...,
    absolute_error: _Number = ...,
    within: _Number | None = ...,
    enough: _Number = ...,
    budget: _Number | None = ...,
    budget_tests: int = ...,
) -> ClearanceAlong: ...
def regions(a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ...) -> list[ContactRegion]: ...
def separate(
    a: Model,
    b: Model,
    pose_a: _Pose = ...,
    pose_b: _Pose = ...,
    *,
    direction: ArrayLike | None = ...,
    touching: bool = ...,
    within: _Number | None = ...,
    enough: _Number = ...,
    budget: _Number | None = ...,
    budget_tests: int = ...,
    directions: int = ...,
) -> Separation: ...
def motion_between(pose: _Pose, to: _Pose, centre: ArrayLike | None = ...) -> Motion: ...
def motion_pose(motion: Motion | Path | None, time: _Number) -> NDArray[numpy.float64]: ...
@overload
def rays(
    model: Model,
    origins: ArrayLike,
    directions: ArrayLike,
    pose: _Pose = ...,
    *,
    mode: Literal["first"] = ...,
    t0: _Number = ...,
    t1: _Number | None = ...,
    threads: int = ...,
) -> RayHits: ...
@overload
def rays(
    model: Model,
    origins: ArrayLike,
    directions: ArrayLike,
    pose: _Pose = ...,
    *,
    mode: Literal["test", "count"],
    t0: _Number = ...,
    t1: _Number | None = ...,
    threads: int = ...,
) -> NDArray[Any]: ...
@overload
def rays(
    model: Model,
    origins: ArrayLike,
    directions: ArrayLike,
    pose: _Pose = ...,
    *,
    mode: Literal["all"],
    t0: _Number = ...,
    t1: _Number | None = ...,
    threads: int = ...,
) -> tuple[NDArray[numpy.int64], RayHits]: ...
def closest(
    model: Model,
    points: ArrayLike,
    pose: _Pose = ...,
    *,
    count: int = ...,
    within: _Number | None = ...,
    signed: bool = ...,
    threads: int = ...,
) -> ClosestPoints: ...
@overload
def overlap_sphere(
    model: Model, centre: ArrayLike, radius: _Number, pose: _Pose = ..., *, mode: Literal["all"] = ...
) -> NDArray[numpy.uint32]: ...
@overload
def overlap_sphere(
    model: Model, centre: ArrayLike, radius: _Number, pose: _Pose = ..., *, mode: Literal["test", "first", "count"]
) -> int | None: ...
@overload
def overlap_box(
    model: Model, half_extents: ArrayLike, box_pose: _Pose = ..., pose: _Pose = ..., *, mode: Literal["all"] = ...
) -> NDArray[numpy.uint32]: ...
@overload
def overlap_box(
    model: Model,
    half_extents: ArrayLike,
    box_pose: _Pose = ...,
    pose: _Pose = ...,
    *,
    mode: Literal["test", "first", "count"],
) -> int | None: ...
def inside(
    model: Model,
    points: ArrayLike,
    pose: _Pose = ...,
    *,
    rule: Literal["parity", "winding"] = ...,
    threads: int = ...,
) -> NDArray[numpy.uint32]: ...
def locate(
    model: Model,
    points: ArrayLike,
    pose: _Pose = ...,
    *,
    rule: Literal["parity", "winding"] = ...,
    threads: int = ...,
) -> PointPlaces: ...
def relation(a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ...) -> Relation: ...
def relate(a: Model, b: Model, pose_a: _Pose = ..., pose_b: _Pose = ...) -> RelationResult: ...
@overload
def collide_many(
    a: _Models,
    b: _Models,
    poses_a: _Pose = ...,
    poses_b: _Pose = ...,
    *,
    mode: _Mode = ...,
    clearance: _Number = ...,
    out: Any = ...,
    threads: int = ...,
    device: Device | None = ...,
    tuning: _Tuning = ...,
) -> NDArray[Any]: ...
@overload
def collide_many(
    a: _Models,
    b: _Models,
    poses_a: _Pose = ...,
    poses_b: _Pose = ...,
    *,
    mode: _Lists,
    clearance: _Number = ...,
    out: None = ...,
    threads: int = ...,
    device: Device | None = ...,
    tuning: _Tuning = ...,
) -> tuple[NDArray[numpy.int64], NDArray[Any]]: ...
def distance_many(
    a: _Models,
    b: _Models,
    poses_a: _Pose = ...,
    poses_b: _Pose = ...,
    *,
    within: _Number | None = ...,
    enough: _Number = ...,
    relative_error: _Number = ...,
    absolute_error: _Number = ...,
    out: Any = ...,
    threads: int = ...,
    tuning: _Tuning = ...,
) -> NDArray[numpy.float64]: ...
def relation_many(
    a: _Models, b: _Models, poses_a: _Pose = ..., poses_b: _Pose = ..., *, out: Any = ..., threads: int = ...
) -> NDArray[numpy.uint32]: ...
class Assembly:
    def __len__(self) -> int: ...
    def model(self, __number: int) -> Model: ...
    def _add_model(self, __model: Model) -> int: ...
    def _add(
        self,
        __model: int,
        __transform: Any,
        __name: str | None,
        __path: str | None,
        __file: str | None,
        __guid: str | None,
        __class_name: str | None,
        __material: str | None,
        __broken: str | None,
    ) -> None: ...
    def _read(self, __path: _Path, __transform: Any) -> None: ...
    def _parts(self, __first: int) -> list[tuple[Any, ...]]: ...
    def _model_count(self) -> int: ...
    def _frame(self) -> tuple[float, int]: ...
    def _set_frame(self, __metres: float, __up: int) -> None: ...
    def _set_host(self, __part: int, __host: int) -> None: ...
    def _ignore(self, __pairs: ArrayLike) -> None: ...
    def _ignored(self) -> NDArray[numpy.uint32]: ...
    def _clash(
        self,
        *,
        clearance: _Number = ...,
        touch: _Number = ...,
        depth_budget: int = ...,
        severity: Any = ...,
        segments: int = ...,
        segment_bytes: int = ...,
        group: Any = ...,
        group_radius: _Number = ...,
        threads: int = ...,
        progress: Any = ...,
        before: Any = ...,
        retest: Any = ...,
        rules: Any = ...,
    ) -> Clashes: ...

@final
class Clashes:
    def __len__(self) -> int: ...
    def clash(self, __number: int) -> tuple[Any, ...]: ...
    def groups(self) -> list[tuple[Any, ...]]: ...
    def rules(self) -> list[tuple[Any, ...]]: ...
    def facts(self) -> tuple[Any, ...]: ...
    def table(self) -> NDArray[Any]: ...
    def write_json(self, __path: _Path) -> None: ...

def devices() -> list[DeviceInfo]: ...
def tunings() -> dict[str, Any]: ...
def read_mesh(path: _Path) -> Mesh: ...
def write_mesh(
    path: _Path,
    vertices: ArrayLike,
    faces: _Polygons,
    surfaces: ArrayLike | None = ...,
    *,
    sizes: ArrayLike | None = ...,
    format: _Format = ...,
) -> None: ...
def components(
    vertices: ArrayLike, faces: _Polygons, crease: _Number = ..., *, sizes: ArrayLike | None = ...
) -> NDArray[numpy.uint32]: ...
def pose(
    position: ArrayLike = ...,
    quaternion: ArrayLike | None = ...,
    *,
    axis: ArrayLike | None = ...,
    angle: _Number = ...,
    scale: _Number = ...,
) -> NDArray[numpy.float64]: ...
def compose(outer: _Pose, inner: _Pose) -> NDArray[numpy.float64]: ...
def relative(pose_a: _Pose, pose_b: _Pose) -> NDArray[numpy.float64]: ...
def apply(pose: _Pose, points: ArrayLike) -> NDArray[numpy.float64]: ...
def inverse(__pose: _Pose) -> NDArray[numpy.float64]: ...
def scale_of(__pose: _Pose) -> float: ...
def _after_fork() -> None: ...
def _end_jobs() -> None: ...
