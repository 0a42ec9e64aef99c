import { prepareSql, select, type WritableDb } from '../sqlite/connection.ts';

/** Records statement ids listed at `at` (UTC milliseconds) and restores vanished ones. Returns how many are new. */
export function addKnownStatements(db: WritableDb, ids: Iterable<number>, at: number): number {
  let added = 0;
  for (const id of ids) {
    const sql = 'INSERT INTO statement_known (id, first_seen_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING';
    added += prepareSql(db, sql).run(id, at).changes;
    const backSql = 'UPDATE statement_known SET vanished_at = NULL WHERE id = ? AND vanished_at IS NOT NULL';
    const restored = prepareSql(db, backSql).run(id);
    if (restored.changes > 0) prepareSql(db, 'UPDATE statement SET vanished_at = NULL WHERE id = ?').run(id);
  }
  return added;
}

/** Marks statements that a complete list lacks as vanished at `at` (UTC milliseconds) and returns their ids. */
export function markVanishedStatements(db: WritableDb, listed: Iterable<number>, at: number): number[] {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS listed (id INTEGER PRIMARY KEY); DELETE FROM temp.listed');
  for (const id of listed) prepareSql(db, 'INSERT OR IGNORE INTO temp.listed (id) VALUES (?)').run(id);
  const sql = `SELECT id FROM statement_known WHERE vanished_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM temp.listed WHERE listed.id = statement_known.id)`;
  const vanished = select.values<number>(db, sql);
  for (const id of vanished) {
    prepareSql(db, 'UPDATE statement_known SET vanished_at = ? WHERE id = ?').run(at, id);
    prepareSql(db, 'UPDATE statement SET vanished_at = ? WHERE id = ?').run(at, id);
  }
  db.exec('DELETE FROM temp.listed');
  return vanished;
}
