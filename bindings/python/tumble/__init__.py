"""Exact, real-time collision detection between polygon models."""

import os as _os

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
