"""Assemblies and clashes, beside the questions about two models."""
import json
import os
import pickle
import threading
import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tumble as tb
from conftest import few, shift, torus

BOX = tb.Model.box((0, 0, 0), (2, 2, 2))
whole = st.integers(-4, 4)


def turned(generator):
    """A random rotation, and a move that lets about half of the parts meet."""
    q, _ = np.linalg.qr(generator.normal(size=(3, 3)))
    q[:, 0] *= np.linalg.det(q)
    return np.column_stack([q, generator.uniform(-2, 2, 3)])


def assembly_of(*parts):
    result = tb.Assembly()
    for model, pose in parts:
        result.add(model, pose)
    return result


def expected(a, pose_a, b, pose_b, clearance):
    """The kind of a clash by other questions, or None. A duplicate is looked for by its corners."""
    there = tb.relative(pose_a, pose_b)
    relation = tb.relation(a, b, None, there)
    if relation is tb.Relation.APART:
        near = clearance and tb.distance(a, b, None, there).value < clearance
        return tb.ClashKind.CLEARANCE if near else None
    if relation is tb.Relation.CROSSING and a is b and np.array_equal(pose_a, pose_b):
        return tb.ClashKind.DUPLICATE
    return {
        tb.Relation.TOUCHING: tb.ClashKind.TOUCHING,
        tb.Relation.CROSSING: tb.ClashKind.CROSSING,
        tb.Relation.A_IN_B: tb.ClashKind.CONTAINED,
        tb.Relation.B_IN_A: tb.ClashKind.CONTAINED,
        tb.Relation.UNDEFINED: tb.ClashKind.UNDEFINED,
    }[relation]


# ---- Answers ----


@few
@given(st.lists(st.tuples(whole, whole, whole, st.booleans()), min_size=2, max_size=12), st.sampled_from([0.0, 1.5]))
def test_boxes_on_a_lattice(places, clearance):
    small = tb.Model.box((0.5, 0.5, 0.5), (1.5, 1.5, 1.5))
    parts = [(small if is_small else BOX, shift(x, y, z)) for x, y, z, is_small in places]
    clashes = assembly_of(*parts).clashes(clearance=clearance)
    assert clashes.complete
    found = {(c.a.number, c.b.number): c for c in clashes}
    assert list(found) == sorted(found) and len(found) == len(clashes)
    for i, (a, pose_a) in enumerate(parts):
        for j, (b, pose_b) in enumerate(parts[i + 1 :], i + 1):
            clash, kind = found.pop((i, j), None), expected(a, pose_a, b, pose_b, clearance)
            assert (clash.kind if clash else None) == kind
            if clash:
                there = tb.relative(pose_a, pose_b)
                assert clash.contact_count == len(tb.contacts(a, b, None, there))
                assert clash.distance == (0 if clash.contact_count else tb.distance(a, b, None, there).value)
                assert clash.inside == {tb.Relation.A_IN_B: "a", tb.Relation.B_IN_A: "b"}.get(
                    tb.relation(a, b, None, there), ""
                )
    assert not found


def test_turned_models():
    generator = np.random.default_rng(1)
    ring, spike = tb.Model(*torus(rings=20, sides=10)), tb.Model.capsule((0, 0, 0), (1, 0, 0), 0.1)
    parts = [([ring, BOX, spike][i % 3], turned(generator)) for i in range(24)]
    clashes = assembly_of(*parts).clashes(clearance=0.25)
    kinds = {(c.a.number, c.b.number): c.kind for c in clashes}
    for i, (a, pose_a) in enumerate(parts):
        for j, (b, pose_b) in enumerate(parts[i + 1 :], i + 1):
            assert kinds.get((i, j)) == expected(a, pose_a, b, pose_b, 0.25)
    assert len(clashes) > 20 and len(set(kinds.values())) > 2
    assert {bool(clash.reason) == (clash.kind is tb.ClashKind.UNDEFINED) for clash in clashes} == {True}


