"""What Tumble costs from Python, beside C, python-fcl and trimesh.

    build/python-env/bin/python bindings/python/bench/compare.py [--triangles 20000] [--poses 100000] [--quick] [--cpu]

Peers that cannot be imported are left out (PYTHONPATH says where they are). The column C comes from CMake's target
`tumble_python_baseline`, if it is built in build/python (--baseline names another). Each number is the median of several
rounds; the rounds of all columns alternate, so that a busy machine slows all of them alike. With --cpu it is processor
time that counts, of all threads together, which other programs disturb less.
"""

import argparse
import importlib
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import tumble

ROOT = Path(__file__).resolve().parents[3]


def torus(triangles, outer=1.0, inner=0.35):
    """A closed torus about the z axis with about this many triangles."""
    rows = max(4, round((triangles / 4) ** 0.5))
    columns = 2 * rows
    u, v = np.meshgrid(np.arange(columns) * 2 * np.pi / columns, np.arange(rows) * 2 * np.pi / rows, indexing="ij")
    ring = outer + inner * np.cos(v)
    vertices = np.stack([ring * np.cos(u), ring * np.sin(u), inner * np.sin(v)], axis=-1).reshape(-1, 3)
    here = np.arange(rows * columns).reshape(columns, rows)
    right, up = np.roll(here, -1, 0), np.roll(here, -1, 1)
    across = np.roll(right, -1, 1)
    faces = np.concatenate([np.stack([here, right, across], -1).reshape(-1, 3),
                            np.stack([here, across, up], -1).reshape(-1, 3)])
    return vertices, faces.astype(np.int64)


def pose(translation, axis=0, angle=0.0):
    """A (3, 4) matrix: a rotation about an axis, then a translation."""
    matrix = np.eye(4)[:3]
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[j, i], matrix[i, j] = np.sin(angle), -np.sin(angle)
    matrix[:, 3] = translation
    return matrix


CASES = {
    "far apart": pose([5, 0, 0]),
    "beside, gap 0.001": pose(2.701 * np.array([0.6, 0.8, 0])),
    "linked, no contact": pose([1, 0, 0], 0, np.pi / 2),
    "crossing": pose([0.5, 0, 0]),
}


def random_poses(count, seed=1):
    """Rotated at random, and moved so that about half of the poses collide."""
    random = np.random.default_rng(seed)
    q, _ = np.linalg.qr(random.normal(size=(count, 3, 3)))
    q[:, :, 0] *= np.linalg.det(q)[:, None]
    moves = random.normal(size=(count, 3))
    moves *= (random.uniform(0.5, 3.5, count) / np.linalg.norm(moves, axis=1))[:, None]
    return np.ascontiguousarray(np.concatenate([q, moves[:, :, None]], axis=2))


class Clock:
    """Seconds that have passed, or that processors have worked for this process."""

    cpu = False

    def __call__(self):
        return time.process_time() if self.cpu else time.perf_counter()


clock = Clock()


def seconds(function, at_least):
    """Seconds of one call; short ones are repeated."""
    start = clock()
    function()
    once = clock() - start
    repeats = max(1, int(at_least / max(once, 1e-7)))
    start = clock()
    for _ in range(repeats):
        function()
    return (clock() - start) / repeats


def measure(functions, rounds, at_least=0.02):
    """The median of each function's rounds, which take turns."""
    times = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            times[name].append(seconds(function, at_least))
    return {name: statistics.median(values) for name, values in times.items()}


# ---- The peers: each gives the functions to time, by question ----

class Tumble:
    name = "tumble"

    def __init__(self, vertices, faces, other_vertices, other_faces):
        self.mesh = vertices, faces
        self.a, self.b = tumble.Model(vertices, faces), tumble.Model(other_vertices, other_faces)

    def build(self):
        return tumble.Model(*self.mesh)

    def answers(self, matrix):
        a, b = self.a, self.b
        return {
            "yes/no": lambda: tumble.collide(a, b, pose_b=matrix),
            "all pairs": lambda: len(tumble.pairs(a, b, pose_b=matrix)),
            "distance": lambda: tumble.distance(a, b, pose_b=matrix).value,
        }

    def many(self, poses):
        return int(np.count_nonzero(tumble.collide_many(self.a, self.b, poses_b=poses)))


