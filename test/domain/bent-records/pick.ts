import type { SiteRows, StatementRow, TransactionRow } from './bent-site.ts';

/** Seeded random choices, so that every failure can be repeated. */
export interface Pick {
  /** Returns an integer from `from` to `to`, both inclusive. */
  number(from: number, to: number): number;
  /** Returns one of the items. Throws NoPositionError if there are none. */
  one<Item>(items: readonly Item[]): Item;
}

/** Thrown if a site has no position at which an error can be bent. */
export class NoPositionError extends Error {
  override readonly name = 'NoPositionError';
}

export function createPick(seed: number): Pick {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = (): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return (state ^ (state >>> 13)) >>> 0;
  };
  return {
    number: (from, to) => from + (next() % (to - from + 1)),
    one(items) {
      if (items.length === 0) throw new NoPositionError('no position');
      return items[next() % items.length] as (typeof items)[number];
    },
  };
}

/** A transaction with its statement. */
export interface Position {
  readonly statement: StatementRow;
  readonly transaction: TransactionRow;
}

export const closedStatements = ({ statements }: SiteRows): StatementRow[] =>
  statements.filter(({ closed_at }) => closed_at !== null);

/** Returns the closed statements that have a statement of the same subscription before and after them. */
export function middleStatements(rows: SiteRows): StatementRow[] {
  return closedStatements(rows).filter(
    (each) => neighbor(rows, each, -1) !== null && neighbor(rows, each, 1) !== null,
  );
}

/** Returns the statement before (-1) or after (1) a statement in its subscription; null if there is none. */
export function neighbor(
  { statements }: SiteRows,
  { id, subscription_id }: StatementRow,
  by: 1 | -1,
): StatementRow | null {
  const chain = statements
    .filter((each) => each.subscription_id === subscription_id)
    .sort((a, b) => Date.parse(a.opened_at) - Date.parse(b.opened_at));
  return chain[chain.findIndex((each) => each.id === id) + by] ?? null;
}

/** Returns the transactions of closed statements that satisfy a condition. */
export function positions(rows: SiteRows, isWanted: (transaction: TransactionRow) => boolean): Position[] {
  return closedStatements(rows).flatMap((statement) =>
    statement.transactions.filter(isWanted).map((transaction) => ({ statement, transaction })),
  );
}

export const isCharge = ({ transaction_type, amount_in_cents }: TransactionRow): boolean =>
  transaction_type === 'charge' && amount_in_cents > 0;
export const isPayment = ({ transaction_type, success }: TransactionRow): boolean =>
  transaction_type === 'payment' && success;
export const isFailedPayment = ({ transaction_type, success }: TransactionRow): boolean =>
  transaction_type === 'payment' && !success;
export const isRefund = ({ transaction_type }: TransactionRow): boolean => transaction_type === 'refund';

/** Returns an id that no record has. */
export const unusedId = (pick: Pick): number => 900_000_000 + pick.number(1, 99_999_999);

/** Returns a time shifted by days, in the notation of the service. */
export function shiftDays(time: string, days: number): string {
  const offset = time.slice(19);
  const local = Date.parse(`${time.slice(0, 19)}Z`) + days * 86_400_000;
  return `${new Date(local).toISOString().slice(0, 19)}${offset}`;
}
