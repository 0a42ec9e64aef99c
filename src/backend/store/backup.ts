import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepared, type ReadableDb } from './database.ts';

/** Copies kept of the books; older ones are removed. */
const KEPT = 5;
const NAME = /^books-\d{8}T\d{9}Z\.db$/;

const folderOf = (path: string) => join(dirname(path), 'backups');

/** The copies of the books at `path`, newest first, as full paths. */
export function backupsOf(path: string): string[] {
  const folder = folderOf(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/**
 * Copies the books into `backups/` beside them, unless the newest copy is younger than the last write. The copy is whole
 * and compact, and stands under its name only when it is complete.
 */
export function backUp(db: ReadableDb, path: string, now = new Date()): void {
  const [newest] = backupsOf(path);
  if (newest !== undefined && statSync(newest).mtimeMs > lastWrite(path)) return;
  const folder = folderOf(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `books-${now.toISOString().replace(/[-:.]/g, '')}.db`;
  const temporary = join(folder, `${name}.${process.pid}.new`);
  rmSync(temporary, { force: true });
  prepared(db, 'VACUUM INTO ?').run(temporary);
  renameSync(temporary, join(folder, name));
  for (const old of backupsOf(path).slice(KEPT)) rmSync(old);
}

function lastWrite(path: string): number {
  return Math.max(...[path, `${path}-wal`].map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0)));
}
