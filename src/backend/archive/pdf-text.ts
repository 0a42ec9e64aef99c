import { Worker } from 'node:worker_threads';

/** Maximum size in bytes of a PDF whose text is extracted. A larger one is no statement. */
const MOST_BYTES = 5_000_000;
/** Maximum milliseconds for one PDF. A statement takes a few hundredths of this. */
const LONGEST_MS = 10_000;
/** Milliseconds for which an idle thread is kept for the next PDF. */
const IDLE_MS = 5_000;
const MOST_MB = 256;

let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Extracts the text of a PDF (see `readWords`) in a separate thread, which is terminated if it takes too long, because a
 * malicious file may expand without end. Returns '' if no text could be extracted.
 */
export function extractPdfText(bytes: Uint8Array<ArrayBuffer>, longest = LONGEST_MS): Promise<string> {
  if (bytes.length > MOST_BYTES) return Promise.resolve('');
  const drawn = turn.then(() => draw(bytes, longest));
  turn = drawn;
  return drawn;
}

async function draw(bytes: Uint8Array<ArrayBuffer>, longest: number): Promise<string> {
  clearTimeout(idle);
  thread ??= start();
  const worker = thread;
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const late = setTimeout(resolve, longest, null);
  const failed = () => resolve(null);
  worker.once('message', resolve).once('error', failed).once('exit', failed);
  worker.postMessage(bytes, [bytes.buffer]);
  const words = await promise;
  clearTimeout(late);
  worker.off('message', resolve).off('error', failed).off('exit', failed);
  if (words === null) await end(worker);
  else idle = setTimeout(() => void end(worker), IDLE_MS).unref();
  return words ?? '';
}

function start(): Worker {
  const entry = import.meta.url.endsWith('.ts') ? './pdf-text-thread.ts' : './words.js';
  const worker = new Worker(new URL(entry, import.meta.url), {
    name: 'words',
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
  });
  // The thread must not keep the process alive.
  worker.unref();
  return worker;
}

async function end(worker: Worker): Promise<void> {
  if (thread === worker) thread = null;
  await worker.terminate();
}
