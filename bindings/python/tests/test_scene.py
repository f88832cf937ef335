"""Scenes against single queries: every pair's answer is that of the question about two models."""

import gc
import os
import pickle
import signal
import threading
import time
import weakref

import numpy as np
import pytest

import tumble as tb
from conftest import CUBE_POINTS, CUBE_QUADS, shift, torus


def random_poses(random, count, spread=3.0):
    """(count, 3, 4): rotations and translations."""
    q = random.normal(size=(count, 4))
    w, x, y, z = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)
    return np.concatenate([rotation, random.uniform(-spread, spread, size=(count, 3, 1))], axis=2)


@pytest.fixture
def models():
    cubes = [tb.Model(CUBE_POINTS * size, CUBE_QUADS) for size in (1, 0.5)]
    return [cubes[0], tb.Model(*torus(rings=12, sides=8)), cubes[1]]


class World:
    """A scene, and the same objects for brute force."""

    def __init__(self, models, count=30, seed=1, **options):
        self.random = np.random.default_rng(seed)
        self.models = [models[i % len(models)] for i in range(count)]
        self.poses = random_poses(self.random, count)
        self.scene = tb.Scene(**options)
        self.handles = self.scene.add_many(self.models, self.poses)

    def move(self, numbers):
        self.poses[numbers] = random_poses(self.random, len(numbers))
        self.scene.move(self.handles[numbers], self.poses[numbers])

    def all_pairs(self):
        count = len(self.models)
        return [(i, j) for i in range(count) for j in range(i + 1, count)]

    def touching(self, clearance=0.0, pairs=None):
        found = []
        for i, j in self.all_pairs() if pairs is None else pairs:
            if tb.collide(self.models[i], self.models[j], self.poses[i], self.poses[j], clearance=clearance):
                found.append([self.handles[i], self.handles[j]])
        return np.array(found, np.uint64).reshape(-1, 2)


# ---- Questions ----


@pytest.mark.parametrize("broad", ["tree", "sweep", "all"])
@pytest.mark.parametrize("threads", [1, 2])
def test_pairs_are_those_of_single_queries(models, broad, threads):
    world = World(models, broad=broad, threads=threads)
    for step in range(3):
        expected = world.touching()
        assert len(expected) > 5
        assert np.array_equal(world.scene.pairs(), expected)
        assert world.scene.collide() is True
        world.move([step, 5, 7])
    near = world.touching(clearance=0.4)
    assert len(near) > len(world.touching())
    assert np.array_equal(world.scene.pairs(clearance=0.4), near)


def test_polygons_and_contacts(models):
    world = World(models)
    answer = world.scene.contacts()
    counts = world.scene.ask("count")
    assert np.array_equal(answer.objects, world.touching()) and np.array_equal(answer.counts, counts.counts)
    number = {handle: i for i, handle in enumerate(world.handles.tolist())}
    offsets, contact_offsets = answer.offsets, answer.contact_offsets
    for k, (a, b) in enumerate(answer.objects.tolist()):
        i, j = number[a], number[b]
        sides = world.models[i], world.models[j], world.poses[i], world.poses[j]
        assert np.array_equal(answer.pairs[offsets[k] : offsets[k + 1]], tb.pairs(*sides))
        assert np.array_equal(answer.contacts[contact_offsets[k] : contact_offsets[k + 1]], tb.contacts(*sides))
    assert offsets[-1] == len(answer.pairs) and contact_offsets[-1] == len(answer.contacts)


def test_relations_and_distances(models):
    world = World(models)
    number = {handle: i for i, handle in enumerate(world.handles.tolist())}
    expected = {}
    distances = {}
    for i, j in world.all_pairs():
        sides = world.models[i], world.models[j], world.poses[i], world.poses[j]
        relation = tb.relation(*sides)
        if relation != tb.Relation.APART:
            expected[i, j] = int(relation)
        distances[i, j] = tb.distance(*sides).value
    answer = world.scene.relations()
    relations = zip(answer.objects.tolist(), answer.relations.tolist())
    assert {(number[a], number[b]): relation for (a, b), relation in relations} == expected
    near = world.scene.distances(0.5)
    got = {(number[a], number[b]): d for (a, b), d in zip(near.objects.tolist(), near.nearest["distance"].tolist())}
    assert got == {pair: value for pair, value in distances.items() if value <= 0.5}
    assert len(world.scene.nearest()) == 1
    apart = tb.Scene()
    apart.add_many(models[0], np.array([shift(), shift(2.5), shift(9)]))
    nearest = apart.nearest()
    assert nearest.nearest["distance"][0] == 1.5
    gap = nearest.nearest["point_b"][0] - nearest.nearest["point_a"][0]
    assert np.linalg.norm(gap) == 1.5
    assert len(apart.nearest(within=1.0)) == 0 and not apart.nearest(within=1.0).touch


