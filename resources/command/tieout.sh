#!/bin/sh
# Runs the command line of the packaged app without a display.
here=$(dirname "$(readlink -f "$0")")
exec "$here/tieout-desktop" --ozone-platform=headless --cli "$@"
