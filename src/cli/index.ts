#!/usr/bin/env node
/** Entry point of the `tieout` command. Loads few modules before it enables the compile cache. */
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { getSystemErrorMessage } from 'node:util';
import { prepareCompileCacheFolder } from './launch/compile-cache.ts';

const { TIEOUT_API_KEY: apiKey, TIEOUT_SHARED_KEY: sharedKey, ...env } = process.env;
// Child processes, for example a browser, must not inherit the keys.
delete process.env['TIEOUT_API_KEY'];
delete process.env['TIEOUT_SHARED_KEY'];

const cacheFolder = prepareCompileCacheFolder({ env, platform: process.platform, homedir: homedir() });
if (cacheFolder !== null) enableCompileCache(cacheFolder);

let hasOutputFailed = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader may close the pipe early, as `head` does. This is not an error.
  if (error.code === 'EPIPE' || hasOutputFailed) return;
  hasOutputFailed = true;
  process.exitCode = 5;
  const reason = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
  process.stderr.write(
    `tieout: The output could not be written: ${reason}. Free up space or choose another file.\n`,
  );
});
// If stderr is closed, notices are lost, but the command still completes.
process.stderr.on('error', () => undefined);

void import('./run-command-line.ts').then(async ({ runCommandLine }) => {
  const code = await runCommandLine(process.argv.slice(2), { env, apiKey, sharedKey });
  process.exitCode = hasOutputFailed ? 5 : code;
  // The packaged app runs the command line in Electron, which does not end by itself.
  if (process.versions['electron']) process.exit();
});
