#!/bin/sh
# Builds the program: build.sh [OUTPUT]. CXX and CXXFLAGS may be set from outside.
set -eu
here=$(dirname "$0")
output=${1:-$here/../../build/plain_cpp}
mkdir -p "$(dirname "$output")"
# shellcheck disable=SC2086
"${CXX:-g++}" ${CXXFLAGS:--O3 -march=native} -std=c++17 -Wall -Wextra -o "$output" "$here/main.cpp"
