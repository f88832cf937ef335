#!/bin/sh
# Builds the documentation site in build/site/html and checks its links. The Python reference is made from the package
# in build/python-env (scripts/python.sh wheel).
#     scripts/site.sh [page]      page: with the page where models are tried, which scripts/page.py has left in build/web
set -eu
cd "$(dirname "$0")/.."

site=build/site
rm -rf $site
mkdir -p $site
build/python-env/bin/python -B scripts/site/python_reference.py $site/pages/python
/usr/bin/python3 -B scripts/site/pages.py $site
if [ "${1:-}" = page ]; then
    cp -r build/web/page $site/pages/try
    echo "  - Try it: try/index.html" >>$site/mkdocs.yml
fi
(cd $site && /usr/bin/python3 -m mkdocs build -q -f mkdocs.yml)
/usr/bin/python3 -B scripts/site/search_file.py $site/html
/usr/bin/python3 -B scripts/site/check_html.py $site/html include/tumble
