import { type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** Returns the workpaper settings as JSON, or null if nobody has set them. */
export function findWorkpaperSettings(db: ReadableDb): string | null {
  return select.value<string>(db, 'SELECT content FROM workpaper_settings');
}

export function storeWorkpaperSettings(
  db: WritableDb,
  { content, at, user }: { content: string; at: number; user: string },
): void {
  const row = { one: 1, content, set_at: at, set_by: user };
  insertRow(db, 'workpaper_settings', row, onConflictSql('one', 'content', 'set_at', 'set_by'));
}
