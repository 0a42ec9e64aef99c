import { toAllocationIdentity } from '../analysis/finding.ts';
import { formatInstant, formatMoney } from '../analysis/finding-message-text.ts';
import type { LocatedTransaction } from '../analysis/payment-index.ts';
import type { StatementFooting } from '../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type {
  AllocationRecord,
  StatementRecord,
  SubscriptionRecord,
  TransactionRecord,
} from '../analysis/subscription-record.ts';
import {
  addCents,
  type CauseDefinition,
  type Correction,
  changeStatement,
  shiftStatementBalances,
  shiftTransactionBalances,
} from './correction.ts';

export const duplicateStatementCause: CauseDefinition = {
  id: 'duplicate-statement',
  version: 1,
  title: 'Statement recorded twice',
  severity: 'error',
  scope: 'statement',
  explanation:
    'Two statements of a subscription have the same period and the same transactions. Everything on them is counted ' +
    'twice. Have one of the two removed; the findings listed here then disappear together.',
  *proposeCorrections(analysis) {
    const copies = Map.groupBy(analysis.footings, describeContent);
    for (const [content, same] of copies) {
      if (content === null || same.length < 2) continue;
      const [original, ...others] = same.map(({ statement }) => statement).toSorted((a, b) => a.id - b.id);
      for (const copy of others) yield createCopyCorrection(analysis, original as StatementRecord, copy);
    }
  },
};

/** Returns a statement's content without ids, for comparison. Null for a statement that is open or empty. */
function describeContent({ statement, transactions }: StatementFooting): string | null {
  if (statement.closed_at === null || transactions.length === 0) return null;
  const lines = transactions.map(({ transaction_type, amount_in_cents, created_at, memo }) =>
    JSON.stringify([transaction_type, amount_in_cents, created_at, memo]),
  );
  return JSON.stringify([statement.opened_at, statement.closed_at, lines.toSorted()]);
}

function createCopyCorrection(
  { id, record }: SubscriptionAnalysis,
  original: StatementRecord,
  copy: StatementRecord,
): Correction {
  return {
    subject: { subscription_id: id, statement_id: copy.id },
    identity: [`statement ${copy.id}`, `copy of ${original.id}`],
    message: `Statement ${copy.id} has the same period and transactions as statement ${original.id}.`,
    corrected: changeStatement(record, copy, () => null),
  };
}

export const duplicateTransactionCause: CauseDefinition = {
  id: 'duplicate-transaction',
  version: 1,
  title: 'Transaction recorded twice',
  severity: 'error',
  scope: 'statement',
  explanation:
    'A statement contains two equal transactions, and its figures fit only without one of them. The amount was ' +
    'probably recorded twice. Have the second one reversed; the findings listed here then disappear together.',
  *proposeCorrections(analysis) {
    for (const footing of analysis.footings) {
      for (const [key, equal] of Map.groupBy(footing.transactions.entries(), ([, each]) =>
        describeLine(each),
      )) {
        if (key === null || equal.length < 2) continue;
        const [index, transaction] = equal.at(-1) as [number, TransactionRecord];
        yield* proposeRemovals(analysis, { footing, index, transaction });
      }
    }
  },
};

/** Returns the text that equal transactions share; null if the transaction has no effect that could be doubled. */
const describeLine = ({ transaction_type, kind, amount_in_cents, created_on, memo }: TransactionRecord) =>
  amount_in_cents === 0 || created_on === null
    ? null
    : JSON.stringify([transaction_type, kind, amount_in_cents, created_on, memo]);

/** Proposes to remove a transaction alone, to also shift the balances after it, and to also shift later statements. */
function* proposeRemovals(
  analysis: SubscriptionAnalysis,
  located: LocatedTransaction,
): Generator<Correction> {
  const { footing, transaction } = located;
  const { id, amount_in_cents, created_at } = transaction;
  const at = created_at === null ? '' : ` of ${formatInstant(created_at)}`;
  const base = {
    subject: { subscription_id: analysis.id, statement_id: footing.statement.id, transaction_id: id },
    identity: [`statement ${footing.statement.id}`, `transaction ${id}`],
    message: `Transaction ${id} of ${formatMoney(amount_in_cents)}${at} on statement ${footing.statement.id} is there twice.`,
  };
  for (const shifts of ['none', 'statement', 'all'] as const)
    yield { ...base, corrected: removeTransaction(analysis, located, shifts) };
}

function removeTransaction(
  { record, footings }: SubscriptionAnalysis,
  { footing, index, transaction }: LocatedTransaction,
  shifts: 'none' | 'statement' | 'all',
): SubscriptionRecord {
  const cents = shifts === 'none' ? 0 : -(footing.effects[index] ?? 0);
  const after = new Set(footing.transactions.slice(index + 1));
  const later = new Set(footings.slice(footings.indexOf(footing) + 1).map(({ statement }) => statement));
  const withoutIt = changeStatement(record, footing.statement, (statement) => ({
    ...statement,
    ending_balance_in_cents: addCents(statement.ending_balance_in_cents, cents),
    transactions: statement.transactions
      .filter((each) => each !== transaction)
      .map((each) => (after.has(each) ? shiftTransactionBalances(each, cents) : each)),
  }));
  if (shifts !== 'all') return withoutIt;
  const statements = withoutIt.statements.map((each) =>
    later.has(each) ? shiftStatementBalances(each, cents) : each,
  );
  return { ...withoutIt, statements };
}

export const duplicateAllocationCause: CauseDefinition = {
  id: 'duplicate-allocation',
  version: 1,
  title: 'Allocation recorded twice',
  severity: 'warning',
  scope: 'allocation',
  explanation:
    'Two allocations of a component have the same time and the same quantities, and the history fits only without one ' +
    'of them. The change was probably recorded once too often. The findings listed here disappear together.',
  *proposeCorrections({ id, record }) {
    for (const component of record.components) {
      const { component_id, allocations } = component;
      const copies = allocations.filter((each, at) => at > 0 && isCopy(each, allocations[at - 1]));
      for (const copy of copies)
        yield {
          subject: { subscription_id: id, component_id },
          identity: toAllocationIdentity({ subscription_id: id, component_id }, copy),
          message: `The allocation of component ${component_id} on ${formatInstant(copy.timestamp)} to ${copy.quantity} is there twice.`,
          corrected: {
            ...record,
            components: record.components.map((each) =>
              each === component
                ? { ...each, allocations: allocations.filter((other) => other !== copy) }
                : each,
            ),
          },
        };
    }
  },
};

const isCopy = (one: AllocationRecord, other: AllocationRecord | undefined): boolean =>
  one.timestamp === other?.timestamp &&
  one.quantity === other.quantity &&
  one.previous_quantity === other.previous_quantity;
