#!/bin/sh
# Builds the page anew and compares it with the one in the package: what is shipped is what web/ says.
# PAGE=FOLDER compares another one, BUILT=FOLDER builds elsewhere.
set -eu
cd "$(dirname "$0")/.."
page=${PAGE:-$PWD/src/felt/server/web/static}
built=${BUILT:-$PWD/.venv/page}

sh scripts/npm.sh run --silent build -- --outDir "$built" --emptyOutDir --logLevel warn
if diff -r "$page" "$built" >/dev/null; then exit 0; fi
echo "The page in the package is not what web/ builds: run 'make web' and commit what it writes." >&2
diff -rq "$page" "$built" >&2 || true
exit 1
