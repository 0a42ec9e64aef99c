import { Worker } from 'node:worker_threads';

/** Maximum size in bytes of a PDF from which text is extracted. Statements are smaller. */
const MAX_PDF_BYTES = 5_000_000;
/** Maximum duration per PDF in milliseconds. A statement takes a few hundredths of that. */
const MAX_DURATION_MS = 10_000;
/** Milliseconds after which an idle thread is terminated. */
const IDLE_MS = 5_000;
const MAX_MEMORY_MB = 256;

let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;
let previous: Promise<unknown> = Promise.resolve();

/**
 * Extracts the text of a PDF in a worker thread. Terminates the thread if it takes too long, because a malicious file
 * may expand without end. Returns an empty string if no text could be extracted.
 */
export function extractPdfText(bytes: Uint8Array<ArrayBuffer>, maxMs = MAX_DURATION_MS): Promise<string> {
  if (bytes.length > MAX_PDF_BYTES) return Promise.resolve('');
  const extracted = previous.then(() => extractInThread(bytes, maxMs));
  previous = extracted;
  return extracted;
}

async function extractInThread(bytes: Uint8Array<ArrayBuffer>, maxMs: number): Promise<string> {
  clearTimeout(idle);
  thread ??= startThread();
  const worker = thread;
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const timeout = setTimeout(resolve, maxMs, null);
  const failed = () => resolve(null);
  worker.once('message', resolve).once('error', failed).once('exit', failed);
  worker.postMessage(bytes, [bytes.buffer]);
  const words = await promise;
  clearTimeout(timeout);
  worker.off('message', resolve).off('error', failed).off('exit', failed);
  if (words === null) await endThread(worker);
  else idle = setTimeout(() => void endThread(worker), IDLE_MS).unref();
  return words ?? '';
}

function startThread(): Worker {
  const entry = import.meta.url.endsWith('.ts') ? './pdf-text-thread.ts' : './pdf-text-thread.js';
  const worker = new Worker(new URL(entry, import.meta.url), {
    name: 'pdf-text',
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  // Lets the process exit while the thread is idle.
  worker.unref();
  return worker;
}

async function endThread(worker: Worker): Promise<void> {
  if (thread === worker) thread = null;
  await worker.terminate();
}
