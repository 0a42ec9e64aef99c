import {
  type ComparedLedgerArea,
  comparedLedgerAreas,
  toAreaCents,
} from '../../domain/general-ledger/index.ts';
import { addDays, type DateRange } from '../../domain/ledger/index.ts';
import {
  type AccountBalance,
  type ComparedAccount,
  listAccountBalances,
  listAccountsOfAreas,
  listUnpostedAmounts,
  readAccountPostings,
} from '../store/general-ledger/ledger-movements.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** A ledger row with the cents by which it changes its area. */
export interface LedgerRow {
  readonly area: ComparedLedgerArea;
  readonly currency: string;
  readonly kind: 'ledger' | 'balance' | 'entry';
  readonly id: number;
  readonly day: string;
  readonly cents: number;
}

/** Areas whose accounts start each year with a zero balance. The fiscal year is assumed to be the calendar year. */
const yearlyAreas: ReadonlySet<ComparedLedgerArea> = new Set(['revenue', 'fees']);

/**
 * Yields the postings of the compared accounts in a period. For an account without postings, yields trial balances
 * whose difference is the account's movement.
 */
export function* readLedgerRows(
  books: ReadableDb,
  period: DateRange,
  areas: readonly ComparedLedgerArea[] = comparedLedgerAreas,
): Generator<LedgerRow> {
  for (const of of listAccountsOfAreas(books, areas)) {
    let hasPostings = false;
    for (const { natural, cents, ...row } of readAccountPostings(books, of.account, period)) {
      hasPostings = true;
      yield { area: of.area, kind: 'ledger', ...row, cents: toMovement(of.area, natural, cents) };
    }
    if (!hasPostings) yield* listBalanceRows(books, period, of);
  }
}

const toMovement = (area: ComparedLedgerArea, natural: 0 | 1, cents: number): number =>
  natural === 1 ? cents : toAreaCents(area, cents);

function listBalanceRows(
  books: ReadableDb,
  { first, last }: DateRange,
  { account, area }: ComparedAccount,
): LedgerRow[] {
  const before = addDays(first, -1);
  const earlier = listAccountBalances(books, account, before);
  const isFirstMonth = first.slice(5) === '01-01' && yearlyAreas.has(area);
  const toRow = (balance: AccountBalance, day: string, cents: number): LedgerRow => ({
    ...{ area, currency: balance.currency, kind: 'balance', id: balance.id, day },
    cents: toMovement(area, balance.natural, cents),
  });
  return listAccountBalances(books, account, last).flatMap((balance) => {
    const { movement_in_cents: movement, opening_in_cents: opening, closing_in_cents: closing } = balance;
    if (movement !== null) return toRow(balance, last, movement);
    if (closing === null) return [];
    if (isFirstMonth) return toRow(balance, last, closing);
    const previous = earlier.find(({ currency }) => currency === balance.currency);
    if (previous !== undefined && previous.closing_in_cents !== null)
      return [toRow(balance, last, closing), toRow(previous, before, 0 - previous.closing_in_cents)];
    return opening === null ? [] : toRow(balance, last, closing - opening);
  });
}

/** Returns the approved journal entries of a period that no ledger file contains yet, one row per entry and area. */
export function listUnpostedRows(books: ReadableDb, period: DateRange): LedgerRow[] {
  const areas = new Map(
    listAccountsOfAreas(books, comparedLedgerAreas).map(({ account, area }) => [account, area]),
  );
  const rows = new Map<string, LedgerRow>();
  for (const { account, cents, ...entry } of listUnpostedAmounts(books, period)) {
    const area = areas.get(account);
    if (area === undefined) continue;
    const key = `${entry.id} ${area}`;
    const known = rows.get(key)?.cents ?? 0;
    rows.set(key, { area, kind: 'entry', ...entry, cents: known + toAreaCents(area, cents) });
  }
  return [...rows.values()].filter(({ cents }) => cents !== 0);
}