def test_the_answer_is_the_same_for_every_number_of_threads(tmp_path):
    generator = np.random.default_rng(2)
    assembly = assembly_of(*[(BOX, turned(generator)) for _ in range(30)])
    for threads in (1, 2, 5):
        assembly.clashes(threads=threads).write_json(tmp_path / f"{threads}.json")
    assert len({(tmp_path / f"{threads}.json").read_bytes() for threads in (1, 2, 5)}) == 1


def test_the_table_has_what_the_items_have(tmp_path):
    assembly = assembly_of((BOX, None), (BOX, shift(1)), (BOX, shift(0, 3)), (tb.Model.ball((1, 1, 1), 0.5), None))
    assembly.metres, assembly.up = 0.001, "z"
    clashes = assembly.clashes(clearance=1.5, severity="critical", group="near", group_radius=5)
    assert (clashes.metres, clashes.up, clashes.grouping) == (0.001, "z", "near")
    clashes.write_json(tmp_path / "clashes.json")
    written = json.loads((tmp_path / "clashes.json").read_text())
    assert written["unit_metres"] == 0.001 and written["up"] == "z" and written["complete"]
    assert [part["key"] for part in written["parts"]] == [part.key for part in clashes.parts]
    for clash, row, item in zip(clashes, clashes.table, written["clashes"]):
        assert (row["a"], row["b"]) == (clash.a.number, clash.b.number) == (item["a"], item["b"])
        assert row["kind"] == clash.kind and clash.kind.name.lower() == item["kind"]
        assert row["severity"] == clash.severity and clash.severity.name.lower() == item["severity"]
        assert row["point"].tolist() == clash.point.tolist() == item["point"]
        assert row["box"].tolist() == clash.box.tolist() == item["box"]
        assert row["distance"] == clash.distance == item["distance"]
        assert (None if np.isnan(row["depth"][0]) else row["depth"].tolist()) == item["depth"]
        assert (list(clash.depth) if clash.depth else None) == item["depth"]
        assert clash.inside == item["inside"] and clash.id == item["id"] and clash.change is tb.Change.NEW
        assert row["contact_count"] == clash.contact_count == item["contacts"]
        assert clash.group == item["group"] == row["group"] and clash.rule == 0
        assert len(clash.segments) == min(clash.contact_count, 256)
    assert len(written["clashes"]) == len(clashes) == sum(clashes.counts.values())
    assert [g.clashes.tolist() for g in clashes.groups] == [g["clashes"] for g in written["groups"]]
    assert clashes.rules[0].clash_count == len(clashes) and clashes.rules[0].clearance == 1.5
    assert all(len(group) for group in clashes.groups)


def test_a_sequence():
    clashes = assembly_of((BOX, None), (BOX, shift(1)), (BOX, shift(2))).clashes(segments=4)
    assert len(clashes) == 3 and clashes[-1] is clashes[2] is list(clashes)[2] and clashes[1:] == list(clashes)[1:]
    assert clashes[0] in clashes and len(clashes[0].segments) == 4
    assert str(clashes[0]) == "part 1 and part 2: crossing"
    assert repr(clashes) == "<tumble.Clashes: 3 parts, 2 crossing, 1 touching>"
    assert repr(clashes[0]) == "<tumble.Clash: part 1 and part 2: crossing, major>"
    assert repr(clashes.parts[1]) == "<tumble.Part 1: part 2>"
    assert repr(clashes.groups[0]) == "<tumble.ClashGroup: part 1, 2 clashes, major>"
    with pytest.raises(IndexError):
        clashes[3]
    assert str(tb.clash(BOX, tb.Model.ball((1, 1, 4), 1), clearance=1.5)[0]) == "part 1 and part 2: 1 apart"


def test_groups():
    assembly = tb.Assembly()
    for i in range(6):
        assembly.add(BOX, shift(3 * i), path=f"hall/left/wall {i}", class_name="IfcWall")
    assembly.add(tb.Model.box((-1, 0.5, 0.5), (20, 1, 1)), name="pipe", class_name="IfcPipe")
    (group,) = assembly.clashes().groups
    assert group.name == "pipe" and group.part is assembly.parts[-1] and group.clashes.tolist() == list(range(6))
    assert [g.name for g in assembly.clashes(group="classes").groups] == ["IfcPipe and IfcWall"]
    assert all(g.part is None for g in assembly.clashes(group="near", group_radius=0.1).groups)


