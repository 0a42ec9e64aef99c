import { isPaymentMade } from '../../ledger/index.ts';
import type { Account } from '../account.ts';
import { type Finding, makeFinding, transactionEvidence } from '../finding.ts';
import { gatewayIdOf } from '../payments.ts';
import type { AcrossGroup, AcrossMember } from '../record.ts';
import type { Rule } from '../rule.ts';
import { line, listed, money } from '../words.ts';

export const duplicatePayment: Rule = {
  id: 'duplicate-payment',
  version: 1,
  title: 'Payment recorded twice',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The payment gateway gives each payment an identifier of its own. Two payments under one identifier are one payment ' +
    'written down twice: the card was charged once, but the customer is credited more than once. Compare with the ' +
    'gateway’s report and have the surplus entry reversed.',
  remedy: null,
  check,
  checkGroup,
};

/** An identifier that so many payments share is not one payment’s: a test gateway gives the same to all. */
const TOO_COMMON = 10;

function check(account: Account): Finding[] {
  return account.gatewayTwins.map((twins) =>
    finding(
      twins.map(({ footing, transaction }) => ({
        subscription_id: account.id,
        statement_id: footing.statement.id,
        transaction,
      })),
    ),
  );
}

/** Payments of different subscriptions under one identifier. */
function checkGroup({ by, members }: AcrossGroup): Finding[] {
  if (by !== 'gateway_transaction_id' || members.length >= TOO_COMMON) return [];
  const payments = new Map<number, AcrossMember>();
  for (const member of members) {
    const { transaction } = member;
    if (gatewayIdOf(transaction) === null || transaction.amount_in_cents === 0 || !isPaymentMade(transaction))
      continue;
    if (!payments.has(transaction.id)) payments.set(transaction.id, member);
  }
  const twins = [...payments.values()];
  return new Set(twins.map(({ subscription_id }) => subscription_id)).size > 1 ? [finding(twins)] : [];
}

function finding(members: readonly AcrossMember[]): Finding {
  const twins = members.toSorted((a, b) => a.transaction.id - b.transaction.id);
  const [first, ...surplus] = twins as [AcrossMember, ...AcrossMember[]];
  const ids = twins.map(({ transaction }) => transaction.id);
  const subscriptions = [...new Set(twins.map(({ subscription_id }) => subscription_id))];
  const over = surplus.reduce((sum, { transaction }) => sum + Math.abs(transaction.amount_in_cents), 0);
  const where =
    subscriptions.length > 1 ? `of subscriptions ${listed(subscriptions.map((id) => id ?? 'unknown'))} ` : '';
  return makeFinding(duplicatePayment, {
    subject: {
      subscription_id: first.subscription_id,
      statement_id: surplus[0]?.statement_id ?? first.statement_id,
      transaction_id: surplus[0]?.transaction.id ?? first.transaction.id,
    },
    identity: [
      `gateway ${first.transaction.gateway_transaction_id}`,
      subscriptions.length > 1 ? 'across subscriptions' : `subscription ${first.subscription_id}`,
    ],
    difference_in_cents: over,
    message:
      `Payments ${listed(ids)} ${where}carry the same gateway identifier, ${first.transaction.gateway_transaction_id}, ` +
      `so ${money(over)} of them was received only once.`,
    arithmetic: twins.map(({ transaction, statement_id }) =>
      line(`Payment ${transaction.id} on statement ${statement_id}`, transaction.amount_in_cents),
    ),
    evidence: twins.map(({ transaction, statement_id }) => transactionEvidence(statement_id, transaction)),
  });
}