class Fcl:
    name = "python-fcl"

    def __init__(self, vertices, faces, other_vertices, other_faces):
        self.fcl = importlib.import_module("fcl")
        self.mesh = vertices, faces
        self.a = self.fcl.CollisionObject(self.build(), self.fcl.Transform())
        self.mesh = other_vertices, other_faces
        self.b = self.fcl.CollisionObject(self.build(), self.fcl.Transform())
        self.mesh = vertices, faces

    def build(self):
        vertices, faces = self.mesh
        model = self.fcl.BVHModel()
        model.beginModel(len(faces), len(vertices))
        model.addSubModel(vertices, faces)
        model.endModel()
        return model

    def collide(self, transform, contacts=0):
        fcl = self.fcl
        self.b.setTransform(transform)
        request = fcl.CollisionRequest(num_max_contacts=max(contacts, 1), enable_contact=contacts > 0)
        return fcl.collide(self.a, self.b, request, fcl.CollisionResult())

    def distance(self, transform):
        fcl = self.fcl
        self.b.setTransform(transform)
        return max(fcl.distance(self.a, self.b, fcl.DistanceRequest(), fcl.DistanceResult()), 0.0)

    def answers(self, matrix):
        transform = self.fcl.Transform(np.ascontiguousarray(matrix[:, :3]), np.ascontiguousarray(matrix[:, 3]))
        return {
            "yes/no": lambda: self.collide(transform) > 0,
            "all pairs": lambda: self.collide(transform, 1000000),
            "distance": lambda: self.distance(transform),
        }

    def many(self, poses):
        rotations, moves = np.ascontiguousarray(poses[:, :, :3]), np.ascontiguousarray(poses[:, :, 3])
        return sum(self.collide(self.fcl.Transform(r, t)) > 0 for r, t in zip(rotations, moves))


class Trimesh:
    name = "trimesh"

    def __init__(self, vertices, faces, other_vertices, other_faces):
        self.trimesh = importlib.import_module("trimesh")
        importlib.import_module("fcl")
        self.mesh_a = self.trimesh.Trimesh(vertices, faces, process=False)
        self.mesh_b = self.trimesh.Trimesh(other_vertices, other_faces, process=False)
        self.manager = self.build()
        self.both = self.build()
        self.both.add_object("b", self.mesh_b)

    def build(self):
        manager = self.trimesh.collision.CollisionManager()
        manager.add_object("a", self.mesh_a)
        return manager

    def move(self, matrix):
        transform = np.eye(4)
        transform[:3] = matrix
        self.both.set_transform("b", transform)

    def answers(self, matrix):
        def ask(question):
            self.move(matrix)
            return question()

        def pairs():
            self.move(matrix)
            return len(self.both.in_collision_internal(return_data=True)[1])

        return {
            "yes/no": lambda: ask(self.both.in_collision_internal),
            "all pairs": pairs,
            "distance": lambda: max(ask(self.both.min_distance_internal), 0.0),
        }

    def many(self, poses):
        count = 0
        for matrix in poses:
            self.move(matrix)
            count += self.both.in_collision_internal()
        return count


class TrimeshSingle(Trimesh):
    name = "trimesh, in_collision_single"

    def answers(self, matrix):
        transform = np.eye(4)
        transform[:3] = matrix
        return {"yes/no": lambda: self.manager.in_collision_single(self.mesh_b, transform)}

    def many(self, poses):
        transforms = np.tile(np.eye(4), (len(poses), 1, 1))
        transforms[:, :3] = poses
        return sum(bool(self.manager.in_collision_single(self.mesh_b, transform)) for transform in transforms)


def peers(*meshes):
    found = []
    for peer in (Tumble, Fcl, Trimesh, TrimeshSingle):
        try:
            found.append(peer(*meshes))
        except ImportError as missing:
            print(f"{peer.name} is left out: {missing}")
    return found


# ---- C ----

def baseline(program, peer, poses):
    """(nanoseconds of a query for each case, the least; seconds of the batch, the median) in C; None without the program."""
    if not os.access(program, os.X_OK):
        return None
    with tempfile.TemporaryDirectory() as folder:
        for name, model in (("a", peer.a), ("b", peer.b)):
            model.save(f"{folder}/{name}.tumble")
        np.concatenate([np.stack(list(CASES.values())), poses]).tofile(f"{folder}/poses")
        arguments = [f"{folder}/a.tumble", f"{folder}/b.tumble", f"{folder}/poses", str(len(CASES))]
        arguments += ["cpu"] if clock.cpu else []
        lines = subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout.split("\n")
    values = [line.split() for line in lines if line]
    return [float(value[1]) for value in values[:-1]], float(values[-1][2])


# ---- Tables ----

def shown(value):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e9:.0f} ns"


