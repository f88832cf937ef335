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



def saved():
    cube().save("saved.tumble")
    return "saved.tumble"


def written():
    tb.write_mesh("written.off", *shapes.box((0, 0, 0), (1, 1, 1)))
    return "written.off"


def editable():
    return cube().editable()


def deformable():
    return tb.Model(*shapes.box_quads((0, 0, 0), (1, 1, 1)), deformable=True)


def scene():
    result = tb.Scene()
    result.add_many(cube(), POSES)
    return result


def device():
    return tb.Device(threads=2)


def job():
    return device().submit(cube(), cube(), poses_b=POSES)


def assembly():
    result = tb.Assembly()
    result.add(cube(), name="first")
    result.add(cube(), POSE, name="second")
    return result


def handles(of):
    return of.candidates().ravel()[:2]


# By the name of the argument: a function, as values may be used up.
VALUES = {
    "a": cube,
    "b": cube,
    "model": cube,
    "models": lambda: [cube()] * 3,
    "pose": lambda: POSE.copy(),
    "pose_a": lambda: POSE.copy(),
    "pose_b": lambda: shapes.translation(0.75, 0, 0),
    "outer": lambda: POSE.copy(),
    "inner": lambda: POSE.copy(),
    "poses": lambda: POSES.copy(),
    "poses_a": lambda: POSES.copy(),
    "poses_b": lambda: POSES[::-1].copy(),
    "points": lambda: np.arange(12.0).reshape(4, 3),
    "origins": lambda: np.array([[0.5, 0.25, 3.0], [5.0, 5.0, 5.0]]),
    "directions": lambda: np.array([[0.0, 0.0, -1.0], [1.0, 2.0, 3.0]]),
    "centres": lambda: np.arange(6.0).reshape(2, 3),
    "radii": lambda: np.array([0.5, 2.0]),
    "lower": lambda: np.array([0.0, 0.5, -1.0]),
    "upper": lambda: np.array([1.0, 2.0, 3.0]),
    "centre": lambda: np.array([0.5, 0.25, 2.0]),
    "radius": lambda: 1.25,
    "ends": lambda: np.arange(12.0).reshape(2, 2, 3),
    "half_extents": lambda: np.array([0.5, 0.25, 2.0]),
    "box_pose": lambda: POSE.copy(),
    "motion": lambda: tb.Motion(POSE.copy(), (1, 2, 3), 2.0),
    "motion_a": lambda: tb.Motion(POSE.copy(), (0.25, 0, 0)),
    "motion_b": lambda: tb.Motion(shapes.translation(3, 0, 0), (-3, 0, 0), 1.0, (1, 2, 3), (3, 0, 0)),
    "to": lambda: shapes.turned(0.3, 0.5, 0, 0),
    "time": lambda: 0.25,
    "clearance": lambda: 0.125,
    "within": lambda: 9.0,
    "vertices": lambda: shapes.box((0, 0, 0), (1, 1, 1))[0],
    "faces": lambda: shapes.box((0, 0, 0), (1, 1, 1))[1],
    "surfaces": lambda: np.arange(12),
    "polygon": lambda: 3,
    "polygons": lambda: np.array([1, 4, 5]),
    "surface": lambda: 0,
    "block": lambda: bytes(cube()),
    "data": lambda: open(written(), "rb").read(),
    "path": lambda: "new.tumble",
    "group": lambda: 3,
    "groups_a": lambda: 1,
    "groups_b": lambda: 2,
    "shape": cube,
    "transform": lambda: np.diag([1.0, -1.0, 2.0, 1.0]),
}

# By function or method and argument. A method's value is made of its instance.
SPECIAL = {
    "load": {"path": saved},
    "read": {"path": written},
    "read_mesh": {"path": written},
    "write_mesh": {"path": lambda: "new.off"},
    "separate": {"directions": lambda: 20},
    "Model.load": {"path": lambda _: saved()},
    "Model.read": {"path": lambda _: written()},
    "Model.deformed": {"vertices": lambda _: shapes.box_quads((0, 0, 0), (1, 2, 1))[0], "faces": lambda _: None},
    **{
        f"{m}.{solid}": {"a": lambda _: [0, 0, 0], "b": lambda _: [1, 2, 3]}
        for m in ("Model", "EditableModel")
        for solid in ("capsule", "cylinder")
    },
    "Assembly.model": {"number": lambda _: 0},
    "Assembly.read": {"path": lambda _: written()},
    "Assembly.ignore": {"a": lambda s: s.parts[0], "b": lambda s: s.parts[1]},
    "EditableModel.load": {"path": lambda _: saved()},
    "EditableModel.read": {"path": lambda _: written()},
    "Scene.add": {"pose": lambda _: POSE.copy()},
    "Scene.use_device": {"device": lambda _: device()},
    "Scene.get": {"handle": lambda s: int(handles(s)[0])},
    "Scene.ignore": {"pairs": lambda s: s.candidates()},
    "Scene.states": {"poses": lambda s: np.stack([POSES[:2], POSES[1:]])},
    "Scene.move": {"poses": lambda s: POSES[:2].copy()},
    **{f"Scene.{m}": {"objects": handles} for m in ("activate", "ignore_all", "remove", "set")},
}
for method in ("states", "move"):
    SPECIAL[f"Scene.{method}"]["objects"] = handles

# What an instance is made by.
INSTANCES = {
    "Model": deformable, "EditableModel": editable, "Query": tb.Query, "Scene": scene, "Device": device, "Job": job,
    "Assembly": assembly,
}  # fmt: skip

# Arguments of what has no signature.
PARAMETERS = {"Scene": ["broad", "threads"], "Scene.close": [], "Assembly": []}

LEFT_OUT = {"Job"}  # a class without a constructor


def public(thing):
    return [name for name in dir(thing) if not name.startswith("_")]


def names():
    """Functions, classes and methods: "collide", "Scene", "Scene.add" and so on."""
    for name in public(tb):
        thing = getattr(tb, name)
        if name not in LEFT_OUT and inspect.isroutine(thing):
            yield name
    for name in INSTANCES:
        thing = getattr(tb, name)
        methods = [m for m in public(thing) if callable(getattr(thing, m))]
        yield from (n for n in [name] + [f"{name}.{m}" for m in methods] if n not in LEFT_OUT)


def parameters_of(name, function):
    if name in PARAMETERS:
        return [inspect.Parameter(p, inspect.Parameter.KEYWORD_ONLY, default=None) for p in PARAMETERS[name]]
    every = inspect.signature(function).parameters.values()
    return [p for p in every if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def value_of(name, parameter, instance):
    special = SPECIAL.get(name, {}).get(parameter.name)
    if special:
        return special() if instance is None else special(instance)
    if parameter.name in VALUES:
        return VALUES[parameter.name]()
    if parameter.default is parameter.empty:
        raise LookupError(f"{name}: calls.py needs a value for the argument {parameter.name}")
    return parameter.default


class Call:
    """A function or a bound method, and arguments that work: `values` by name."""

    def __init__(self, name):
        owner, dot, method = name.rpartition(".")
        self.instance = INSTANCES[owner]() if dot else None
        self.function = getattr(self.instance, method) if dot else getattr(tb, name)
        self.parameters = parameters_of(name, self.function)
        self.values = {p.name: value_of(name, p, self.instance) for p in self.parameters}

    def __call__(self, **changes):
        values = {**self.values, **changes}
        first = [values.pop(p.name) for p in self.parameters if p.kind is p.POSITIONAL_ONLY]
        return self.function(*first, **values)
