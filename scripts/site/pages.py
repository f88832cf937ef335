"""Gathers the pages of the site and mkdocs' configuration:

    scripts/site/pages.py FOLDER

FOLDER/pages receives docs/*.md with its pictures, the guides that lie elsewhere, and the C reference; what
python_reference.py has written there stays. Links to other files of the project become links to a copy of them.
"""
import re
import shutil
import sys
from pathlib import Path

import c_reference

ROOT = Path(__file__).resolve().parents[2]

# Pages that lie outside of docs/, and their places.
ELSEWHERE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "proofs/README.md": "proofs.md",
             "bindings/web/README.md": "javascript.md"}
# The order of the menu. What docs/ has beside these follows under Guides, benchmarks-... under Measurements.
START = ["index.md", "questions.md", "try.md"]
GUIDES = ["semantics.md", "proximity.md", "motion.md", "single.md", "scenes.md", "deform.md", "device.md", "python.md",
          "command-line.md", "clash.md"]
JAVASCRIPT = ["javascript.md", "javascript-types.md"]
INTERNALS = ["architecture.md", "geometry.md", "wide.md", "boxtree.md", "kdop.md", "rtree.md", "mixed.md",
             "proximity-proofs.md", "proofs.md", "contributing.md", "changelog.md"]
MEASUREMENTS = ["peers.md", "benchmarks.md", "papers.md"]

HEADERS = ["tumble.h", "base.h", "math.h", "model.h", "query.h", "proximity.h", "motion.h", "self.h", "ray.h", "point.h",
           "scene.h", "device.h", "io.h"]
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")


def outside_code(text, change):
    """Applies `change` to the lines of a page that are not in a fenced block."""
    parts = re.split(r"(^[ ]*```.*?^[ ]*```[^\n]*$)", text, flags=re.M | re.S)
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))


def spaced_lists(text):
    """Python-Markdown wants an empty line before a list, and four spaces before one in another."""
    out = []
    for line in text.split("\n"):
        is_item = re.match(r"( *)(?:[-*]|\d+\.) ", line)
        before = out[-1] if out else ""
        if is_item and not is_item.group(1) and before.strip() and not re.match(r"(?:[-*]|\d+\.) | {2,}", before):
            out.append("")
        if re.match(r" {2,3}\S", line):
            line = re.sub(r"^ +", "    ", line)
        out.append(line)
    return "\n".join(out)


class Site:
    def __init__(self, folder):
        self.pages = folder / "pages"
        self.places = {}    # file of the project -> page
        self.anchors = {}   # name of the C interface -> page of the reference
        self.titles = {}

    def place(self, source, page):
        self.places[(ROOT / source).resolve()] = page

    def target(self, source, page, link):
        """A link of a file, from its page."""
        if re.match(r"[a-z]+:|#", link):
            return link
        path, _, anchor = link.partition("#")
        file = (source.parent / path).resolve()
        up = "../" * page.count("/")
        anchor = f"#{anchor}" if anchor else ""
        if file in self.places:
            return up + self.places[file] + anchor
        if not file.is_file() or not file.is_relative_to(ROOT):
            raise SystemExit(f"{source.relative_to(ROOT)}: no such file: {link}")
        name = str(file.relative_to(ROOT))
        copied = name.removeprefix("docs/") if name.startswith("docs/") else f"files/{name}"
        (self.pages / copied).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, self.pages / copied)
        return up + copied

    def linked_names(self, text, page):
        """Names of the C interface in code become links to the reference."""
        up = "../" * page.count("/")

        def link(match):
            name = match.group(1)
            there = self.anchors.get(name.removesuffix("()"))
            return match.group() if not there else f"[`{name}`]({up}{there}#{name.removesuffix('()')})"

        def line_by_line(part):
            pieces = re.split(r"(\[[^\]]*\]\([^)]*\)|^#.*$)", part, flags=re.M)
            return "".join(piece if i % 2 else re.sub(r"(?<![\[`])`([\w]+(?:\(\))?)`(?!`)", link, piece)
                           for i, piece in enumerate(pieces))
        return outside_code(text, line_by_line)

    def write(self, page, text):
        text = self.linked_names(text, page)
        title = re.search(r"^# (.*)$", text, re.M)
        self.titles[page] = title.group(1) if title else page
        path = self.pages / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def guide(self, source, page):
        # What the tests of the documentation look for is of no use to a reader.
        text = re.sub(r"^(```\w+\n)(?:# run|(?:#|//) example: .*|/\* example: .* \*/)\n", r"\1", source.read_text(), flags=re.M)

        def change(part):
            part = LINK.sub(lambda m: f"{m.group(1)}({self.target(source, page, m.group(2))})", part)
            return spaced_lists(part)
        self.write(page, outside_code(text, change))


