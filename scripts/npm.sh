#!/bin/sh
# npm for web/: the machine's own if its Node is 20.19 or newer, else one that a wheel brings into .venv.
# Usage: scripts/npm.sh run build
set -eu
cd "$(dirname "$0")/.."
bin=$PWD/.venv/bin

new_enough='const [major, minor] = process.versions.node.split("."); process.exit(major * 1000 + +minor < 20019 ? 1 : 0)'
fits() { node -e "$new_enough" >/dev/null 2>&1 && command -v npm >/dev/null; }

if ! fits; then
    PATH=$bin:$PATH
    if ! fits; then
        echo "There is no Node 20.19 here: putting one into .venv …" >&2
        sh scripts/setup.sh node
    fi
fi
cd web
exec npm "$@"
