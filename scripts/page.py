#!/usr/bin/env python3
"""Gathers the page in build/web/page: its files, the viewer's, Debian's three.js, and the library as WebAssembly, which
scripts/wasm.sh has left in build/web/package. It works from any server and from a file.

    scripts/page.py [serve]

`serve` also serves it on this machine alone, at http://127.0.0.1:8017 or the next free port.
"""
import functools
import http.server
import json
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "build/web/package/tumble.classic.js"
GLTF = Path("/usr/share/javascript/three/examples/js/loaders/GLTFLoader.js")
THREE = [Path("/usr/share/javascript/three/three.min.js"), Path("/usr/share/javascript/three/build/three.min.js")]
FIRST, LAST = ["pose.js"], ["app.js"]  # the rest may come in any order


# The page is painted before its scripts are read.
LOADER = """<script>
requestAnimationFrame(() => requestAnimationFrame(() => {
    for (const name of %s) {
        const script = document.createElement("script");
        script.src = name;
        script.async = false;
        document.head.append(script);
    }
}));
</script>"""


def gather(folder):
    page, viewer = ROOT / "web/page", ROOT / "web/viewer"
    three = next((path for path in THREE if path.is_file()), None)
    if not LIBRARY.is_file() or not three:
        sys.exit(f"page.py: {LIBRARY.relative_to(ROOT) if not LIBRARY.is_file() else 'three.js'} is missing: make web")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    own = {path.name for path in page.glob("*.js")} - {"worker.js", "worker-heap.js", *FIRST, *LAST}
    sources = [three, GLTF, *sorted(viewer.glob("*.js")), *(page / name for name in [*FIRST, *sorted(own), *LAST])]
    names = []
    for path in sources:
        name = path.name if path.parent != viewer else f"viewer-{path.name}"
        shutil.copyfile(path, folder / name)
        names.append(name)
    # The worker's program as text, as a page from a file may not load a worker.
    program = "".join(path.read_text() for path in (LIBRARY, page / "worker-heap.js", page / "worker.js"))
    (folder / "library.js").write_text(
        "(globalThis.TumblePage = globalThis.TumblePage || {}).workerSource = " + json.dumps(program) + ";\n")
    names.insert(-1, "library.js")
    shutil.copyfile(page / "style.css", folder / "style.css")
    html = (page / "index.html").read_text().replace("<!-- scripts -->", LOADER % json.dumps(names))
    (folder / "index.html").write_text(html)
    print(f"{folder.relative_to(ROOT)}/index.html: {sum(path.stat().st_size for path in folder.iterdir()) // 1024} KB")


def serve(folder):
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    handler = functools.partial(Handler, directory=str(folder))
    for port in range(8017, 8117):
        try:
            server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
            break
        except OSError:
            continue
    else:
        sys.exit("page.py: no port is free")
    print(f"http://127.0.0.1:{port}/  (Ctrl-C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


def main():
    folder = ROOT / "build/web/page"
    gather(folder)
    if sys.argv[1:] == ["serve"]:
        serve(folder)


main()
