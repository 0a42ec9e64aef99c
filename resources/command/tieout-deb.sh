#!/bin/sh
# Runs the command line of the installed app without a display.
exec /opt/Tieout/tieout-desktop --ozone-platform=headless --cli "$@"
