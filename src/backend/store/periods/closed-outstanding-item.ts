import type { ItemExplanation } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** An outstanding item as signed. `item` is its key, for example `payment:17`. */
export interface ClosedOutstandingItem {
  item: string;
  currency: string;
  dated_on: string;
  amount_in_cents: number;
  text: string;
}

export function addClosedOutstandingItem(
  db: WritableDb,
  closedFigures: number,
  each: ClosedOutstandingItem,
): void {
  const { item, currency, dated_on, amount_in_cents, text } = each;
  prepared(
    db,
    'INSERT INTO closed_figures_item (closed_figures_id, item, currency, dated_on, amount_in_cents, text) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(closedFigures, item, currency, dated_on, amount_in_cents, text);
}

/** Returns an item as signed, or null if it was not outstanding. */
export function toClosedOutstandingItem(
  db: ReadableDb,
  closedFigures: number,
  item: string,
): ClosedOutstandingItem | null {
  return (
    prepared<ClosedOutstandingItem>(
      db,
      'SELECT item, currency, dated_on, amount_in_cents, text FROM closed_figures_item WHERE closed_figures_id = ? AND item = ?',
    ).get(closedFigures, item) ?? null
  );
}

export function countClosedOutstandingItems(db: ReadableDb, closedFigures: number): number {
  return (
    prepared<number>(db, 'SELECT count(*) FROM closed_figures_item WHERE closed_figures_id = ?')
      .pluck()
      .get(closedFigures) ?? 0
  );
}

const IN_FORCE = `closed_figures_item CROSS JOIN closed_figures ON closed_figures.id = closed_figures_id CROSS JOIN period
    ON period.id = period_id AND period.state = 'closed' AND period.version = closed_figures.version`;

/** Returns the closed periods at whose end an item was outstanding, with the amounts, oldest first. */
export function carriedOf(db: ReadableDb, item: string): { period: string; amount_in_cents: number }[] {
  return prepared<{ period: string; amount_in_cents: number }>(
    db,
    `SELECT period, amount_in_cents FROM ${IN_FORCE} WHERE item = ? ORDER BY period`,
  ).all(item);
}

/** Returns, for each item outstanding at the end of a period before `period`, the first such period. */
export function carriedFrom(db: ReadableDb, period: string): Map<string, string> {
  return new Map(
    prepared<[string, string]>(db, `SELECT item, min(period) FROM ${IN_FORCE} WHERE period < ? GROUP BY item`)
      .raw()
      .all(period),
  );
}

interface StoredSaid extends Omit<ItemExplanation, 'at'> {
  at: number;
}

const said = 'at, user, period, category, owner, explanation, expected_on';
const shown = ({ at, ...rest }: StoredSaid): ItemExplanation => ({ at: formatTimestamp(at), ...rest });

/** Returns the explanations of an item, oldest first. */
export function saidOf(db: ReadableDb, item: string): ItemExplanation[] {
  return prepared<StoredSaid>(db, `SELECT ${said} FROM item_explanation WHERE item = ? ORDER BY seq`)
    .all(item)
    .map(shown);
}

/** Adds an explanation of an item. */
export function addSaid(
  db: WritableDb,
  item: string,
  each: Omit<ItemExplanation, 'at'> & { at: number },
): void {
  prepared(
    db,
    `INSERT INTO item_explanation (item, seq, ${said})
     SELECT ?, ifnull(max(seq), 0) + 1, ?, ?, ?, ?, ?, ?, ? FROM item_explanation WHERE item = ?`,
  ).run(
    item,
    each.at,
    each.user,
    each.period,
    each.category,
    each.owner,
    each.explanation,
    each.expected_on,
    item,
  );
}
