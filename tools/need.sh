#!/bin/sh
# Usage: tools/need.sh WHAT...
#
# Checks that each WHAT (git, make, compiler, python, doctest, benchmark) is on this machine. What is
# missing is installed on Debian and its relatives, where we may (as root, or by a sudo that asks nothing);
# elsewhere the message says what to install. PYTHON and CXX name the programs to look at.
set -eu

python=${PYTHON:-python3}
cxx=${CXX:-g++}

can_compile() { # can_compile HEADER
  echo "#include <$1>" | "$cxx" -std=c++17 -x c++ -fsyntax-only - 2>/dev/null
}

has() {
  case $1 in
    git | make) command -v "$1" >/dev/null ;;
    compiler) can_compile vector ;;
    python) "$python" -c '
import ensurepip, pathlib, sys, sysconfig, venv
header = pathlib.Path(sysconfig.get_path("include"), "Python.h")
sys.exit(sys.version_info < (3, 10) or not header.exists())' 2>/dev/null ;;
    doctest) can_compile doctest/doctest.h ;;
    benchmark) can_compile benchmark/benchmark.h ;;
    *) echo "need.sh: unknown: $1" >&2 && exit 2 ;;
  esac
}

packages() { # what Debian calls it
  case $1 in
    git | make) echo "$1" ;;
    compiler) echo g++ ;;
    python) echo python3-dev python3-venv ;;
    doctest) echo doctest-dev ;;
    benchmark) echo libbenchmark-dev ;;
  esac
}

explain() {
  case $1 in
    git | make) echo "$1" ;;
    compiler) echo "a C++17 compiler ($cxx does not work; CXX=... names another)" ;;
    python) echo "Python 3.10 or later with venv, pip and its C headers" \
      "($python lacks some of them; PYTHON=... names another)" ;;
    doctest) echo "doctest's header (https://github.com/doctest/doctest), for the C++ tests" ;;
    benchmark) echo "google-benchmark (https://github.com/google/benchmark), for make bench" ;;
  esac
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

missing=
for what in "$@"; do
  has "$what" || missing="$missing $what"
done
[ -n "$missing" ] || exit 0

debian=$(for what in $missing; do packages "$what"; done)
# shellcheck disable=SC2086  # a list of package names
if command -v apt-get >/dev/null && as_root true 2>/dev/null; then
  echo "Installing Debian's" $debian >&2
  as_root apt-get -qq update >&2 || true # an old list may do
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
    install $debian >&2 || true # what is still missing is told below
fi

status=0
for what in $missing; do
  if ! has "$what"; then
    echo "rankforest needs $(explain "$what")." >&2
    echo "On Debian: apt-get install" "$(packages "$what")" >&2
    status=1
  fi
done
exit $status
