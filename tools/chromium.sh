#!/bin/sh
# Finds the Chromium of the browser tests: SANDTABLE_CHROMIUM, or one on the path. As root on Debian it installs one.
set -e

found() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    return 1
}

if [ -n "$SANDTABLE_CHROMIUM" ]; then
    [ -x "$SANDTABLE_CHROMIUM" ] && exit 0
    echo "SANDTABLE_CHROMIUM names $SANDTABLE_CHROMIUM, which is no program." >&2
    exit 1
fi
found && exit 0
if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the browser tests ..."
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium >/dev/null
    found && exit 0
fi
echo "The browser tests need Chromium: install it (on Debian and Ubuntu: apt-get install chromium), or set" >&2
echo "SANDTABLE_CHROMIUM to the path of a Chromium or Chrome." >&2
exit 1
