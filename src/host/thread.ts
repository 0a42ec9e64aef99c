import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Thread } from '../contract/index.ts';
import type { Log, LogRecord } from './logging.ts';

/** A worker thread that is restarted after a delay when it crashes. Its links end with each crash. */
export interface KeptThread {
  /** Settles when the thread first serves or has failed to start. */
  readonly ready: Promise<void>;
  /** Opens a port. While the thread is down the port waits; when the thread crashes the port closes. */
  connect(): MessagePort;
  /** Asks the thread to finish pending writes, and terminates it after `CLOSE_MS`. */
  close(): Promise<void>;
}

export interface ThreadOptions {
  readonly name: Thread;
  readonly entry: URL;
  readonly home: string;
  readonly version: string;
  readonly logLevel: string;
  /** The user's name for the audit log. */
  readonly user?: string | undefined;
  /** Serves the shell's contract to the thread. */
  readonly serveShell: (port: MessagePort) => void;
  readonly log: Log;
  /** Runs a start while no other thread is starting, because loading native code is not thread-safe in Electron. */
  readonly inTurn: (start: () => Promise<void>) => Promise<void>;
  /** Milliseconds before the first, second, … consecutive restart. The last value repeats. */
  readonly pauses?: readonly number[];
}

/** Messages from a thread. */
type Message = { type: 'ready' } | { type: 'closed' } | { type: 'log'; record: LogRecord };

/** Limit of a thread's young generation in MB, so that short-lived objects are collected early. */
const YOUNG_MB = 16;
const CLOSE_MS = 5000;
const PAUSES = [100, 500, 2000, 10_000];
/** Milliseconds after which a running thread counts as healthy, so that its next crash counts as the first. */
const HEALTHY_MS = 60_000;

export function keepThread(options: ThreadOptions): KeptThread {
  const { name, entry, log, inTurn, pauses = PAUSES } = options;
  let worker: Worker | null = null;
  let serving = false;
  let closing = false;
  let crashes = 0;
  let restart: NodeJS.Timeout | undefined;
  const waiting = new Set<MessagePort>();

  const ready = inTurn(start);
  return { ready, connect, close };

  function start(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (closing) return resolve();
      const shell = new MessageChannel();
      options.serveShell(shell.port1);
      const { home, version, logLevel, user } = options;
      const started = new Worker(entry, {
        name,
        // The environment may contain a key (TIEOUT_API_KEY). The threads request keys from the shell instead.
        env: {},
        workerData: { home, version, logLevel, user, shellPort: shell.port2 },
        transferList: [shell.port2],
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      });
      // A thread's ports close shortly before its exit event. A connection made in between gets a port that closes.
      shell.port1.on('close', () => {
        if (worker === started) serving = false;
      });
      const startedAt = Date.now();
      let served = false;
      let failure: unknown = null;
      worker = started;
      started.on('message', (message: Message) => {
        if (message.type === 'log') log({ ...message.record, thread: name });
        if (message.type !== 'ready') return;
        serving = true;
        served = true;
        for (const port of waiting) hand(started, port);
        waiting.clear();
        resolve();
      });
      started.on('error', (error) => {
        failure = error;
      });
      started.on('exit', (code) => {
        shell.port1.close();
        worker = null;
        serving = false;
        if (closing) return resolve();
        const reason = failure instanceof Error ? failure : new Error(`The ${name} ended with code ${code}.`);
        log({ level: 'error', msg: `The ${name} thread ended.`, thread: name, reason: reason.stack });
        if (!served && crashes === 0) return reject(reason);
        crashes = served && Date.now() - startedAt > HEALTHY_MS ? 1 : crashes + 1;
        restart = setTimeout(
          () => void inTurn(start).catch(() => undefined),
          pauses[Math.min(crashes, pauses.length) - 1],
        );
        resolve();
      });
    });
  }

  function connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    if (closing) port1.close();
    else if (worker && serving) hand(worker, port2);
    else waiting.add(port2);
    return port1;
  }

  async function close(): Promise<void> {
    closing = true;
    clearTimeout(restart);
    for (const port of waiting) port.close();
    const last = worker;
    if (!last) return;
    const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()));
    last.postMessage({ type: 'close' });
    const timer = setTimeout(() => {
      log({ level: 'warn', msg: `The ${name} thread did not end in time.`, thread: name });
      void last.terminate();
    }, CLOSE_MS);
    await gone;
    clearTimeout(timer);
  }
}

function hand(worker: Worker, port: MessagePort): void {
  worker.postMessage({ type: 'connect', port }, [port]);
}
