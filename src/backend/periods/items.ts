import { contractError, type Inputs, type Outputs } from '../../contract/index.ts';
import { refuseLockedPeriod } from '../period-lock/refuse-locked.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { explainedItem, isItemStored } from '../store/periods/brought-forward.ts';
import { addSaid, saidOf } from '../store/periods/closed-outstanding-item.ts';
import { commit } from '../store/sqlite/connection.ts';
import { requirePeriod } from './show.ts';
import type { PeriodContext } from './sign.ts';

/**
 * Records explanations of outstanding items. Throws `not_found` for an unknown item, `period_locked` if the period is
 * closed.
 */
export function explainOutstandingItems(
  tools: PeriodContext,
  { site, period, items, ...given }: Inputs['periods']['explain'],
): Outputs['periods']['explain'] {
  const { user, changes, now } = tools;
  const open = tools.stores.open(site);
  const { books } = open;
  const at = now();
  const distinct = [...new Set(items)];
  commit(books, () => {
    const worked = requirePeriod(books, period);
    if (worked.state === 'closed' || worked.closing_job !== null) refuseLockedPeriod(period);
    for (const item of distinct) {
      if (!isItemStored(open, item)) throw contractError(noSuchItem(item));
      const before = saidOf(books, item).at(-1);
      const { category, owner, explanation, expected_on } = { ...before, ...given };
      const said = {
        category: category ?? null,
        owner: owner ?? null,
        explanation: explanation ?? null,
        expected_on: expected_on ?? null,
      };
      addSaid(books, item, { at, user, period, ...said });
      const detail = { period, ...said };
      addAudit(books, {
        at,
        user,
        action: 'periods.explain',
        subject: item,
        reason: said.explanation,
        detail,
      });
    }
  });
  changes.tell(site, 'periods', 'audit');
  return distinct.map((item) => explainedItem(books, item));
}

function noSuchItem(item: string) {
  return {
    code: 'not_found' as const,
    message: `There is no ${item.replace(':', ' ')} here.`,
    hint: 'See the outstanding items for those there are.',
    retryable: false,
  };
}
