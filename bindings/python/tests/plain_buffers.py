"""Without numpy and pytest, in every Python that is found: models and questions through plain buffers."""

import sys
from array import array

import tumble

points = array("d", [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
corners = array("I", [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])


def shaped(values: array, columns: int) -> memoryview:
    """An (n, columns) view of an array."""
    return memoryview(values).cast("B").cast(values.typecode, [len(values) // columns, columns])


def moved(x: float, y: float, z: float) -> memoryview:
    return shaped(array("d", [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]), 4)


model = tumble.Model(shaped(points, 3), shaped(corners, 3))
assert len(model) == 4
assert tumble.collide(model, model, pose_b=moved(0.25, 0.25, 0.25))
assert not tumble.collide(model, model, pose_b=moved(2, 0, 0))
try:
    tumble.collide(model, model, pose_b=shaped(array("d", [0] * 12), 4))
except tumble.PoseError as error:
    assert isinstance(error, ValueError)
else:
    raise AssertionError("a pose of zeros was taken")
print(f"tumble {tumble.__version__} in Python {sys.version.split()[0]}, numpy {'numpy' in sys.modules}")
