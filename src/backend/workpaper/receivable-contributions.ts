import { addCents, type Cents } from '../../domain/ledger/index.ts';
import { isClosedBefore } from '../../domain/receivables/index.ts';
import type { RowContribution } from '../../domain/workpaper/index.ts';
import { extractDate } from '../store/lists/time-range.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { getStatementCustomer, type ReceivableStatement } from '../store/workpaper/receivable-rows.ts';
import { findStatementTimeRange } from '../store/workpaper/workpaper-billing.ts';
import type { ContributionSource } from './contribution-source.ts';
import {
  type BalanceAt,
  type Movement,
  readSubscriptionBalances,
  type SubscriptionBalance,
} from './subscription-balances.ts';

const SCHEDULE = 'S5.';

/** Statements and transactions of schedule S5, in the currency of the site. */
export const receivableSource: ContributionSource = {
  covers: (figure) => figure.startsWith(SCHEDULE),
  *read({ cache, file }, period) {
    const toContribution = ([figure, row]: FigureRow): RowContribution => ({
      figure: SCHEDULE + figure,
      part: '',
      currency: file.currency,
      ...row,
    });
    const { until } = findStatementTimeRange(cache, period);
    for (const balance of readSubscriptionBalances(cache, period)) {
      if (balance === null) yield null;
      else for (const row of listRows(cache, balance, until)) yield toContribution(row);
    }
  },
};

type FigureRow = [figure: string, row: Pick<RowContribution, 'kind' | 'id' | 'day' | 'statement' | 'cents'>];

function* listRows(
  cache: ReadableDb,
  { opening, movements, closing, open }: SubscriptionBalance,
  until: number,
): Generator<FigureRow> {
  yield* listBalanceRows(cache, opening, ['opening', 'opening']);
  for (const movement of movements) yield [movement.kind, toMovementRow(cache, movement, movement.cents)];
  yield* listBalanceRows(cache, closing, ['statements', 'progress']);
  const openByStatement = new Map<ReceivableStatement, Cents>();
  for (const { movement, cents } of open) {
    const { statement, kind } = movement;
    if (cents > 0) openByStatement.set(statement, addCents(openByStatement.get(statement) ?? 0, cents));
    else yield [kind === 'payments' ? 'overpaid' : 'credits-due', toMovementRow(cache, movement, cents)];
  }
  for (const [statement, cents] of openByStatement) {
    const row = toStatementRow(cache, statement, cents);
    yield ['open', row];
    const { settled } = statement;
    if (settled !== null && settled < until && isClosedBefore(statement, until)) yield ['settled', row];
  }
}

function* listBalanceRows(
  cache: ReadableDb,
  { last, since }: BalanceAt,
  [ofStatement, ofMovement]: readonly [string, string],
): Generator<FigureRow> {
  if (last !== null && last.ending !== 0) yield [ofStatement, toStatementRow(cache, last, last.ending)];
  for (const movement of since) yield [ofMovement, toMovementRow(cache, movement, movement.cents)];
}

function toStatementRow(cache: ReadableDb, { id }: ReceivableStatement, cents: Cents): FigureRow[1] {
  const { opened_text, closed_text } = getStatementCustomer(cache, id);
  return { kind: 'statement', id, day: extractDate(closed_text ?? opened_text), cents };
}

function toMovementRow(cache: ReadableDb, { statement, transaction }: Movement, cents: Cents): FigureRow[1] {
  if (transaction === null) return toStatementRow(cache, statement, cents);
  const { id, statement_id, created_text } = transaction;
  return { kind: 'transaction', id, statement: statement_id, day: extractDate(created_text), cents };
}
