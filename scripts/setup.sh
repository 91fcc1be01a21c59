#!/bin/sh
# Finds a Python that can run Felt and lets it build .venv with some sets of packages (scripts/lock.py).
# PYTHON=/path/to/python3 chooses one. Usage: scripts/setup.sh play
set -eu
cd "$(dirname "$0")/.."

for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        exec "$python" scripts/make_venv.py "$@"
    fi
done

if [ -n "${PYTHON:-}" ]; then
    echo "PYTHON=$PYTHON is not a Python 3.11 or newer: choose another, or leave it out." >&2
elif [ "$(uname)" = Darwin ]; then
    echo "Felt needs Python 3.11 or newer: 'brew install python' or python.org/downloads, then again." >&2
else
    echo "Felt needs Python 3.11 or newer: 'sudo apt-get install python3 python3-venv' or another way, then again." >&2
fi
exit 1
