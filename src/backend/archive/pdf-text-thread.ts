/** Worker thread that receives the bytes of a PDF and returns its text. */
import { parentPort } from 'node:worker_threads';
import { readPdfText } from './read-pdf-text.ts';

parentPort?.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  void readPdfText(bytes).then((words) => parentPort?.postMessage(words));
});
