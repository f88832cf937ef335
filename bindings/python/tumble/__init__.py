"""Exact, real-time collision detection between polygon models."""

import os as _os
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import _tumble
from ._tumble import Model, __version__, collide, contacts, count, first, pairs, surfaces
from ._types import (
    ArgumentError,
    BusyError,
    CancelledError,
    DeviceError,
    Error,
    FormatError,
    NotFiniteError,
    OutOfRangeError,
    PolygonError,
    PoseError,
    TimeoutError,
    TooLargeError,
    UnsupportedError,
    answer_dtype,
    contact_dtype,
    near_dtype,
    surface_dtype,
)

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_tumble._after_fork)


# ---- Scenes: their module needs numpy, which isolated sub-interpreters cannot load, so it is imported when used ----

_SCENE_NAMES = ("Event", "Meetings", "ObjectState", "Scene", "SceneMode", "States")

if _TYPE_CHECKING:
    from .scene import Event, Meetings, ObjectState, Scene, SceneMode, States


def __getattr__(name: str) -> _Any:
    if name in _SCENE_NAMES:
        from . import scene

        return getattr(scene, name)
    raise AttributeError(f"module 'tumble' has no attribute '{name}'")
