"""Models: how they are made, what they know, how they are kept and changed."""

import base64
import copy
import io
import pickle
import re

import numpy as np
import pytest

import tumble as tb
from conftest import CUBE_POINTS, CUBE_QUADS, shift, torus

TRIANGLES = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize("points", ["f4", "f8", ">f8", "f2", "i1", "u2", "i8"])
@pytest.mark.parametrize("faces", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4"])
def test_every_type_of_array_makes_the_same_model(points, faces):
    assert tb.Model(POINTS.astype(points), TRIANGLES.astype(faces)) == tb.Model(POINTS, TRIANGLES)


def test_every_layout_makes_the_same_model():
    expected = tb.Model(POINTS, TRIANGLES)
    wide = np.zeros((4, 7))
    wide[:, 1:7:2] = POINTS
    padded = np.column_stack([TRIANGLES, np.full(4, -1)])
    assert tb.Model(wide[:, 1:7:2], TRIANGLES) == expected
    assert tb.Model(np.asfortranarray(POINTS), np.asfortranarray(TRIANGLES)) == expected
    assert tb.Model(POINTS[::-1][::-1], TRIANGLES[::-1][::-1]) == expected
    assert tb.Model(POINTS.tolist(), TRIANGLES.tolist()) == expected
    assert tb.Model(POINTS, padded) == expected
    assert tb.Model(POINTS, TRIANGLES.ravel(), sizes=[3, 3, 3, 3]) == expected


def test_polygons_of_mixed_sizes():
    rows = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7, 3]]
    flat = [corner for row in rows for corner in row]
    model = tb.Model(CUBE_POINTS, rows)
    assert len(model) == 7 and model.info.triangle_count == 12 and model.closed
    assert tb.Model(CUBE_POINTS, flat, sizes=[len(row) for row in rows]) == model
    assert tb.Model(CUBE_POINTS, np.array([row + [-1] * (4 - len(row)) for row in rows])) == model


def test_facts(cube):
    assert len(cube) == 6 and cube.closed and cube.hierarchy == "wide" and cube.nbytes > 500
    assert cube.bounds.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert cube.info.triangle_count == 12 and cube.info.point_count == 8 and cube.info.surface_count == 1
    assert repr(cube) == "<tumble.Model: 6 polygons, closed, wide, [0 0 0] to [1 1 1]>"
    corners, polygons = cube.triangles()
    assert corners.shape == (12, 3, 3) and sorted(polygons.tolist()) == sorted(list(range(6)) * 2)
    html = cube._repr_html_()
    assert "<th>closed</th><td>yes</td>" in html
    assert tb.Model([], [])._repr_html_()


def picture(model):
    image = pytest.importorskip("matplotlib.image")
    data = base64.b64decode(re.search("base64,([^\"]*)", model._repr_html_())[1])
    return image.imread(io.BytesIO(data), format="png")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-310, 1.7e308])
def test_picture_of_any_size(size):
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    assert np.allclose(picture(tb.Model(size * points, [[0, 1, 2]])), picture(tb.Model(points, [[0, 1, 2]])), atol=0.05)


def test_picture_of_cylinders():
    """They end where the axis ends."""
    cylinder, capsule = (make((0, 0, 0), (0, 0, 2), 0.5) for make in (tb.Model.cylinder, tb.Model.capsule))
    rows = [np.flatnonzero((picture(model)[..., 3] > 0.4).any(axis=1)) for model in (cylinder, capsule)]
    assert 50 < len(rows[0]) < len(rows[1]) - 10


@pytest.mark.parametrize("make", [lambda: tb.Model(*torus()), lambda: tb.Model.balls([[0, 0, 0], [3, 0, 0]], [1, 0.5]),
                                  lambda: tb.Model.cylinder((0, 0, 0), (0, 0, 2), 1)])  # fmt: skip
def test_picture(make):
    """As large as what is drawn, and without holes."""
    opaque = picture(make())[..., 3] > 0.4
    across = np.flatnonzero(opaque.any(axis=0))
    assert opaque.shape == (220, 220) and 60 < across[-1] - across[0] < 180
    inside = opaque[1:-1, :-2] & opaque[1:-1, 2:] & opaque[:-2, 1:-1] & opaque[2:, 1:-1]
    assert inside.sum() > 1500 and (inside & ~opaque[1:-1, 1:-1]).sum() < 0.002 * inside.sum()


