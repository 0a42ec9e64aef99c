import type { BankLine, BankLineDetail } from '../../../contract/index.ts';
import { lockedRow } from '../period-lock/period-lock.ts';
import { prepared, type ReadableDb, type Values, type WritableDb } from '../sqlite/connection.ts';

/** What distinguishes a line of an account from others, except the occurrence. */
export interface LineKey {
  booked_on: string;
  amount_in_cents: number;
  currency: string;
  /** Empty if the bank gives no id. */
  bank_id: string;
  /** Hash of its texts. 0 if there is a bank id. */
  words: number;
}

/** A stored line with its key and occurrence: existing, or removed with its import. */
export interface StoredLine extends LineKey {
  id: number;
  occurrence: number;
  gone: boolean;
}

/** Yields every line of the account booked in a range of days, by key and occurrence. */
export function* storedLines(
  db: ReadableDb,
  account: number,
  days: { first: string; last: string },
): Generator<StoredLine> {
  const rows = prepared<Values>(
    db,
    `SELECT booked_on, amount_in_cents, currency, bank_id, words, id, occurrence, gone
     FROM bank_line INDEXED BY bank_line_identity WHERE account_id = ? AND booked_on BETWEEN ? AND ?
     ORDER BY booked_on, amount_in_cents, currency, bank_id, words, occurrence`,
  )
    .raw()
    .iterate(account, days.first, days.last) as IterableIterator<
    [string, number, string, string, number, number, number, number]
  >;
  for (const [booked_on, amount_in_cents, currency, bank_id, words, id, occurrence, gone] of rows) {
    yield { booked_on, amount_in_cents, currency, bank_id, words, id, occurrence, gone: gone === 1 };
  }
}

export interface NewLine extends LineKey {
  account_id: number;
  import_id: number;
  row: number;
  value_on: string | null;
  occurrence: number;
  kind: BankLine['kind'];
  description: string;
  reference: string | null;
  counterparty: string | null;
  payout_id: string | null;
  gateway_transaction_id: string | null;
  fee_in_cents: number | null;
  net_in_cents: number | null;
  location: string;
  /** A `LineMore` as JSON. */
  more: string | null;
}

/** Data of a line that is never searched or compared. */
export interface LineMore {
  balance_in_cents?: number;
  foreign?: NonNullable<BankLineDetail['foreign']>;
  extra?: Readonly<Record<string, string>>;
}

/** Columns of a line's data from its file, besides its key. */
export const toldColumns = [
  'value_on',
  'kind',
  'description',
  'reference',
  'counterparty',
  'payout_id',
  'gateway_transaction_id',
  'fee_in_cents',
  'net_in_cents',
  'location',
  'more',
] as const;
const own = ['row', ...toldColumns, 'import_id'] as const;
const key = [
  'account_id',
  'booked_on',
  'amount_in_cents',
  'currency',
  'bank_id',
  'words',
  'occurrence',
] as const;

const add = `INSERT INTO bank_line (${[...own, ...key].join(', ')})
  VALUES (${[...own, ...key].map(() => '?').join(', ')})`;
const revive = `UPDATE bank_line SET gone = 0, ${own.map((name) => `${name} = ?`).join(', ')}
  WHERE gone = 1 AND ${key.map((name) => `${name} = ?`).join(' AND ')}`;

/** Adds a line, or restores one of a removed import under its old id. */
export function putLine(db: WritableDb, line: NewLine, isGone: boolean): void {
  prepared(db, isGone ? revive : add).run(
    line.row,
    line.value_on,
    line.kind,
    line.description,
    line.reference,
    line.counterparty,
    line.payout_id,
    line.gateway_transaction_id,
    line.fee_in_cents,
    line.net_in_cents,
    line.location,
    line.more,
    line.import_id,
    line.account_id,
    line.booked_on,
    line.amount_in_cents,
    line.currency,
    line.bank_id,
    line.words,
    line.occurrence,
  );
}

/** Removes at most `limit` lines of an import. Returns the number. No match may contain them. */
export function takeLines(db: WritableDb, id: number, limit: number): number {
  return prepared(
    db,
    `UPDATE bank_line SET gone = 1 WHERE id IN (
       SELECT id FROM bank_line INDEXED BY bank_line_import WHERE import_id = ? AND gone = 0 LIMIT ?)`,
  ).run(id, limit).changes;
}

/** Returns at most `limit` confirmed and proposed matches that contain lines of an import. */
export function groupsOnImport(db: ReadableDb, id: number, limit: number): number[] {
  return prepared<number>(
    db,
    `SELECT DISTINCT group_id FROM bank_line INDEXED BY bank_line_import
       CROSS JOIN match_item ON line_id = bank_line.id
     WHERE import_id = ? AND gone = 0 AND standing > 0 LIMIT ?`,
  )
    .pluck()
    .all(id, limit);
}

/** Adds or restores the payouts of a report. A signed payout stays unchanged. */
export function putPayout(
  db: WritableDb,
  payout: {
    account_id: number;
    import_id: number;
    payout_id: string;
    currency: string;
    paid_on: string;
    stated_in_cents: number | null;
  },
): void {
  const { account_id, import_id, payout_id, currency, paid_on, stated_in_cents } = payout;
  prepared(
    db,
    `INSERT INTO bank_payout (account_id, import_id, payout_id, currency, paid_on, stated_in_cents)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, payout_id, currency) DO UPDATE SET
       import_id = iif(gone, excluded.import_id, import_id), gone = 0,
       paid_on = max(paid_on, excluded.paid_on),
       stated_in_cents = coalesce(stated_in_cents, excluded.stated_in_cents)
     WHERE gone = 1 OR NOT (${lockedRow('payout', 'bank_payout', 'paid_on')})`,
  ).run(account_id, import_id, payout_id, currency, paid_on, stated_in_cents);
}

/** Marks payouts without existing lines as removed, except signed ones. */
export function settlePayouts(db: WritableDb, account: number): void {
  prepared(
    db,
    `UPDATE bank_payout SET gone = 1 WHERE account_id = ? AND gone = 0 AND NOT EXISTS (
       SELECT 1 FROM bank_line WHERE bank_line.account_id = bank_payout.account_id
         AND bank_line.payout_id = bank_payout.payout_id AND bank_line.gone = 0)
       AND NOT (${lockedRow('payout', 'bank_payout', 'paid_on')})`,
  ).run(account);
}
