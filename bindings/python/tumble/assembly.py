"""Assemblies: many parts with names. Which of them clash, and how?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Union, overload

import numpy as np
import numpy.typing as npt

from . import _tumble
from ._tumble import EditableModel, Model
from ._types import Change, ClashKind, Severity

_Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
_Grouping = Literal["parts", "classes", "subtree", "near"]
_Progress = Callable[[int, int], Any]

_GROUPINGS: tuple[_Grouping, ...] = ("parts", "classes", "subtree", "near")
_AXES = ("-z", "-y", "-x", None, "x", "y", "z")
_INSIDE = ("", "a", "b")
_NO_MODEL = 0xFFFFFFFF


@dataclass(frozen=True, eq=False, repr=False)
class Part:
    """A part of an assembly: a model at a place, under a name. Texts are empty where nothing is known."""

    number: int  # its place among the parts
    name: str
    path: str  # names from the root down to the part, with "/" between them
    file: str
    guid: str
    class_name: str
    material: str
    key: str  # the part's name across runs, unique within the assembly
    model: int | None  # number of its geometry, which other parts may have, too: see Assembly.model
    pose: npt.NDArray[np.float64]  # (3, 4): from the model to the assembly
    baked: bool  # a shear, a mirror image or a scale by axis is part of the model
    broken: str  # what keeps the part from being compared; empty: nothing
    host: int | None  # number of the part that has the opening which this one fills, of a door the wall

    def __str__(self) -> str:
        return self.path or self.name or self.key

    def __repr__(self) -> str:
        return f"<tumble.Part {self.number}: {self}{f', broken: {self.broken}' if self.broken else ''}>"


@dataclass(frozen=True, eq=False, repr=False)
class Clash:
    """Two parts and what is between them, in the assembly's coordinates."""

    id: str  # the same in every run
    kind: ClashKind
    severity: Severity
    change: Change  # since the run before
    a: Part | None  # None: the part is gone
    b: Part | None
    inside: str  # CONTAINED: "a" if A is inside B, "b" if B is inside A; else empty
    depth: tuple[float, float] | None  # one part has to move at least the first, and the second along `normal` frees it
    distance: float  # of the surfaces; 0 if they meet
    point: npt.NDArray[np.float64]  # one that shows the clash
    nearest: npt.NDArray[np.float64]  # (2, 3): CLEARANCE, CONTAINED without contact: the nearest points, on A and on B
    normal: npt.NDArray[np.float64]  # along which B leaves A soonest; 0 if unknown
    box: npt.NDArray[np.float64]  # (2, 3): corners of the box around all that meets
    contact_count: int  # pairs of triangles that meet
    segments: npt.NDArray[np.float64]  # (k, 2, 3): the contact curve, or the first pieces of it
    rule: int | None  # number of the rule that found it
    group: int | None  # number of its group
    key_a: str  # of the parts, also of those that are gone
    key_b: str
    review: str  # what a person set the status to
    comment: str
    reason: str  # why it was not compared again, or which part is open

    def __str__(self) -> str:
        a, b = self.a or self.key_a, self.b or self.key_b
        if self.kind is ClashKind.CLEARANCE:
            return f"{a} and {b}: {self.distance:g} apart"
        if self.kind is ClashKind.CONTAINED:
            return f"{a} is inside {b}" if self.inside == "a" else f"{b} is inside {a}"
        return f"{a} and {b}: {self.kind.name.lower()}"

    def __repr__(self) -> str:
        return f"<tumble.Clash: {self}, {self.severity.name.lower()}>"


@dataclass(frozen=True, eq=False, repr=False)
class ClashGroup:
    """Clashes that belong together."""

    id: str
    name: str
    part: Part | None  # of groups by parts: the one that explains them
    severity: Severity  # the gravest of its clashes
    clashes: npt.NDArray[np.int64]  # their numbers, ascending

    def __len__(self) -> int:
        return len(self.clashes)

    def __repr__(self) -> str:
        return f"<tumble.ClashGroup: {self.name}, {len(self)} clashes, {self.severity.name.lower()}>"


@dataclass(frozen=True)
class ClashRule:
    """What was asked for."""

    name: str
    clearance: float
    touch: float
    severity: Severity
    pair_count: int  # pairs of parts it compared
    clash_count: int
    set_counts: tuple[int, int]  # parts in its sets A and B


