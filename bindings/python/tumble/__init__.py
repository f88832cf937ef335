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
    closest,
    collide,
    collide_many,
    components,
    compose,
    contacts,
    count,
    devices,
    distance,
    distance_many,
    first,
    inside,
    inverse,
    locate,
    overlap_box,
    overlap_sphere,
    pairs,
    pose,
    rays,
    read_mesh,
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
    ClosestPoints,
    Counters,
    DeviceError,
    DeviceInfo,
    DeviceKind,
    DeviceMemory,
    Error,
    FormatError,
    JobReport,
    Mesh,
    ModelInfo,
    NotFiniteError,
    OutOfRangeError,
    Place,
    PointPlaces,
    PolygonError,
    PoseError,
    RayHits,
    Relation,
    RelationResult,
    SelfKind,
    Side,
    TimeoutError,
    TooLargeError,
    UnsupportedError,
    answer_dtype,
    contact_dtype,
    near_dtype,
    surface_dtype,
)

__all__ = [
    "Answer",
    "ArgumentError",
    "BusyError",
    "CancelledError",
    "ClosestPoints",
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
    "FormatError",
    "Job",
    "JobReport",
    "Meetings",
    "Mesh",
    "Model",
    "ModelInfo",
    "NotFiniteError",
    "ObjectState",
    "OutOfRangeError",
    "Overlaps",
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
    "Side",
    "States",
    "TimeoutError",
    "TooLargeError",
    "UnsupportedError",
    "__version__",
    "answer_dtype",
    "apply",
    "closest",
    "collide",
    "collide_many",
    "components",
    "compose",
    "contact_dtype",
    "contacts",
    "count",
    "devices",
    "distance",
    "distance_many",
    "first",
    "inside",
    "inverse",
    "load",
    "locate",
    "near_dtype",
    "overlap_box",
    "overlap_sphere",
    "pairs",
    "parse",
    "pose",
    "read",
    "rays",
    "read_mesh",
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


# ---- Scenes, robots, trimesh: they need numpy, which isolated sub-interpreters cannot load; imported when used ----

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
_MODULES = ("scene", "trimesh", "urdf")

if _TYPE_CHECKING:
    from . import scene as scene
    from . import trimesh as trimesh
    from . import urdf as urdf
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
    if name in _MODULES:
        return _importlib.import_module("tumble." + name)
    raise AttributeError(f"module 'tumble' has no attribute '{name}'")
