import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** Profiles the user saved, as JSON, by name. */
export function savedProfiles(db: ReadableDb): { name: string; content: string }[] {
  return prepared<{ name: string; content: string }>(
    db,
    'SELECT name, content FROM bank_profile ORDER BY name',
  ).all();
}

export function saveProfile(
  db: WritableDb,
  profile: { name: string; content: string; at: number; who: string },
): void {
  const { name, content, at, who } = profile;
  prepared(
    db,
    `INSERT INTO bank_profile (name, content, at, who) VALUES (?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET content = excluded.content, at = excluded.at, who = excluded.who`,
  ).run(name, content, at, who);
}

/** False where there is none. */
export function removeProfile(db: WritableDb, name: string): boolean {
  return prepared(db, 'DELETE FROM bank_profile WHERE name = ?').run(name).changes === 1;
}
