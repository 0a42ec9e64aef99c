import type { WritableDb } from '../../database.ts';

/** As they stand in the schema, and what says the same as comparisons. */
const CHECKS = [
  ['webhook', 'CHECK (delivery IN (0, 1, 2))', 'CHECK (delivery BETWEEN 0 AND 2)'],
  [
    'webhook',
    "CHECK (body_form IN ('form', 'json', 'object', 'unreadable'))",
    "CHECK (body_form = 'form' OR body_form = 'json' OR body_form = 'object' OR body_form = 'unreadable')",
  ],
  ['statement', 'CHECK (state IN (0, 1, 2))', 'CHECK (state BETWEEN 0 AND 2)'],
] as const;

/**
 * SQLite makes a table of its own for a list of more than two values, anew for every row that is checked: a fifth of what
 * storing a webhook took. Rows stay as they are, so the schema's text is changed as SQLite's "Making Other Kinds Of Table
 * Schema Changes" (ALTER TABLE, section 7) allows.
 */
export function up(db: WritableDb): void {
  const version = Number(db.pragma('schema_version', { simple: true }));
  db.unsafeMode(true);
  try {
    db.pragma('writable_schema = ON');
    const read = db
      .prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .pluck();
    const change = db.prepare("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?");
    for (const [table, list, comparisons] of CHECKS) {
      const sql = read.get(table) ?? '';
      if (!sql.includes(list)) throw new Error(`${table} has no ${list}`);
      change.run(sql.replace(list, comparisons), table);
    }
    db.pragma(`schema_version = ${version + 1}`);
  } finally {
    db.pragma('writable_schema = RESET');
    db.unsafeMode(false);
  }
}