def row(title, times, first):
    cells = [f"{shown(value)}" + ("" if name == first else f" ({value / times[first]:.3g}x)")
             for name, value in times.items()]
    print("| " + " | ".join([title, *cells]) + " |", flush=True)


def head(title, names):
    print(f"\n| {title} | " + " | ".join(names) + " |\n|---|" + "--:|" * len(names))


def check_equal(title, question, answers):
    """Yes or no must be the same; distances are rounded, and contacts are counted differently."""
    if question == "yes/no" and len({bool(answer) for answer in answers.values()}) != 1:
        print(f"they disagree: {title}: {answers}")


def compare_building(found, rounds):
    names = [peer.name for peer in found if not isinstance(peer, TrimeshSingle)]
    head("building", names)
    row("one model", measure({p.name: p.build for p in found if p.name in names}, rounds), "tumble")


def compare_questions(found, rounds):
    for question in ("yes/no", "all pairs", "distance"):
        asked = [p for p in found if question in p.answers(CASES["crossing"])]
        head(question, [p.name for p in asked])
        for title, matrix in CASES.items():
            if question == "all pairs" and title != "crossing":
                continue
            functions = {p.name: p.answers(matrix)[question] for p in asked}
            check_equal(title, question, {name: function() for name, function in functions.items()})
            row(title, measure(functions, rounds), "tumble")


def compare_batches(found, poses, rounds):
    head(f"one of {len(poses)} poses", [p.name for p in found])
    counts = {"tumble": len(poses), "python-fcl": max(len(poses) // 50, 1), "trimesh": max(len(poses) // 100, 1),
              "trimesh, in_collision_single": 3}
    expected = {p.name: found[0].many(poses[:counts[p.name]]) for p in found}
    for p in found:
        if p.many(poses[:counts[p.name]]) != expected[p.name]:
            print(f"{p.name} disagrees about {counts[p.name]} poses")
    times = measure({p.name: (lambda p=p: p.many(poses[:counts[p.name]])) for p in found}, rounds, 0)
    row(f"{expected['tumble'] / len(poses):.0%} collide", {n: t / counts[n] for n, t in times.items()}, "tumble")


def compare_with_c(peer, poses, program, rounds):
    asked = [peer.answers(matrix)["yes/no"] for matrix in CASES.values()]
    found, times = [], []
    for _ in range(rounds):  # the least: what both take when nothing disturbs them
        found.append(baseline(program, peer, poses[:1]))
        times.append([min(seconds(function, 0.02) for _ in range(5)) for function in asked])
    if found[0] is None:
        print(f"\nC is left out: {program} is not built")
        return
    head("beside C", ["Python", "C", "difference"])
    for i, title in enumerate(CASES):
        python, in_c = min(row[i] for row in times), min(calls[i] for calls, _ in found) * 1e-9
        print(f"| yes/no, {title} | {shown(python)} | {shown(in_c)} | {(python - in_c) * 1e6:+.2f} µs |")
    ratios, both = [], []
    for _ in range(rounds):
        python = statistics.median(seconds(lambda: peer.many(poses), 0) for _ in range(3))
        both.append((python, baseline(program, peer, poses)[1]))
        ratios.append(both[-1][0] / both[-1][1])
    python, in_c = (statistics.median(column) for column in zip(*both))
    print(f"| {len(poses)} poses | {shown(python)} | {shown(in_c)} | {statistics.median(ratios) - 1:+.1%} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--triangles", type=int, default=20000)
    parser.add_argument("--poses", type=int, default=100000)
    parser.add_argument("--quick", action="store_true", help="small and short: to see that it runs")
    parser.add_argument("--cpu", action="store_true", help="processor time instead of time")
    parser.add_argument("--baseline", default=str(ROOT / "build/python/bindings/python/tumble_python_baseline"))
    options = parser.parse_args()
    if options.quick:
        options.triangles, options.poses = 1000, 1000
    clock.cpu = options.cpu
    rounds = 1 if options.quick else 7
    vertices, faces = torus(options.triangles)
    poses = random_poses(options.poses)
    print(f"tumble {tumble.__version__}, two tori with {len(faces)} triangles each, {os.cpu_count()} processors"
          f"{', processor time' if options.cpu else ''}")
    found = peers(vertices, faces, vertices, faces)
    compare_building(found, rounds)
    compare_questions(found, rounds)
    compare_batches(found, poses, min(rounds, 3))
    compare_with_c(found[0], poses, options.baseline, rounds)


if __name__ == "__main__":
    main()
