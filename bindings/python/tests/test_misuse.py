"""No argument can crash the interpreter: every function, every argument, every hostile value.

The functions and their arguments are found by inspection, so that what the package learns later is tried as well: a new
name needs a good value in GOOD.
"""
import inspect
import random

import numpy as np
import pytest

import hostile
import shapes
import tumble as tb

EXCEPTIONS = (ArithmeticError, AttributeError, BufferError, ImportError, LookupError, MemoryError, OSError, RuntimeError,
              StopIteration, tb.Error, TypeError, ValueError)  # fmt: skip


def good_values():
    """A value that works for each name of an argument."""
    cube = tb.Model(*shapes.box((0, 0, 0), (1, 1, 1)))
    pose = shapes.translation(0.5, 0, 0)
    points, faces = shapes.box((0, 0, 0), (1, 1, 1))
    tb.write_mesh("box.off", points, faces)
    cube.save("box.tumble")
    return {
        "outer": pose,
        "inner": pose,
        "pose": pose,
        "points": points,
        "vertices": points,
        "faces": faces,
        "surfaces": None,
        "sizes": None,
        "crease": 30,
        "position": (1, 2, 3),
        "quaternion": None,
        "axis": (0, 0, 1),
        "angle": 1.0,
        "scale": 2.0,
        "path": "box.off",
        "data": open("box.off", "rb").read(),
        "format": "off",
        "hierarchy": "kdop",
        "threads": 2,
        "deformable": True,
        "within": 5.0,
        "enough": 0.0,
        "budget": 1.0,
        "budget_tests": 1000,
        "relative_error": 0.1,
        "absolute_error": 0.1,
        "pairs": True,
        "poses_a": None,
        "poses_b": np.array([pose, pose]),
        "mode": "count",
        "out": None,
        "device": None,
        "a": cube,
        "b": cube,
        "pose_a": pose,
        "pose_b": pose,
        "clearance": 0.5,
        "tuning": None,
    }


def constructor_values():
    points, faces = shapes.box((0, 0, 0), (1, 1, 1))
    return {
        "vertices": points,
        "faces": faces,
        "surfaces": np.arange(12),
        "sizes": None,
        "hierarchy": "kdop",
        "threads": 2,
        "deformable": True,
        "tuning": None,
    }


def call(function, arguments):
    """True if it returned. SystemError is not among the exceptions: it is how Python reports a wrong extension."""
    arguments = dict(arguments)
    parameters = inspect.signature(function).parameters.values()
    positional = [arguments.pop(p.name) for p in parameters if p.kind is p.POSITIONAL_ONLY and p.name in arguments]
    try:
        function(*positional, **arguments)
    except EXCEPTIONS:
        return False
    return True


def functions():
    for name in dir(tb):
        thing = getattr(tb, name)
        if not name.startswith("_") and callable(thing) and not inspect.isclass(thing):
            yield pytest.param(thing, id=name)


def parameters_of(function):
    return [p.name for p in inspect.signature(function).parameters.values()]


@pytest.fixture(autouse=True)
def away(tmp_path, monkeypatch):
    """Hostile file names must not hit anything."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("function", functions())
def test_functions_survive_every_value_of_every_argument(function):
    good = good_values()
    names = parameters_of(function)
    arguments = {name: good[name] for name in names}
    if function is tb.load or function == tb.load:
        arguments["path"] = "box.tumble"
    assert call(function, arguments), "the good values are no good"
    for name in names:
        for value in hostile.values():
            call(function, {**arguments, name: value})


def test_models_survive_every_value_of_every_argument():
    good = constructor_values()
    assert parameters_of(tb.Model) == list(good)
    assert call(tb.Model, good)
    for name in good:
        for value in hostile.values():
            call(tb.Model, {**good, name: value})


def test_functions_survive_random_values(effort):
    generator = random.Random(1)
    good = good_values()
    everything = [p.values[0] for p in functions()]
    for _ in range(int(3000 * effort)):
        function = generator.choice(everything)
        values = hostile.values()
        arguments = {
            name: generator.choice(values) if generator.random() < 0.3 else good[name] for name in parameters_of(function)
        }
        for name in list(arguments):
            if generator.random() < 0.1:
                del arguments[name]
        if generator.random() < 0.05:
            arguments["unknown"] = 1
        call(function, arguments)
