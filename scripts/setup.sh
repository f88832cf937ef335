#!/bin/sh
# Installs the Debian packages that are missing. Usage:
#     scripts/setup.sh run|test|check|bench|bench-peers|fuzz|torture|coverage|mutate|python|wasm|site|web
# Touches nothing, and needs neither network nor privileges, when everything is there.
set -eu

build_packages="gcc libc6-dev cmake ninja-build pkg-config libassimp-dev opencl-c-headers"
run_packages="$build_packages librsvg2-bin libjs-three"
peer_packages="g++ libfcl-dev libode-dev libbullet-dev libembree-dev libcgal-dev"
test_packages="libcjson-dev libcmocka-dev libgmp-dev"
check_packages="assimp-testmodels g++ binutils ccache clang clang-format clang-tidy cppcheck gappa man-db valgrind ocl-icd-libopencl1 pocl-opencl-icd oclgrind zsh fish python3"
python_packages="python3 python3-dev python3-venv python3-numpy python3-pytest python3-hypothesis python3-joblib python3-matplotlib mypy"
wasm_packages="clang-19 lld-19 llvm-14 emscripten"
web_packages="chromium fonts-dejavu-core"
site_packages="mkdocs mkdocs-material"
mutate_packages="binutils ocl-icd-libopencl1 pocl-opencl-icd python3 util-linux"

usage()
{
    echo "usage: scripts/setup.sh run|test|check|bench|bench-peers|fuzz|torture|coverage|mutate|python|wasm|site|web" >&2
    exit 2
}

# Any recent Node.js will do.
node_packages()
{
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        echo "nodejs npm"
    fi
}

packages_of()
{
    case $1 in
    run) echo "$run_packages" ;;
    bench) echo "$run_packages gnuplot-nox" ;;
    test) echo "$run_packages $test_packages" ;;
    check) echo "$run_packages $test_packages $check_packages $python_packages $site_packages" ;;
    python) echo "gcc libc6-dev cmake ninja-build opencl-c-headers $python_packages" ;;
    site) echo "gcc libc6-dev cmake ninja-build opencl-c-headers libjs-three $python_packages $wasm_packages $site_packages" ;;
    bench-peers) echo "$run_packages gnuplot-nox $peer_packages" ;;
    fuzz) echo "$build_packages clang" ;;
    torture) echo "$run_packages $test_packages ocl-icd-libopencl1 pocl-opencl-icd" ;;
    coverage) echo "$run_packages $test_packages $check_packages" ;;
    wasm) echo "$build_packages $wasm_packages libjs-three python3 $(node_packages)" ;;
    web) echo "$run_packages $wasm_packages $web_packages $(node_packages)" ;;
    mutate) echo "$run_packages $test_packages $mutate_packages" ;;
    *) usage ;;
    esac
}

installed()
{
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing_of()
{
    for package in "$@"; do
        installed "$package" || printf '%s ' "$package"
    done
}

cannot_install()
{
    echo "setup: these packages are missing: $*" >&2
    echo "setup: $reason Install them by hand, as root:" >&2
    echo "    apt-get install --no-install-recommends $*" >&2
    exit 1
}

as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

# Another apt that is at work is waited for.
apt_get()
{
    as_root apt-get -q -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@"
}

updated=no
install_missing()
{
    missing=$(missing_of "$@")
    if [ -z "$missing" ]; then
        return
    fi
    reason="this user is not root and there is no sudo."
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        # shellcheck disable=SC2086 # a list of words
        cannot_install $missing
    fi
    echo "setup: installing $missing"
    reason="apt-get failed (see above)."
    if [ $updated = no ]; then
        apt_get update || cannot_install "$missing"
        updated=yes
    fi
    # shellcheck disable=SC2086
    apt_get install -y --no-install-recommends $missing </dev/null || cannot_install $missing
}

[ $# -eq 1 ] || usage
packages=$(packages_of "$1")
if ! command -v dpkg-query >/dev/null; then
    echo "setup: not a Debian system; please provide what these packages provide: $packages" >&2
    exit 0
fi
# shellcheck disable=SC2086
install_missing $packages

# The sanitizers' run-time library comes in a package that is named after clang's version.
case " $packages " in
*" clang "*)
    version=$(clang -dumpversion | cut -d. -f1)
    if [ "$version" -ge 14 ]; then
        install_missing "libclang-rt-$version-dev"
    fi
    ;;
esac
