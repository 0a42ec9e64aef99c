import { addDays, type DateRange } from '../../domain/ledger/index.ts';
import {
  type AccountBalances,
  type BalanceAnchor,
  findAccountBalances,
  findScheduleAccount,
  getAccountScheduleId,
  linkBankStatements,
  type ReconciledAccount,
  type RowContribution,
} from '../../domain/workpaper/index.ts';
import { toStatementBalances } from '../bank/bank-statements.ts';
import { listStoredBankStatements } from '../store/bank/bank-statement.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import {
  type AccountCurrency,
  listAccountsOfCurrency,
  readAccountLines,
  readOutstandingBankRows,
  readShiftedBankLines,
} from '../store/workpaper/account-lines.ts';

/** An account with the balances that its bank statements state for a period. */
export interface AccountWithBalances extends ReconciledAccount, AccountCurrency {
  readonly stated: AccountBalances | null;
}

/** Returns the bank and processor accounts of a currency, with their stated balances, by account id. */
export function listReconciledAccounts(
  books: ReadableDb,
  currency: string,
  period: DateRange,
): AccountWithBalances[] {
  return listAccountsOfCurrency(books, currency).map((account) => {
    const statements = listStoredBankStatements(books, account.id).filter(
      (each) => each.currency === currency,
    );
    const stated = findAccountBalances(linkBankStatements(statements.map(toStatementBalances)), period);
    const balances = stated === null ? 'none' : stated.closing === null ? 'one' : 'both';
    return { ...account, currency, balances, stated };
  });
}

/** Returns true if the balances of all bank accounts are stated, so that S3 can sum them. */
export function areBankBalancesStated(accounts: readonly AccountWithBalances[]): boolean {
  const banks = accounts.filter(({ kind }) => kind === 'bank');
  return banks.length > 0 && banks.every(({ balances }) => balances === 'both');
}

/** Yields the contributions to the account schedules of a currency, and to their summary in S3. */
export function* readAccountContributions(
  books: ReadableDb,
  currency: string,
  period: DateRange,
): Generator<RowContribution, void, undefined> {
  const accounts = listReconciledAccounts(books, currency, period);
  const isOnlyBank = accounts.filter(({ kind }) => kind === 'bank').length === 1;
  for (const account of accounts) yield* readContributionsOfAccount(books, account, period, isOnlyBank);
  if (!areBankBalancesStated(accounts)) return;
  for (const { currency: of, ...line } of readShiftedBankLines(books, period))
    if (of === currency) yield { figure: LATE_LINES_FIGURE, part: '', currency, kind: 'line', ...line };
}

/** Bank lines booked in one period and counted in another. Part of the summary in S3. */
const LATE_LINES_FIGURE = 'S3.late';

/** S2 figures that make up each figure of a processor's schedule, with their sign. */
const PROCESSOR_FIGURES: Readonly<Record<string, readonly [figure: string, sign: 1 | -1]>> = {
  'S2.opening': ['carried', 1],
  'S2.gross': ['gross', 1],
  'S2.fees': ['fees', 1],
  'S2.chargebacks': ['other', 1],
  'S2.fx': ['other', 1],
  'S2.reserve': ['other', 1],
  'S2.other': ['other', 1],
  'S2.ahead': ['ahead', 1],
  'S2.remainder': ['remainder', 1],
  'S2.sent': ['sent', -1],
  'S2.closing': ['unpaid', -1],
};
const processorFigures = new Set(Object.values(PROCESSOR_FIGURES).map(([figure]) => figure));

/** Returns true for a figure of a processor's schedule that consists of S2 rows. */
export const isProcessorFigure = (figure: string): boolean =>
  findScheduleAccount(figure) !== null && processorFigures.has(figure.split('.')[1] ?? '');

/** Returns true for a figure that `readAccountContributions` computes. */
export const isAccountFigure = (figure: string): boolean =>
  figure === LATE_LINES_FIGURE || (findScheduleAccount(figure) !== null && !isProcessorFigure(figure));

/** Converts a row or total of S2 for the schedule of its processor. Null if the schedule does not include it. */
export function toProcessorFigure<
  Row extends { readonly figure: string; readonly cents: number; readonly account_id: number | null },
>(row: Row): (Row & { part: '' }) | null {
  const [figure, sign] = PROCESSOR_FIGURES[row.figure] ?? [];
  if (figure === undefined || sign === undefined || row.account_id === null) return null;
  return {
    ...row,
    figure: `${getAccountScheduleId(row.account_id)}.${figure}`,
    part: '',
    cents: sign * row.cents + 0,
  };
}

type FigureRow = Pick<RowContribution, 'kind' | 'id' | 'day' | 'cents' | 'match'>;

function* readContributionsOfAccount(
  books: ReadableDb,
  account: AccountWithBalances,
  period: DateRange,
  isOnlyBank: boolean,
): Generator<RowContribution> {
  const { id, currency, kind, balances } = account;
  // The schedule of a processor without stated balances consists of S2 rows.
  if (kind === 'processor' && balances !== 'both') return;
  const part = { part: '', currency };
  const toFigure = (name: string) => `${getAccountScheduleId(id)}.${name}`;
  for (const [name, row] of listMovements(books, account, period))
    yield { figure: toFigure(name), ...part, ...row };
  for (const [name, row] of listStatedBalances(books, account, period))
    yield { figure: toFigure(name), ...part, ...row };
  if (kind !== 'bank' || balances !== 'both') return;
  const asAt = { last: period.last, isOnlyBank };
  for (const { figure, match, ...row } of readOutstandingBankRows(books, account, asAt))
    yield { figure: toFigure(figure), ...part, ...row, ...(match !== null && { match }) };
}

function* listMovements(
  books: ReadableDb,
  account: AccountWithBalances,
  period: DateRange,
): Generator<[name: string, FigureRow]> {
  for (const { id, day, cents, effect } of readAccountLines(books, account, period)) {
    const amount = account.kind === 'bank' ? cents : effect;
    yield [amount < 0 ? 'paid' : 'received', { kind: 'line', id, day, cents: amount }];
    if (amount !== effect) yield ['charges', { kind: 'line', id, day, cents: effect - amount }];
  }
}

/** Yields the stated opening and closing balances, and the lines between their days and the ends of the period. */
function* listStatedBalances(
  books: ReadableDb,
  account: AccountWithBalances,
  period: DateRange,
): Generator<[name: string, FigureRow]> {
  const { stated } = account;
  if (stated === null || stated.closing === null) return;
  const ends: [name: string, BalanceAnchor, day: string][] = [
    ['opening', stated.opening, addDays(period.first, -1)],
    ['closing', stated.closing, period.last],
  ];
  for (const [name, { statement, day: on, balance }, day] of ends) {
    yield [name, { kind: 'bank_statement', id: statement, day: on, cents: balance }];
    const [from, until, sign] = on < day ? [on, day, 1] : [day, on, -1];
    const between = { first: addDays(from, 1), last: until };
    for (const line of readAccountLines(books, account, between))
      yield [name, { kind: 'line', id: line.id, day: line.day, cents: sign * line.effect }];
  }
}
