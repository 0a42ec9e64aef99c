import { contractError, type Inputs, type Outputs } from '../../contract/index.ts';
import { refuseLockedPeriod } from '../period-lock/period-lock.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { explainedItem, isItemStored } from '../store/periods/brought-forward.ts';
import { addSaid, saidOf } from '../store/periods/closed-outstanding-item.ts';
import { commit } from '../store/sqlite/connection.ts';
import { requirePeriod } from './period-detail.ts';
import type { PeriodContext } from './sign-period.ts';

/**
 * Records explanations of outstanding items. Throws `not_found` for an unknown item, and `period_locked` if the period is
 * closed.
 */
export function explainOutstandingItems(
  tools: PeriodContext,
  { site, period, items, ...input }: Inputs['periods']['explain'],
): Outputs['periods']['explain'] {
  const { user, changes, now } = tools;
  const open = tools.stores.open(site);
  const { books } = open;
  const at = now();
  const distinct = [...new Set(items)];
  commit(books, () => {
    const storedPeriod = requirePeriod(books, period);
    if (storedPeriod.state === 'closed' || storedPeriod.closing_job !== null) refuseLockedPeriod(period);
    for (const item of distinct) {
      if (!isItemStored(open, item)) throw contractError(unknownItemError(item));
      const before = saidOf(books, item).at(-1);
      const { category, owner, explanation, expected_on } = { ...before, ...input };
      const explanationFields = {
        category: category ?? null,
        owner: owner ?? null,
        explanation: explanation ?? null,
        expected_on: expected_on ?? null,
      };
      addSaid(books, item, { at, user, period, ...explanationFields });
      const detail = { period, ...explanationFields };
      addAudit(books, {
        at,
        user,
        action: 'periods.explain',
        subject: item,
        reason: explanationFields.explanation,
        detail,
      });
    }
  });
  changes.emit(site, 'periods', 'audit');
  return distinct.map((item) => explainedItem(books, item));
}

function unknownItemError(item: string) {
  return {
    code: 'not_found' as const,
    message: `There is no ${item.replace(':', ' ')} here.`,
    hint: 'See the outstanding items for those there are.',
    retryable: false,
  };
}
