/**
 * Opens the app from a checkout (`npm start`), in Electron if it is available, otherwise in the browser.
 * --check        run the self-check in Electron and print its report as JSON
 * --electron     download Electron again after a failed download
 * --browser      open in the browser without trying Electron
 * --no-open      serve for the browser and only print the address
 * --dev          open in the browser with live reload from source
 * --home DIR     data directory (default: TIEOUT_HOME, or the platform's default)
 */
import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { toContractError } from '../contract/index.ts';
import { collectVersions, createFailedReport, resolveHome, startHost } from '../host/index.ts';
import { openInBrowser } from '../web/index.ts';
import { buildAppWindow } from './launch/app-build.ts';
import { openInElectron } from './launch/open-electron.ts';
import { readAppVersion, sandboxWorkerUrl } from './runtime/app-paths.ts';

const { TIEOUT_API_KEY: fallbackKey, ...env } = process.env;
// Only the app itself may inherit the API key, not other child processes.
delete process.env['TIEOUT_API_KEY'];

const { values: flags } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    electron: { type: 'boolean', default: false },
    browser: { type: 'boolean', default: false },
    'no-open': { type: 'boolean', default: false },
    dev: { type: 'boolean', default: false },
    home: { type: 'string' },
  },
});
const { platform } = process;
const system = { env, platform, root: process.getuid?.() === 0 };
const home = resolveHome({ env, platform, homedir: homedir() }, flags.home);
const print = (line: string) => void process.stderr.write(`${line}\n`);

const stopController = new AbortController();
let stoppedAt = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

/** Stops gracefully, or immediately on a second signal. npm forwards Ctrl-C as a second signal within 500 ms. */
function stop(): void {
  if (stopController.signal.aborted && Date.now() - stoppedAt > 500) process.exit(130);
  stoppedAt ||= Date.now();
  stopController.abort();
}

try {
  if (!(await openElectron())) await serveHere();
} catch (error) {
  process.exitCode = stopController.signal.aborted ? 130 : 1;
  if (!stopController.signal.aborted) printError(error);
}

function printError(error: unknown): void {
  const { code, message, hint } = toContractError(error);
  const reason = error instanceof Error ? error.message : String(error);
  print(
    code === 'internal' ? `Tieout could not start. ${reason}` : [message, hint].filter(Boolean).join(' '),
  );
}

/** Opens the app in Electron. Returns false if it must be opened in the browser instead. */
async function openElectron(): Promise<boolean> {
  if (flags.browser || flags.dev || flags['no-open']) return false;
  const appEnv = { TIEOUT_HOME: home, TIEOUT_API_KEY: fallbackKey };
  const stop = stopController.signal;
  const args = flags.check ? ['--check'] : [];
  const outcome = await openInElectron({ system, appEnv, args, retry: flags.electron, stop, print });
  if (outcome.code === null)
    return flags.check ? reportFailedCheck(outcome.reason) : chooseBrowser(outcome.reason);
  process.exitCode = outcome.code;
  return true;
}

function chooseBrowser(reason: string): false {
  print(`Opening in the browser instead of Electron: ${reason}.`);
  return false;
}

/** Prints a report like the app's self-check, so that the user can send one even if Electron does not start. */
function reportFailedCheck(reason: string): true {
  const report = createFailedReport(collectVersions(readAppVersion()), {
    name: 'Electron starts',
    detail: reason,
  });
  process.stdout.write(`${JSON.stringify(report)}\n`);
  process.exitCode = 1;
  return true;
}

async function serveHere(): Promise<void> {
  const rendererDir = await buildAppWindow(print);
  const host = await startHost({
    home,
    version: readAppVersion(),
    fallbackKey,
    sandboxEntry: sandboxWorkerUrl,
  });
  try {
    if (stopController.signal.aborted) return;
    await host.demo?.openIfNeeded();
    const options = {
      rendererDir,
      open: !flags['no-open'],
      browserEnvironment: system,
      printLine: print,
      stopSignal: stopController.signal,
    };
    if (flags.dev) await (await import('./launch/dev-server.ts')).serveFromSource(host, options);
    else await openInBrowser(host, options);
  } finally {
    await host.close();
  }
}
