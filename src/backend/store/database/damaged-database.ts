import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const MARK = '.damaged-';

/** Renames a damaged database with its log. Nothing is deleted. */
export function setAside(path: string, at: Date): void {
  const aside = `${path}${MARK}${at.toISOString().replace(/[-:.]/g, '')}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
}

/** Returns when a database of this path was last set aside, as an ISO instant, or null. */
export function setAsideAt(path: string): string | null {
  const beginning = basename(path) + MARK;
  const last = readdirSync(dirname(path))
    .filter((name) => name.startsWith(beginning))
    .toSorted()
    .at(-1);
  const at = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(last?.slice(beginning.length) ?? '');
  return at === null ? null : `${at[1]}-${at[2]}-${at[3]}T${at[4]}:${at[5]}:${at[6]}Z`;
}