def test_depth():
    assembly = assembly_of((BOX, None), (BOX, shift(1.75, 0.5, 0.5)))
    (clash,) = assembly.clashes()
    assert clash.depth == (pytest.approx(0.25, rel=1e-9), 0.25) and clash.normal.tolist() == [1, 0, 0] and clash.kind is tb.ClashKind.CROSSING
    (clash,) = assembly.clashes(touch=0.25)
    assert clash.kind is tb.ClashKind.TOUCHING and clash.severity is tb.Severity.INFO and clash.depth[1] == 0.25
    assert assembly.clashes(touch=0.24)[0].kind is tb.ClashKind.CROSSING
    assert assembly.clashes(depth_budget=0)[0].depth is None


def test_the_run_before(tmp_path):
    path = tmp_path / "clashes.json"
    assembly = assembly_of((BOX, None), (BOX, shift(1)), (BOX, shift(0, 1.75)))
    assembly.clashes().write_json(path)
    written = json.loads(path.read_text())
    written["clashes"][0] |= {"status": "approved", "comment": "as planned"}
    path.write_text(json.dumps(written))
    again = assembly.clashes(before=path)
    assert again.known_count == 3 and {c.change for c in again} == {tb.Change.PERSISTENT}
    assert (again[0].review, again[0].comment, again[1].review) == ("approved", "as planned", "")
    assert assembly.clashes(before=path, retest=True).known_count == 0

    moved = assembly_of((BOX, None), (BOX, shift(1)), (BOX, shift(0, 5)), (BOX, shift(-1))).clashes(before=str(path))
    changes = {(c.key_a, c.key_b): c.change for c in moved}
    assert changes["|part 1", "|part 3"] is tb.Change.RESOLVED and changes["|part 1", "|part 4"] is tb.Change.NEW
    gone = [c for c in moved if c.change is tb.Change.RESOLVED]
    assert all(c.group is None for c in gone) and sum(moved.counts.values()) == len(moved) - len(gone)
    alone = assembly_of((BOX, None)).clashes(before=path)
    assert {c.change for c in alone} == {tb.Change.UNRETESTED} and alone[0].b is None and alone[0].reason
    assert "|part 2" in str(alone[0])

    path.write_text("{")
    with pytest.raises(tb.FormatError, match="clashes.json"):
        assembly.clashes(before=path)
    with pytest.raises(FileNotFoundError):
        assembly.clashes(before=tmp_path / "none.json")


def test_rules(tmp_path):
    path = tmp_path / "rules.json"
    path.write_text(
        json.dumps(
            {"rules": [{"name": "near", "a": "part 1", "b": "part 3", "clearance": 2}, {"name": "all", "severity": "critical"}]}
        )
    )
    assembly = assembly_of((BOX, None), (BOX, shift(1)), (BOX, shift(3.5)))
    clashes = assembly.clashes(rules=path)
    assert [(r.name, r.clearance, r.set_counts) for r in clashes.rules] == [("near", 2, (1, 1)), ("all", 0, (3, 3))]
    assert [(c.rule, c.a.number, c.b.number, c.severity.name) for c in clashes] == [(1, 0, 1, "CRITICAL"), (0, 0, 2, "MAJOR")]
    del assembly
    assert clashes.rules[0].name == "near" and clashes[0].id
    clashes.write_json(tmp_path / "clashes.json")
    path.write_text('{"rules": [{"nme": 1}]}')
    with pytest.raises(tb.FormatError, match="nme"):
        tb.clash(BOX, BOX, rules=path)


def test_pairs_that_are_not_compared():
    assembly = assembly_of((BOX, None), (BOX, shift(1)), (BOX, shift(0.5)))
    first, second, third = assembly.parts
    assembly.ignore(second, first)
    assembly.ignore(first, second)
    assert assembly.ignored.tolist() == [[0, 1]]
    assert [(c.a, c.b) for c in assembly.clashes()] == [(first, third), (second, third)]
    door = assembly.add(BOX, shift(9), host=second)
    assert door.host == 1 and second.host is None
    other = assembly_of((BOX, None)).parts[0]
    for wrong in (lambda: assembly.ignore(first, other), lambda: assembly.ignore(0, 1), lambda: assembly.add(BOX, host=other)):
        with pytest.raises(ValueError):
            wrong()
    assert len(assembly) == 4