def test_events_and_only_moved(models):
    world = World(models)
    scene = world.scene
    before = {tuple(pair) for pair in scene.pairs().tolist()}
    again = scene.ask()
    assert (again.events == tb.Event.CONTINUES).all() and len(again.ended) == 0
    world.move([0, 1, 2])
    answer = scene.ask()
    now = {tuple(pair) for pair in answer.objects.tolist()}
    began = {tuple(pair) for pair in answer.objects[answer.events == tb.Event.BEGAN].tolist()}
    assert began == now - before
    assert {tuple(pair) for pair in answer.ended.tolist()} == before - now
    assert before - now or now - before
    world.move([3])
    moved = scene.ask(only_moved=True)
    expected = [pair for pair in world.touching().tolist() if int(world.handles[3]) in pair]
    assert moved.objects.tolist() == expected


def test_part_that_is_not_in_the_scene(models):
    world = World(models)
    pose = world.poses[4].copy()
    pose[:, 3] += 0.1
    expected = [
        int(handle)
        for handle, model, where in zip(world.handles, world.models, world.poses)
        if tb.collide(models[1], model, pose, where, clearance=1.0)
    ]
    answer = world.scene.ask("all", part=(models[1], pose), contacts=True, clearance=1.0)
    assert len(expected) > 1
    assert answer.objects[:, 1].tolist() == expected and not answer.objects[:, 0].any()
    assert world.scene.collide(part=(models[1], pose))
    assert not world.scene.collide(part=(models[1], shift(100)))
    near = world.scene.nearest(part=(models[1], shift(100)))
    distances = [tb.distance(models[1], m, shift(100), p).value for m, p in zip(world.models, world.poses)]
    assert near.nearest["distance"][0] == min(distances)
    assert len(world.scene) == 30


def test_groups_masks_and_ignored_pairs(models):
    world = World(models)
    scene, handles = world.scene, world.handles
    scene.set(handles[:10], group=2)
    assert scene.get(handles[0]).group == 2 and scene.get(handles[10]).group == 1
    pairs = [(i, j) for i, j in world.all_pairs() if (i < 10) != (j < 10)]
    assert np.array_equal(scene.pairs(groups_a=1, groups_b=2), world.touching(pairs=pairs))
    scene.ignore_groups(1, 2)
    assert np.array_equal(scene.pairs(), world.touching(pairs=[p for p in world.all_pairs() if p not in set(pairs)]))
    scene.ignore_groups(1, 2, False)
    touching = scene.pairs()
    scene.ignore(touching[::2])
    assert np.array_equal(scene.pairs(), touching[1::2])
    scene.ignore(touching[0], ignore=False)
    assert touching[0].tolist() in scene.pairs().tolist()
    scene.ignore_all(handles)
    assert len(scene.pairs()) == 0 and not scene.collide()
    scene.ignore_all(handles, ignore=False)
    scene.activate(handles[3], False)
    assert np.array_equal(scene.pairs(), world.touching(pairs=[p for p in world.all_pairs() if 3 not in p]))
    scene.set(handles[4], mask=0, clearance=0.5, user=77)
    assert scene.get(handles[4]).user == 77 and scene.get(handles[4]).clearance == 0.5
    scene.set(handles, mask=0xFFFFFFFF, clearance=0.25, active=True)
    assert np.array_equal(scene.pairs(), world.touching(clearance=0.5))


