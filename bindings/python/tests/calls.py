"""Every function and method of the package with arguments that work, found by inspection.

What the package learns later is found as well: a required argument with a new name needs a value in VALUES, or in METHODS
if the name means something else there.
"""
import inspect

import numpy as np

import shapes
import tumble as tb


def cube():
    return tb.Model(*shapes.box((0, 0, 0), (1, 1, 1)))


POSE = shapes.translation(0.5, 0.25, 0)
POSES = np.stack([POSE, shapes.translation(5, 0, 0), shapes.turned(0.3, 0.5, 0, 0)])

# By the name of the argument: a function of no arguments, as values may be used up.
VALUES = {
    "a": cube,
    "b": cube,
    "model": cube,
    "pose": lambda: POSE.copy(),
    "pose_a": lambda: POSE.copy(),
    "pose_b": lambda: shapes.translation(0.75, 0, 0),
    "poses": lambda: POSES.copy(),
    "poses_a": lambda: POSES.copy(),
    "poses_b": lambda: POSES[::-1].copy(),
    "clearance": lambda: 0.125,
    "within": lambda: 9.0,
    "vertices": lambda: shapes.box((0, 0, 0), (1, 1, 1))[0],
    "faces": lambda: shapes.box((0, 0, 0), (1, 1, 1))[1],
    "surfaces": lambda: np.arange(12),
    "path": lambda: "file.tumble",
}

# By class, method and argument; the instance is `self`.
METHODS = {}

# What an instance is made with.
INSTANCES = {}

# Waits for input, ends the process, or is no function of this package.
LEFT_OUT = set()


def public(thing):
    return [name for name in dir(thing) if not name.startswith("_")]


def is_own(thing):
    return (getattr(thing, "__module__", None) or "").split(".")[0] in ("tumble", "_tumble")


def classes():
    for name in public(tb):
        thing = getattr(tb, name)
        if inspect.isclass(thing) and is_own(thing) and name in INSTANCES:
            yield name, thing


def names():
    """"collide", "Scene.add" and so on."""
    for name in public(tb):
        thing = getattr(tb, name)
        if name not in LEFT_OUT and inspect.isroutine(thing) and name[0].islower():
            yield name
    for name, thing in classes():
        yield from (f"{name}.{m}" for m in public(thing) if inspect.isroutine(getattr(thing, m)) and f"{name}.{m}" not in LEFT_OUT)


def bind(name):
    """A callable, and the instance if it is a method."""
    owner, dot, method = name.rpartition(".")
    if not dot:
        return getattr(tb, name), None
    instance = INSTANCES[owner]()
    return getattr(instance, method), instance


def arguments_of(name, function, instance):
    known = METHODS.get(name, {})
    result = {}
    for p in inspect.signature(function).parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        if p.name in known:
            value = known[p.name]
            result[p.name] = value(instance) if instance is not None else value()
        elif p.name in VALUES:
            result[p.name] = VALUES[p.name]()
        elif p.default is p.empty:
            raise LookupError(f"{name}({p.name}): calls.py has no value for this argument")
        else:
            result[p.name] = p.default
    return result


def prepare(name):
    """A callable and a dictionary of arguments that work."""
    function, instance = bind(name)
    return function, arguments_of(name, function, instance)