# ---- Parts ----


def test_parts_and_transforms():
    mirror = np.diag([1.0, 1.0, -1.0, 1.0])
    mirror[:3, 3] = 5, 0, 0
    assembly = tb.Assembly()
    first = assembly.add(BOX, ((1, 2, 3), (1, 0, 0, 0)), name="a", file="f.obj", guid="g", material="oak")
    other = assembly.add(BOX, mirror, path="x/y")
    third = assembly.add(None, broken="it is missing", name="ghost")
    assert assembly.parts == (first, other, third) and len(assembly) == 3 and assembly.model_count == 2
    assert (first.name, first.path, first.file, first.guid, first.material, first.key) == ("a", "a", "f.obj", "g", "oak", "g")
    assert first.pose.tolist() == tb.pose((1, 2, 3)).tolist() and not first.baked and first.model == 0
    assert other.baked and other.name == "y" and other.pose.tolist() == shift(5).tolist()
    assert assembly.model(other.model).bounds.tolist() == [[0, 0, -2], [2, 2, 0]]
    assert third.model is None and third.broken == "it is missing" and "broken" in repr(third)
    assert repr(assembly) == "<tumble.Assembly: 3 parts, 2 models, 1 broken>"
    far = assembly.add(BOX, np.full((3, 4), np.inf))
    assert far.broken and far.model is None and not assembly.clashes()


def test_shapes_that_are_given():
    points, faces = torus(rings=8, sides=6)
    mesh = types.SimpleNamespace(vertices=points, faces=faces)
    model = tb.Model(points, faces)
    assembly = tb.Assembly()
    parts = [assembly.add(shape) for shape in ((points, faces), mesh, model, tb.Model.from_block(bytes(model)))]
    assert {part.model for part in parts} == {0} and assembly.model(0) == model
    edited = model.editable()
    before = assembly.add(edited)
    edited.remove([0, 1])
    after = assembly.add(edited)
    assert len(assembly.model(before.model)) == len(model) and len(assembly.model(after.model)) == len(model) - 2


def test_files(tmp_path):
    points, faces = torus(rings=8, sides=6)
    points = np.float32(points)
    tb.write_mesh(tmp_path / "ring.stl", points, faces)
    BOX.save(tmp_path / "box.tumble")
    lines = [f"v {x} {y} {z}" for x, y, z in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]]
    sides = ["f 1 3 2", "f 1 2 4", "f 1 4 3", "f 2 3 4"]
    (tmp_path / "two.obj").write_text("\n".join([*lines, "o left", *sides, "o right", *sides]))
    assembly = tb.Assembly()
    (ring,) = assembly.read(tmp_path / "ring.stl", shift(1))
    left, right = assembly.read(os.fsencode(tmp_path / "two.obj"))
    (box,) = assembly.read(str(tmp_path / "box.tumble"))
    assert [p.path for p in assembly.parts] == ["ring", "two/left", "two/right", "box"]
    assert ring.file == str(tmp_path / "ring.stl") and ring.pose.tolist() == shift(1).tolist()
    kinds = {(str(c.a), str(c.b)): c.kind for c in tb.clash(assembly)}
    assert kinds["two/left", "two/right"] is tb.ClashKind.DUPLICATE
    assert len(tb.clash(*(tmp_path / n for n in ("ring.stl", "two.obj", "box.tumble"))).parts) == 4
    (tmp_path / "bad.obj").write_text("v 0 0 0\nf 1 2 3\n")
    for name, error in (("none.stl", FileNotFoundError), ("bad.obj", tb.FormatError), ("", IsADirectoryError)):
        with pytest.raises(error):
            assembly.read(tmp_path / name)
    assert len(assembly) == 4


