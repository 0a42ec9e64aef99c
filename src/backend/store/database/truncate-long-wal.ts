import { statSync } from 'node:fs';
import type { WritableDb } from '../sqlite/connection.ts';
import { BUSY_TIMEOUT_MS, MAX_WAL_BYTES } from './open-current-store.ts';
import { isDatabaseDamage, requestIntegrityCheck } from './open-store.ts';

/** Maximum milliseconds that a checkpoint blocks the writer while it waits for reads to end. */
const CHECKPOINT_TIMEOUT_MS = 200;

/**
 * Truncates a write-ahead log that is longer than `MAX_WAL_BYTES`. SQLite's own checkpoints do not wait for reads, so
 * the log grows without limit while reads overlap. If a read lasts too long, the next call tries again.
 */
export function truncateLongWal(db: WritableDb): void {
  const size = statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MAX_WAL_BYTES) return;
  try {
    db.pragma(`busy_timeout = ${CHECKPOINT_TIMEOUT_MS}`);
    try {
      db.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  } catch (error) {
    // Ignores other errors, which mean that this connection itself is reading.
    if (isDatabaseDamage(error)) requestIntegrityCheck(db.name);
  }
}