def test_radii(models):
    """A radius is part of the object: it counts as a clearance, and in distances."""
    world = World(models)
    world.scene.set(world.handles, radius=0.125)
    assert np.array_equal(world.scene.pairs(), world.touching(clearance=0.25))
    assert world.scene.get(world.handles[0]).radius == 0.125
    scene = tb.Scene()
    point, segment = tb.Model([[0.0, 0, 0]], [[0, 0, 0]]), tb.Model([[0.0, 0, -1], [0, 0, 1]], [[0, 1, 1]])
    ball, capsule = scene.add_many([point, segment], np.array([shift(), shift(1.75)]), radius=[1.0, 0.5])
    near = scene.nearest()
    assert near.nearest["distance"][0] == 0.25 and near.objects.tolist() == [[ball, capsule]]
    assert near.nearest["point_a"][0].tolist() == [1, 0, 0] and near.nearest["point_b"][0].tolist() == [1.25, 0, 0]
    assert not scene.collide() and scene.collide(part=(point, shift(1.125), 1, 1, 0.0, 0.125))
    for wrong in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError):
            scene.set(ball, radius=wrong)


def test_candidates_and_stream(models):
    world = World(models, count=60)
    candidates = world.scene.candidates()
    touching = {tuple(pair) for pair in world.touching().tolist()}
    assert touching <= {tuple(pair) for pair in candidates.tolist()}
    blocks = []
    assert world.scene.stream(blocks.append) == len(candidates)
    assert np.array_equal(np.concatenate(blocks), candidates)
    assert world.scene.stream() == len(candidates)
    with pytest.raises(ZeroDivisionError):
        world.scene.stream(lambda block: 1 / 0)


def test_callback(models):
    world = World(models)
    expected = world.touching()
    seen = []
    answer = world.scene.ask("all", callback=lambda meeting: seen.append(meeting) and False, contacts=True)
    assert len(answer) == 0 and answer.meeting_count == len(expected)
    assert np.array_equal(np.concatenate([m.objects for m in seen]), expected)
    assert all(len(m.pairs) == m.counts[0] > 0 for m in seen)
    seen.clear()
    world.scene.ask(callback=lambda meeting: len(seen) > 1 or seen.append(meeting))
    assert len(seen) == 2
    with pytest.raises(ZeroDivisionError):
        world.scene.ask(callback=lambda meeting: 1 / 0)
    with pytest.raises(RuntimeError, match="callbacks must not use it"):
        world.scene.ask(callback=lambda meeting: world.scene.pairs())
    assert np.array_equal(world.scene.pairs(), expected)


# ---- States ----


def test_states_are_those_of_moved_scenes(models):
    world = World(models, count=12)
    handles = world.handles[[2, 5, 7]]
    poses = random_poses(world.random, 3 * 50, 4.0).reshape(50, 3, 3, 4)
    touch, first, nearest = (world.scene.states(handles, poses, mode) for mode in ("test", "first", "nearest"))
    kept = world.poses.copy()
    for s in range(50):
        world.poses[[2, 5, 7]] = poses[s]
        pairs = [p for p in world.all_pairs() if set(p) & {2, 5, 7}]
        expected = world.touching(pairs=pairs)
        assert touch.touch[s] == (len(expected) > 0) == first.touch[s]
        assert first.pairs[s].tolist() == (expected[0].tolist() if len(expected) else [0, 0])
        models, where = world.models, world.poses
        distances = [tb.distance(models[i], models[j], where[i], where[j]).value for i, j in pairs]
        assert nearest.nearest["distance"][s] == min(distances)
    world.poses = kept
    assert 5 < touch.touch_count < 50 and touch.first_touch == int(np.argmax(touch.touch))
    stopped = world.scene.states(handles, poses, stop_at_first=True)
    assert len(stopped) == touch.first_touch + 1
    near = world.scene.states(handles, poses, clearance=0.5)
    assert near.touch_count > touch.touch_count


def test_states_of_slices(models):
    world = World(models, count=12)
    handles = world.handles[:2]
    poses = random_poses(world.random, 40 * 4).reshape(40, 4, 3, 4)
    expected = world.scene.states(handles, poses[:, 1:3].copy()).touch
    assert np.array_equal(world.scene.states(handles, poses[:, 1:3]).touch, expected)
    assert np.array_equal(world.scene.states(handles, poses[::2, 1:3]).touch, expected[::2])
    assert np.array_equal(world.scene.states(handles, poses[::-1, 1:3]).touch, expected[::-1])
    square = np.zeros((40, 2, 4, 4))
    square[:, :, :3] = poses[:, 1:3]
    square[:, :, 3, 3] = 1
    assert np.array_equal(world.scene.states(handles, square).touch, expected)
    assert len(world.scene.states(handles, poses[:0, 1:3])) == 0
    assert not world.scene.states(world.handles[:0], poses[:, :0]).touch.any()
    with pytest.raises(ValueError, match="poses"):
        world.scene.states(handles, poses)
    bad = poses[:, 1:3].copy()
    bad[17, 1, 0, 0] = np.nan
    with pytest.raises(tb.NotFiniteError, match="state 17"):
        world.scene.states(handles, bad)


