import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toStatementEvidence, toTransactionEvidence } from '../analysis/finding.ts';
import { formatCount, formatMoney } from '../analysis/finding-message-text.ts';
import { findCountedFailedPayments } from '../analysis/footing-explanation.ts';
import { listDuplicateTransactions } from '../analysis/payment-index.ts';
import {
  type BalanceBreak,
  findBalanceBreaks,
  type StatementFooting,
} from '../analysis/statement-footing.ts';
import {
  computeUnexplainedDifference,
  type SubscriptionAnalysis,
} from '../analysis/subscription-analysis.ts';
import type { TransactionRecord } from '../analysis/subscription-record.ts';

export const runningBalancesRule: RuleDefinition = {
  id: 'running-balances',
  version: 1,
  title: 'Running balances are not continuous',
  severity: 'error',
  scope: 'statement',
  explanation:
    'Every transaction has a balance before and after it. Each must start at the balance where the previous one ' +
    'ended, and change it by its own amount in the direction of its type. If this chain breaks, a transaction was ' +
    'changed, removed or inserted after the balances were calculated, even if the statement as a whole foots.',
  check(analysis, context) {
    const findings: FindingDraft[] = [];
    for (const [n, footing] of analysis.footings.entries()) {
      const all = findBalanceBreaks(footing);
      if (all.length === 0) continue;
      const failed = context.isRuleEnabled('failed-payment-counted')
        ? findCountedFailedPayments(footing)
        : [];
      const breaks = all.filter(
        (each) =>
          !isReportedElsewhere(analysis, footing, n, each) &&
          !(each.where === 'movement' && failed.includes(each.transaction)),
      );
      const innerBreaks = breaks.filter(({ where }) => where === 'movement' || where === 'link');
      // A statement that does not foot has one break of the same amount, which `statement-foots` reports.
      const isReported =
        computeUnexplainedDifference(analysis, footing) !== 0 ? innerBreaks.length < 2 : breaks.length === 0;
      if (isReported || isContinuousWithoutDuplicates(analysis, footing)) continue;
      findings.push(createBreakFinding(analysis, footing, breaks));
    }
    return findings;
  },
};

function createBreakFinding(
  analysis: SubscriptionAnalysis,
  footing: StatementFooting,
  breaks: readonly BalanceBreak[],
): FindingDraft {
  const { statement } = footing;
  const first = breaks[0] as BalanceBreak;
  const furtherBreaks = breaks.length - 1;
  const transactions = [...new Set(breaks.map(({ transaction }) => transaction))];
  return {
    subject: {
      subscription_id: analysis.id,
      statement_id: statement.id,
      ...(transactions.length === 1 && { transaction_id: first.transaction.id }),
    },
    identity: [`statement ${statement.id}`],
    expected_in_cents: first.expected,
    actual_in_cents: first.actual,
    message: `${describeBreak(first, statement.id)}${furtherBreaks > 0 ? `. There ${furtherBreaks === 1 ? 'is' : 'are'} ${formatCount(furtherBreaks, 'further break')}` : ''}.`,
    arithmetic: breaks.flatMap((each) => [
      [`${labels[each.where]} ${each.transaction.id}: expected`, each.expected],
      [`${labels[each.where]} ${each.transaction.id}: as reported`, each.actual],
    ]),
    evidence: [
      toStatementEvidence(statement),
      ...transactions.map((transaction) => toTransactionEvidence(statement.id, transaction)),
    ],
  };
}

const labels: Record<BalanceBreak['where'], string> = {
  opening: 'Balance before the first transaction',
  movement: 'Balance change from transaction',
  link: 'Balance before transaction',
  closing: 'Balance after the last transaction',
};

function describeBreak({ where, transaction, expected, actual }: BalanceBreak, statement: number): string {
  const [should, does] = [formatMoney(expected), formatMoney(actual)];
  switch (where) {
    case 'opening':
      return `Statement ${statement} opens at ${should}, but its first transaction, ${transaction.id}, starts at ${does}`;
    case 'movement':
      return `Transaction ${transaction.id} on statement ${statement} should change the balance by ${should}, but its balances differ by ${does}`;
    case 'link':
      return `Transaction ${transaction.id} on statement ${statement} should start at ${should}, where the previous one ended, but starts at ${does}`;
    case 'closing':
      return `The last transaction on statement ${statement}, ${transaction.id}, ends at ${should}, but the statement closes at ${does}`;
  }
}

/** Returns true if another rule reports the break as a balance not carried forward or a missing transaction. */
function isReportedElsewhere(
  analysis: SubscriptionAnalysis,
  footing: StatementFooting,
  n: number,
  balanceBreak: BalanceBreak,
): boolean {
  const explained = analysis.explanations.get(footing) ?? [];
  if (balanceBreak.where === 'opening' && analysis.boundaries[n - 1]?.wrongBalance === 'opening')
    return explained.some(({ rule }) => rule === 'balance-carried-forward');
  return (
    (balanceBreak.where === 'closing' || balanceBreak.where === 'link') &&
    explained.some(({ rule }) => MISSING_TRANSACTION_RULES.has(rule))
  );
}

/** Rules that report a missing transaction. A missing transaction also breaks the running balances. */
const MISSING_TRANSACTION_RULES = new Set(['event-without-transaction', 'settled-without-payment']);

/** Returns true if the running balances are continuous when duplicate transactions are ignored. */
function isContinuousWithoutDuplicates(analysis: SubscriptionAnalysis, footing: StatementFooting): boolean {
  const duplicates = new Set<TransactionRecord>(
    listDuplicateTransactions(analysis, footing).map(({ payment }) => payment.transaction),
  );
  return duplicates.size > 0 && findBalanceBreaks(footing, duplicates).length === 0;
}
