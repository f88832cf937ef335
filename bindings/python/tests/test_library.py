"""Whatever the C interface can do, Python can do."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# Functions that the extension does not call, and why.
WITHOUT = {
    "tumble_assembly_add_mesh": "Assembly.add makes a Model, which Ctrl-C can interrupt, and gives it a copy",
    "tumble_assembly_read": "Assembly.read asks tumble_assembly_read_at",
    "tumble_clash_before_parse": "a run before is read from its file",
    "tumble_clash_rules_count": "Clashes.rules has the rules of a run",
    "tumble_clash_rules_parse": "rules are read from their file",
    "tumble_clash_rules_view": "likewise: a run tells how many parts are in its sets",
    "tumble_closest_point": "closest() asks tumble_closest_points",
    "tumble_ray": "rays() asks tumble_rays",
    "tumble_contact_intervals": "contact_intervals() asks tumble_path_contact_intervals: a motion is a path of one piece",
    "tumble_motion_check": "motion_pose() asks tumble_path_check",
    "tumble_motion_pose": "motion_pose() asks tumble_path_pose",
    "tumble_path_piece": "a Path has its pieces and times",
    "tumble_context_simd": "tells which instructions are used, for tests",
    "tumble_default_context_options": "for contexts with limits of memory or threads: every call has threads=",
    "tumble_device_next": "a Job is waited for by itself",
    "tumble_device_wait": "likewise",
    "tumble_model_get_kdop_info": "for studies of hierarchies, as the command is",
    "tumble_pose_from_matrix": "matrices are taken as they are",
    "tumble_scene_count": "len(scene) counts in Python",
    **{f"tumble_{what}_name": "enumerations have names in Python" for what in ("change", "clash_kind", "place", "relation", "self_kind", "severity", "status")},
}


def test_every_function_is_used():
    headers = "".join(path.read_text() for path in (ROOT / "include/tumble").glob("*.h") if path.name != "col.h")
    declared = set(re.findall(r"^TUMBLE_API [^;(]*?(tumble_\w+)\(", headers, re.MULTILINE))
    sources = "".join(path.read_text() for path in (ROOT / "bindings/python/src").glob("*.c"))
    used = set(re.findall(r"\btumble_\w+", sources))
    assert len(declared) > 100
    assert sorted(declared - used - set(WITHOUT)) == [], "give Python a function, or WITHOUT a reason"
    assert sorted(set(WITHOUT) & used | set(WITHOUT) - declared) == [], "no longer true"
