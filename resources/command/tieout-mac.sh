#!/bin/sh
# Runs the command line of the packaged app. To install it: ln -s /Applications/Tieout.app/Contents/Resources/tieout /usr/local/bin/tieout
here=$(cd "$(dirname "$(readlink "$0" || echo "$0")")" && pwd)
exec "$here/../MacOS/Tieout" --cli "$@"