def c_pages(site):
    """The reference: a page per header and the list of all names."""
    headers = sorted((ROOT / "include/tumble").glob("*.h"),
                     key=lambda path: (HEADERS.index(path.name) if path.name in HEADERS else len(HEADERS), path.name))
    found = {}
    for path in headers:
        page = f"c/{path.stem}.md"
        found[path] = c_reference.page_of(path.name, path.read_text())
        site.place(path.relative_to(ROOT), page)
        for name in found[path][1]:
            site.anchors.setdefault(name, page)
    overview = ["# C reference", "", "From the comments of the public headers. `#include <tumble/tumble.h>` has all of them "
                "but the last two.", "", "| Header | |", "|---|---|"]
    for path in sorted(headers, key=lambda path: path.name in ("hierarchies.h", "col.h")):
        overview.append(f"| [{path.name}]({path.stem}.md) | {found[path][2]} |")
    overview += ["", "## All functions", ""]
    functions = sorted({name for path in headers for name in found[path][1] if re.match(r"tumble_|col[A-Z]", name)})
    overview += [f"- [`{name}`](../{site.anchors[name]}#{name})" for name in functions]
    site.write("c/index.md", "\n".join(overview) + "\n")
    for path in headers:
        page = f"c/{path.stem}.md"
        text = re.sub(r"^\| `(\w+)\.h` \|", lambda m: f"| [{m.group(1)}.h]({m.group(1)}.md) |", found[path][0], flags=re.M)
        site.write(page, text)
    return [f"c/{path.stem}.md" for path in headers]


def menu(site, references):
    docs = sorted(path.name for path in (ROOT / "docs").glob("*.md"))
    there = set(site.titles)
    measured = MEASUREMENTS + [name for name in docs if name.startswith("benchmarks-")]
    known = set(START + GUIDES + JAVASCRIPT + INTERNALS + measured)
    python = [f"python/{name}.md" for name in ("tumble", "urdf", "trimesh") if (site.pages / f"python/{name}.md").is_file()]
    for page in python:
        site.titles[page] = "tumble" if page.endswith("/tumble.md") else f"tumble.{Path(page).stem}"
    return [("Start", [page for page in START if page in there]),
            ("Guides", [page for page in GUIDES if page in there] + [name for name in docs if name not in known]),
            ("C", ["c/index.md"] + references), ("Python", python),
            ("JavaScript", [page for page in JAVASCRIPT if page in there]),
            ("Internals", [page for page in INTERNALS if page in there]),
            ("Measurements", [page for page in measured if page in there])]


def configuration(site, references):
    lines = (ROOT / "scripts/site/mkdocs.yml").read_text().replace("@VERSION@", (ROOT / "VERSION").read_text().strip())
    nav = ["nav:"]
    for heading, pages in menu(site, references):
        if pages:
            nav.append(f"  - {heading}:")
            nav += [f'      - "{site.titles[page]}": {page}' for page in pages]
    return lines + "\n".join(nav) + "\n"


def main():
    folder = Path(sys.argv[1])
    site = Site(folder)
    if site.pages.exists():
        for path in site.pages.iterdir():
            if path.name != "python":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    site.pages.mkdir(parents=True, exist_ok=True)
    guides = [(path, path.name) for path in sorted((ROOT / "docs").glob("*.md"))]
    guides += [(ROOT / name, page) for name, page in ELSEWHERE.items() if (ROOT / name).is_file()]
    for source, page in guides:
        site.place(source.relative_to(ROOT), page)
    site.place("README.md", "index.md")
    references = c_pages(site)
    for source, page in guides:
        site.guide(source, page)
    types = [(name, ROOT / f"bindings/web/js/{name}.d.ts") for name in ("index", "worker", "three")]
    if all(path.is_file() for _, path in types):
        heading = {"index": "tumble-collision", "worker": "tumble-collision/worker", "three": "tumble-collision/three"}
        site.write("javascript-types.md", "# JavaScript: all functions\n\nThe types of [the npm package](javascript.md), which are "
                   "its reference.\n" + "".join(f"\n## {heading[name]}\n\n```ts\n{path.read_text()}```\n" for name, path in types))
    shutil.copyfile(ROOT / "scripts/site/extra.css", site.pages / "extra.css")
    (folder / "mkdocs.yml").write_text(configuration(site, references))
    print(f"{len(guides)} guides, {len(references)} headers, {len(site.anchors)} names")


if __name__ == "__main__":
    main()
