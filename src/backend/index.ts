/**
 * The backend: all that the app does, behind the contract. Queries are answered by the reading half, commands and streams
 * by the writing half; each runs as a worker thread, or in the caller's process.
 */
import type { Thread } from '../contract/index.ts';

export { openReader } from './openReader.ts';
export { openWriter } from './openWriter.ts';
export type { Backend, Log, LogRecord, ShellClient, Start } from './start.ts';

/** The entry of a worker thread: the source when run from it, else the built file beside this one. */
export function threadEntry(thread: Thread): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${thread}.${extension}`, import.meta.url);
}
