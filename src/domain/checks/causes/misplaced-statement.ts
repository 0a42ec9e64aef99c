import { namesOtherSubscription } from '../analysis/consolidated-billing.ts';
import { type CauseDefinition, changeStatement } from './correction.ts';

export const misplacedStatementCause: CauseDefinition = {
  id: 'misplaced-statement',
  version: 1,
  title: 'Statement under the wrong subscription',
  severity: 'error',
  scope: 'statement',
  explanation:
    'All transactions of the statement name another subscription. Without the statement, the findings listed here ' +
    'disappear together. The other subscription probably has a gap at that time. Have the statement moved back.',
  *proposeCorrections(analysis) {
    for (const { statement, transactions } of analysis.footings) {
      const [first] = transactions;
      if (first === undefined || !transactions.every((each) => namesOtherSubscription(analysis, each)))
        continue;
      yield {
        subject: { subscription_id: analysis.id, statement_id: statement.id },
        identity: [`statement ${statement.id}`],
        message: `Statement ${statement.id} is under subscription ${analysis.id}, but its transactions name subscription ${first.subscription_id}.`,
        corrected: changeStatement(analysis.record, statement, () => null),
      };
    }
  },
};
