import { type ContractInputs, type ContractOutputs, createNonRetryableError } from '../../contract/index.ts';
import { throwPeriodClosedError } from '../period-lock/period-lock.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { getExplainedItem, isOutstandingItemStored } from '../store/periods/brought-forward.ts';
import { addItemExplanation, listItemExplanations } from '../store/periods/closed-outstanding-item.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { requirePeriod } from './period-detail.ts';
import type { PeriodContext } from './period-sign-off-steps.ts';

/** Records explanations of outstanding items. Throws `not_found`, and `period_locked` if the period is closed. */
export function explainOutstandingItems(
  tools: PeriodContext,
  { site, period, items, ...input }: ContractInputs['periods']['explain'],
): ContractOutputs['periods']['explain'] {
  const { user, changes, now } = tools;
  const open = tools.stores.open(site);
  const { books } = open;
  const at = now();
  const distinct = [...new Set(items)];
  runInTransaction(books, () => {
    const storedPeriod = requirePeriod(books, period);
    if (storedPeriod.state === 'closed' || storedPeriod.closing_job !== null) throwPeriodClosedError(period);
    for (const item of distinct) {
      if (!isOutstandingItemStored(open, item))
        throw createNonRetryableError(
          'not_found',
          `There is no outstanding ${item.replace(':', ' ')}.`,
          'See the list of outstanding items.',
        );
      const before = listItemExplanations(books, item).at(-1);
      const {
        category = null,
        owner = null,
        explanation = null,
        expected_on = null,
      } = { ...before, ...input };
      const fields = { category, owner, explanation, expected_on };
      addItemExplanation(books, item, { at, user, period, ...fields });
      const detail = { period, ...fields };
      addAuditEntry(books, {
        ...{ at, user, action: 'periods.explain', subject: item },
        ...{ reason: explanation, detail },
      });
    }
  });
  changes.emit(site, 'periods', 'audit');
  return distinct.map((item) => getExplainedItem(books, item));
}
