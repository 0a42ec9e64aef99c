import type { RuleDefinition } from '../../analysis/check-rule.ts';
import {
  CONSOLIDATED_BILLING,
  isBilledAlone,
  namesOtherSubscription,
} from '../../analysis/consolidated-billing.ts';
import {
  type FindingDraft,
  type FindingEvidence,
  toEventEvidence,
  toTransactionEvidence,
} from '../../analysis/finding.ts';
import { formatCount } from '../../analysis/finding-message-text.ts';
import type { StatementFooting } from '../../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../../analysis/subscription-analysis.ts';
import type { TransactionRecord } from '../../analysis/subscription-record.ts';
import { findUsualCustomerId } from '../../analysis/usual-customer.ts';

export const otherSubscriptionRule: RuleDefinition = {
  id: 'other-subscription',
  version: 1,
  title: 'Record of another subscription',
  severity: 'error',
  scope: 'statement',
  explanation:
    'Each transaction and event names its subscription, and later versions of the service also name the statement. ' +
    'If they name another one, the record is on the wrong statement, or was changed. The amount may belong to ' +
    'another customer. A single transaction of a statement that names another customer is reported as well. Subscriptions that are regularly billed together are not reported.',
  check(analysis, { habits }) {
    const findings: FindingDraft[] = [];
    const reportsSubscriptions = isBilledAlone(analysis) && !habits.has(CONSOLIDATED_BILLING);
    for (const footing of analysis.footings) {
      const misplaced = listMisplacedRecords(analysis, footing, reportsSubscriptions);
      if (misplaced.length > 0) findings.push(createMisplacedFinding(analysis, footing, misplaced));
    }
    return findings;
  },
};

interface MisplacedRecord {
  /** Name of the record and of the subject that it names, for example `Transaction 5` and `subscription 7`. */
  readonly record: string;
  readonly named: string;
  readonly amount_in_cents: number;
  readonly transaction_id: number | null;
  readonly evidence: FindingEvidence;
}

function listMisplacedRecords(
  analysis: SubscriptionAnalysis,
  { statement, transactions }: StatementFooting,
  reportsSubscriptions: boolean,
): MisplacedRecord[] {
  const misplaced: MisplacedRecord[] = [];
  const customer = reportsSubscriptions ? findOwnCustomer(analysis, transactions) : null;
  for (const transaction of transactions) {
    const { id, amount_in_cents } = transaction;
    const named =
      reportsSubscriptions && namesOtherSubscription(analysis, transaction)
        ? `subscription ${transaction.subscription_id}`
        : findOtherOwner(analysis, statement.id, transaction, customer);
    if (named === null) continue;
    const evidence = toTransactionEvidence(statement.id, transaction);
    misplaced.push({
      record: `Transaction ${id}`,
      named,
      amount_in_cents,
      transaction_id: id,
      evidence: { ...evidence, content: [...evidence.content, named] },
    });
  }
  for (const event of statement.events) {
    if (!reportsSubscriptions || !namesOtherSubscription(analysis, event)) continue;
    const named = `subscription ${event.subscription_id}`;
    const evidence = toEventEvidence(statement.id, event);
    misplaced.push({
      record: `Event ${event.id} (${event.key})`,
      named,
      amount_in_cents: 0,
      transaction_id: null,
      evidence: { ...evidence, content: [...evidence.content, named] },
    });
  }
  return misplaced;
}

/** Returns the other statement or customer that a transaction names; null if it names none. */
function findOtherOwner(
  { repeatedTransactions }: SubscriptionAnalysis,
  statement: number,
  { id, statement_id, customer_id }: TransactionRecord,
  customer: number | null,
): string | null {
  // A transaction on two statements names only one of them. Another rule reports this transaction.
  if (statement_id !== null && statement_id !== statement && !repeatedTransactions.has(id))
    return `statement ${statement_id}`;
  const isOther = customer !== null && customer_id !== null && customer_id !== customer;
  return isOther ? `customer ${customer_id}` : null;
}

/** Returns the subscription's usual customer if a transaction of the statement names it; null otherwise. */
function findOwnCustomer(
  analysis: SubscriptionAnalysis,
  transactions: readonly TransactionRecord[],
): number | null {
  const usual = findUsualCustomerId(analysis);
  return transactions.some(({ customer_id }) => customer_id === usual) ? usual : null;
}

function createMisplacedFinding(
  analysis: SubscriptionAnalysis,
  { statement }: StatementFooting,
  misplaced: readonly MisplacedRecord[],
): FindingDraft {
  const first = misplaced[0] as MisplacedRecord;
  const more = misplaced.length - 1;
  const amount = misplaced.reduce((sum, { amount_in_cents }) => sum + Math.abs(amount_in_cents), 0);
  return {
    subject: {
      subscription_id: analysis.id,
      statement_id: statement.id,
      ...(more === 0 && first.transaction_id !== null && { transaction_id: first.transaction_id }),
    },
    identity: [`statement ${statement.id}`],
    difference_in_cents: amount,
    message:
      `${first.record} on statement ${statement.id} of subscription ${analysis.id} names ${first.named}` +
      `${more > 0 ? `, as ${more === 1 ? 'does' : 'do'} ${formatCount(more, 'more record')}` : ''}.`,
    arithmetic: misplaced.flatMap(({ record, transaction_id, amount_in_cents }) =>
      transaction_id === null ? [] : [[record, amount_in_cents] as const],
    ),
    evidence: misplaced.map(({ evidence }) => evidence),
  };
}
