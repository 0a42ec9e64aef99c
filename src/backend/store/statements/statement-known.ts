import { prepared, type WritableDb } from '../sqlite/connection.ts';

/**
 * Records ids that the service listed at `at` (UTC milliseconds). A vanished one is restored. Returns the number of new
 * ids.
 */
export function addKnownStatements(db: WritableDb, ids: Iterable<number>, at: number): number {
  let added = 0;
  for (const id of ids) {
    added += prepared(
      db,
      'INSERT INTO statement_known (id, first_seen_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
    ).run(id, at).changes;
    const back = prepared(
      db,
      'UPDATE statement_known SET vanished_at = NULL WHERE id = ? AND vanished_at IS NOT NULL',
    ).run(id);
    if (back.changes > 0) prepared(db, 'UPDATE statement SET vanished_at = NULL WHERE id = ?').run(id);
  }
  return added;
}

/**
 * Marks statements missing from a complete listing of the site as vanished at `at` (UTC milliseconds). Their data stays
 * stored. `listed` must contain every id of a listing read to its end. Returns the newly vanished ids.
 */
export function markVanishedStatements(db: WritableDb, listed: Iterable<number>, at: number): number[] {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS listed (id INTEGER PRIMARY KEY); DELETE FROM temp.listed');
  for (const id of listed) prepared(db, 'INSERT OR IGNORE INTO temp.listed (id) VALUES (?)').run(id);
  const gone = prepared<number>(
    db,
    `SELECT id FROM statement_known WHERE vanished_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM temp.listed WHERE listed.id = statement_known.id)`,
  )
    .pluck()
    .all();
  for (const id of gone) {
    prepared(db, 'UPDATE statement_known SET vanished_at = ? WHERE id = ?').run(at, id);
    prepared(db, 'UPDATE statement SET vanished_at = ? WHERE id = ?').run(at, id);
  }
  db.exec('DELETE FROM temp.listed');
  return gone;
}
