#!/usr/bin/env python3
"""Checks the built site: every link and picture is there, with its anchor; nothing is loaded from elsewhere; every
function of the C interface has its place.

    scripts/site/check_html.py HTML_FOLDER INCLUDE_FOLDER
"""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("object", "data"),
          ("use", "href")}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("id"):
            self.ids.add(attributes["id"])
        for name in ("href", "src", "data"):
            if name not in attributes or attributes[name] is None:
                continue
            if (tag, name) in LOADED and attributes.get("rel") != "canonical":
                self.loads.append(attributes[name])
            elif tag == "a":
                self.links.append(attributes[name])


def failures_of(folder):
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    checked = 0
    for path, page in pages.items():
        here = path.relative_to(folder)
        if here.name == "404.html":
            continue
        for url in page.loads:
            if re.match(r"(?:https?:)?//", url):
                yield f"{here}: loads {url}"
        for url in page.links + page.loads:
            parts = urlsplit(url)
            if parts.scheme in ("http", "https", "mailto", "data", "javascript") or parts.netloc:
                continue
            checked += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file():
                yield f"{here}: no such page: {url}"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids | {"__top"}:
                yield f"{here}: no such place: {url}"
    for path in folder.rglob("*.css"):
        for url in re.findall(r"url\(['\"]?((?:https?:)?//[^'\")]*)|@import\s+['\"]((?:https?:)?//[^'\"]*)", path.read_text()):
            yield f"{path.relative_to(folder)}: loads {''.join(url)}"
    if checked < 1000:
        yield f"only {checked} links were found"
    print(f"{len(pages)} pages, {checked} links")


def missing_functions(folder, include):
    text = "\n".join(path.read_text() for path in (folder / "c").glob("*.html"))
    ids = set(re.findall(r'id="(\w+)"', text))
    declared = set()
    for path in include.glob("*.h"):
        joined = re.sub(r"\s+", " ", path.read_text())
        declared |= set(re.findall(r"TUMBLE_API (?:const )?\w+ \**(\w+)\(", joined))
    if len(declared) < 50:
        yield f"only {len(declared)} functions were found"
    for name in sorted(declared - ids):
        yield f"the reference lacks {name}"


def main():
    folder, include = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    failures = list(failures_of(folder)) + list(missing_functions(folder, include))
    print("\n".join(failures[:50]))
    sys.exit(1 if failures else 0)


main()