# ---- Life and misuse ----


def test_handles_of_removed_objects(models):
    scene = tb.Scene()
    first = scene.add(models[0])
    second = scene.add(models[0], shift(0.5))
    assert isinstance(first, int) and first in scene and 0 not in scene
    scene.remove(first)
    third = scene.add(models[0], shift(0.25))
    assert third != first and first not in scene and len(scene) == 2
    for call in (
        lambda: scene.remove(first),
        lambda: scene.move(first, shift()),
        lambda: scene.get(first),
        lambda: scene.set(first, group=3),
        lambda: scene.activate(first),
        lambda: scene.ignore([first, second]),
        lambda: scene.states([first], np.zeros((1, 1, 3, 4))),
        lambda: scene.remove([second, second]),
    ):
        with pytest.raises(IndexError):
            call()
    assert scene.pairs().tolist() == [sorted([second, third], key=lambda h: h & 0xFFFFFFFF)]


def test_models_stay_alive():
    model = tb.Model(*torus(rings=10, sides=6))
    scene = tb.Scene()
    handles = scene.add_many(model, np.array([shift(), shift(0.1)]))
    del model
    gc.collect()
    assert len(scene.pairs()) == 1
    assert isinstance(scene.get(handles[0]).model, tb.Model)
    scene.remove(handles)
    assert len(scene) == 0 and not scene.collide()


def test_models_that_are_edited(models):
    """The next question is about the model as it is then; while a question runs, an edit is rejected."""
    ring = models[1].editable()
    scene = tb.Scene()
    scene.add(ring)
    cube = scene.add(models[0], shift(10))
    assert not scene.collide()
    ring.insert([[0, 0, 0], [20, 0, 0.5], [20, 1, 0.5]], [[0, 1, 2]])
    assert scene.collide() and tb.collide(ring, models[0], pose_b=shift(10))
    with pytest.raises(tb.BusyError):
        scene.ask(callback=lambda meeting: ring.remove([192]))
    ring.remove([192])
    assert not scene.collide() and cube in scene
    scene.close()
    ring.insert([[0, 0, 0], [20, 0, 0.5], [20, 1, 0.5]], [[0, 1, 2]])


def test_child_process(models):
    """A scene serves in a child, unless another thread was using it."""
    world = World(models, threads=2)
    expected = world.touching()
    assert np.array_equal(world.scene.pairs(), expected)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(world.scene.pairs(), expected) else 1)
    assert os.waitpid(child, 0)[1] == 0

    def fork_within(meeting):
        if os.fork() == 0:
            thread = threading.Thread(target=ask_in_child)
            thread.start()
            thread.join()
            os._exit(code[0])
        assert os.wait()[1] == 0
        return True

    def ask_in_child():
        try:
            world.scene.pairs()
        except RuntimeError as error:
            code[0] = 0 if "forked" in str(error) else 2

    code = [1]
    world.scene.ask(callback=fork_within)
    assert np.array_equal(world.scene.pairs(), expected)


def test_devices(models):
    """A device gives the same answers, and cannot be closed while a scene uses it."""
    world = World(models)
    device = tb.Device()
    world.scene.use_device(device)
    assert device.memory.model_count == 0
    assert np.array_equal(world.scene.pairs(), world.touching())
    assert device.memory.model_count == 3
    with pytest.raises(tb.BusyError):
        device.close()
    with pytest.raises(TypeError):
        world.scene.use_device(0)
    child = os.fork()
    if child == 0:
        try:
            world.scene.pairs()
        except RuntimeError:
            del world
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    world.scene.use_device(None)
    device.close()
    assert np.array_equal(world.scene.pairs(), world.touching())
    with pytest.raises(tb.DeviceError):
        world.scene.use_device(device)
    other = tb.Device()
    world.scene.use_device(other)
    del world
    gc.collect()
    other.close()


