import { contractError, type Inputs, type Outputs } from '../../contract/index.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';
import { explainedItem, isItemHeld } from '../store/periods/period-carried.ts';
import { addSaid, saidOf } from '../store/periods/period-item.ts';
import { refuseLockedPeriod } from './locked.ts';
import { wantedPeriod } from './show.ts';
import type { PeriodTools } from './sign.ts';

/** Says of items what they are. Throws `not_found` for one that is not held, `period_locked` where the period is closed. */
export function explainItems(
  tools: PeriodTools,
  { site, period, items, ...given }: Inputs['periods']['explain'],
): Outputs['periods']['explain'] {
  const { user: who, changes, now } = tools;
  const open = tools.stores.open(site);
  const { books } = open;
  const at = now();
  const distinct = [...new Set(items)];
  commit(books, () => {
    const worked = wantedPeriod(books, period);
    if (worked.state === 'closed' || worked.sealing !== null) refuseLockedPeriod(period);
    for (const item of distinct) {
      if (!isItemHeld(open, item)) throw contractError(noSuchItem(item));
      const before = saidOf(books, item).at(-1);
      const { category, owner, explanation, expected_on } = { ...before, ...given };
      const said = {
        category: category ?? null,
        owner: owner ?? null,
        explanation: explanation ?? null,
        expected_on: expected_on ?? null,
      };
      addSaid(books, item, { at, who, period, ...said });
      const detail = { period, ...said };
      addAudit(books, { at, who, action: 'periods.explain', subject: item, why: said.explanation, detail });
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
