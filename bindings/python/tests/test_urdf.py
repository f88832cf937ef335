"""Robots of URDF files: kinematics against matrices one by one, collisions against moved scenes, and errors."""

import math

import numpy as np
import pytest

import tumble as tb
from tumble import _collada, _shapes, urdf

BOX = '<collision><geometry><box size="{}"/></geometry></collision>'


def joint(name, kind, parent, child, more="", xyz="0 0 1", rpy="0 0 0"):
    limit = '<limit lower="-2" upper="2"/>' if kind in ("revolute", "prismatic") else ""
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}" rpy="{rpy}"/>{limit}{more}</joint>'
    )


def link(name, inner=""):
    return f'<link name="{name}">{inner}</link>'


def robot(*parts):
    return f'<robot name="toy">{"".join(parts)}</robot>'


def write(folder, text, name="toy.urdf"):
    path = folder / name
    path.write_text(text)
    return path


def arm(links=5, size="0.2 0.2 1.1"):
    """Boxes in a row, which turn about y and x by turns."""
    shape = f'<collision><origin xyz="0 0 0.5"/><geometry><box size="{size}"/></geometry></collision>'
    parts = [link(f"l{i}", shape) for i in range(links)]
    for i in range(links - 1):
        axis = "0 1 0" if i % 2 else "1 0 0"
        more = f'<axis xyz="{axis}"/><limit lower="-2.5" upper="2.5"/>'
        parts.append(joint(f"j{i}", "continuous", f"l{i}", f"l{i + 1}", more).replace("continuous", "revolute"))
    return robot(*parts)


# ---- Kinematics ----


def turned(axis, angle):
    x, y, z = axis = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out = np.eye(4)
    out[:3, :3] = math.cos(angle) * np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * np.outer(axis, axis)
    return out


def moved(*xyz):
    out = np.eye(4)
    out[:3, 3] = xyz
    return out


def test_rotation_of_the_test_itself():
    assert np.allclose(turned([0, 0, 1], math.pi / 2) @ [1, 0, 0, 1], [0, 1, 0, 1])
    assert np.allclose(turned([1, 0, 0], math.pi / 2) @ [0, 1, 0, 1], [0, 0, 1, 1])


def test_every_kind_of_joint(tmp_path):
    text = robot(
        link("root"),
        link("a"),
        link("b"),
        link("c"),
        link("d"),
        link("e"),
        link("f"),
        link("g"),
        joint("ja", "revolute", "root", "a", '<axis xyz="0 0 -2"/>', "1 2 3", "0.1 0.2 0.3"),
        joint("jb", "continuous", "a", "b", '<axis xyz="1 2 3"/>'),
        joint("jc", "prismatic", "b", "c", '<axis xyz="0 1 1"/>', rpy="0 0.5 0"),
        joint("jd", "fixed", "c", "d", xyz="0.5 0 0", rpy="1 0 0"),
        joint("je", "planar", "d", "e", '<axis xyz="0 0 1"/>'),
        joint("jf", "floating", "e", "f"),
        joint("jg", "revolute", "a", "g", '<mimic joint="jc" multiplier="-2" offset="0.25"/>'),
    )
    r = urdf.load(write(tmp_path, text))
    assert r.joint_names == ["ja", "jb", "jc", "je", "jf"] and r.width == 1 + 1 + 1 + 3 + 7
    assert r.lower[:3].tolist() == [-2, -math.inf, -2] and r.upper[2] == 2
    q = r.random(600, seed=3)  # more than a block of the kinematics
    poses = r.forward(q)
    assert poses.shape == (600, 8, 3, 4) and (np.abs(q[:, [0, 2]]) <= 2).all()
    rpy = turned([0, 0, 1], 0.3) @ turned([0, 1, 0], 0.2) @ turned([1, 0, 0], 0.1)
    for n in (0, 1, 511, 512, 599):
        ja, jb, jc = q[n, :3]
        a = moved(1, 2, 3) @ rpy @ turned([0, 0, -1], ja)
        b = a @ moved(0, 0, 1) @ turned([1, 2, 3], jb)
        c = b @ moved(0, 0, 1) @ turned([0, 1, 0], 0.5) @ moved(0, jc / math.sqrt(2), jc / math.sqrt(2))
        d = c @ moved(0.5, 0, 0) @ turned([1, 0, 0], 1)
        e = d @ moved(0, 0, 1) @ moved(q[n, 3], q[n, 4], 0) @ turned([0, 0, 1], q[n, 5])
        w, *xyz = q[n, 9:] / np.linalg.norm(q[n, 9:])
        f = e @ moved(0, 0, 1) @ moved(*q[n, 6:9]) @ turned(xyz, 2 * math.atan2(np.linalg.norm(xyz), w))
        g = a @ moved(0, 0, 1) @ turned([1, 0, 0], -2 * jc + 0.25)
        expected = dict(root=np.eye(4), a=a, b=b, c=c, d=d, e=e, f=f, g=g)
        for name, pose in zip(r.link_names, poses[n]):
            assert np.allclose(pose, expected[name][:3], atol=1e-12), name
    based = r.forward(q[:2], base=moved(0, 0, 7))
    assert np.allclose(based[..., 2, 3], poses[:2, :, 2, 3] + 7)
    each = r.forward(q[:2], base=np.array([moved(0, 0, 7), moved(0, 0, 8)]))
    assert np.allclose(each[1, :, 2, 3], poses[1, :, 2, 3] + 8)


