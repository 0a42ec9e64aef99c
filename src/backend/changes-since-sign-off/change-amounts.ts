import type { ClosedFiguresRowKind } from '../../contract/index.ts';
import { type CanonicalJson, canonicalJson } from '../../domain/periods/index.ts';

export type RowFields = { readonly [name: string]: CanonicalJson };

/** Amount in cents; null if it is unknown. */
type AmountOrUnknown = number | null;

/** Names of the fields that contain the amount of a row, by kind. Kinds without an amount are absent. */
export const amountFields: Partial<Record<ClosedFiguresRowKind, string>> = {
  statement: 'ending_balance_in_cents',
  payment: 'amount_in_cents',
  line: 'amount_in_cents',
  payout: 'stated_in_cents',
};

const getCents = (fields: RowFields | null, name: string | undefined): AmountOrUnknown => {
  const value = name === undefined ? null : fields?.[name];
  return typeof value === 'number' ? value : null;
};

export const getAmount = (kind: ClosedFiguresRowKind, fields: RowFields | null): AmountOrUnknown =>
  getCents(fields, amountFields[kind]);

/**
 * Returns the change of the signed amounts in cents. A removed or added statement counts with all of its charges. Unknown
 * amounts count as 0, because `getChangeSize` decides about suspension.
 */
export function getChangedAmount(
  kind: ClosedFiguresRowKind,
  was: RowFields | null,
  is: RowFields | null,
): number {
  if (kind !== 'statement' || (was !== null && is !== null))
    return (getAmount(kind, is) ?? 0) - (getAmount(kind, was) ?? 0);
  return (sumMovements(is).raised ?? 0) - (sumMovements(was).raised ?? 0);
}

/**
 * Returns the size of a change in cents, or null if it is unknown. A row that moved to another day, currency, account or
 * status counts with its full amount. Changes of a statement's charges and payments can leave its balance as it was, so
 * the largest of the three counts.
 */
export function getChangeSize(
  kind: ClosedFiguresRowKind,
  was: RowFields | null,
  is: RowFields | null,
): AmountOrUnknown {
  const isMoved = isPlacedDifferently(was, is);
  const [before, after] = [listAmounts(kind, was), listAmounts(kind, is)];
  const sizes = before.map((amount, at) => compareAmounts(amount, after[at]!, isMoved));
  if (kind === 'statement') sizes.push(...compareTransactions(was, is, isMoved));
  return sizes.includes(null) ? null : Math.max(...(sizes as number[]));
}

const compareAmounts = (was: AmountOrUnknown, is: AmountOrUnknown, isMoved: boolean): AmountOrUnknown => {
  if (was === null || is === null) return null;
  return isMoved ? Math.max(Math.abs(was), Math.abs(is)) : Math.abs(is - was);
};

const MATCH_AMOUNTS = ['lines_in_cents', 'transactions_in_cents', 'adjustments_in_cents'];

/** Returns the amounts that measure a row. They are 0 if the row does not exist, and null if they are unknown. */
function listAmounts(kind: ClosedFiguresRowKind, fields: RowFields | null): readonly AmountOrUnknown[] {
  const names = kind === 'match' ? MATCH_AMOUNTS : [amountFields[kind]];
  if (fields === null) return names.map(() => 0);
  if (kind === 'exception') return [getExceptionAmount(fields)];
  return names.map((name) => getCents(fields, name));
}

/** Returns the amount at stake. A stake of 0 is known only if the difference is known as well. */
function getExceptionAmount(fields: RowFields): AmountOrUnknown {
  const [stake, difference] = [
    getCents(fields, 'at_stake_in_cents'),
    getCents(fields, 'difference_in_cents'),
  ];
  return stake === null || stake === 0 ? difference : stake;
}

/** Fields, apart from dates, that decide where a row counts. */
const PLACEMENT_FIELDS: ReadonlySet<string> = new Set([
  ...['account', 'currency', 'items', 'kind', 'payout', 'payout_id', 'statement_id', 'status'],
  ...['subscription_id', 'success', 'type'],
]);

const isPlacementField = (name: string): boolean => PLACEMENT_FIELDS.has(name) || /_(on|at)$/.test(name);

/** Returns true if both rows exist and a date or another field that decides where a row counts differs. */
function isPlacedDifferently(was: RowFields | null, is: RowFields | null): boolean {
  if (was === null || is === null) return false;
  return Object.keys({ ...was, ...is }).some(
    (name) => isPlacementField(name) && canonicalJson(was[name] ?? null) !== canonicalJson(is[name] ?? null),
  );
}

const listTransactions = (statement: RowFields | null): readonly RowFields[] =>
  (statement?.['transactions'] ?? []) as readonly RowFields[];

/** Returns by how much a transaction changed the balance of its statement. It is 0 if the transaction does not exist. */
function getMovement(transaction: RowFields | null): AmountOrUnknown {
  if (transaction === null) return 0;
  const before = getCents(transaction, 'starting_balance_in_cents');
  const after = getCents(transaction, 'ending_balance_in_cents');
  return before === null || after === null ? null : after - before;
}

/**
 * Returns by how much the changed transactions raise and lower the balance of their statement, in cents. Opposite changes do
 * not offset. All transactions count if the statement moved.
 */
function compareTransactions(
  was: RowFields | null,
  is: RowFields | null,
  isStatementMoved: boolean,
): AmountOrUnknown[] {
  const pairs = new Map<CanonicalJson | undefined, { was: RowFields | null; is: RowFields | null }>();
  for (const each of listTransactions(was)) pairs.set(each['id'], { was: each, is: null });
  for (const each of listTransactions(is))
    pairs.set(each['id'], { was: pairs.get(each['id'])?.was ?? null, is: each });
  const compare = (limit: (movement: number) => number): AmountOrUnknown[] =>
    [...pairs.values()].map((pair) => {
      const isMoved = isStatementMoved || isPlacedDifferently(pair.was, pair.is);
      if (!isMoved && canonicalJson(pair.was) === canonicalJson(pair.is)) return 0;
      const [before, after] = [getMovement(pair.was), getMovement(pair.is)];
      return compareAmounts(before && limit(before), after && limit(after), isMoved);
    });
  return [sumIfKnown(compare(keepRaised)), sumIfKnown(compare(keepLowered))];
}

const keepRaised = (movement: number): number => Math.max(0, movement);
const keepLowered = (movement: number): number => Math.max(0, 0 - movement);

const sumIfKnown = (amounts: readonly AmountOrUnknown[]): AmountOrUnknown =>
  amounts.includes(null) ? null : amounts.reduce<number>((all, each) => all + (each ?? 0), 0);

/** Returns by how much a statement's transactions raised and lowered its balance, in cents. Null if this is unknown. */
export function sumMovements(statement: RowFields | null): {
  raised: AmountOrUnknown;
  lowered: AmountOrUnknown;
} {
  const movements = listTransactions(statement).map(getMovement);
  return {
    raised: sumIfKnown(movements.map((each) => each && keepRaised(each))),
    lowered: sumIfKnown(movements.map((each) => each && keepLowered(each))),
  };
}
