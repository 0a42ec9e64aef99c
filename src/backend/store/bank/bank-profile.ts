import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** Returns the user-defined bank profiles as JSON, ordered by name. */
export function listSavedBankProfiles(db: ReadableDb): { name: string; content: string }[] {
  const sql = 'SELECT name, content FROM bank_profile ORDER BY name';
  return select.rows<{ name: string; content: string }>(db, sql);
}

export function upsertBankProfile(
  db: WritableDb,
  { name, content, at, user }: { name: string; content: string; at: number; user: string },
): void {
  const onConflict = onConflictSql('name', 'content', 'at', 'user');
  insertRow(db, 'bank_profile', { name, content, at, user }, onConflict);
}

/** Deletes a bank profile. Returns false if it does not exist. */
export function removeBankProfile(db: WritableDb, name: string): boolean {
  return prepareSql(db, 'DELETE FROM bank_profile WHERE name = ?').run(name).changes === 1;
}
