import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';

/** Returns the categories that people added, in alphabetical order. */
export const listAddedCategories = (db: ReadableDb): string[] =>
  select.values<string>(db, 'SELECT category FROM match_category ORDER BY category');

export function addCategory(
  db: WritableDb,
  { category, at, user }: { category: string; at: number; user: string },
): void {
  insertRow(db, 'match_category', { category, at, user });
}

/** Returns false if nobody added the category. */
export const removeCategory = (db: WritableDb, category: string): boolean =>
  prepareSql(db, 'DELETE FROM match_category WHERE category = ?').run(category).changes > 0;