def test_names_that_are_no_text(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"\xff.obj")
    with open(path, "w") as file:
        file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assembly = tb.Assembly()
    (part,) = assembly.read(path)
    assert os.fsencode(part.file) == path
    assembly.clashes().write_json(tmp_path / "c.json")


def test_parts_that_come_later():
    assembly = assembly_of((BOX, None), (BOX, shift(1)))
    clashes = assembly.clashes()
    for i in range(100):
        assembly.add(BOX, shift(3 * i))
    assert len(clashes.parts) == 2 and clashes[0].b is assembly.parts[1]
    del assembly
    assert clashes[0].a.name == "part 1" and clashes.assembly.model(0) == BOX


@pytest.mark.parametrize(
    "wrong, error",
    [
        (lambda a: a.add(3), TypeError),
        (lambda a: a.add("part.obj"), TypeError),
        (lambda a: a.add(None), ValueError),
        (lambda a: a.add(tb.Model([], [])), ValueError),
        (lambda a: a.add(BOX, np.eye(5)), ValueError),
        (lambda a: a.add(BOX, np.eye(4)[::-1]), ValueError),
        (lambda a: a.add(BOX, name="a\0b"), ValueError),
        (lambda a: a.add(BOX, name=3), TypeError),
        (lambda a: a.clashes(clearance=-1), tb.ArgumentError),
        (lambda a: a.clashes(clearance=float("inf")), tb.ArgumentError),
        (lambda a: a.clashes(touch=-1), tb.ArgumentError),
        (lambda a: a.clashes(depth_budget=-1), ValueError),
        (lambda a: a.clashes(severity="grave"), ValueError),
        (lambda a: a.clashes(group="far"), ValueError),
        (lambda a: a.clashes(progress=3), TypeError),
        (lambda a: a.model(7), IndexError),
        (lambda a: setattr(a, "up", "w"), ValueError),
        (lambda a: setattr(a, "metres", -1), ValueError),
        (lambda a: pickle.dumps(a), TypeError),
        (lambda a: pickle.dumps(a.clashes()), TypeError),
        (lambda a: tb.clash(a, BOX), TypeError),
    ],
)
def test_errors(wrong, error):
    assembly = assembly_of((BOX, None))
    with pytest.raises(error):
        wrong(assembly)
    assert len(assembly) == 1 and len(assembly.clashes()) == 0


# ---- Long runs ----


@pytest.fixture(scope="module")
def long():
    """An assembly whose clashes take some seconds."""
    generator = np.random.default_rng(3)
    ring = tb.Model(*torus(rings=300, sides=150))
    return assembly_of(*[(ring, turned(generator)) for _ in range(48)])


def test_progress(long):
    seen = []
    whole = long.clashes(progress=lambda done, total: seen.append((done, total)))
    assert whole.complete and seen == sorted(seen) and seen[-1][0] <= seen[-1][1] <= whole.question_count

    calls = []
    some = long.clashes(progress=lambda done, total: calls.append(0) or True, threads=1)
    assert not some.complete and len(some) < len(whole) and "stopped early" in repr(some)

    def fail(done, total):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        long.clashes(progress=fail)


def test_threads(long):
    """Several may ask; nobody may add parts meanwhile."""
    runs, started = [], threading.Event()

    def ask():
        runs.append(len(long.clashes(progress=lambda *_: started.set())))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert started.wait(20)
    for change in (lambda: long.add(BOX), lambda: long.read("none.obj"), lambda: setattr(long, "up", "z")):
        with pytest.raises(tb.BusyError):
            change()
    assert len(long) == 48 and long.model_count == 1
    for thread in threads:
        thread.join()
    assert runs[0] == runs[1] > 0


def test_fork(long):
    """An assembly works in a child, also if the parent is comparing its parts."""
    started = threading.Event()
    thread = threading.Thread(target=lambda: long.clashes(progress=lambda *_: started.set()))
    thread.start()
    assert started.wait(20)
    small = assembly_of((BOX, None), (BOX, shift(1)))
    child = os.fork()
    if not child:
        try:
            small.add(BOX, shift(1.5))
            os._exit(0 if len(small.clashes()) == 3 and len(long) == 48 else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    thread.join()