def test_mimics_of_fixed_joints(tmp_path):
    """A variant of a robot may have fixed some of its joints."""
    mimic = '<mimic joint="ja" multiplier="3" offset="0.5"/>'
    text = robot(
        link("root"),
        link("a"),
        link("b"),
        link("c"),
        joint("ja", "fixed", "root", "a", mimic),
        joint("jb", "revolute", "a", "b", mimic + '<axis xyz="0 0 1"/>'),
        joint("jc", "prismatic", "b", "c"),
    )
    r = urdf.load(write(tmp_path, text))
    assert r.joint_names == ["jc"]
    assert np.allclose(r.forward([[1.5]])[0, 2], (moved(0, 0, 2) @ turned([0, 0, 1], 0.5))[:3])


def test_configurations(tmp_path):
    text = robot(link("a"), link("b"), link("c"), joint("j", "revolute", "a", "b"), joint("f", "floating", "b", "c"))
    text = text.replace('lower="-2"', 'lower="0.5"')
    r = urdf.load(write(tmp_path, text))
    assert r.neutral.tolist() == [0.5, 0, 0, 0, 1, 0, 0, 0]
    assert r.configuration({"j": 1.5}).tolist() == [1.5, 0, 0, 0, 1, 0, 0, 0]
    for bad in ({"x": 1}, {"j": [1, 2]}, "home"):
        with pytest.raises(ValueError):
            r.configuration(bad)
    for bad in (np.zeros((2, 3)), np.full((1, 8), np.nan), np.zeros((1, 1, 8))):
        with pytest.raises(ValueError):
            r.forward(bad)
    with pytest.raises(ValueError, match="quaternion"):
        r.forward(np.zeros((1, 8)))
    with pytest.raises(ValueError, match="base"):
        r.forward(r.neutral, base=np.eye(3))


# ---- Collisions ----


def test_collide_states_against_moved_scenes(tmp_path):
    r = urdf.load(write(tmp_path, arm()))
    wall = r.scene.add(tb.Model(*_shapes.box(0.2, 4, 4)), moved(1.5, 0, 0))
    q = r.random(200, seed=1)
    touch = r.collide_states(q)
    first = r.first_pairs(q)
    nearest = r.ask_states(q, "nearest")
    assert 10 < touch.sum() < 190
    for n in range(0, 200, 5):
        pairs = r.pairs(q[n])
        assert bool(pairs) == touch[n] == (first[n] is not None)
        assert first[n] is None or first[n] == pairs[0]
        expected = r.scene.nearest().nearest["distance"]
        assert nearest.nearest["distance"][n] == expected[0]
    assert any(pair and None in pair for pair in first) and any(pair and None not in pair for pair in first)
    assert r.link_of(wall) is None and r.link_of(r.handles("l0")[0]) == "l0"
    out = np.empty(200, bool)
    assert r.collide_states(q, out=out) is out and np.array_equal(out, touch)
    stopped = r.ask_states(q, stop_at_first=True)
    assert len(stopped) == int(np.argmax(touch)) + 1
    assert len(r.collide_states(q[:0])) == 0
    assert r.collide_states(q, clearance=0.3).sum() > touch.sum()


