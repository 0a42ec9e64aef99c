import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateOnConflict } from '../sqlite/write-row.ts';

/** Returns the user's profiles as JSON, by name. */
export function listSavedProfiles(db: ReadableDb): { name: string; content: string }[] {
  const sql = 'SELECT name, content FROM bank_profile ORDER BY name';
  return select.rows<{ name: string; content: string }>(db, sql);
}

export function saveProfile(
  db: WritableDb,
  { name, content, at, user }: { name: string; content: string; at: number; user: string },
): void {
  const onConflict = updateOnConflict('name', 'content', 'at', 'user');
  insertRow(db, 'bank_profile', { name, content, at, user }, onConflict);
}

/** Deletes a profile. Returns false if it does not exist. */
export function removeProfile(db: WritableDb, name: string): boolean {
  return prepare(db, 'DELETE FROM bank_profile WHERE name = ?').run(name).changes === 1;
}
