import { Worker } from 'node:worker_threads';

/** A larger PDF is no statement; its words are not drawn. */
const MOST_BYTES = 5_000_000;
/** A statement takes some hundredths of this; what takes longer was made to. */
const LONGEST_MS = 10_000;
/** The thread is kept for the next PDF as long as this. */
const IDLE_MS = 5_000;
const MOST_MB = 256;

let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let turn: Promise<unknown> = Promise.resolve();

/**
 * The words of a PDF (see `readWords`), drawn in a thread of its own that is ended when it takes too long: a file may be made to
 * unfold without end, and neither this thread nor its memory is to be held by it. '' where no words could be drawn.
 */
export function wordsOf(bytes: Uint8Array<ArrayBuffer>, longest = LONGEST_MS): Promise<string> {
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
  const entry = import.meta.url.endsWith('.ts') ? './words-thread.ts' : './words.js';
  const worker = new Worker(new URL(entry, import.meta.url), {
    name: 'words',
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
  });
  // It never keeps the process from ending.
  worker.unref();
  return worker;
}

async function end(worker: Worker): Promise<void> {
  if (thread === worker) thread = null;
  await worker.terminate();
}