def test_blocks_are_joined(tmp_path, monkeypatch):
    r = urdf.load(write(tmp_path, arm()))
    q = r.random(100, seed=2)
    whole = {mode: r.ask_states(q, mode) for mode in ("test", "first", "nearest")}
    base = np.tile(np.eye(3, 4), (100, 1, 1))
    monkeypatch.setattr(urdf, "_BLOCK", 7)
    for mode, expected in whole.items():
        got = r.ask_states(q, mode, base=base)
        assert np.array_equal(got.touch, expected.touch) and got.first_touch == expected.first_touch
        assert got.touch_count == expected.touch_count and len(got) == 100
        assert expected.pairs is None or np.array_equal(got.pairs, expected.pairs)
        assert expected.nearest is None or np.array_equal(got.nearest, expected.nearest)


def test_ignored_pairs(tmp_path):
    path = write(tmp_path, arm(3))
    r = urdf.load(path)
    folded = r.configuration({"j0": 2.4, "j1": 0})
    assert r.pairs(r.neutral) == []  # neighbours overlap and are ignored
    text = '<robot name="toy"><disable_collisions link1="l1" link2="l0" reason="Adjacent"/></robot>'
    srdf = write(tmp_path, text, "a")
    assert urdf.load(path, srdf).pairs(folded) == [("l1", "l2")]
    assert urdf.load(path, srdf, adjacent=True).pairs(r.neutral) == []
    assert urdf.load(path, adjacent=False).pairs(r.neutral) == [("l0", "l1"), ("l1", "l2")]
    text = """<robot name="toy"><disable_default_collisions link="l1"/><enable_collisions link1="l1" link2="l2"/>
        <group_state name="home" group="arm"><joint name="j0" value="1.5"/></group_state></robot>"""
    other = urdf.load(path, write(tmp_path, text, "b"))
    assert other.pairs(other.neutral) == [("l1", "l2")] and other.configuration("home").tolist() == [1.5, 0]
    other.ignore([("l1", "l2")])
    assert other.pairs(other.neutral) == []
    other.ignore([("l1", "l2")], ignore=False)
    assert other.pairs(other.neutral) == [("l1", "l2")]


def test_adjacent_links(tmp_path):
    """Fixed links are one body, and links without shapes are passed over."""
    shape = BOX.format("1 1 1")
    text = robot(
        link("base", shape),
        link("plate", shape),
        link("empty"),
        link("hand", shape),
        link("tip", shape),
        link("finger", shape),
        joint("j0", "fixed", "base", "plate"),
        joint("j1", "revolute", "plate", "empty"),
        joint("j2", "revolute", "empty", "hand"),
        joint("j3", "fixed", "hand", "tip"),
        joint("j4", "revolute", "tip", "finger"),
    )
    r = urdf.load(write(tmp_path, text))
    expected = {("base", "plate"), ("hand", "tip"), ("base", "hand"), ("base", "tip"), ("hand", "plate")}
    expected |= {("plate", "tip"), ("finger", "tip"), ("finger", "hand")}
    assert set(r.propose(0).adjacent) == expected


def test_proposal(tmp_path):
    text = arm(4)
    r = urdf.load(write(tmp_path, text), threads=1)
    proposal = r.propose(300, seed=1)
    assert proposal.adjacent == (("l0", "l1"), ("l1", "l2"), ("l2", "l3"))
    q = r.random(300, seed=1)
    free = urdf.load(tmp_path / "toy.urdf", adjacent=False)
    counts = {}
    for row in q:
        for pair in free.pairs(row):
            counts[pair] = counts.get(pair, 0) + 1
    assert proposal.counts == counts and counts["l0", "l1"] == 300
    others = {("l0", "l2"), ("l0", "l3"), ("l1", "l3")}
    assert set(proposal.never) == {pair for pair in others if pair not in counts}
    text = proposal.srdf(r.name)
    again = urdf.load(tmp_path / "toy.urdf", write(tmp_path, text, "toy.srdf"))
    r.ignore(proposal.pairs())
    assert np.array_equal(again.collide_states(q), r.collide_states(q))


