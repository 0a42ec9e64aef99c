#!/usr/bin/env node
/** Entry point of the `tieout` command. Few modules are loaded before the compile cache is enabled. */
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { prepareCompileCacheFolder } from './launch/compile-cache.ts';

const { TIEOUT_API_KEY: apiKey, ...env } = process.env;
// Child processes, for example a browser, must not inherit the API key.
delete process.env['TIEOUT_API_KEY'];

const cacheFolder = prepareCompileCacheFolder({ env, platform: process.platform, homedir: homedir() });
if (cacheFolder !== null) enableCompileCache(cacheFolder);

// A reader that closes the pipe early, for example `head`, does not cause an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 5);
});

void import('./run-command-line.ts').then(async ({ runCommandLine }) => {
  process.exitCode = await runCommandLine(process.argv.slice(2), { env, apiKey });
  // The packaged app runs the command line in Electron, which does not end by itself.
  if (process.versions['electron']) process.exit();
});
