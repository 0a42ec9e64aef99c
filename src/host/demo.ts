import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Client, contractError, errorOf } from '../contract/index.ts';
import type { Keychain } from './keychain.ts';
import type { Log } from './logging.ts';

/** The demo: the embedded billing service on loopback, and the site `demo` connected to it. */
export interface Demo {
  /**
   * Opens the demo if there is a demo site or no site at all. On failure the app starts anyway and the log has the
   * reason.
   */
  openIfWanted(): Promise<void>;
  /**
   * Starts the service, creates the site if necessary, and syncs it if it never was. Writes the demo's bank and processor
   * files to `demo` in the data directory.
   */
  open(): Promise<void>;
  /** Returns the demo's bank and processor files of a month ("YYYY-MM"). The demo must be open. */
  bankFiles(month: string): Promise<{ readonly bank: DemoFile; readonly processor: DemoFile }>;
  close(): Promise<void>;
}

export interface DemoFile {
  readonly name: string;
  readonly text: string;
}

export interface DemoOptions {
  readonly home: string;
  /** The sandbox's worker entry, passed by the shell. */
  readonly entry: URL;
  readonly client: Client;
  readonly keychain: Keychain;
  readonly log: Log;
}

/** No secret: it opens made-up data to programs on this computer, and is the same in every window. */
export const DEMO_KEY = 'tieout-demo-key-of-made-up-data';
const SITE = 'demo';
/** The last month of the demo's data. */
export const DEMO_MONTH = '2026-10';

interface Running {
  readonly pid: number;
  readonly url: string;
}

export function createDemo({ home, entry, client, keychain, log }: DemoOptions): Demo {
  const folder = join(home, 'demo');
  const note = join(folder, 'running.json');
  let worker: Worker | null = null;
  let opening: Promise<void> | null = null;

  function openOnce(): Promise<void> {
    opening ??= open().finally(() => {
      opening = null;
    });
    return opening;
  }

  async function open(): Promise<void> {
    const kept = (await client.sites.list({})).find((site) => site.site === SITE);
    // Checked first, because the demo's key must never be sent to another address.
    if (kept && !kept.demo) throw nameTaken();
    keychain.lend(SITE, DEMO_KEY);
    const url = await serve(kept?.base_url);
    if (!kept) {
      await client.sites.add({ title: 'Demo', site: SITE, base_url: url, demo: true, api_key: DEMO_KEY });
    } else if (kept.base_url !== url) {
      await client.sites.update({ site: SITE, base_url: url });
    }
    await layFiles(url);
    if (!kept?.last_synced_at) await startSync();
  }

  /** Writes the bank and processor files. The demo works without them. */
  async function layFiles(url: string): Promise<void> {
    try {
      if (existsSync(join(folder, `payouts-${DEMO_MONTH}.csv`))) return;
      for (const { name, text } of Object.values(await filesOf(url, DEMO_MONTH))) {
        writeFileSync(join(folder, basename(name)), text, { mode: 0o600 });
      }
    } catch (error) {
      log({ level: 'warn', msg: 'The demo has no bank files.', reason: String(error) });
    }
  }

  /** Returns the address of the service: that of another window's, or of one started here. */
  async function serve(before: string | undefined): Promise<string> {
    if (worker && before) return before;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const running = readNote(note);
    if (running && alive(running.pid) && (await answers(running.url))) return running.url;
    const port = before ? Number(new URL(before).port) : 0;
    const url = await startWorker(port).catch((error) => {
      if (port === 0) throw error;
      // Another program has taken the port.
      return startWorker(0);
    });
    writeFileSync(note, JSON.stringify({ pid: process.pid, url }), { mode: 0o600 });
    return url;
  }

  function startWorker(port: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const started = new Worker(entry, {
        name: 'sandbox',
        env: {},
        workerData: { port, data: join(folder, 'service.jsonl'), apiKey: DEMO_KEY },
      });
      worker = started;
      started.on('message', (message: { type: string; url?: string }) => {
        if (message.type === 'ready' && message.url) resolve(message.url);
      });
      started.on('error', reject);
      started.on('exit', (code) => {
        if (worker === started) worker = null;
        reject(new Error(`The demo's service ended with code ${code}.`));
      });
    });
  }

  async function startSync(): Promise<void> {
    try {
      await client.sync.start({ site: SITE });
    } catch (error) {
      const failure = errorOf(error);
      if (failure.code !== 'conflict') log({ level: 'warn', msg: 'The demo was not synced.', failure });
    }
  }

  return {
    open: openOnce,
    async bankFiles(month) {
      const { base_url } = await client.sites.get({ site: SITE });
      return filesOf(base_url, month);
    },
    async openIfWanted() {
      try {
        const sites = await client.sites.list({});
        if (sites.length === 0 || sites.some((site) => site.demo)) await openOnce();
      } catch (error) {
        log({ level: 'warn', msg: 'The demo was not opened.', reason: String(error) });
      }
    },
    async close() {
      await opening?.catch(() => undefined);
      if (!worker) return;
      const gone = new Promise((resolve) => worker?.once('exit', resolve));
      worker.postMessage({ type: 'close' });
      const timer = setTimeout(() => void worker?.terminate(), 2000);
      await gone;
      clearTimeout(timer);
      rmSync(note, { force: true });
    },
  };
}

async function filesOf(url: string, month: string) {
  const answer = await fetch(`${url}/sandbox/bank`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${DEMO_KEY}:x`).toString('base64')}` },
    body: JSON.stringify({ month }),
  });
  if (!answer.ok) throw new Error(`The demo's service has no bank files: ${answer.status}.`);
  const { statement, payouts } = (await answer.json()) as { statement: DemoFile; payouts: DemoFile };
  return { bank: statement, processor: payouts };
}

function readNote(path: string): Running | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Running;
  } catch {
    return null;
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns true if something is listening there. */
function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: 1000 });
    const settle = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', () => settle(true));
    socket.on('timeout', () => settle(false));
    socket.on('error', () => settle(false));
  });
}

function nameTaken() {
  return contractError({
    code: 'conflict',
    message: 'A site of your own is called "demo", so the demo site cannot be made.',
    hint: 'Remove or rename that site, or give the demo a data directory of its own with --home.',
    retryable: false,
  });
}