def test_surfaces_of_polygons():
    model = tb.Model(CUBE_POINTS, CUBE_QUADS, surfaces=[9, 8, 7, 6, 5, 4])
    assert [model.surface_of(i) for i in range(6)] == [9, 8, 7, 6, 5, 4]
    with pytest.raises(IndexError):
        model.surface_of(6)


@pytest.mark.parametrize("hierarchy", ["wide", "boxtree", "kdop", "rtree", "brute"])
def test_hierarchies_agree(hierarchy):
    points, faces = torus(rings=20, sides=10)
    model = tb.Model(points, faces, hierarchy=hierarchy)
    assert model.hierarchy == hierarchy
    expected = tb.pairs(tb.Model(points, faces), tb.Model(points, faces), None, shift(0.3))
    assert np.array_equal(tb.pairs(model, model, None, shift(0.3)), expected)


def test_tuning():
    model = tb.Model(CUBE_POINTS, CUBE_QUADS, hierarchy="kdop", tuning={"kdop.k": 26, "kdop.split": "min-sum"})
    assert model.tuning["kdop.k"] == 26 and set(model.tuning) == set(tb.tunings())
    assert tb.collide(model, model, tuning={"kdop_walk.traversal": "both"})
    with pytest.raises(ValueError, match="no option 'kdop.K'"):
        tb.Model(CUBE_POINTS, CUBE_QUADS, tuning={"kdop.K": 26})
    with pytest.raises(ValueError, match="kdop.split: expected one of"):
        tb.Model(CUBE_POINTS, CUBE_QUADS, tuning={"kdop.split": "x"})


def test_errors():
    with pytest.raises(tb.OutOfRangeError, match="no point 8") as error:
        tb.Model(CUBE_POINTS, CUBE_QUADS + 1)
    assert isinstance(error.value, (ValueError, IndexError))
    with pytest.raises(tb.PolygonError, match="2 corners"):
        tb.Model(CUBE_POINTS, [[0, 1]])
    with pytest.raises(tb.NotFiniteError, match="nan"):
        tb.Model(CUBE_POINTS * np.nan, CUBE_QUADS)
    with pytest.raises(ValueError, match="negative|-1"):
        tb.Model(POINTS, TRIANGLES - 1)
    with pytest.raises(TypeError, match="integers"):
        tb.Model(POINTS, TRIANGLES * 1.0)
    with pytest.raises(ValueError, match=r"\(n, 3\)"):
        tb.Model(POINTS[:, :2], TRIANGLES)
    with pytest.raises(ValueError, match="32 bits"):
        tb.Model(POINTS, np.full((1, 3), 2**40))


# ---- As bytes ----


def test_equal_models_are_one_key(cube):
    other = tb.Model(CUBE_POINTS, CUBE_QUADS)
    assert cube == other and cube is not other and hash(cube) == hash(other) and len({cube, other}) == 1
    assert cube != tb.Model(CUBE_POINTS * 2, CUBE_QUADS) and cube != 3
    with pytest.raises(AttributeError):
        cube.closed = False


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(ring, protocol):
    assert pickle.loads(pickle.dumps(ring, protocol)) == ring
    assert copy.deepcopy(ring) == ring


def test_pickle_out_of_band(ring):
    buffers = []
    data = pickle.dumps(ring, 5, buffer_callback=buffers.append)
    assert len(data) < 200 and pickle.loads(data, buffers=buffers) == ring


def test_block(ring):
    assert tb.Model.from_block(memoryview(ring)) == ring
    assert memoryview(ring).readonly
    with pytest.raises(tb.FormatError):
        tb.Model.from_block(bytes(ring)[:-1])


# ---- Files ----


def test_save_and_load(ring, tmp_path):
    ring.save(tmp_path / "ring.tumble")
    assert tb.load(tmp_path / "ring.tumble") == ring
    assert tb.read(str(tmp_path / "ring.tumble")) == ring
    with pytest.raises(FileNotFoundError, match="none.tumble") as error:
        tb.load(tmp_path / "none.tumble")
    assert error.value.filename == str(tmp_path / "none.tumble")
    with pytest.raises(IsADirectoryError):
        tb.read(tmp_path)
    (tmp_path / "bad.tumble").write_bytes(b"x" * 100)
    with pytest.raises(tb.FormatError):
        tb.load(tmp_path / "bad.tumble")


