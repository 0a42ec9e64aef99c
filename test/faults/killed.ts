import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { openStore } from '../../src/backend/store/database/open-store.ts';
import type { ReadableDb } from '../../src/backend/store/sqlite/connection.ts';
import { type Message, SITE } from './child.ts';

/** Number of moments at which a test kills its child. `KILLS=200` kills more often. */
export const killsOr = (usual: number): number => Number(process.env['KILLS'] ?? usual);

/** Result of an attempt and its duration since it started working, in ms. */
export interface Attempt {
  readonly killed: boolean;
  readonly ms: number;
}

/**
 * Runs a script of this folder in its own process, until it ends or until the given time after its start message, when it
 * is killed. A script that ends by itself must succeed and print nothing to stderr.
 */
export async function attempt(
  file: `./${string}-child.ts`,
  args: readonly string[],
  killAfter: number | null,
): Promise<Attempt> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { silent: true });
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let begun = 0;
  let kill: NodeJS.Timeout | undefined;
  child.on('message', ({ said }: Message) => {
    if (said !== 'begun') return;
    begun = performance.now();
    if (killAfter !== null) kill = setTimeout(() => child.kill('SIGKILL'), killAfter);
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  const [code, signal] = await exit;
  const ms = performance.now() - begun;
  clearTimeout(kill);
  const killed = killAfter !== null && signal === 'SIGKILL';
  if (!killed) expect([code, signal, said]).toEqual([0, null, '']);
  expect(begun).toBeGreaterThan(0);
  return { killed, ms };
}

/** Returns temporary homes that are deleted after the tests of the file. */
export function homes() {
  const made: string[] = [];
  afterAll(() => {
    for (const path of made) rmSync(path, { recursive: true, force: true });
  });
  const fresh = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'tieout-kill-'));
    made.push(path);
    return path;
  };
  return {
    fresh,
    copyOf(home: string): string {
      const path = fresh();
      cpSync(home, path, { recursive: true });
      return path;
    },
  };
}

/** Opens a database of a home's site for reading, checks its integrity and closes it. */
export function sound(home: string, kind: 'cache' | 'books'): ReadableDb {
  const db = openStore(join(home, 'sites', SITE, `${kind}.db`), kind, { readonly: true });
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  return db;
}
