import { findRunningBalanceChange, findTypeEffect } from '../../ledger/index.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toTransactionEvidence, toTransactionSubject } from '../analysis/finding.ts';
import { formatMoney } from '../analysis/finding-message-text.ts';
import type { LocatedTransaction } from '../analysis/payment-index.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { TransactionRecord } from '../analysis/subscription-record.ts';

export const amountSignRule: RuleDefinition = {
  id: 'amount-sign',
  version: 1,
  title: 'Amount with the wrong sign',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The billing service records charges, payments and refunds as positive amounts, and a refund is a transaction of ' +
    'its own. A negative payment is therefore a wrong sign, or a refund recorded as a payment. Charges and ' +
    'adjustments are reported only if their amount contradicts their running balances.',
  check(analysis) {
    const usualSign = findUsualAdjustmentSign(analysis);
    const credits = findUsualCreditSign(analysis);
    return [...analysis.transactionsById.values()]
      .filter(
        ({ transaction }) => hasWrongSign(transaction, usualSign) || isUnusualCredit(transaction, credits),
      )
      .map((located) => createSignFinding(analysis, located));
  },
};

/** Effect of a subscription's positive adjustments on its running balances: `as sent` raises the balance. */
type AdjustmentSign = 'as sent' | 'inverted' | 'unknown';

function findUsualAdjustmentSign({ transactionsById }: SubscriptionAnalysis): AdjustmentSign {
  let [asSent, inverted] = [0, 0];
  for (const { transaction } of transactionsById.values()) {
    const { amount_in_cents } = transaction;
    if (findTypeEffect(transaction)?.direction !== 'as sent' || amount_in_cents === 0) continue;
    const change = findRunningBalanceChange(transaction);
    if (change === amount_in_cents) asSent++;
    else if (change === -amount_in_cents) inverted++;
  }
  if (asSent > inverted) return 'as sent';
  return inverted > asSent ? 'inverted' : 'unknown';
}

const isCredit = (transaction: TransactionRecord): boolean => {
  const type = findTypeEffect(transaction);
  return type?.direction === 'lowers' && type.money === null && transaction.amount_in_cents !== 0;
};

/** Returns the sign of most credits of a subscription; 0 if there are too few. A credit lowers the balance with either sign. */
function findUsualCreditSign({ transactionsById }: SubscriptionAnalysis): number {
  const signs = [...transactionsById.values()].flatMap(({ transaction }) =>
    isCredit(transaction) ? [Math.sign(transaction.amount_in_cents)] : [],
  );
  const sum = signs.reduce((total, sign) => total + sign, 0);
  return signs.length > 2 && Math.abs(sum) >= signs.length - 2 ? Math.sign(sum) : 0;
}

const isUnusualCredit = (transaction: TransactionRecord, usualSign: number): boolean =>
  usualSign !== 0 && isCredit(transaction) && Math.sign(transaction.amount_in_cents) !== usualSign;

function hasWrongSign(transaction: TransactionRecord, usualSign: AdjustmentSign): boolean {
  const { amount_in_cents } = transaction;
  const type = findTypeEffect(transaction);
  if (type === null || amount_in_cents === 0) return false;
  if (type.money !== null) return amount_in_cents < 0;
  const change = findRunningBalanceChange(transaction);
  if (type.direction === 'raises') return amount_in_cents < 0 && change === -amount_in_cents;
  if (type.direction !== 'as sent' || usualSign === 'unknown') return false;
  return change === (usualSign === 'as sent' ? -amount_in_cents : amount_in_cents);
}

function createSignFinding(analysis: SubscriptionAnalysis, located: LocatedTransaction): FindingDraft {
  const { transaction, footing } = located;
  const { id, amount_in_cents } = transaction;
  const noun = findTypeEffect(transaction)?.type ?? '';
  return {
    subject: toTransactionSubject(analysis.id, located),
    expected_in_cents: -amount_in_cents,
    actual_in_cents: amount_in_cents,
    message: `${noun} ${id} on statement ${footing.statement.id} is ${formatMoney(amount_in_cents)} instead of ${formatMoney(-amount_in_cents)}.`,
    arithmetic: [[`${noun} ${id}`, amount_in_cents]],
    evidence: [toTransactionEvidence(footing.statement.id, transaction)],
  };
}