def test_several_shapes_and_padding(tmp_path):
    box = BOX.format("1 1 1")
    ball = '<collision name="far"><origin xyz="0 0 5"/><geometry><sphere radius="0.5"/></geometry></collision>'
    text = robot(link("a", box + ball), link("b", box), joint("j", "prismatic", "a", "b", '<axis xyz="0 0 1"/>'))
    path = write(tmp_path, text.replace('upper="2"', 'upper="9"'))
    r = urdf.load(path, adjacent=False)
    assert len(r.objects) == 3 and len(r.handles("a")) == 2
    q = np.array([[-0.5], [0.5], [2.0], [3.5], [8.0]])
    assert r.collide_states(q).tolist() == [True, False, False, True, False]
    grown = urdf.load(path, adjacent=False, padding=0.25)
    assert grown.collide_states(q).tolist() == [True, True, False, True, False]
    one = urdf.load(path, adjacent=False, padding={"a": 0.6})
    assert one.collide_states(q).tolist() == [True, True, False, True, False]
    with pytest.raises(ValueError, match="no link 'c'"):
        urdf.load(path, padding={"c": 1})


@pytest.mark.parametrize("tolerance", [0.1, 0.01, 0.001])
def test_cylinders_are_around_the_true_ones(tolerance):
    (points, faces), error = _shapes.cylinder(2.0, 3.0, _shapes.sides_for(tolerance))
    assert 0 < error <= 2 * tolerance and tb.Model(points, faces).closed
    corners = points[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    plane = (normal * corners[:, 0]).sum(axis=1)
    assert np.linalg.norm(points[:, :2], axis=1).max() <= 2 + error + 1e-12
    assert (plane >= 2 * np.hypot(normal[:, 0], normal[:, 1]) + 1.5 * np.abs(normal[:, 2]) - 1e-12).all()


def test_balls_and_capsules_are_exact(tmp_path):
    ball = '<collision><geometry><sphere radius="0.5"/></geometry></collision>'
    capsule = '<collision><geometry><capsule radius="0.25" length="2"/></geometry></collision>'
    text = robot(link("a", ball), link("b", capsule), joint("j", "prismatic", "a", "b", '<axis xyz="1 0 0"/>', "0 0 0"))
    r = urdf.load(write(tmp_path, text), adjacent=False)
    q = [[0.75], [0.75 + 1e-15], [0.76], [-0.75], [0.0]]
    assert r.collide_states(q).tolist() == [True, False, False, True, True]
    assert r.ask_states([[1.0]], "nearest").nearest["distance"][0] == 0.25 and r.shape_error == 0
    r.scene.add(tb.Model(*_shapes.box(0.1, 0.1, 0.1)), moved(0, 0, 0.3))
    assert r.pairs([2.0]) == [("a", None)]  # inside the ball, which is a solid


def test_meshes(tmp_path):
    (tmp_path / "my_robot" / "meshes").mkdir(parents=True)
    points, faces = _shapes.box(1, 1, 1)
    lines = [f"v {x} {y} {z}" for x, y, z in points] + ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    (tmp_path / "my_robot" / "meshes" / "box.obj").write_text("\n".join(lines) + "\n")
    (tmp_path / "my_robot" / "meshes" / "box.3ds").write_text("3ds")
    mesh = '<collision><geometry><mesh filename="{}" scale="{}"/></geometry></collision>'
    folder = tmp_path / "my_robot" / "urdf"
    folder.mkdir()

    def read(name, scale="1 1 1", **options):
        return urdf.load(write(folder, robot(link("a", mesh.format(name, scale)))), **options)

    for name, options in (
        ("package://my_robot/meshes/box.obj", {}),
        ("package://my_robot/meshes/box.obj", {"packages": {"my_robot": tmp_path / "my_robot"}}),
        ("package://my_robot/meshes/box.obj", {"packages": [tmp_path]}),
        ("package:///my_robot/meshes/box.obj", {}),
        ("package://other/box.obj", {"packages": {"other": tmp_path / "my_robot" / "meshes"}}),
        ("../meshes/box.obj", {}),
        (f"file://{tmp_path}/my_robot/meshes/box.obj", {}),
    ):
        model = read(name, "2 -1 0.5", **options).scene.get(1 << 32).model
        assert model.bounds.tolist() == [[-1, -0.5, -0.25], [1, 0.5, 0.25]] and model.closed
    other = read("../meshes/box.3ds", loader=lambda path: (points, faces))
    assert other.scene.get(1 << 32).model.closed
    with pytest.raises(urdf.UrdfError, match="loader"):
        read("../meshes/box.3ds")
    with pytest.raises(FileNotFoundError, match="link 'a'.*packages="):
        read("package://nobody/box.obj")
    with pytest.raises(FileNotFoundError, match="link 'a'"):
        read("../meshes/cube.obj")
    with pytest.raises(urdf.UrdfError, match="http://"):
        read("http://somewhere/box.obj")
    with pytest.raises(urdf.UrdfError, match="scale of 0"):
        read("../meshes/box.obj", "1 0 1")


# ---- Errors ----

A_B = link("a") + link("b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot", "not well-formed XML"),
        ("", "not well-formed XML"),
        ("<model/>", "<model>, not <robot>"),
        ("<robot/>", "no links"),
        (robot("<link/>"), "no attribute name"),
        (robot(link("a"), link("a")), "link 'a': occurs twice"),
        (robot(A_B), "'a' and 'b' both have no parent"),
        (robot(A_B, joint("j", "revolute", "a", "x")), "child link 'x' does not exist"),
        (robot(A_B, joint("j", "hinge", "a", "b")), "type 'hinge' is unknown"),
        (robot(A_B, joint("j", "fixed", "a", "b"), joint("j", "fixed", "a", "b")), "joint 'j': occurs twice"),
        (robot(A_B, joint("j", "fixed", "a", "b"), joint("k", "fixed", "a", "b")), "child of two joints"),
        (robot(A_B, joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "a")), "cycle"),
        (
            robot(link("r"), A_B, joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "a")),
            "link 'a' is not connected to 'r'",
        ),
        (robot(A_B, joint("j", "revolute", "a", "b").replace("limit", "limits")), "joint 'j': has no <limit>"),
        (robot(A_B, joint("j", "revolute", "a", "b").replace('"2"', '"-3"')), "lower limit -2 is above"),
        (robot(A_B, joint("j", "revolute", "a", "b", '<axis xyz="0 0 0"/>')), "axis of length 0"),
        (robot(A_B, joint("j", "revolute", "a", "b", '<axis xyz="0 0"/>')), "3 finite numbers"),
        (robot(A_B, joint("j", "revolute", "a", "b", xyz="0 nan 0")), "3 finite numbers"),
        (robot(A_B, joint("j", "revolute", "a", "b", xyz="0 one 0")), "not made of numbers"),
        (robot(A_B, joint("j", "revolute", "a", "b", '<mimic joint="k"/>')), "mimics 'k', which does not exist"),
        (robot(A_B, joint("j", "revolute", "a", "b", '<mimic joint="j"/>')), "mimics itself"),
        (robot(link("a", "<collision/>")), "has no <geometry>"),
        (robot(link("a", "<collision><geometry/></collision>")), "holds 0 shapes"),
        (robot(link("a", "<collision><geometry><cone/></geometry></collision>")), "shape <cone> is unknown"),
        (robot(link("a", BOX.format("1 0 1"))), "larger than 0"),
        (robot(link("a", BOX.format("${size}"))), "xacro"),
        ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arm/></robot>', "xacro toy.urdf > robot.urdf"),
    ],
)
def test_errors(tmp_path, monkeypatch, text, message):
    write(tmp_path, text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(urdf.UrdfError, match="^toy.urdf: ") as caught:
        urdf.load("toy.urdf")
    assert message in str(caught.value)


def test_errors_of_srdf(tmp_path):
    path = write(tmp_path, robot(A_B, joint("j", "fixed", "a", "b")))
    srdf = write(tmp_path, '<robot><disable_collisions link1="a" link2="x"/></robot>', "toy.srdf")
    with pytest.warns(UserWarning, match="toy.srdf.*no link 'x'"):
        urdf.load(path, srdf)
    with pytest.raises(urdf.UrdfError, match="no attribute link2"):
        urdf.load(path, write(tmp_path, '<robot><disable_collisions link1="a"/></robot>', "bad.srdf"))
    with pytest.raises(FileNotFoundError):
        urdf.load(tmp_path / "nothing.urdf")
    with pytest.raises(ValueError, match="tolerance"):
        urdf.load(path, tolerance=0)


def test_robot_without_shapes(tmp_path):
    r = urdf.load(write(tmp_path, robot(A_B, joint("j", "revolute", "a", "b"))))
    assert not r.collide_states(r.random(10, 0)).any() and r.propose(10).counts == {} and "2 links" in repr(r)


# ---- Collada ----

COLLADA = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
<technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
<source id="n"><float_array id="b" count="3">0 0 1</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>
<p>0 0 1 0 2 0 0 0 2 0 3 0</p></triangles>
<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist>
<polygons><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></polygons>
</mesh></geometry></library_geometries>
<library_nodes><node id="part"><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="s"><node><translate>100 0 0</translate><rotate>0 0 1 90</rotate>
<node><scale>10 20 1</scale><instance_geometry url="#g"/></node>
<node><matrix>1 0 0 0 0 1 0 0 0 0 1 300 0 0 0 1</matrix><instance_node url="#part"/></node>
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def test_collada(tmp_path):
    path = write(tmp_path, COLLADA, "a.dae")
    vertices, corners, sizes = _collada.read(path)
    assert sizes.tolist() == 2 * [3, 3, 4, 3] and len(corners) == 26
    model = tb.Model(vertices, corners, sizes=sizes)
    assert model.bounds == pytest.approx(np.array([[0.8, 0, 0], [1, 0.1, 3]]))
    shape = '<collision><geometry><mesh filename="a.dae"/></geometry></collision>'
    r = urdf.load(write(tmp_path, robot(link("a", shape))))
    assert len(r.scene.get(r.objects[0]).model) == 8


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</COLLADA>", "", "not well-formed"),
        ("COLLADA", "MODEL", "<MODEL>, not <COLLADA>"),
        ('url="#g"', 'url="#h"', "no <geometry> with the id '#h'"),
        ("0 0 1 0 2 0 0 0 2 0 3 0", "0 0 1 0 2 0 0 0 2 0 9 0", "does not fit"),
        ("<vcount>4", "<vcount>5", "does not fit"),
        ("1 1 0 0 1 0<", "1 1 zero 0 1 0<", "not made of numbers"),
        ("<scale>10 20 1", "<scale>10 20", "2 numbers"),
        ('meter="0.01"', 'meter="cm"', "malformed"),
        ('stride="3"', 'stride="2"', "does not hold points"),
        ("<scene>", "<scenes>", "not well-formed"),
        ('<instance_visual_scene url="#s"/>', "", "no scene"),
        ('<node id="part">', '<node id="part"><instance_node url="#part"/>', "within itself"),
        ("<input ", "<output ", "holds no polygons"),
    ],
)
def test_errors_of_collada(tmp_path, old, new, message):
    write(tmp_path, COLLADA.replace(old, new), "a.dae")
    shape = '<collision><geometry><mesh filename="a.dae"/></geometry></collision>'
    path = write(tmp_path, robot(link("a", shape)))
    with pytest.raises(urdf.UrdfError, match="a.dae") as caught:
        urdf.load(path)
    assert message in str(caught.value)
