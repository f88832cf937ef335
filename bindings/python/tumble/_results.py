"""Results that the C part holds: dataclasses whose values become objects of Python when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _tumble

if TYPE_CHECKING:
    import numpy

    from ._types import Answer


@dataclass(frozen=True, eq=False, init=False)
class Distance(_tumble.DistanceBase):
    """The distance of two models. `points` (2, 3) and `polygons` are None if nothing is near enough."""

    __slots__ = ()
    if TYPE_CHECKING:
        value: float
        points: numpy.ndarray[Any, Any] | None
        polygons: tuple[int, int] | None
        lower: float
        upper: float
        answer: Answer
        penetration: float
        undecided_count: int
        complete: bool
        pairs: numpy.ndarray[Any, Any] | None
    else:
        __annotations__ = dict.fromkeys(
            "value points polygons lower upper answer penetration undecided_count complete pairs".split(), "object"
        )

    def __float__(self) -> float:
        return self.value
