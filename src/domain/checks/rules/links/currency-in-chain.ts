import type { RuleDefinition } from '../../analysis/check-rule.ts';
import { findChanges, type ValueChange } from '../../analysis/find-changes.ts';
import {
  type FindingDraft,
  type FindingEvidence,
  toStatementEvidence,
  toTransactionEvidence,
} from '../../analysis/finding.ts';
import {
  areCurrenciesDistinct,
  findPrintedCurrency,
  findStatementCurrency,
} from '../../analysis/statement-currency.ts';
import type { StatementFooting } from '../../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../../analysis/subscription-analysis.ts';
import type { TransactionRecord } from '../../analysis/subscription-record.ts';

export const currencyInChainRule: RuleDefinition = {
  id: 'currency-in-chain',
  version: 1,
  title: 'Currency differs within a subscription',
  severity: 'error',
  scope: 'chain',
  explanation:
    'A subscription is billed in one currency, because each statement continues the balance of the previous one. If ' +
    'the currency differs, the balances cannot be compared or added. Find out which currency the customer was ' +
    'charged in. Different currencies of different subscriptions are not reported.',
  check(analysis) {
    const findings: FindingDraft[] = [];
    const uniform: StatementFooting[] = [];
    for (const footing of analysis.footings) {
      const mixed = findMixedCurrencies(footing);
      if (mixed === null) uniform.push(footing);
      else findings.push(createMixedFinding(analysis, footing, mixed));
    }
    for (const change of findChanges(uniform, findStatementCurrency, areCurrenciesDistinct))
      findings.push(createChangeFinding(analysis, change));
    return findings;
  },
};

interface MixedCurrencies {
  readonly main: string;
  readonly transactions: readonly TransactionRecord[];
}

/** Returns the transactions whose currency differs from the statement's currency; null if there are none. */
function findMixedCurrencies(footing: StatementFooting): MixedCurrencies | null {
  const named = footing.transactions.filter(({ currency }) => currency !== null);
  if (named.length === 0) return null;
  const isUniform = named.length === footing.transactions.length;
  const main =
    footing.statement.currency ??
    (named.length > 1 || isUniform ? findMostFrequentCurrency(named) : findPrintedCurrency(footing));
  if (main === null) return null;
  const transactions = named.filter(({ currency }) =>
    areCurrenciesDistinct((currency as string).toUpperCase(), main.toUpperCase()),
  );
  return transactions.length === 0 ? null : { main, transactions };
}

function findMostFrequentCurrency(transactions: readonly TransactionRecord[]): string | null {
  const groups = [...Map.groupBy(transactions, ({ currency }) => currency)];
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}

function createMixedFinding(
  analysis: SubscriptionAnalysis,
  { statement }: StatementFooting,
  { main, transactions }: MixedCurrencies,
): FindingDraft {
  const first = transactions[0] as TransactionRecord;
  return {
    subject: {
      subscription_id: analysis.id,
      statement_id: statement.id,
      ...(transactions.length === 1 && { transaction_id: first.id }),
    },
    identity: [`statement ${statement.id}`, 'transactions'],
    difference_in_cents: transactions.reduce((sum, each) => sum + Math.abs(each.amount_in_cents), 0),
    message: `Transaction ${first.id} on statement ${statement.id} is in ${first.currency}, but the statement is in ${main}.`,
    evidence: transactions.map((transaction): FindingEvidence => {
      const { row, content } = toTransactionEvidence(statement.id, transaction);
      return { row, content: [...content, transaction.currency] };
    }),
  };
}

function createChangeFinding(
  analysis: SubscriptionAnalysis,
  { before, after }: ValueChange<StatementFooting>,
): FindingDraft {
  const [earlier, later] = [before.statement, after.statement];
  return {
    subject: { subscription_id: analysis.id, statement_id: later.id },
    identity: [`statement ${later.id}`],
    difference_in_cents: later.ending_balance_in_cents,
    message:
      `Statement ${later.id} is in ${findStatementCurrency(after)}, but the previous statement, ` +
      `${earlier.id}, is in ${findStatementCurrency(before)}.`,
    evidence: [before, after].map((footing): FindingEvidence => {
      const { row, content } = toStatementEvidence(footing.statement);
      return { row, content: [...content, findStatementCurrency(footing)] };
    }),
  };
}
