#!/bin/bash
# Builds the Python package (bindings/python) as a wheel, installs it into the virtual environment build/python-env,
# which also sees the system's packages, such as numpy, and tests it there. Steps:
#     scripts/python.sh [wheel|tests|types|others|sanitizer]...      without a step, the usual ones
# PYTHON names the interpreter, /usr/bin/python3 if not set.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-/usr/bin/python3}
environment=build/python-env
wheels=build/python-wheel
unset PYTHONPATH PYTHONHOME
export PYTHONNOUSERSITE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1 MPLBACKEND=agg

# make_environment PYTHON FOLDER [OPTION...]; an environment whose Python has gone is made anew.
make_environment()
{
    if ! "$2/bin/python" -c "" 2>/dev/null; then
        rm -rf "$2"
        "$1" -m venv "${@:3}" "$2"
    fi
}

install_wheel()
{
    "$1/bin/python" -m pip install --quiet --no-deps --force-reinstall "$wheels"/*.whl
}

step_wheel()
{
    make_environment "$python" "$environment" --system-site-packages
    rm -rf "$wheels"
    "$environment/bin/python" -m pip wheel --quiet --no-deps --wheel-dir "$wheels" \
        --config-settings build-dir="$PWD/build/python" bindings/python
    install_wheel "$environment"
    ls -sh "$wheels"
}

# From another folder, so that the installed package is the one that is imported.
step_tests()
{
    TUMBLE_WHEEL=$(echo "$PWD/$wheels"/*.whl)
    export TUMBLE_WHEEL
    (cd build && python-env/bin/python -m pytest -q -c ../bindings/python/pyproject.toml ../bindings/python/tests)
}

step_types()
{
    local mypy="python-env/bin/python -m mypy --config-file ../bindings/python/pyproject.toml --cache-dir mypy-cache"
    # shellcheck disable=SC2086 # a list of words
    (cd build && $mypy -p tumble && $mypy ../bindings/python/tests/typed.py &&
        python-env/bin/python -m mypy.stubtest tumble._tumble)
}

# Other Pythons of this machine; one that a version manager names but has not installed does not run.
other_pythons()
{
    local found version
    for version in 3.12 3.13 3.14; do
        for found in "$(command -v "python$version" || true)" \
            "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python3; do
            if [ -n "$found" ] && "$found" -c "" 2>/dev/null; then
                echo "$version $found"
                break
            fi
        done
    done
}

# The same wheel there. These Pythons may lack numpy and pytest, so each file of tests/plain_*.py is a program.
step_others()
{
    local version other test
    while read -r version other; do
        echo "Python $version: $other"
        make_environment "$other" "$environment-$version"
        install_wheel "$environment-$version"
        for test in bindings/python/tests/plain_*.py; do
            "$environment-$version/bin/python" "$test"
        done
    done < <(other_pythons)
}

# The tests that look for crashes, with the extension under the address and undefined-behaviour sanitizers, whose
# messages pytest must not swallow.
step_sanitizer()
{
    cmake --preset asan -DTUMBLE_BUILD_PYTHON=ON >/dev/null
    cmake --build --preset asan --target tumble_python
    (cd bindings/python/tests && env LD_PRELOAD="$(gcc -print-file-name=libasan.so)" PYTHONMALLOC=malloc \
        ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONPATH="$OLDPWD/build/asan/bindings/python" \
        TUMBLE_TEST_EFFORT=0.1 "$python" -m pytest -q -p no:cacheprovider --capture=sys test_misuse.py test_batches.py \
        test_near.py test_scene_points.py test_solids.py)
}

[ $# -gt 0 ] || set -- wheel tests types others
for step in "$@"; do
    start=$SECONDS
    echo "-- check python $step"
    "step_$step"
    echo "-- check python $step passed in $((SECONDS - start)) s"
done