class Clashes(Sequence[Clash]):
    """What a run found: a sequence of Clash, in the order of the parts. `table` has all numbers as one array.

    >>> import tumble
    >>> box = tumble.Model.box((0, 0, 0), (2, 2, 2))
    >>> assembly = tumble.Assembly()
    >>> for i, x in enumerate((0, 1.5, 8)):
    ...     _ = assembly.add(box, tumble.pose((x, 0, 0)), name=f"box {i}")
    >>> clashes = assembly.clashes()
    >>> clashes
    <tumble.Clashes: 3 parts, 1 crossing>
    >>> print(clashes[0], clashes[0].box.tolist())
    box 0 and box 1: crossing [[1.5, 0.0, 0.0], [2.0, 2.0, 2.0]]
    """

    def __init__(self, assembly: Assembly, found: _tumble.Clashes):
        facts = found.facts()
        self._found = found
        self._items: dict[int, Clash] = {}
        self._table: npt.NDArray[Any] | None = None
        self.assembly = assembly
        #: whether all pairs were compared; False: the progress function ended the run
        self.complete: bool = facts[0]
        #: the parts there were when the run began
        self.parts: tuple[Part, ...] = assembly.parts[: facts[1]]
        #: the length of the unit in metres, or None
        self.metres: float | None = facts[2] or None
        #: the axis that points up, such as "z" or "-y", or None
        self.up: str | None = _AXES[facts[3] + 3]
        #: "parts", "classes", "subtree" or "near"
        self.grouping: _Grouping = _GROUPINGS[facts[4]]
        #: pairs of parts whose boxes are close
        self.pair_count: int = facts[5]
        #: questions that were asked: pairs that differ in models or relative pose
        self.question_count: int = facts[7]
        #: pairs of parts whose answers are those of the run before
        self.known_count: int = facts[6]
        self.seconds: float = facts[8]
        self.rules: tuple[ClashRule, ...] = tuple(
            ClashRule(r[0], r[1], r[2], Severity(r[3]), r[4], r[5], r[6]) for r in found.rules()
        )
        #: the largest first
        self.groups: tuple[ClashGroup, ...] = tuple(
            ClashGroup(g[0], g[1], self._part(g[2]), Severity(g[3]), g[4]) for g in found.groups()
        )

    def _part(self, number: int) -> Part | None:
        return self.parts[number] if number >= 0 else None

    @property
    def table(self) -> npt.NDArray[Any]:
        """All clashes as an array of clash_dtype(): clashes.table["kind"], ["a"], ["point"] and so on."""
        if self._table is None:
            self._table = self._found.table()
        return self._table

    @property
    def counts(self) -> dict[ClashKind, int]:
        """How many clashes there are of each kind, without those that are gone."""
        here = self.table[self.table["change"] < Change.RESOLVED]
        return {kind: int((here["kind"] == kind).sum()) for kind in ClashKind}

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, index: int) -> Clash: ...
    @overload
    def __getitem__(self, index: slice) -> list[Clash]: ...
    def __getitem__(self, index: int | slice) -> Clash | list[Clash]:
        if isinstance(index, slice):
            return [self._item(i) for i in range(len(self))[index]]
        return self._item(range(len(self))[index])

    def __iter__(self) -> Iterator[Clash]:
        return map(self._item, range(len(self)))

    def _item(self, number: int) -> Clash:
        clash = self._items.get(number)
        if clash is None:
            clash = self._items[number] = self._make(number)
        return clash

    def _make(self, number: int) -> Clash:
        id, key_a, key_b, review, comment, reason, segments = self._found.clash(number)
        row = self.table[number].item()
        kind, severity, change, inside, a, b, rule, group, depth, distance, point, nearest, normal, box, contact_count = row
        return Clash(
            id=id,
            kind=ClashKind(kind),
            severity=Severity(severity),
            change=Change(change),
            a=self._part(a),
            b=self._part(b),
            inside=_INSIDE[inside],
            depth=None if depth[0] != depth[0] else (float(depth[0]), float(depth[1])),
            distance=distance,
            point=point,
            nearest=nearest,
            normal=normal,
            box=box,
            contact_count=contact_count,
            segments=segments,
            rule=None if rule < 0 else rule,
            group=None if group < 0 else group,
            key_a=key_a,
            key_b=key_b,
            review=review,
            comment=comment,
            reason=reason,
        )

    def write_json(self, path: _Path) -> None:
        """Writes clashes.json as docs/clash.md describes it. The same result gives the same bytes."""
        self._found.write_json(path)

    def __repr__(self) -> str:
        kinds = ", ".join(f"{count} {kind.name.lower()}" for kind, count in self.counts.items() if count)
        stopped = "" if self.complete else ", stopped early"
        return f"<tumble.Clashes: {len(self.parts)} parts, {kinds or 'no clashes'}{stopped}>"


