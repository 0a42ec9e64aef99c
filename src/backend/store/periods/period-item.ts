import type { ItemSaid } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';
import { isoMoment } from '../moment.ts';

/** Something outstanding as it is signed; `item` as `payment:17`. */
export interface SealedItem {
  item: string;
  currency: string;
  dated_on: string;
  amount_in_cents: number;
  text: string;
}

export function addSealedItem(db: WritableDb, seal: number, each: SealedItem): void {
  const { item, currency, dated_on, amount_in_cents, text } = each;
  prepared(
    db,
    'INSERT INTO period_item (seal_id, item, currency, dated_on, amount_in_cents, text) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(seal, item, currency, dated_on, amount_in_cents, text);
}

/** An item as it was signed; null where it was not outstanding. */
export function sealedItemOf(db: ReadableDb, seal: number, item: string): SealedItem | null {
  return (
    prepared<SealedItem>(
      db,
      'SELECT item, currency, dated_on, amount_in_cents, text FROM period_item WHERE seal_id = ? AND item = ?',
    ).get(seal, item) ?? null
  );
}

export function countSealedItems(db: ReadableDb, seal: number): number {
  return prepared<number>(db, 'SELECT count(*) FROM period_item WHERE seal_id = ?').pluck().get(seal) ?? 0;
}

const IN_FORCE = `period_item CROSS JOIN period_seal ON period_seal.id = seal_id CROSS JOIN period
    ON period.id = period_id AND period.state = 'closed' AND period.version = period_seal.version`;

/** The closed periods at whose ends an item was outstanding, and with what, the oldest first. */
export function carriedOf(db: ReadableDb, item: string): { period: string; amount_in_cents: number }[] {
  return prepared<{ period: string; amount_in_cents: number }>(
    db,
    `SELECT period, amount_in_cents FROM ${IN_FORCE} WHERE item = ? ORDER BY period`,
  ).all(item);
}

/** The first closed period at whose end each item was outstanding, of those that were at one before `period`. */
export function carriedFrom(db: ReadableDb, period: string): Map<string, string> {
  return new Map(
    prepared<[string, string]>(db, `SELECT item, min(period) FROM ${IN_FORCE} WHERE period < ? GROUP BY item`)
      .raw()
      .all(period),
  );
}

interface StoredSaid extends Omit<ItemSaid, 'at'> {
  at: number;
}

const said = 'at, who, period, category, owner, explanation, expected_on';
const shown = ({ at, ...rest }: StoredSaid): ItemSaid => ({ at: isoMoment(at), ...rest });

/** All that was said of an item, the oldest first. */
export function saidOf(db: ReadableDb, item: string): ItemSaid[] {
  return prepared<StoredSaid>(db, `SELECT ${said} FROM item_said WHERE item = ? ORDER BY seq`)
    .all(item)
    .map(shown);
}

/** Adds to what was said of an item. */
export function addSaid(db: WritableDb, item: string, each: Omit<ItemSaid, 'at'> & { at: number }): void {
  prepared(
    db,
    `INSERT INTO item_said (item, seq, ${said})
     SELECT ?, ifnull(max(seq), 0) + 1, ?, ?, ?, ?, ?, ?, ? FROM item_said WHERE item = ?`,
  ).run(
    item,
    each.at,
    each.who,
    each.period,
    each.category,
    each.owner,
    each.explanation,
    each.expected_on,
    item,
  );
}