@pytest.mark.parametrize("suffix", ["obj", "off", "ply"])
def test_meshes(tmp_path, suffix):
    path = tmp_path / f"cube.{suffix}"
    tb.write_mesh(path, CUBE_POINTS, CUBE_QUADS)
    mesh = tb.read_mesh(path)
    assert np.array_equal(mesh.vertices, CUBE_POINTS) and mesh.sizes.tolist() == [4] * 6 and mesh.warning is None
    assert np.array_equal(mesh.indices.reshape(6, 4), CUBE_QUADS)
    assert len(tb.read(path)) == 6 and len(tb.parse(path.read_bytes(), suffix)) == 6
    assert tb.read(path, crease=45).info.surface_count == 6
    assert tb.read(path, hierarchy="rtree").hierarchy == "rtree"


def test_names_of_surfaces(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\no first\nf 1 2 3\no second\nf 1 3 2\n")
    mesh = tb.read_mesh(tmp_path / "a.obj")
    assert [mesh.surface_names[s] for s in mesh.surfaces.tolist()] == ["first", "second"]


def test_components():
    assert tb.components(CUBE_POINTS, CUBE_QUADS).tolist() == [0] * 6
    assert tb.components(CUBE_POINTS, CUBE_QUADS, 45).tolist() == [0, 1, 2, 3, 4, 5]


# ---- Changes ----


def test_deformed(cube):
    moved = CUBE_POINTS * 2
    made = tb.Model(CUBE_POINTS, CUBE_QUADS, deformable=True)
    assert made.deformed(moved).bounds.tolist() == [[0, 0, 0], [2, 2, 2]]
    assert made.deformed(moved).deformed(CUBE_POINTS).bounds.tolist() == [[0, 0, 0], [1, 1, 1]]
    plain = tb.Model(POINTS, TRIANGLES)
    assert plain.deformed(POINTS * 3, TRIANGLES).bounds.tolist() == [[0, 0, 0], [3, 3, 3]]
    assert plain.bounds.tolist() == [[0, 0, 0], [1, 1, 1]]
    with pytest.raises(tb.ArgumentError, match="deformable=True"):
        plain.deformed(POINTS)
    with pytest.raises(ValueError):
        plain.deformed(POINTS[:3], TRIANGLES)
    with pytest.raises(tb.UnsupportedError):
        cube.deformed(moved, CUBE_QUADS)


@pytest.mark.parametrize("hierarchy", ["rtree", "boxtree", "wide", "kdop"])
def test_edits(hierarchy):
    model = tb.Model(CUBE_POINTS, CUBE_QUADS, surfaces=[0, 0, 0, 1, 1, 1], hierarchy=hierarchy)
    edited = model.editable()
    assert isinstance(edited, tb.Model) and edited.hierarchy == hierarchy
    assert edited.insert(CUBE_POINTS + 5, CUBE_QUADS, surfaces=[2] * 6) == 6
    assert len(edited) == 12 and tb.collide(edited, model, None, shift(5.5, 5.5, 5.5))
    edited.remove(np.arange(6, 12))
    edited.remove_surface(1)
    assert len(edited) == 3 and not tb.collide(edited, model, None, shift(5.5, 5.5, 5.5))
    assert len(edited.frozen()) == 3 and type(edited.frozen()) is tb.Model and len(model) == 6
    with pytest.raises(IndexError):
        edited.remove([7])
    with pytest.raises(IndexError):
        edited.remove_surface(1)
    with pytest.raises(TypeError):
        hash(edited)


def test_no_edit_during_use(cube):
    edited = cube.editable()
    with memoryview(edited):
        with pytest.raises(tb.BusyError):
            edited.remove([0])
    edited.remove([0])
    assert len(edited) == 5


def test_radius():
    point = tb.Model([[0, 0, 0]], [[0, 0, 0]], radius=2)
    other = tb.Model([[3, 4, 0]], [[0, 0, 0]], radius=3)
    assert (point.radius, other.radius, tb.Model(CUBE_POINTS, CUBE_QUADS).radius) == (2, 3, 0)
    assert tb.collide(point, other)
    assert not tb.collide(point, tb.Model([[3, 4, 0]], [[0, 0, 0]], radius=2.5))
    assert tb.distance(point, tb.Model([[3, 4, 0]], [[0, 0, 0]], radius=1)).value == 2
    assert pickle.loads(pickle.dumps(point)).radius == 2
    with pytest.raises(tb.ArgumentError, match="the radius is -1"):
        tb.Model([[0, 0, 0]], [[0, 0, 0]], radius=-1)
