"""Exact, real-time collision detection between polygon models."""

import atexit as _atexit
import importlib as _importlib
import os as _os
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import _tumble
from ._tumble import (
    Device,
    EditableModel,
    Job,
    Model,
    Query,
    __version__,
    apply,
    clearance_along,
    closest,
    collide,
    collide_many,
    components,
    compose,
    contact_intervals,
    contacts,
    count,
    devices,
    distance,
    distance_many,
    first,
    first_contact,
    inside,
    inverse,
    locate,
    motion_between,
    motion_pose,
    overlap_box,
    overlap_sphere,
    pairs,
    pose,
    rays,
    read_mesh,
    regions,
    relate,
    relation,
    relation_many,
    relative,
    scale_of,
    self_collide,
    self_contacts,
    self_count,
    self_first,
    self_pairs,
    separate,
    surfaces,
    tunings,
    write_mesh,
)
from ._results import Distance
from ._types import (
    Answer,
    ArgumentError,
    BusyError,
    CancelledError,
    Change,
    ClashKind,
    ClearanceAlong,
    ClosestPoints,
    ContactCurve,
    ContactIntervals,
    ContactRegion,
    Counters,
    DeviceError,
    DeviceInfo,
    DeviceKind,
    DeviceMemory,
    Error,
    FirstContact,
    FormatError,
    JobReport,
    Mesh,
    ModelInfo,
    Motion,
    NotFiniteError,
    OutOfRangeError,
    Path,
    Place,
    PointPlaces,
    PolygonError,
    PoseError,
    RayHits,
    Relation,
    RelationResult,
    SelfKind,
    Separation,
    Severity,
    Side,
    TimeoutError,
    TooLargeError,
    UnsupportedError,
    answer_dtype,
    clash_dtype,
    contact_dtype,
    near_dtype,
    surface_dtype,
)

__all__ = [
    "Answer",
    "ArgumentError",
    "Assembly",
    "BusyError",
    "CancelledError",
    "Change",
    "Clash",
    "ClashGroup",
    "ClashKind",
    "ClashRule",
    "Clashes",
    "ClearanceAlong",
    "ClosestPoints",
    "ContactCurve",
    "ContactIntervals",
    "ContactRegion",
    "Counters",
    "Device",
    "DeviceError",
    "DeviceInfo",
    "DeviceKind",
    "DeviceMemory",
    "Distance",
    "EditableModel",
    "Error",
    "Event",
    "FirstContact",
    "FormatError",
    "Job",
    "JobReport",
    "Meetings",
    "Mesh",
    "Model",
    "ModelInfo",
    "Motion",
    "NotFiniteError",
    "ObjectState",
    "OutOfRangeError",
    "Overlaps",
    "Part",
    "Path",
    "Place",
    "PointPlaces",
    "PolygonError",
    "PoseError",
    "RayHits",
    "Query",
    "Relation",
    "RelationResult",
    "Scene",
    "SceneClosestPoints",
    "SceneMode",
    "ScenePlaces",
    "SceneRayHits",
    "SelfKind",
    "Separation",
    "Severity",
    "Side",
    "States",
    "TimeoutError",
    "TooLargeError",
    "UnsupportedError",
    "__version__",
    "answer_dtype",
    "apply",
    "clash",
    "clash_dtype",
    "clearance_along",
    "closest",
    "collide",
    "collide_many",
    "components",
    "compose",
    "contact_dtype",
    "contact_intervals",
    "contacts",
    "count",
    "devices",
    "distance",
    "distance_many",
    "first",
    "first_contact",
    "inside",
    "inverse",
    "load",
    "locate",
    "motion_between",
    "motion_pose",
    "near_dtype",
    "overlap_box",
    "overlap_sphere",
    "pairs",
    "parse",
    "pose",
    "read",
    "rays",
    "read_mesh",
    "regions",
    "relate",
    "relation",
    "relation_many",
    "relative",
    "scale_of",
    "self_collide",
    "self_contacts",
    "self_count",
    "self_first",
    "self_pairs",
    "separate",
    "surface_dtype",
    "surfaces",
    "tunings",
    "write_mesh",
]

read = Model.read
parse = Model.parse
load = Model.load

_atexit.register(_tumble._end_jobs)
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_tumble._after_fork)


# ---- Scenes, assemblies, robots, trimesh: they need numpy, which isolated sub-interpreters cannot load; imported when used ----

_SCENE_NAMES = (
    "Event",
    "Meetings",
    "ObjectState",
    "Overlaps",
    "Scene",
    "SceneClosestPoints",
    "SceneMode",
    "ScenePlaces",
    "SceneRayHits",
    "States",
)
_ASSEMBLY_NAMES = ("Assembly", "Clash", "ClashGroup", "ClashRule", "Clashes", "Part", "clash")
_MODULES = ("assembly", "scene", "trimesh", "urdf")

if _TYPE_CHECKING:
    from . import assembly as assembly
    from . import scene as scene
    from . import trimesh as trimesh
    from . import urdf as urdf
    from .assembly import Assembly, Clash, Clashes, ClashGroup, ClashRule, Part, clash
    from .scene import (
        Event,
        Meetings,
        ObjectState,
        Overlaps,
        Scene,
        SceneClosestPoints,
        SceneMode,
        ScenePlaces,
        SceneRayHits,
        States,
    )


def __getattr__(name: str) -> _Any:
    if name in _SCENE_NAMES:
        return getattr(_importlib.import_module("tumble.scene"), name)
    if name in _ASSEMBLY_NAMES:
        return getattr(_importlib.import_module("tumble.assembly"), name)
    if name in _MODULES:
        return _importlib.import_module("tumble." + name)
    raise AttributeError(f"module 'tumble' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *_SCENE_NAMES, *_ASSEMBLY_NAMES, *_MODULES})
