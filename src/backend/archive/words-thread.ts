/** The entry of the thread that draws words: a PDF comes, its words go back. */
import { parentPort } from 'node:worker_threads';
import { readWords } from './read-words.ts';

parentPort?.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  void readWords(bytes).then((words) => parentPort?.postMessage(words));
});
