#!/bin/sh
# Runs two lists of make targets at the same time and shows what they print one after the other: most of them keep
# one core busy. Usage: scripts/side_by_side.sh 'types' 'lint layers docs'
set -u
cd "$(dirname "$0")/.."
printed=$(mktemp -d)
trap 'rm -rf "$printed"' EXIT

${MAKE:-make} --no-print-directory $1 >"$printed/first" 2>&1 &
first=$!
${MAKE:-make} --no-print-directory $2 >"$printed/second" 2>&1
second_status=$?
wait "$first"
first_status=$?
cat "$printed/first" "$printed/second"
[ "$first_status" = 0 ] && [ "$second_status" = 0 ]
