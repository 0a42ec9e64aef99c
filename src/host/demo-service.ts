import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

interface RunningService {
  readonly pid: number;
  readonly url: string;
}

export interface DemoServiceOptions {
  /** Folder for the service's data, and for the file with the address of the running service. */
  readonly folder: string;
  /** Worker entry of the sandbox. */
  readonly entry: URL;
  readonly apiKey: string;
  readonly sharedKey: string;
}

/** Billing service of the demo: the sandbox in a worker thread. Several windows share one service. */
export class DemoService {
  readonly #options: DemoServiceOptions;
  readonly #notePath: string;
  #worker: Worker | null = null;

  constructor(options: DemoServiceOptions) {
    this.#options = options;
    this.#notePath = join(options.folder, 'running.json');
  }

  /** Returns the address of the service. Uses the service of another window if one is running, or starts one. */
  async start(previousUrl: string | undefined): Promise<string> {
    if (this.#worker && previousUrl) return previousUrl;
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    const running = readRunningService(this.#notePath);
    if (running && isProcessAlive(running.pid) && (await isListening(running.url))) return running.url;
    const port = previousUrl ? Number(new URL(previousUrl).port) : 0;
    const url = await this.#startWorker(port).catch((error) => {
      if (port === 0) throw error;
      // If another program is using the port, the service uses any free port.
      return this.#startWorker(0);
    });
    writeFileSync(this.#notePath, JSON.stringify({ pid: process.pid, url }), { mode: 0o600 });
    return url;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ type: 'close' });
    const timer = setTimeout(() => void worker.terminate(), CLOSE_MS);
    await ended;
    clearTimeout(timer);
    rmSync(this.#notePath, { force: true });
  }

  #startWorker(port: number): Promise<string> {
    const { entry, folder, apiKey, sharedKey } = this.#options;
    return new Promise((resolve, reject) => {
      const worker = new Worker(entry, {
        name: 'sandbox',
        env: {},
        workerData: { port, data: join(folder, 'service.jsonl'), apiKey, sharedKey },
      });
      this.#worker = worker;
      worker.on('message', (message: { type: string; url?: string }) => {
        if (message.type === 'ready' && message.url) resolve(message.url);
      });
      worker.on('error', reject);
      worker.on('exit', (code) => {
        if (this.#worker === worker) this.#worker = null;
        reject(new Error(`The demo's service ended with code ${code}.`));
      });
    });
  }
}

/** Milliseconds to wait for the service to close before it is terminated. Chosen by judgment. */
const CLOSE_MS = 2000;

function readRunningService(path: string): RunningService | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunningService;
  } catch {
    return null;
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns true if a server is listening at the address. */
function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: 1000 });
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on('connect', () => settle(true));
    socket.on('timeout', () => settle(false));
    socket.on('error', () => settle(false));
  });
}
