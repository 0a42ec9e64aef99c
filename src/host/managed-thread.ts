import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { BackendThread, MigrationProgress } from '../contract/index.ts';
import type { LogRecord, LogWriter } from './log-file.ts';

/** Worker thread that is restarted after a delay if it crashes. Each crash closes its ports. */
export type ManagedThread = Pick<RestartingThread, keyof RestartingThread>;

export interface ManagedThreadOptions {
  readonly name: BackendThread;
  readonly entry: URL;
  readonly home: string;
  readonly version: string;
  readonly logLevel: string;
  /** Environment variables of the thread, without keys. Threads request keys from the shell. */
  readonly env: Readonly<Record<string, string>>;
  /** User name for the audit log. */
  readonly user?: string | undefined;
  /** Serves the shell's operations to the thread. */
  readonly serveShell: (port: MessagePort) => void;
  readonly log: LogWriter;
  /** Called while the writer migrates databases of an earlier version. */
  readonly onMigration?: ((progress: MigrationProgress) => void) | undefined;
  /** Runs thread starts one at a time, because loading native code is not thread-safe in Electron. */
  readonly runStartExclusively: (start: () => Promise<void>) => Promise<void>;
  /** Delays in milliseconds before consecutive restarts. The last value repeats. */
  readonly restartDelaysMs?: readonly number[];
}

/** Messages from a thread to the shell. */
type ThreadMessage =
  | { type: 'migration'; progress: MigrationProgress }
  | { type: 'ready' }
  | { type: 'closed' }
  | { type: 'log'; record: LogRecord };

/** Maximum size of a thread's young generation in MB. A small size lets V8 collect short-lived objects early. */
const MAX_YOUNG_GENERATION_MB = 16;
const CLOSE_TIMEOUT_MS = 5000;
const RESTART_DELAYS_MS = [100, 500, 2000, 10_000];
/** Milliseconds after which a thread is healthy, so that a later crash counts as the first. Chosen by judgment. */
const HEALTHY_AFTER_MS = 60_000;

export const startManagedThread = (options: ManagedThreadOptions): ManagedThread =>
  new RestartingThread(options);

class RestartingThread {
  /** Resolves when the thread first accepts calls. Rejects if the thread fails to start. */
  readonly ready: Promise<void>;
  readonly #options: ManagedThreadOptions;
  readonly #waitingPorts = new Set<MessagePort>();
  #worker: Worker | null = null;
  #isServing = false;
  #isClosing = false;
  #crashes = 0;
  #restart: NodeJS.Timeout | undefined;

  constructor(options: ManagedThreadOptions) {
    this.#options = options;
    this.ready = options.runStartExclusively(() => this.#start());
  }

  /** Opens a port. Messages wait while the thread is restarting. The port closes when the thread crashes. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    if (this.#isClosing) port1.close();
    else if (this.#worker && this.#isServing) transferPort(this.#worker, port2);
    else this.#waitingPorts.add(port2);
    return port1;
  }

  /** Ends the thread as a crash would. It restarts after a delay. */
  async kill(): Promise<void> {
    await this.#worker?.terminate();
  }

  /** Asks the thread to finish pending writes and end. Terminates it if it takes too long. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restart);
    for (const port of this.#waitingPorts) port.close();
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ type: 'close' });
    const { name, log } = this.#options;
    const timer = setTimeout(() => {
      log({ level: 'warn', msg: `The ${name} thread did not end in time.`, thread: name });
      void worker.terminate();
    }, CLOSE_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }

  /**
   * Starts the thread. Resolves when it accepts calls or will be restarted after a crash. Rejects if its first start
   * fails.
   */
  #start(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosing) return resolve();
      const shell = new MessageChannel();
      this.#options.serveShell(shell.port1);
      const worker = this.#createWorker(shell.port2);
      // A thread's ports close shortly before its exit event. A port opened in between closes as well.
      shell.port1.on('close', () => {
        if (this.#worker === worker) this.#isServing = false;
      });
      const startedAt = Date.now();
      let hasServed = false;
      let failure: unknown = null;
      this.#worker = worker;
      worker.on('message', (message: ThreadMessage) => {
        if (message.type === 'log') this.#options.log({ ...message.record, thread: this.#options.name });
        if (message.type === 'migration') this.#options.onMigration?.(message.progress);
        if (message.type !== 'ready') return;
        hasServed = true;
        this.#serve(worker);
        resolve();
      });
      worker.on('error', (error) => {
        failure = error;
      });
      worker.on('exit', (code) => {
        shell.port1.close();
        const error = this.#onExit(code, failure, hasServed ? Date.now() - startedAt : null);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  #createWorker(shellPort: MessagePort): Worker {
    const { name, entry, home, version, logLevel, user } = this.#options;
    return new Worker(entry, {
      name,
      env: this.#options.env,
      workerData: { home, version, logLevel, user, shellPort },
      transferList: [shellPort],
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB },
    });
  }

  #serve(worker: Worker): void {
    this.#isServing = true;
    for (const port of this.#waitingPorts) transferPort(worker, port);
    this.#waitingPorts.clear();
  }

  /** Schedules a restart, or returns the error of a failed first start. `servedMs` is null if the thread never served. */
  #onExit(code: number, failure: unknown, servedMs: number | null): Error | null {
    const { name, log, runStartExclusively, restartDelaysMs = RESTART_DELAYS_MS } = this.#options;
    this.#worker = null;
    this.#isServing = false;
    if (this.#isClosing) return null;
    const reason = failure instanceof Error ? failure : new Error(`The ${name} ended with code ${code}.`);
    log({ level: 'error', msg: `The ${name} thread ended.`, thread: name, reason: reason.stack });
    if (servedMs === null && this.#crashes === 0) return reason;
    this.#crashes = servedMs !== null && servedMs > HEALTHY_AFTER_MS ? 1 : this.#crashes + 1;
    this.#restart = setTimeout(
      () => void runStartExclusively(() => this.#start()).catch(() => undefined),
      restartDelaysMs[Math.min(this.#crashes, restartDelaysMs.length) - 1],
    );
    return null;
  }
}

function transferPort(worker: Worker, port: MessagePort): void {
  worker.postMessage({ type: 'connect', port }, [port]);
}
