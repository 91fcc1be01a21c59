#!/bin/sh
# A Chromium for the tests in tests/browser, where nobody is there to install one: in CI, as root, by apt-get.
# Anywhere else nothing is touched; without a Chromium those tests are skipped, and say so.
set -eu

for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null; then exit 0; fi
done
if [ -z "${CI:-}" ] || [ -n "${FELT_CHROMIUM:-}" ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then exit 0; fi

echo 'Installing Chromium for the tests in a browser …'
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update && apt-get install -y --no-install-recommends chromium; } >/dev/null 2>&1; then
    echo 'Chromium could not be installed: the tests in a browser are skipped.' >&2
fi
