#!/usr/bin/env node
/** The `tieout` command. Hardly more than this is loaded before the compile cache is on. */
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { compiledFolder } from './compiled.ts';

const { TIEOUT_API_KEY: apiKey, ...env } = process.env;
// What this process starts, a browser for one, has no business with the key.
delete process.env['TIEOUT_API_KEY'];

const compiled = compiledFolder({ env, platform: process.platform, homedir: homedir() });
if (compiled !== null) enableCompileCache(compiled);

// Whoever reads has had enough, as `head` has: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 5);
});

void import('./program.ts').then(async ({ main }) => {
  process.exitCode = await main(process.argv.slice(2), { env, apiKey });
});
