/**
 * `npm start`: opens the app from a checkout, in Electron where that can be had, else in the browser.
 *   --browser      in the browser, without asking for Electron
 *   --no-open      in the browser, but only print the address
 *   --dev          in the browser, from the source as it is edited
 *   --home DIR     the data directory (else TIEOUT_HOME, else the platform's place)
 */
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { errorOf } from '../contract/index.ts';
import { homeOf, startHost } from '../host/index.ts';
import { openInBrowser } from '../web/index.ts';
import { builtWindow } from './built.ts';
import { obtainElectron, reasonAgainstElectron, runElectron } from './electron.ts';
import { sandboxEntry } from './session.ts';
import { version } from './version.ts';

const { TIEOUT_API_KEY: fallbackKey, ...env } = process.env;
// Whatever is started besides the app itself has no business with the key.
delete process.env['TIEOUT_API_KEY'];

const { values: flags } = parseArgs({
  options: {
    browser: { type: 'boolean', default: false },
    'no-open': { type: 'boolean', default: false },
    dev: { type: 'boolean', default: false },
    home: { type: 'string' },
  },
});
const { platform } = process;
const surroundings = { env, platform, root: process.getuid?.() === 0 };
const home = homeOf({ env, platform, homedir: homedir() }, flags.home);
const say = (line: string) => void process.stderr.write(`${line}\n`);

const stopping = new AbortController();
let askedAt = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

/** Who asks again will not wait for what is being written; but npm hands on the Ctrl-C that the terminal has sent already. */
function stop(): void {
  if (stopping.signal.aborted && Date.now() - askedAt > 500) process.exit(130);
  askedAt ||= Date.now();
  stopping.abort();
}

try {
  if (!(await openedInElectron())) await openHere();
} catch (error) {
  process.exitCode = stopping.signal.aborted ? 130 : 1;
  if (!stopping.signal.aborted) sayWhy(error);
}

function sayWhy(error: unknown): void {
  const { code, message, hint } = errorOf(error);
  const unknown = error instanceof Error ? error.message : String(error);
  say(code === 'internal' ? `Tieout could not start. ${unknown}` : [message, hint].filter(Boolean).join(' '));
}

async function openedInElectron(): Promise<boolean> {
  if (flags.browser || flags.dev || flags['no-open']) return false;
  const against =
    reasonAgainstElectron(surroundings) ?? (await obtainElectron({ env, stop: stopping.signal }));
  if (stopping.signal.aborted) return true;
  if (against) {
    say(`Opening in the browser instead of Electron: ${against}.`);
    return false;
  }
  await builtWindow(say);
  const forElectron = { ...env, TIEOUT_HOME: home, TIEOUT_API_KEY: fallbackKey };
  process.exitCode = await runElectron({ env: forElectron, stop: stopping.signal });
  return true;
}

async function openHere(): Promise<void> {
  const rendererDir = await builtWindow(say);
  const host = await startHost({ home, version: version(), fallbackKey, sandboxEntry: sandboxEntry() });
  try {
    if (stopping.signal.aborted) return;
    await host.demo?.openIfWanted();
    const options = { rendererDir, open: !flags['no-open'], surroundings, say, stop: stopping.signal };
    if (flags.dev) await (await import('./dev.ts')).openForEditing(host, options);
    else await openInBrowser(host, options);
  } finally {
    await host.close();
  }
}
