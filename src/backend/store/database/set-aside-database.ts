import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const DAMAGED_SUFFIX = '.damaged-';

/** Renames a damaged database together with its write-ahead log. Deletes nothing. */
export function setAsideDatabase(path: string, at: Date): void {
  const aside = `${path}${DAMAGED_SUFFIX}${at.toISOString().replace(/[-:.]/g, '')}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
}

/** Returns when the database at this path was last renamed because of damage (ISO 8601), or null. */
export function findDatabaseSetAsideTime(path: string): string | null {
  const prefix = basename(path) + DAMAGED_SUFFIX;
  const last = readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .toSorted()
    .at(-1);
  const at = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(last?.slice(prefix.length) ?? '');
  return at === null ? null : `${at[1]}-${at[2]}-${at[3]}T${at[4]}:${at[5]}:${at[6]}Z`;
}
