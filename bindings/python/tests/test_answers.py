"""Every answer against brute force in exact arithmetic."""
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import oracle
import shapes
import tumble as tb
from oracle import IDENTITY, Scene

hierarchies = st.sampled_from(["auto", "wide", "boxtree", "kdop", "rtree", "brute"])


def model(shape, hierarchy="auto"):
    points = np.array(shape.points, float).reshape(-1, 3)
    sizes = {len(p) for p in shape.polygons}
    faces = np.array(shape.polygons, int).reshape(-1, *sizes or {3}) if len(sizes) < 2 else shape.polygons
    return tb.Model(points, faces, shape.surfaces, hierarchy=hierarchy)


def as_tuples(array):
    return [tuple(map(int, row)) for row in array]


any_shape = shapes.soups() | shapes.polygon_soups()


@given(any_shape, any_shape, shapes.poses, shapes.poses, hierarchies)
def test_collide_pairs_and_count(a, b, pose_a, pose_b, hierarchy):
    expected = Scene(a, b, pose_a, pose_b).pairs()
    ma, mb = model(a, hierarchy), model(b)
    assert tb.collide(ma, mb, pose_a, pose_b) is bool(expected)
    found = tb.pairs(ma, mb, pose_a, pose_b)
    assert found.dtype == np.uint32 and found.shape == (len(expected), 2)
    assert as_tuples(found) == expected
    assert tb.count(ma, mb, pose_a, pose_b) == len(expected)


@given(shapes.soups(), shapes.soups(), shapes.poses)
def test_surfaces(a, b, pose):
    expected = Scene(a, b, IDENTITY, pose).surface_pairs()
    found = tb.surfaces(model(a), model(b), pose_b=pose)
    assert [(int(x["surface_a"]), int(x["surface_b"])) for x in found] == expected
    meeting = Scene(a, b, IDENTITY, pose).pairs()
    assert all((int(x["polygon_a"]), int(x["polygon_b"])) in meeting for x in found)


@given(shapes.soups(), shapes.soups(), shapes.poses, shapes.poses)
def test_contacts(a, b, pose_a, pose_b):
    scene = Scene(a, b, pose_a, pose_b)
    found = tb.contacts(model(a), model(b), pose_a, pose_b)
    assert len(found) == scene.triangle_pair_count()
    assert sorted(set(zip(found["polygon_a"].tolist(), found["polygon_b"].tolist()))) == scene.pairs()
    assert not found["apart"].any()
    for contact in found:
        for point in contact["points"]:
            assert_on_polygon(point, a, pose_a, contact["polygon_a"])
            assert_on_polygon(point, b, pose_b, contact["polygon_b"])


def assert_on_polygon(point, shape, pose, polygon, tolerance=1e-9):
    """In the frame of the poses, to rounding."""
    moved = oracle.Shape([oracle.move(np.asarray(pose).tolist(), p) for p in shape.points], shape.polygons)
    dot = oracle.Shape([point], [[0, 0, 0]])
    assert Scene(moved, dot).square(int(polygon), 0) <= tolerance**2


clearances = st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, 3.0])


@given(shapes.soups(shapes.lattice), shapes.soups(shapes.lattice), shapes.lattice_poses(), shapes.lattice_poses(), clearances)
def test_clearance_is_decided_exactly(a, b, pose_a, pose_b, clearance):
    expected = Scene(a, b, pose_a, pose_b).near(clearance)
    ma, mb = model(a), model(b)
    assert tb.collide(ma, mb, pose_a, pose_b, clearance=clearance) is bool(expected)
    assert as_tuples(tb.pairs(ma, mb, pose_a, pose_b, clearance=clearance)) == expected


@given(any_shape, any_shape, shapes.lattice_poses())
def test_first_is_one_of_the_pairs(a, b, pose):
    expected = Scene(a, b, IDENTITY, pose).pairs()
    found = tb.first(model(a), model(b), pose_b=pose)
    assert found in expected if expected else found is None
