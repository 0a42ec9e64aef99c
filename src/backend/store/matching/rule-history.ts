import type { LineMatch } from '../../../domain/rule-proposals/rule-effect.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';

/** Returns the ids of the lines that a person completely assigned to one category, oldest decision first. */
export function listCategoryDecisions(db: ReadableDb): { line_id: number; category: string }[] {
  const sql = `SELECT line.line_id, assigned.category FROM match_group
    JOIN match_item AS line ON line.group_id = match_group.id AND line.line_id IS NOT NULL
    JOIN match_item AS assigned ON assigned.group_id = match_group.id AND assigned.category IS NOT NULL
    WHERE status = 'confirmed' AND key IS NULL AND line_count = 1 AND transaction_count = 0
      AND assigned.allocated_in_cents = line.allocated_in_cents
    ORDER BY match_group.id`;
  return prepareSql<{ line_id: number; category: string }>(db, sql).all();
}

/** Number of lines per query. */
const BATCH_SIZE = 1000;

/** Returns the confirmed matches of the lines, and those that a person declined or undid. Omits lines without any. */
export function readMatchesOfLines(db: ReadableDb, lines: readonly number[]): Map<number, LineMatch[]> {
  const sql = `SELECT line.line_id, status, rule, transaction_count > 0 AS has_payments, assigned.category
    FROM json_each(?) AS wanted
    JOIN match_item AS line ON line.line_id = wanted.value
    JOIN match_group ON match_group.id = line.group_id
    LEFT JOIN match_item AS assigned ON assigned.group_id = match_group.id AND assigned.category IS NOT NULL
    WHERE status = 'confirmed' OR (status IN ('declined', 'undone') AND changed_by IS NOT NULL)`;
  type Row = Omit<LineMatch, 'has_payments'> & { line_id: number; has_payments: number };
  const statement = prepareSql<Row>(db, sql);
  const matches = new Map<number, LineMatch[]>();
  for (let from = 0; from < lines.length; from += BATCH_SIZE)
    for (const { line_id, has_payments, ...match } of statement.all(
      JSON.stringify(lines.slice(from, from + BATCH_SIZE)),
    ))
      matches.set(line_id, [...(matches.get(line_id) ?? []), { ...match, has_payments: has_payments === 1 }]);
  return matches;
}
