"""What a type checker knows about the package: checked by mypy --strict, never run. Lines that must be rejected say so
in a comment; mypy tells if it is not needed."""

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import tumble
import tumble.trimesh
import tumble.urdf


def models(points: NDArray[np.float32], faces: NDArray[np.int64]) -> tumble.Model:
    model = tumble.Model(points, faces, hierarchy="auto", threads=2)
    assert_type(model.closed, bool)
    assert_type(model.info.triangle_count, int)
    assert_type(model.bounds, NDArray[np.float64])
    tumble.Model(points, faces, hierarchy="octree")  # type: ignore[arg-type]
    tumble.Model(points)  # type: ignore[call-arg]
    model.closed = True  # type: ignore[misc]
    return tumble.Model.read("part.stl", crease=30)


def questions(a: tumble.Model, b: tumble.Model, pose: NDArray[np.float64]) -> None:
    assert_type(tumble.collide(a, b, pose_b=pose, clearance=0.1), bool)
    assert_type(tumble.collide(a, b, pose_b=((0, 0, 1), (1, 0, 0, 0))), bool)
    assert_type(tumble.pairs(a, b), NDArray[np.uint32])
    assert_type(tumble.first(a, b), tuple[int, int] | None)
    assert_type(tumble.relation(a, b), tumble.Relation)
    assert_type(tumble.separate(a, b, pose_b=pose, direction=(0, 0, 1)), tumble.Separation)
    assert_type(tumble.distance(a, b, within=2).value, float)
    assert_type(tumble.Query("pair").collide(a, b), bool)
    tumble.collide(a, "b")  # type: ignore[arg-type]
    tumble.distance(a, b, nearer=2)  # type: ignore[call-arg]


async def batches(a: tumble.Model, b: tumble.Model, poses: NDArray[np.float64]) -> Any:
    tumble.collide_many(a, b, poses_b=poses, mode="count").sum()
    starts, pairs = tumble.collide_many(a, b, poses_b=poses, mode="pairs")
    assert_type(starts, NDArray[np.int64])
    with tumble.Device() as device:
        job = device.submit(a, b, poses_b=poses)
        assert_type(job.done(), bool)
        return await job


def scenes(model: tumble.Model, poses: NDArray[np.float64]) -> None:
    with tumble.Scene() as scene:
        handles = scene.add_many(model, poses)
        assert_type(handles, NDArray[np.uint64])
        assert_type(scene.pairs(), NDArray[np.uint64])
        assert_type(scene.ask("pairs").touch, bool)
    robot = tumble.urdf.load("robot.urdf")
    assert_type(robot.collide_states(robot.random(10)), NDArray[np.bool_])
    tumble.trimesh.CollisionManager()


def assemblies(model: tumble.Model) -> None:
    assembly = tumble.Assembly()
    assert_type(assembly.add(model, name="wall"), tumble.Part)
    clashes = assembly.clashes(clearance=0.01, group="near", group_radius=1)
    assert_type(clashes[0], tumble.Clash)
    assert_type(clashes[:2], list[tumble.Clash])
    assert_type([c.kind for c in clashes if c.a and c.a.name], list[tumble.ClashKind])
    assembly.clashes(group="far")  # type: ignore[arg-type]
    tumble.clash("hall.obj", model).write_json("clashes.json")


def errors() -> None:
    try:
        tumble.Model([], [])
    except tumble.PoseError as error:
        assert_type(error.status, int)
