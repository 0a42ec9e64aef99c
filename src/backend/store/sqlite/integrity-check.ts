import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { openSqlite, type ReadableDb, SqliteError } from './connection.ts';

/** Returns the damage that SQLite reports for a database, or null if intact. `thorough` also checks the indexes. */
export function findDatabaseDamage(db: ReadableDb, thorough: boolean): string | null {
  const found = String(db.pragma(thorough ? 'integrity_check(1)' : 'quick_check(1)', { simple: true }));
  return found === 'ok' ? null : found;
}

export function getSqliteVersion(): string {
  const db = openSqlite(':memory:');
  try {
    return String(db.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    db.close();
  }
}

/** Byte offsets in a SQLite file's header, from the documented file format. */
const [PAGE_SIZE_OFFSET, PAGE_COUNT_OFFSET, HEADER_BYTES] = [16, 28, 100];

/** Throws if a database file without a write-ahead log is shorter than its header states. Reads only the header. */
export function requireCompleteFile(path: string): void {
  const expected = readExpectedSize(path);
  // A checkpoint writes the header before later pages, which remain in the write-ahead log until the checkpoint ends.
  const isShort = () => statSync(path).size < expected;
  const walSize = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (isShort() && walSize() === 0 && isShort())
    throw new SqliteError(`${statSync(path).size} of ${expected} bytes are left`, 'SQLITE_CORRUPT');
}

function readExpectedSize(path: string): number {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return 0;
  } finally {
    closeSync(file);
  }
  const size = header.readUInt16BE(PAGE_SIZE_OFFSET);
  return (size === 1 ? 65_536 : size) * header.readUInt32BE(PAGE_COUNT_OFFSET);
}
