import { formatInstant, formatMoney } from '../analysis/finding-message-text.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { StatementRecord } from '../analysis/subscription-record.ts';
import {
  type CauseDefinition,
  type Correction,
  changeStatement,
  shiftStatementBalances,
} from './correction.ts';

export const brokenBalanceCause: CauseDefinition = {
  id: 'broken-balance',
  version: 1,
  title: 'Balance of a statement changed',
  severity: 'error',
  scope: 'chain',
  explanation:
    'A balance of the statement differs from what the statements before and after it and its transactions show. With ' +
    'the other balance, the findings listed here disappear together. Ask the billing service why it was changed.',
  *proposeCorrections(analysis) {
    for (const [at, { statement, computed }] of analysis.footings.entries()) {
      const before = analysis.boundaries[at - 1];
      const after = analysis.boundaries[at];
      const { starting_balance_in_cents: opening, ending_balance_in_cents: closing } = statement;
      const carried = before?.before.statement.ending_balance_in_cents ?? opening;
      if (carried !== null && opening !== null && carried !== opening) {
        const change = [opening, carried] as const;
        yield propose(analysis, 'opens', change, { statement, starting_balance_in_cents: carried });
        yield proposeShift(analysis, statement, change);
      }
      for (const balance of new Set([computed, after?.after.statement.starting_balance_in_cents ?? null]))
        if (balance !== null && closing !== null && balance !== closing)
          yield propose(analysis, 'closes', [closing, balance], {
            statement,
            ending_balance_in_cents: balance,
          });
    }
  },
};

type BalanceChange = readonly [stated: number, expected: number];

function propose(
  { id, record }: SubscriptionAnalysis,
  verb: string,
  [stated, expected]: BalanceChange,
  { statement, ...balances }: { statement: StatementRecord } & Partial<StatementRecord>,
): Correction {
  return {
    subject: { subscription_id: id, statement_id: statement.id },
    identity: [`statement ${statement.id}`, verb],
    message: `Statement ${statement.id} ${verb} at ${formatMoney(stated)} instead of ${formatMoney(expected)}.`,
    corrected: changeStatement(record, statement, (found) => ({ ...found, ...balances })),
  };
}

function proposeShift(
  { id, record }: SubscriptionAnalysis,
  statement: StatementRecord,
  [stated, expected]: BalanceChange,
): Correction {
  return {
    subject: { subscription_id: id, statement_id: statement.id },
    identity: [`statement ${statement.id}`, 'all balances'],
    message: `All balances of statement ${statement.id} are shifted by ${formatMoney(stated - expected)}.`,
    corrected: changeStatement(record, statement, (found) =>
      shiftStatementBalances(found, expected - stated),
    ),
  };
}

export const brokenPeriodCause: CauseDefinition = {
  id: 'broken-period',
  version: 1,
  title: 'Period of a statement changed',
  severity: 'warning',
  scope: 'chain',
  explanation:
    'The statement opens or closes at another time than the statements before and after it show. With the other time, ' +
    'the findings listed here disappear together. Check the cut-off before you rely on the period.',
  *proposeCorrections(analysis) {
    for (const { before, after, transition } of analysis.boundaries) {
      if (transition === 'joined' || transition === 'pause') continue;
      yield* proposeJoints(analysis, before.statement, after.statement);
      for (const { statement } of [before, after])
        for (const other of findOpenedDuring(analysis, statement))
          yield* proposeJoints(analysis, statement, other);
    }
  },
};

/** Returns the statements that opened before another statement closed. */
const findOpenedDuring = (
  { record }: SubscriptionAnalysis,
  { opened_at: from, closed_at: until }: StatementRecord,
): StatementRecord[] =>
  record.statements.filter(
    ({ opened_at }) =>
      opened_at !== null && from !== null && until !== null && opened_at > from && opened_at < until,
  );

/** Proposes to move the close of the earlier statement to the opening of the later one, or the opening to the close. */
function* proposeJoints(
  { id, record }: SubscriptionAnalysis,
  earlier: StatementRecord,
  later: StatementRecord,
): Generator<Correction> {
  const { closed_at } = earlier;
  const { opened_at } = later;
  if (closed_at === null || opened_at === null) return;
  yield {
    subject: { subscription_id: id, statement_id: earlier.id },
    identity: [`statement ${earlier.id}`, 'closes'],
    message: `Statement ${earlier.id} closed on ${formatInstant(closed_at)}, but the next one opened on ${formatInstant(opened_at)}.`,
    corrected: changeStatement(record, earlier, (found) => ({ ...found, closed_at: opened_at })),
  };
  yield {
    subject: { subscription_id: id, statement_id: later.id },
    identity: [`statement ${later.id}`, 'opens'],
    message: `Statement ${later.id} opened on ${formatInstant(opened_at)}, but the one before closed on ${formatInstant(closed_at)}.`,
    corrected: changeStatement(record, later, (found) => ({ ...found, opened_at: closed_at })),
  };
}
