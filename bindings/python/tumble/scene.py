"""Scenes: many objects that move. Which of them touch, where, and how close are they?

A handle is an int (in arrays: uint64) that names an object for ever; 0 is no object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _tumble
from ._tumble import Model
from ._types import Counters

Handle = int
Handles = Union[int, Sequence[int], npt.NDArray[np.uint64]]
ALL_GROUPS = 0xFFFFFFFF

_COHERENCE = {"none": 0, "pair": 1, "front": 2, "all": 3}
_LIST_MODES = {"test": 0, "first": 1, "count": 2, "all": 3}
_RULES = {"parity": 0, "winding": 1}
_NO_POLYGON = 0xFFFFFFFF

# Structures of the C interface.
_HIT = np.dtype([("object", "u8"), ("polygon", "u4"), ("side", "u4"), ("t", "f8"), ("point", "f8", 3)])
_PLACE = np.dtype([("object", "u8"), ("place", "u4"), ("winding", "i4"), ("polygon", "u4")])
_CLOSEST = np.dtype(
    [("object", "u8"), ("polygon", "u4"), ("", "u4")] + [(n, "f8") for n in ("distance", "lower", "upper")] + [("point", "f8", 3)]
)

_STATES_MODES = {"test": 0, "first": 1, "nearest": 2}


class SceneMode(IntEnum):
    """How much to find; the words that `ask` takes are the names in lower case."""

    TEST = 0
    PAIRS = 1
    COUNT = 2
    ALL = 3
    RELATE = 4
    DISTANCE = 5
    NEAREST = 6


_SCENE_MODES = {mode.name.lower(): mode.value for mode in SceneMode}


class Event(IntEnum):
    """What happened to a pair since the answer before."""

    BEGAN = 0
    CONTINUES = 1


@dataclass(frozen=True)
class ObjectState:
    """All about one object."""

    model: Model
    pose: npt.NDArray[np.float64]
    group: int
    mask: int
    clearance: float
    radius: float
    user: int
    active: bool


@dataclass(frozen=True)
class Meetings:
    """Pairs of objects that touch, or are close: one item per pair in all arrays, in the order of the objects.

    Which arrays say something depends on the mode that was asked for."""

    touch: bool
    #: (k, 2) uint64: the two handles; the first object is A
    objects: npt.NDArray[np.uint64]
    #: (k,) uint32: an Event each
    events: npt.NDArray[np.uint32]
    #: RELATE: (k,) uint32, a Relation each
    relations: npt.NDArray[np.uint32]
    #: COUNT, ALL: (k,) uint64, pairs of polygons that touch
    counts: npt.NDArray[np.uint64]
    #: ALL: (m, 2) uint32, the polygons of all pairs, one pair of objects after the other
    pairs: npt.NDArray[np.uint32]
    #: ALL with contacts: (k,) uint64
    contact_counts: npt.NDArray[np.uint64]
    #: ALL with contacts: of contact_dtype()
    contacts: npt.NDArray[Any]
    #: DISTANCE, NEAREST: (k,) of near_dtype()
    nearest: npt.NDArray[Any]
    #: (e, 2) uint64: pairs of the answer before that are not in this one
    ended: npt.NDArray[np.uint64]
    candidate_count: int
    #: how many there are, also if a callback got them
    meeting_count: int
    #: the work that it took
    counters: Counters

    def __len__(self) -> int:
        return len(self.objects)

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """(k + 1,): the polygons of pair i are pairs[offsets[i]:offsets[i + 1]]."""
        return np.concatenate([[0], np.cumsum(self.counts)]).astype(np.int64)

    @property
    def contact_offsets(self) -> npt.NDArray[np.int64]:
        """The same for contacts."""
        return np.concatenate([[0], np.cumsum(self.contact_counts)]).astype(np.int64)


@dataclass(frozen=True)
class States:
    """Answers about many states, an item each; fewer than states if `stop_at_first` ended the batch."""

    #: (n,) bool: whether a pair touches; NEAREST: whether one is within `within`
    touch: npt.NDArray[np.bool_]
    #: FIRST, NEAREST: (n, 2) uint64 handles; 0 where none
    pairs: npt.NDArray[np.uint64] | None
    #: NEAREST: (n,) of near_dtype()
    nearest: npt.NDArray[Any] | None
    touch_count: int
    #: the number of the first state that touches, or None
    first_touch: int | None
    #: the work that it took
    counters: Counters

    def __len__(self) -> int:
        return len(self.touch)


@dataclass(frozen=True)
class SceneRayHits:
    """Hits of rays in a scene: the closest ones, an item per ray, or all of them."""

    objects: npt.NDArray[np.uint64]  # handles; 0: nothing is hit
    t: npt.NDArray[np.float64]  # inf: nothing is hit
    polygons: npt.NDArray[np.int64]  # -1: nothing is hit
    sides: npt.NDArray[np.uint32]  # numbers of Side
    points: npt.NDArray[np.float64]  # nan: nothing is hit


@dataclass(frozen=True)
class ScenePlaces:
    """Objects that hold points: those of point i are the items from starts[i] to starts[i + 1]."""

    starts: npt.NDArray[np.int64]
    objects: npt.NDArray[np.uint64]
    places: npt.NDArray[np.uint32]  # numbers of Place: INSIDE or ON_SURFACE
    windings: npt.NDArray[np.int64]  # how often the surface winds around the point, if that was the rule
    polygons: npt.NDArray[np.int64]  # the first one that holds the point; -1: none


@dataclass(frozen=True)
class SceneClosestPoints:
    """The polygons that are nearest to points: those of point i are the items from starts[i] to starts[i + 1]."""

    starts: npt.NDArray[np.int64]
    objects: npt.NDArray[np.uint64]
    distances: npt.NDArray[np.float64]
    polygons: npt.NDArray[np.int64]
    points: npt.NDArray[np.float64]
    lower: npt.NDArray[np.float64]  # proven bounds of the distances
    upper: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Overlaps:
    """Objects that meet a box or a ball, an item each, in order."""

    objects: npt.NDArray[np.uint64]
    firsts: npt.NDArray[np.uint32]  # a polygon of each
    counts: npt.NDArray[np.uint64]  # how many polygons of each do
    polygons: npt.NDArray[np.uint32]  # all of these, one object after the other; none unless mode is "all"

    def __len__(self) -> int:
        return len(self.objects)


MeetingCallback = Callable[[Meetings], Any]


def _handles(objects: Handles) -> npt.NDArray[np.uint64]:
    array = np.asarray(objects)
    if array.dtype != np.uint64:
        copied = array.astype(np.uint64) if array.dtype.kind in "iu" or not array.size else None
        if copied is None or (array.dtype.kind == "i" and (array < 0).any()):
            raise TypeError("objects: expected handles, which are non-negative integers")
        array = copied
    return np.ascontiguousarray(np.atleast_1d(array))


def _column(values: Any, name: str, dtype: Any, count: int) -> npt.NDArray[Any]:
    """One value for all parts, or one each."""
    array = np.asarray(values)
    if array.shape not in ((), (count,)):
        raise ValueError(f"{name}: expected one value or {count}, not an array of shape {array.shape}")
    if dtype is np.uint32 or dtype is np.uint64:
        limit = 2 ** (32 if dtype is np.uint32 else 64)
        if array.dtype.kind not in "iub" or (array.size and not (0 <= int(array.min()) and int(array.max()) < limit)):
            raise ValueError(f"{name}: expected integers from 0 to {limit - 1}")
    return np.ascontiguousarray(np.broadcast_to(array.astype(dtype), (count,)))


def _pose_count(poses: Any, models: int) -> int:
    """How many poses an argument holds, at least in shape; the C part checks the rest."""
    if poses is None:
        return models
    if isinstance(poses, tuple) and len(poses) == 2 and np.ndim(poses[1]) in (1, 2) and np.shape(poses[1])[-1:] == (4,):
        return 1 if np.ndim(poses[1]) == 1 else len(poses[1])
    return len(poses) if np.ndim(poses) == 3 else 1


class Scene(_tumble.Scene):
    """Objects, that is models at poses, and questions about all of them.

    >>> import numpy as np, tumble as tb
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> tetrahedron = tb.Model(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    >>> poses = np.tile(np.eye(3, 4), (3, 1, 1))
    >>> poses[:, 0, 3] = 0, 0.5, 5
    >>> scene = tb.Scene()
    >>> first, second, third = scene.add_many(tetrahedron, poses)
    >>> scene.pairs().tolist() == [[first, second]]
    True

    `broad` is how candidates are found: "tree" (the fastest), "sweep" or "all". `threads`: 0 is one per processor.
    Threads may share a scene: calls wait for each other. Every answer is the same for every number of threads."""

    # ---- Objects ----

    def add(
        self,
        model: Model,
        pose: Any = None,
        *,
        group: int = 1,
        mask: int = ALL_GROUPS,
        clearance: float = 0.0,
        radius: float = 0.0,
        user: int = 0,
        active: bool = True,
    ) -> Handle:
        """Adds an object and returns its handle. The scene keeps the model alive.

        Two objects are compared if a bit of each one's `group` is in the other one's `mask`. `clearance` grows the
        object: two objects count as touching if they are within the sum of both. `radius` thickens it and is part of
        it: distances are less the radius. A model that is a point is then a ball, a segment a capsule."""
        return int(self._add_parts([model], pose, 1, group, mask, clearance, radius, user, active)[0])

    def add_many(
        self,
        models: Model | Iterable[Model],
        poses: Any = None,
        *,
        group: Any = 1,
        mask: Any = ALL_GROUPS,
        clearance: Any = 0.0,
        radius: Any = 0.0,
        user: Any = 0,
        active: Any = True,
    ) -> npt.NDArray[np.uint64]:
        """Adds objects: one model at many poses, or a model each. Other arguments are one value, or one each."""
        listed = [models] if isinstance(models, Model) else list(models)
        count = _pose_count(poses, len(listed))
        return self._add_parts(listed, poses, count, group, mask, clearance, radius, user, active)

    def _add_parts(
        self, models: list[Model], poses: Any, count: int, *columns: Any
    ) -> npt.NDArray[np.uint64]:
        group, mask, clearance, radius, user, active = columns
        out: npt.NDArray[np.uint64] = self._add(
            models,
            poses,
            _column(group, "group", np.uint32, count),
            _column(mask, "mask", np.uint32, count),
            _column(clearance, "clearance", np.float64, count),
            _column(radius, "radius", np.float64, count),
            _column(user, "user", np.uint64, count),
            _column(active, "active", np.bool_, count),
        )
        return out

    def remove(self, objects: Handles) -> None:
        """Removes objects; their handles stay invalid for ever."""
        self._remove(_handles(objects))

    def move(self, objects: Handles, poses: Any) -> None:
        """Sets the poses of objects: one pose for one handle, or (n, 3, 4), (n, 4, 4) or positions and quaternions."""
        self._move(_handles(objects), poses)

    def activate(self, objects: Handles, active: bool = True) -> None:
        """An inactive object has no pairs."""
        self._activate(_handles(objects), active)

    def set(
        self,
        objects: Handles,
        *,
        pose: Any = None,
        group: int | None = None,
        mask: int | None = None,
        clearance: float | None = None,
        radius: float | None = None,
        user: int | None = None,
        active: bool | None = None,
    ) -> None:
        """Changes what is given, to the same value for all of the objects."""
        self._set(_handles(objects), pose, group, mask, clearance, radius, user, active)

    def get(self, handle: Handle) -> ObjectState:
        """All about one object."""
        return ObjectState(*self._get(int(handle)))

    def __contains__(self, handle: object) -> bool:
        try:
            self._get(handle)
        except (_tumble_errors, TypeError, OverflowError):
            return False
        return True

    # ---- Pairs that are not compared ----

    def ignore(self, pairs: Any, ignore: bool = True) -> None:
        """Pairs (n, 2) of handles that are not compared, or are again: an allowed-collision matrix."""
        array = np.asarray(pairs)
        if array.size == 0:
            return
        if array.ndim == 1 and array.shape[0] == 2:
            array = array[None]
        if array.ndim != 2 or array.shape[1] != 2:
            raise ValueError(f"pairs: expected an array of shape (n, 2), not {array.shape}")
        self._ignore(_handles(array.ravel()), ignore)

    def ignore_all(self, objects: Handles, ignore: bool = True) -> None:
        """All pairs among these objects are not compared, or are again."""
        handles = _handles(objects)
        first, second = np.triu_indices(len(handles), 1)
        self.ignore(np.stack([handles[first], handles[second]], axis=1), ignore)

    def ignore_groups(self, groups_a: int, groups_b: int, ignore: bool = True) -> None:
        """Pairs of an object in a group of the first set of bits with one in the second, also of later objects."""
        for name, value in (("groups_a", groups_a), ("groups_b", groups_b)):
            if not 0 <= value <= ALL_GROUPS:
                raise ValueError(f"{name}: expected 32 bits, not {value}")
        self._ignore_groups(groups_a, groups_b, ignore)

    # ---- Candidates ----

    def update(self) -> None:
        """Brings boxes and candidates up to date; questions do it by themselves."""
        self._update()

    def candidates(self) -> npt.NDArray[np.uint64]:
        """(n, 2) handles of all pairs whose boxes overlap, in order."""
        out: npt.NDArray[np.uint64] = self._candidates()
        return out

    def stream(self, callback: Callable[[npt.NDArray[np.uint64]], Any] | None = None) -> int:
        """Hands the candidates to `callback` in blocks (n, 2) without storing all of them, and returns how many there
        are. The callback may return something true to stop; it must not use the scene. Without one, only counts."""
        return int(self._stream(callback))

    # ---- Questions ----

    def ask(
        self,
        mode: SceneMode | str = SceneMode.PAIRS,
        *,
        clearance: float = 0.0,
        within: float = float("inf"),
        groups_a: int = ALL_GROUPS,
        groups_b: int = ALL_GROUPS,
        only_moved: bool = False,
        contacts: bool = False,
        coherence: str = "pair",
        cache_bytes: int = 64 << 20,
        part: tuple[Any, ...] | Model | None = None,
        callback: MeetingCallback | None = None,
    ) -> Meetings:
        """Asks about all pairs, or about a part that is not in the scene: a model, or (model, pose) or (model, pose,
        group, mask, clearance, radius). The part is A of every pair, with the handle 0.

        `groups_a` and `groups_b`: only pairs of which one object is in the first groups and the other in the second.
        `only_moved`: only pairs of which an object has changed since the answer before. `coherence` ("none", "pair",
        "all") and `cache_bytes`: what is kept for the next answer. A callback gets Meetings of one pair each while the
        scene is searched, instead of the result; it may return something true to stop, and must not use the scene."""
        number = SceneMode(_number(mode, "mode", _SCENE_MODES) if isinstance(mode, str) else mode)
        wrapped = None if callback is None else lambda columns: callback(_meetings(True, columns, _NO_PAIRS, 0, 1))
        touch, candidates, count, columns, ended, counters = self._ask(
            int(number),
            clearance,
            within,
            groups_a,
            groups_b,
            only_moved,
            contacts,
            _number(coherence, "coherence", _COHERENCE),
            cache_bytes,
            None if part is None else _part(part),
            wrapped,
        )
        return _meetings(touch, columns, ended, candidates, count, Counters(*counters))

    def collide(self, **question: Any) -> bool:
        """Does any pair touch? Takes the keywords of ask()."""
        return self.ask(SceneMode.TEST, **question).touch

    def pairs(self, **question: Any) -> npt.NDArray[np.uint64]:
        """(k, 2) handles of the pairs that touch, in order."""
        return self.ask(SceneMode.PAIRS, **question).objects

    def contacts(self, **question: Any) -> Meetings:
        """Which pairs touch, in which polygons, and where."""
        return self.ask(SceneMode.ALL, contacts=True, **question)

    def relations(self, **question: Any) -> Meetings:
        """The spatial relation of every pair that is not apart."""
        return self.ask(SceneMode.RELATE, **question)

    def distances(self, within: float, **question: Any) -> Meetings:
        """The distance of every pair that is within `within`."""
        return self.ask(SceneMode.DISTANCE, within=within, **question)

    def nearest(self, within: float = float("inf"), **question: Any) -> Meetings:
        """The nearest pair of all, if one is within `within`: no item or one."""
        return self.ask(SceneMode.NEAREST, within=within, **question)

    # ---- Rays, points, boxes and balls ----

    def rays(
        self,
        origins: npt.ArrayLike,
        directions: npt.ArrayLike,
        *,
        mode: str = "first",
        t0: float = 0.0,
        t1: float = float("inf"),
        groups: int = ALL_GROUPS,
    ) -> Any:
        """Where rays hit active objects in one of the groups: as tumble.rays(), with the handles of the objects.

        `mode`: "first" returns the closest hits as SceneRayHits, an item per ray; "test" (n,) bool, "count" (n,) uint64;
        "all" returns (starts, hits): those of ray i are the items from starts[i] to starts[i + 1]."""
        counts, data = self._cast(origins, directions, _number(mode, "mode", _LIST_MODES), t0, t1, groups)
        if mode == "test":
            return counts.astype(bool)
        if mode == "count":
            return counts
        hits = np.frombuffer(data, _HIT)
        if mode == "all":
            return _starts(counts), _hits(hits)
        every = np.zeros(len(counts), _HIT)
        every["t"], every["polygon"], every["point"] = np.inf, _NO_POLYGON, np.nan
        every[counts > 0] = hits
        return _hits(every)

    def inside(self, points: npt.ArrayLike, *, rule: str = "parity", groups: int = ALL_GROUPS) -> ScenePlaces:
        """Which active objects have points inside or on their surface: as tumble.locate() tells of each."""
        counts, data = self._locate(points, _number(rule, "rule", _RULES), groups)
        found = np.frombuffer(data, _PLACE)
        return ScenePlaces(
            _starts(counts),
            np.array(found["object"]),
            np.array(found["place"]),
            found["winding"].astype(np.int64),
            _polygons(found["polygon"]),
        )

    def closest(
        self,
        points: npt.ArrayLike,
        *,
        count: int = 1,
        within: float = float("inf"),
        signed: bool = False,
        groups: int = ALL_GROUPS,
    ) -> SceneClosestPoints:
        """The polygons of all active objects that are nearest to points, `count` for each: as tumble.closest()."""
        if count < 1:
            raise ValueError("count: ask for one polygon at least")
        counts, data = self._approach(points, count, within, signed, groups)
        found = np.frombuffer(data, _CLOSEST)
        names = "object", "distance", "polygon", "point", "lower", "upper"
        columns = [np.array(found[name]) if name != "polygon" else _polygons(found[name]) for name in names]
        return SceneClosestPoints(_starts(counts), *columns)

    def overlap_sphere(
        self, centre: npt.ArrayLike, radius: float, *, mode: str = "all", groups: int = ALL_GROUPS
    ) -> Overlaps | bool:
        """The active objects that meet a solid ball, and which of their polygons do.

        `mode`: "test" returns a bool, "first" Overlaps of one object or none, "count" those of all, without the list of
        polygons."""
        answer = self._overlap_sphere(centre, radius, _number(mode, "mode", _LIST_MODES), groups)
        return bool(answer) if mode == "test" else Overlaps(*answer)

    def overlap_box(
        self, half_extents: npt.ArrayLike, box_pose: Any = None, *, mode: str = "all", groups: int = ALL_GROUPS
    ) -> Overlaps | bool:
        """The same for a solid box about the origin of `box_pose`."""
        answer = self._overlap_box(half_extents, box_pose, _number(mode, "mode", _LIST_MODES), groups)
        return bool(answer) if mode == "test" else Overlaps(*answer)

    # ---- States ----

    def states(
        self,
        objects: Handles,
        poses: npt.NDArray[np.float64],
        mode: str = "test",
        *,
        clearance: float = 0.0,
        within: float = float("inf"),
        stop_at_first: bool = False,
    ) -> States:
        """Asks about many states of some objects, such as a robot's links, while all others stay where they are.

        `poses` is (states, objects, 3, 4) float64. It is not copied if the poses of each state are packed: slices along
        the first two axes serve. `mode` is "test", "first" (also which pair touches first, in the order of handles) or
        "nearest". The scene does not change."""
        handles = _handles(objects)
        array = np.asarray(poses, dtype=np.float64)
        if array.ndim != 4 or array.shape[1:] not in ((len(handles), 3, 4), (len(handles), 4, 4)):
            raise ValueError(f"poses: expected shape (states, {len(handles)}, 3, 4), not {array.shape}")
        if not _is_packed(array):
            array = np.ascontiguousarray(array[:, :, :3])
        count, touch_count, first, touch, pairs, nearest, counters = self._states(
            handles, array, _number(mode, "mode", _STATES_MODES), clearance, within, stop_at_first
        )
        return States(touch, pairs, nearest, touch_count, first if first < count else None, Counters(*counters))

    # ---- Python ----

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<tumble.Scene, closed>" if self.closed else f"<tumble.Scene of {len(self)} objects>"

    def __reduce__(self) -> Any:
        raise TypeError("a scene cannot be pickled: pickle its models and make a scene of them")


_NO_PAIRS = np.empty((0, 2), np.uint64)
_NO_WORK = Counters(0, 0, 0, 0, 0, 0.0)
_tumble_errors = IndexError


def _number(word: str, name: str, numbers: dict[str, int]) -> int:
    if word not in numbers:
        raise ValueError(f"{name}: expected one of {', '.join(map(repr, numbers))}, not {word!r}")
    return numbers[word]


def _starts(counts: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _polygons(numbers: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    return np.where(numbers == _NO_POLYGON, -1, numbers.astype(np.int64))


def _hits(hits: npt.NDArray[Any]) -> SceneRayHits:
    object_, t, side, point = (np.array(hits[name]) for name in ("object", "t", "side", "point"))
    return SceneRayHits(object_, t, _polygons(hits["polygon"]), side, point)


def _part(part: tuple[Any, ...] | Model) -> tuple[Any, ...]:
    given = part if isinstance(part, tuple) else (part,)
    if not 1 <= len(given) <= 6:
        raise TypeError("part: expected a model, or a tuple (model, pose, group, mask, clearance, radius)")
    return given + (None, None, 1, ALL_GROUPS, 0.0, 0.0)[len(given) :]


def _is_packed(array: npt.NDArray[np.float64]) -> bool:
    if array.shape[2] != 3 or not array.flags.aligned:
        return False
    count, objects = array.shape[:2]
    state, pose, row, number = array.strides
    return (
        array.size == 0
        or (row, number) == (32, 8)
        and (objects == 1 or pose == 96)
        and (count == 1 or (state % 96 == 0 and state >= 96 * objects))
    )


def _meetings(
    touch: bool, columns: Any, ended: Any, candidates: int, count: int, counters: Counters = _NO_WORK
) -> Meetings:
    objects, events, relations, counts, pairs, contact_counts, contacts, nearest = columns
    return Meetings(
        touch,
        objects,
        events,
        relations,
        counts,
        pairs,
        contact_counts,
        contacts,
        nearest,
        ended,
        candidates,
        count,
        counters,
    )
