import type { RuleContext, RuleDefinition } from '../analysis/check-rule.ts';
import {
  type DraftArithmeticLine,
  type FindingDraft,
  toStatementEvidence,
  toTransactionEvidence,
} from '../analysis/finding.ts';
import { formatInstant, formatMoney } from '../analysis/finding-message-text.ts';
import { SAME_TIME_TOLERANCE_MS } from '../analysis/statement-chain.ts';
import type { StatementFooting } from '../analysis/statement-footing.ts';
import { findPayoffTransaction } from '../analysis/statement-settlement.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { StatementRecord, TransactionRecord } from '../analysis/subscription-record.ts';

export const paidButUnsettledRule: RuleDefinition = {
  id: 'paid-but-unsettled',
  version: 1,
  title: 'Paid but not settled',
  severity: 'warning',
  scope: 'payment',
  explanation:
    'The statement is fully paid, but the billing service still lists it as unpaid. The customer may be reminded ' +
    'of it or charged again, and receivables are overstated. Have the statement marked as settled.',
  check(analysis, context) {
    const findings: FindingDraft[] = [];
    for (const [n, footing] of analysis.footings.entries()) {
      const { statement, difference } = footing;
      if (statement.closed_at === null || statement.settled_at !== null || difference !== 0) continue;
      const paid = findFullPayment(analysis, n);
      if (paid !== null && wouldShowSettlement(statement, paid.at, context))
        findings.push(createUnsettledFinding(analysis, footing, paid));
    }
    return findings;
  },
};

interface FullPayment {
  /** Time of the payment, as far as it is known, in UTC milliseconds. */
  readonly at: number;
  readonly how: string;
  readonly by: { readonly statement: StatementRecord; readonly transaction: TransactionRecord } | null;
}

function findFullPayment(analysis: SubscriptionAnalysis, n: number): FullPayment | null {
  const footing = analysis.footings[n] as StatementFooting;
  const { closed_at, ending_balance_in_cents: ending, future_payments } = footing.statement;
  if (closed_at === null || ending === null) return null;
  if (ending <= 0)
    return hadSomethingDue(footing) ? { at: closed_at, how: 'nothing was left to pay', by: null } : null;
  const future = future_payments.reduce(
    (sum, { amount_in_cents }) => sum + Math.abs(amount_in_cents ?? 0),
    0,
  );
  if (future >= ending) {
    const at = Math.max(closed_at, ...future_payments.map(({ created_at }) => created_at ?? 0));
    return { at, how: `future payments of ${formatMoney(future)} cover it`, by: null };
  }
  const last = findPayoffTransaction(findContinuousStatements(analysis, n));
  if (last === null) return null;
  const { transaction, footing: payingFooting } = last;
  return {
    at: transaction.created_at ?? payingFooting.statement.opened_at ?? closed_at,
    how: `transaction ${transaction.id} on statement ${payingFooting.statement.id} reduced the balance to zero`,
    by: { statement: payingFooting.statement, transaction },
  };
}

/** Returns false for a statement without amounts, which may stay unsettled, for example during a trial. */
const hadSomethingDue = ({ statement, effects }: StatementFooting): boolean =>
  (statement.starting_balance_in_cents ?? 0) > 0 || effects.some((effect) => (effect ?? 0) > 0);

/** Returns the later statements up to the first one whose opening balance does not carry forward. */
function findContinuousStatements({ footings, boundaries }: SubscriptionAnalysis, n: number) {
  let end = n;
  while (boundaries[end]?.balanceStep === 0) end++;
  return footings.slice(n + 1, end + 1);
}

/** Returns true if the statement was read late enough to include a settlement at the given time. */
const wouldShowSettlement = ({ read_at }: StatementRecord, at: number, { now }: RuleContext): boolean =>
  at + SAME_TIME_TOLERANCE_MS < (read_at ?? now);

const settlingBalance = ({ id, ending_balance_in_cents }: TransactionRecord): DraftArithmeticLine => [
  `Balance after transaction ${id}`,
  ending_balance_in_cents,
];

function createUnsettledFinding(
  analysis: SubscriptionAnalysis,
  { statement }: StatementFooting,
  { at, how, by }: FullPayment,
): FindingDraft {
  const ending = statement.ending_balance_in_cents ?? 0;
  return {
    subject: { subscription_id: analysis.id, statement_id: statement.id },
    difference_in_cents: Math.max(ending, 0),
    message:
      `Statement ${statement.id} closed at ${formatMoney(ending)} and is not settled, although ${how}` +
      `${by === null ? '' : ` on ${formatInstant(at)}`}.`,
    arithmetic: [['Closing balance', ending], ...(by ? [settlingBalance(by.transaction)] : [])],
    evidence: [
      toStatementEvidence(statement),
      ...(by ? [toTransactionEvidence(by.statement.id, by.transaction)] : []),
    ],
  };
}
