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
    motion_between,
    motion_pose,
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
    ContactIntervals,
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
    Place,
    PolygonError,
    PoseError,
    RayHits,
    Relation,
    RelationResult,
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
    "ContactIntervals",
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
    "Place",
    "PolygonError",
    "PoseError",
    "RayHits",
    "Query",
    "Relation",
    "RelationResult",
    "Scene",
    "SceneMode",
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
    "relate",
    "relation",
    "relation_many",
    "relative",
    "scale_of",
    "self_collide",
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

_SCENE_NAMES = ("Event", "Meetings", "ObjectState", "Scene", "SceneMode", "States")
_MODULES = ("scene", "trimesh", "urdf")

if _TYPE_CHECKING:
    from . import scene as scene
    from . import trimesh as trimesh
    from . import urdf as urdf
    from .scene import Event, Meetings, ObjectState, Scene, SceneMode, States


def __getattr__(name: str) -> _Any:
    if name in _SCENE_NAMES:
        return getattr(_importlib.import_module("tumble.scene"), name)
    if name in _MODULES:
        return _importlib.import_module("tumble." + name)
    raise AttributeError(f"module 'tumble' has no attribute '{name}'")