def test_closed_scenes(models):
    with tb.Scene() as scene:
        handle = scene.add(models[0])
    assert scene.closed and len(scene) == 0
    scene.close()
    for call in (
        scene.pairs,
        scene.update,
        scene.candidates,
        scene.stream,
        lambda: scene.add(models[0]),
        lambda: scene.move(handle, shift()),
        lambda: scene.states([handle], np.zeros((1, 1, 3, 4))),
    ):
        with pytest.raises(ValueError, match="closed"):
            call()
    with pytest.raises(TypeError):
        pickle.dumps(tb.Scene())


def test_wrong_arguments(models):
    scene = tb.Scene()
    handle = scene.add(models[0])
    with pytest.raises(TypeError):
        scene.add("cube")
    with pytest.raises(TypeError):
        scene.add_many([models[0], None])
    with pytest.raises(ValueError):
        scene.add_many(models[:2], np.zeros((3, 3, 4)))
    with pytest.raises(tb.PoseError):
        scene.add(models[0], np.zeros((3, 4)))
    with pytest.raises(ValueError):
        scene.add(models[0], np.zeros((2, 2)))
    with pytest.raises(ValueError):
        scene.add(models[0], group=2**32)
    with pytest.raises(ValueError):
        scene.add(models[0], clearance=-1)
    with pytest.raises(ValueError):
        scene.move(handle, np.array([shift(), shift()]))
    with pytest.raises(tb.PoseError):
        scene.move(handle, np.zeros((3, 4)))
    with pytest.raises(TypeError):
        scene.remove(1.5)
    with pytest.raises(ValueError):
        scene.ignore(np.zeros((3, 3), np.uint64))
    with pytest.raises(ValueError):
        scene.ask("distance", within=-1)
    with pytest.raises((KeyError, ValueError)):
        scene.ask("everything")
    with pytest.raises(ValueError):
        tb.Scene(broad="grid")
    with pytest.raises(TypeError):
        scene.ask(part=("cube", None))
    assert len(scene) == 1 and scene.get(handle).pose.tolist() == np.eye(3, 4).tolist()


def test_poses_of_all_forms(models):
    scene = tb.Scene()
    handles = scene.add_many(models[0], np.array([shift(0), shift(3), shift(6)]))
    square = np.tile(np.eye(4), (3, 1, 1))
    square[:, 0, 3] = 1, 2, 3
    scene.move(handles, square)
    assert [scene.get(h).pose[0, 3] for h in handles] == [1, 2, 3]
    scene.move(handles, (np.array([[4.0, 0, 0], [5, 0, 0], [6, 0, 0]]), np.tile([1.0, 0, 0, 0], (3, 1))))
    assert [scene.get(h).pose[0, 3] for h in handles] == [4, 5, 6]
    scene.move(handles[1], ([7.0, 0, 0], [1.0, 0, 0, 0]))
    assert scene.get(handles[1]).pose[0, 3] == 7
    scene.move(int(handles[2]), square[0].astype(np.float32))
    assert scene.get(handles[2]).pose[0, 3] == 1


def test_threads_share_a_scene(models):
    world = World(models, count=40, threads=1)
    expected = world.touching()
    wrong = []

    def ask():
        for _ in range(30):
            if not np.array_equal(world.scene.pairs(), expected):
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_interrupt():
    """Ctrl-C ends a question about many pairs, and the scene serves afterwards."""
    model = tb.Model(*torus(rings=100, sides=60))
    scene = tb.Scene(threads=1)
    scene.add_many(model, random_poses(np.random.default_rng(1), 600, 0.3))
    main = threading.main_thread().ident
    timer = threading.Timer(0.1, lambda: signal.pthread_kill(main, signal.SIGINT))
    start = time.perf_counter()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        scene.ask("count")
        time.sleep(10)
    assert time.perf_counter() - start < 5
    timer.join()
    assert scene.collide()


def test_no_leaks(models):
    model = tb.Model(*torus(rings=8, sides=6))
    alive = weakref.ref(model) if hasattr(model, "__weakref__") else None
    for _ in range(200):
        scene = tb.Scene()
        handles = scene.add_many(model, np.array([shift(), shift(0.1)]))
        scene.contacts()
        scene.states(handles, np.array([[shift(), shift(0.2)]]))
        if _ % 2:
            scene.close()
    del scene, model
    gc.collect()
    assert alive is None or alive() is None
