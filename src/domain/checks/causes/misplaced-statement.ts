import { namesOtherSubscription } from '../analysis/consolidated-billing.ts';
import type { StatementFooting } from '../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import { findUsualCustomerId } from '../analysis/usual-customer.ts';
import { type CauseDefinition, changeStatement } from './correction.ts';

export const misplacedStatementCause: CauseDefinition = {
  id: 'misplaced-statement',
  version: 1,
  title: 'Statement under the wrong subscription',
  severity: 'error',
  scope: 'statement',
  explanation:
    'All transactions of the statement name another subscription or another customer. Without the statement, the ' +
    'findings listed here disappear together. The other subscription probably has a gap at that time. Have the ' +
    'statement moved back.',
  *proposeCorrections(analysis) {
    const usualCustomer = findUsualCustomerId(analysis);
    for (const footing of analysis.footings) {
      const named = findNamedOwner(analysis, footing, usualCustomer);
      if (named === null) continue;
      const { statement } = footing;
      yield {
        subject: { subscription_id: analysis.id, statement_id: statement.id },
        identity: [`statement ${statement.id}`],
        message: `Statement ${statement.id} is under subscription ${analysis.id}, but its transactions name ${named}.`,
        corrected: changeStatement(analysis.record, statement, () => null),
      };
    }
  },
};

/** Returns the other subscription or customer that all transactions of a statement name; null if there is none. */
function findNamedOwner(
  analysis: SubscriptionAnalysis,
  { transactions }: StatementFooting,
  usualCustomer: number | null,
): string | null {
  const [first] = transactions;
  if (first === undefined) return null;
  if (transactions.every((each) => namesOtherSubscription(analysis, each)))
    return `subscription ${first.subscription_id}`;
  const isOther = ({ customer_id }: typeof first) => customer_id !== null && customer_id !== usualCustomer;
  return usualCustomer !== null && transactions.every(isOther) ? `customer ${first.customer_id}` : null;
}
