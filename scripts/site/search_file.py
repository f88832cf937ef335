#!/usr/bin/env python3
"""Adds the search of pages that are opened from a file: scripts/site/search_file.py HTML_FOLDER"""
import shutil
import sys
from pathlib import Path


def main():
    folder = Path(sys.argv[1])
    shutil.copyfile(Path(__file__).with_suffix(".js"), folder / "search/search_file.js")
    (folder / "search/search_index.js").write_text(f"__searchIndex({(folder / 'search/search_index.json').read_text()});\n")
    changed = 0
    for path in folder.rglob("*.html"):
        text = path.read_text()
        mark = text.find("assets/javascripts/bundle.")
        if mark < 0:
            continue
        start = text.rindex("<script", 0, mark)
        up = text[text.index('src="', start) + 5:mark]
        path.write_text(f'{text[:start]}<script src="{up}search/search_file.js"></script>\n      {text[start:]}')
        changed += 1
    if changed == 0:
        sys.exit("search_file.py: no page loads the theme's script")


main()
