@echo off
rem Runs the command line of the packaged app.
"%~dp0Tieout.exe" --cli %*
