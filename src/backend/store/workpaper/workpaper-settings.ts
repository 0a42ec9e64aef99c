import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** Returns the contract's settings as JSON, or null if nobody has set them. */
export function keptWorkpaperSettings(db: ReadableDb): string | null {
  return prepared<string>(db, 'SELECT content FROM workpaper_settings').pluck().get() ?? null;
}

export function keepWorkpaperSettings(
  db: WritableDb,
  { content, at, user }: { content: string; at: number; user: string },
): void {
  prepared(
    db,
    `INSERT INTO workpaper_settings (one, content, set_at, set_by) VALUES (1, ?, ?, ?)
     ON CONFLICT (one) DO UPDATE SET content = excluded.content, set_at = excluded.set_at, set_by = excluded.set_by`,
  ).run(content, at, user);
}