class Assembly(_tumble.Assembly):
    """Parts with names, read from files or added, and which of them clash.

    >>> import tumble
    >>> assembly = tumble.Assembly()
    >>> wall = assembly.add(tumble.Model.box((0, 0, 0), (5, 1, 5)), name="wall")
    >>> pipe = assembly.add(tumble.Model.box((0, -4, 0), (1, 4, 1)), tumble.pose((2, 0, 1)), name="pipe")
    >>> for clash in assembly.clashes():
    ...     print(clash.a.name, clash.b.name, clash.kind.name, clash.b is pipe)
    wall pipe CROSSING True

    Parts cannot be removed. Threads may share an assembly: several may compare its parts at once, but adding some
    meanwhile raises BusyError."""

    _parts_known: tuple[Part, ...] = ()
    _numbers: dict[Model, int]

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("assemblies cannot be copied or pickled: their files and models can")

    # ---- Parts ----

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts, in the order in which they came."""
        new = self._parts(len(self._parts_known))
        if new:
            self._parts_known += tuple(Part(*fields) for fields in new)
        return self._parts_known

    def _model_number(self, shape: Any) -> int:
        if isinstance(shape, EditableModel):
            return self._add_model(shape)
        if not isinstance(shape, Model):
            shape = _model_of(shape)
        numbers = self.__dict__.setdefault("_numbers", {})
        if shape not in numbers:
            numbers[shape] = self._add_model(shape)
        number: int = numbers[shape]
        return number

    def add(
        self,
        shape: Any,
        transform: Any = None,
        *,
        name: str | None = None,
        path: str | None = None,
        file: str = "",
        guid: str = "",
        class_name: str = "",
        material: str = "",
        broken: str = "",
        host: Part | None = None,
    ) -> Part:
        """Adds a part and returns it. `shape` is a Model, a pair (vertices, faces), anything with these two, such as a
        mesh of trimesh, or None for a part that is `broken`, which says why it cannot be compared.

        `transform` is any (3, 4) or (4, 4) matrix: what no pose can hold, such as a mirror image, becomes part of the
        geometry. Parts with equal models share them. `name` is "part 1", "part 2" and so on if there is none, and
        `path` is the name: names from the root down, with "/" between them. `host` is the part whose opening this
        one fills.

        >>> import tumble
        >>> assembly = tumble.Assembly()
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
        >>> assembly.add((corners, faces), path="machine/frame/wedge").path
        'machine/frame/wedge'
        """
        if shape is None and not broken:
            raise ValueError("shape: a part without one must be `broken`, which says why")
        if name is None:
            name = path.rpartition("/")[2] if path else f"part {len(self) + 1}"
        host_number = None if host is None else self._number_of(host, "host")
        number = _NO_MODEL if shape is None else self._model_number(shape)
        first = len(self)
        self._add(number, transform, name, path, file, guid, class_name, material, broken)
        if host_number is not None:
            self._set_host(first, host_number)
        return self.parts[first]

    def read(self, path: _Path, transform: Any = None) -> tuple[Part, ...]:
        """Adds the parts of an OBJ, OFF, STL or PLY file, or of a saved model, and returns them. The objects of an OBJ
        file are parts, or its groups; any other file is one part. What has no polygons is a broken part."""
        first = len(self)
        self._read(path, transform)
        return self.parts[first:]

    def ignore(self, a: Part, b: Part) -> None:
        """These two parts are not compared."""
        self._ignore([self._number_of(a, "a"), self._number_of(b, "b")])

    @property
    def ignored(self) -> npt.NDArray[np.uint32]:
        """(k, 2): numbers of the parts that are not compared, each pair once."""
        return self._ignored()

    def _number_of(self, part: Part, name: str) -> int:
        number = getattr(part, "number", -1)
        if not isinstance(part, Part) or number >= len(self.parts) or self.parts[number] is not part:
            raise ValueError(f"{name}: expected a part of this assembly, not {part!r}")
        return part.number

    @property
    def model_count(self) -> int:
        """How many models the parts have together."""
        return self._model_count()

    # ---- Units ----

    @property
    def metres(self) -> float | None:
        """The length of the unit in metres; None: not known. Reports say so; no coordinates change."""
        return self._frame()[0] or None

    @metres.setter
    def metres(self, value: float | None) -> None:
        self._set_frame(value or 0.0, self._frame()[1])

    @property
    def up(self) -> str | None:
        """The axis that points up, such as "z" or "-y"; None: not known."""
        return _AXES[self._frame()[1] + 3]

    @up.setter
    def up(self, value: str | None) -> None:
        if value not in _AXES:
            raise ValueError(f"up: expected 'x', 'y', 'z', '-x', '-y', '-z' or None, not {value!r}")
        self._set_frame(self._frame()[0], _AXES.index(value) - 3)

    # ---- Clashes ----

    def clashes(
        self,
        *,
        clearance: float = 0.0,
        touch: float = 0.0,
        depth_budget: int = 10000,
        severity: Severity | str = "major",
        group: _Grouping = "parts",
        group_radius: float = 0.0,
        segments: int = 256,
        segment_bytes: int = 1 << 28,
        threads: int = 0,
        progress: _Progress | None = None,
        before: _Path | None = None,
        retest: bool = False,
        rules: _Path | None = None,
    ) -> Clashes:
        """Compares every part with every other one, exactly; see docs/clash.md.

        clearance: parts that are nearer than this clash, too.
        touch: crossings that a move of at most this is proven to end are filed as touching.
        depth_budget: tests of boxes and triangles for the depth of two parts; 0: none. More brings its bounds closer.
        severity: of clashes that are not just touching: 'info', 'minor', 'major' or 'critical'.
        group: what belongs together: 'parts', 'classes', 'subtree', or 'near', by steps of at most group_radius.
        segments: how many pieces of each contact curve are kept; segment_bytes limits all of them together.
        progress: progress(done, total) is called several times a second; something true ends the run with what is known.
        before: the clashes.json of the run before. Clash.change then says what is new, worse or gone, people's statuses
            and comments are kept, and only what can have changed is compared, unless `retest`.

        rules: a file that says which parts are compared with which others; clearance, touch and severity are those of
            rules that state none.

        Other threads run meanwhile, and Ctrl-C interrupts."""
        found = self._clash(
            clearance=clearance,
            touch=touch,
            depth_budget=depth_budget,
            severity=severity,
            group=group,
            group_radius=group_radius,
            segments=segments,
            segment_bytes=segment_bytes,
            threads=threads,
            progress=progress,
            before=before,
            retest=retest,
            rules=rules,
        )
        return Clashes(self, found)

    def __repr__(self) -> str:
        broken = sum(1 for part in self.parts if part.broken)
        return f"<tumble.Assembly: {len(self)} parts, {self.model_count} models{f', {broken} broken' if broken else ''}>"


def _model_of(shape: Any) -> Model:
    if hasattr(shape, "vertices") and hasattr(shape, "faces"):
        return Model(shape.vertices, shape.faces)
    if isinstance(shape, (tuple, list)) and len(shape) == 2:
        return Model(shape[0], shape[1])
    raise TypeError(f"shape: expected a tumble.Model, (vertices, faces) or a mesh, not {type(shape)!r}")


def clash(*sources: Any, **options: Any) -> Clashes:
    """Which parts clash: of files, and of models or meshes. `options` are those of Assembly.clashes().

    >>> import tumble
    >>> ball, box = tumble.Model.ball((0, 0, 0), 1), tumble.Model.box((-2, -2, -2), (2, 2, 2))
    >>> print(*tumble.clash(box, ball))
    part 2 is inside part 1
    """
    if len(sources) == 1 and isinstance(sources[0], Assembly):
        return sources[0].clashes(**options)
    assembly = Assembly()
    for source in sources:
        if isinstance(source, (str, bytes, os.PathLike)):
            assembly.read(source)
        else:
            assembly.add(source)
    return assembly.clashes(**options)
