import type { ItemExplanation } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';

/** An outstanding item in the closed figures. `item` is its key, for example `payment:17`. */
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
  const row = { closed_figures_id: closedFigures, item, currency, dated_on, amount_in_cents, text };
  insertRow(db, 'closed_figures_item', row);
}

/** Returns an outstanding item from the closed figures, or null if it was not outstanding at sign-off. */
export function findClosedOutstandingItem(
  db: ReadableDb,
  closedFigures: number,
  item: string,
): ClosedOutstandingItem | null {
  const sql =
    'SELECT item, currency, dated_on, amount_in_cents, text FROM closed_figures_item WHERE closed_figures_id = ? AND item = ?';
  return select.row<ClosedOutstandingItem>(db, sql, closedFigures, item);
}

export function countClosedOutstandingItems(db: ReadableDb, closedFigures: number): number {
  const sql = 'SELECT count(*) FROM closed_figures_item WHERE closed_figures_id = ?';
  return select.value<number>(db, sql, closedFigures) ?? 0;
}

const IN_FORCE = `closed_figures_item CROSS JOIN closed_figures ON closed_figures.id = closed_figures_id CROSS JOIN period
    ON period.id = period_id AND period.state = 'closed' AND period.version = closed_figures.version`;

/** Returns the closed periods at whose end an item was outstanding, with its amounts, oldest first. */
export function listPeriodsWithOutstandingItem(
  db: ReadableDb,
  item: string,
): { period: string; amount_in_cents: number }[] {
  const sql = `SELECT period, amount_in_cents FROM ${IN_FORCE} WHERE item = ? ORDER BY period`;
  return select.rows<{ period: string; amount_in_cents: number }>(db, sql, item);
}

/** Returns the first period, before `period`, at whose end each item was outstanding. */
export function findFirstOutstandingPeriods(db: ReadableDb, period: string): Map<string, string> {
  return new Map(
    prepareSql<[string, string]>(
      db,
      `SELECT item, min(period) FROM ${IN_FORCE} WHERE period < ? GROUP BY item`,
    )
      .raw()
      .all(period),
  );
}

export interface StoredItemExplanation extends Omit<ItemExplanation, 'at'> {
  at: number;
}

const explanationColumns = 'at, user, period, category, owner, explanation, expected_on';
const toItemExplanation = ({ at, ...rest }: StoredItemExplanation): ItemExplanation => ({
  at: formatTimestamp(at),
  ...rest,
});

/** Returns the explanations of an outstanding item, oldest first. */
export function listItemExplanations(db: ReadableDb, item: string): ItemExplanation[] {
  const sql = `SELECT ${explanationColumns} FROM item_explanation WHERE item = ? ORDER BY seq`;
  return select.rows<StoredItemExplanation>(db, sql, item).map(toItemExplanation);
}

/** Yields the explanations of all outstanding items, oldest first per item. */
export const readItemExplanations = (
  db: ReadableDb,
): IterableIterator<StoredItemExplanation & { item: string }> =>
  prepareSql<StoredItemExplanation & { item: string }>(
    db,
    `SELECT item, ${explanationColumns} FROM item_explanation ORDER BY item, seq`,
  ).iterate();

export function addItemExplanation(
  db: WritableDb,
  item: string,
  { at, user, period, category, owner, explanation, expected_on }: StoredItemExplanation,
): void {
  const sql = 'SELECT ifnull(max(seq), 0) + 1 FROM item_explanation WHERE item = ?';
  const seq = select.value<number>(db, sql, item);
  const row = { item, seq, at, user, period, category, owner, explanation, expected_on };
  insertRow(db, 'item_explanation', row);
}
