"""Rays, points, boxes and balls in scenes, against the same questions about each object."""
import numpy as np
import pytest

import shapes
import tumble as tb


class World:
    """Objects of several models; the last one is inactive."""

    def __init__(self, count=25):
        self.random = np.random.default_rng(1)
        models = [tb.Model(*shapes.box((0, 0, 0), (1, 1, 1))), tb.Model(*shapes.torus(8)), tb.Model(*shapes.two_boxes())]
        self.models = [models[i % 3] for i in range(count)]
        q = self.random.normal(size=(count, 4))
        self.poses = np.array([tb.pose(p, r) for p, r in zip(self.random.uniform(0, 5, (count, 3)), q)])
        self.scene = tb.Scene()
        self.handles = self.scene.add_many(self.models, self.poses, group=[1 + i % 2 for i in range(count)])
        self.scene.activate(int(self.handles[-1]), False)

    def objects(self, groups=3):
        """(handle, model, pose) of those that are asked."""
        for i in range(len(self.models) - 1):
            if 1 + i % 2 & groups:
                yield self.handles[i], self.models[i], self.poses[i]


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.mark.parametrize("groups", [3, 1])
def test_rays(world, groups):
    origins, directions = world.random.uniform(-1, 6, (60, 3)), world.random.normal(size=(60, 3))
    of_each = [(h, *tb.rays(m, origins, directions, p, mode="all")) for h, m, p in world.objects(groups)]
    starts, hits = world.scene.rays(origins, directions, mode="all", groups=groups)
    first = world.scene.rays(origins, directions, groups=groups)
    counts = world.scene.rays(origins, directions, mode="count", groups=groups)
    assert np.array_equal(np.diff(starts), counts) and counts.max() > 2 and counts.min() == 0
    assert np.array_equal(world.scene.rays(origins, directions, mode="test", groups=groups), counts > 0)
    for i in range(len(origins)):
        expected = [(t, h, p) for h, s, a in of_each for t, p in zip(a.t[s[i]:s[i + 1]], a.polygons[s[i]:s[i + 1]])]
        of = slice(starts[i], starts[i + 1])
        found = list(zip(hits.t[of], hits.objects[of], hits.polygons[of]))
        assert sorted(found) == sorted(expected) and np.all(np.diff(hits.t[of]) >= 0)
        nearest = min(expected, default=(np.inf, 0, -1))
        assert (first.t[i], first.objects[i], first.polygons[i]) == nearest


def test_inside(world):
    points = np.concatenate([world.random.uniform(0, 5, (200, 3)), world.poses[:3, :, 3]])
    found = world.scene.inside(points, rule="winding")
    asked = [(h, tb.locate(m, points, p, rule="winding")) for h, m, p in world.objects()]
    for i in range(len(points)):
        expected = [(h, a.places[i], a.windings[i], a.polygons[i]) for h, a in asked if a.places[i] != tb.Place.OUTSIDE]
        of = slice(found.starts[i], found.starts[i + 1])
        assert list(zip(found.objects[of], found.places[of], found.windings[of], found.polygons[of])) == expected
    assert tb.Place.ON_SURFACE in found.places and 2 in found.windings and np.diff(found.starts).max() > 1


def test_closest(world):
    points = world.random.uniform(-1, 6, (60, 3))
    found = world.scene.closest(points, count=3, within=1.0, signed=True)
    asked = [(h, tb.closest(m, points, p, count=3, within=1.0, signed=True)) for h, m, p in world.objects()]
    for i in range(len(points)):
        each = [(abs(d), h, n) for h, a in asked for d, n in zip(a.distances[i], a.polygons[i]) if n >= 0]
        of = slice(found.starts[i], found.starts[i + 1])
        assert list(zip(np.abs(found.distances[of]), found.objects[of], found.polygons[of])) == sorted(each)[:3]
        assert np.all((found.lower[of] <= found.distances[of]) & (found.distances[of] <= found.upper[of]))
    assert np.diff(found.starts).max() == 3 and np.diff(found.starts).min() == 0 and found.distances.min() < 0
    assert found.points.shape == (len(found.objects), 3)


def test_overlaps(world):
    total = 0
    for centre in world.random.uniform(0, 5, (20, 3)):
        for ask, of_one in (
            (lambda mode: world.scene.overlap_sphere(centre, 0.8, mode=mode, groups=2),
             lambda m, p: tb.overlap_sphere(m, centre, 0.8, p)),
            (lambda mode: world.scene.overlap_box((0.5, 0.6, 0.7), tb.pose(centre), mode=mode, groups=2),
             lambda m, p: tb.overlap_box(m, (0.5, 0.6, 0.7), tb.pose(centre), p)),
        ):
            each = [(h, of_one(m, p)) for h, m, p in world.objects(2)]
            each = [(h, polygons) for h, polygons in each if len(polygons)]
            found, counted, first = ask("all"), ask("count"), ask("first")
            assert found.objects.tolist() == counted.objects.tolist() == [h for h, _ in each]
            assert found.counts.tolist() == counted.counts.tolist() == [len(polygons) for _, polygons in each]
            assert found.polygons.tolist() == [n for _, polygons in each for n in polygons] and not len(counted.polygons)
            assert ask("test") is (len(each) > 0) and first.objects.tolist() == found.objects[:1].tolist()
            assert all(f in polygons for f, (_, polygons) in zip(found.firsts, each))
            total += len(each)
    assert total > 20


def test_errors(world):
    with pytest.raises(ValueError, match="mode: expected one of 'test', 'first'"):
        world.scene.rays([0, 0, 0], [1, 0, 0], mode="odd")
    with pytest.raises(ValueError, match="2 origins, but 1 directions"):
        world.scene.rays([[0, 0, 0]] * 2, [1, 0, 0])
    with pytest.raises(tb.NotFiniteError, match="number 1: .*nan"):
        world.scene.rays([[0, 0, 0], [np.nan, 0, 0]], [[1, 0, 0]] * 2)
    with pytest.raises(ValueError, match="number 0: .*direction is 0"):
        world.scene.rays([0, 0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match="count"):
        world.scene.closest([0, 0, 0], count=0)
    with pytest.raises(ValueError, match="rule"):
        world.scene.inside([0, 0, 0], rule="odd")
    with pytest.raises(tb.ArgumentError):
        world.scene.overlap_sphere((0, 0, 0), -1)
    closed = tb.Scene()
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        closed.inside([0, 0, 0])
