/**
 * The backend: all that the app does, behind the contract. Queries are answered by the reading half, commands and streams
 * by the writing half; each runs as a worker thread, or in the caller's process.
 */
import type { Thread } from '../contract/index.ts';
import type { Backend, Start } from './start.ts';

export type { Glance, SiteFile } from './glance.ts';
export type { Backend, Log, LogRecord, ShellClient, Start } from './start.ts';

/** Opens the reading half in this process. It is loaded now, not before: what only reads does without the service's client. */
export async function openReader(start: Start): Promise<Backend> {
  return (await import('./open-reader.ts')).openReader(start);
}

/** Opens the writing half in this process. */
export async function openWriter(start: Start): Promise<Backend> {
  return (await import('./open-writer.ts')).openWriter(start);
}

/** What can be read of a home without opening the backend. */
export function loadGlance() {
  return import('./glance.ts');
}

/** The entry of a worker thread: the source when run from it, else the built file beside this one. */
export function threadEntry(thread: Thread): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${thread}.${extension}`, import.meta.url);
}
