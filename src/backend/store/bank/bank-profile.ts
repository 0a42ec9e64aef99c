import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** Returns the user's profiles as JSON, by name. */
export function savedProfiles(db: ReadableDb): { name: string; content: string }[] {
  return prepared<{ name: string; content: string }>(
    db,
    'SELECT name, content FROM bank_profile ORDER BY name',
  ).all();
}

export function saveProfile(
  db: WritableDb,
  profile: { name: string; content: string; at: number; user: string },
): void {
  const { name, content, at, user } = profile;
  prepared(
    db,
    `INSERT INTO bank_profile (name, content, at, user) VALUES (?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET content = excluded.content, at = excluded.at, user = excluded.user`,
  ).run(name, content, at, user);
}

/** Deletes a profile. Returns false if it does not exist. */
export function removeProfile(db: WritableDb, name: string): boolean {
  return prepared(db, 'DELETE FROM bank_profile WHERE name = ?').run(name).changes === 1;
}
