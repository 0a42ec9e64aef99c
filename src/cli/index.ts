#!/usr/bin/env node
/** The `tieout` command. Nothing but this is loaded before the compile cache is on. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { main } = await import('./program.ts');

const { TIEOUT_API_KEY: apiKey, ...env } = process.env;
// What this process starts, a browser for one, has no business with the key.
delete process.env['TIEOUT_API_KEY'];

// Whoever reads has had enough, as `head` has: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 5);
});

process.exitCode = await main(process.argv.slice(2), { env, apiKey });
