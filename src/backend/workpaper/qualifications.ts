import type { Workpaper } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import { money, type Period } from '../../domain/ledger/index.ts';
import { staleness as checkStaleness } from '../checks/ground.ts';
import { staleness as matchStaleness } from '../matching/summary.ts';
import { countChanged } from '../store/checks/check-due.ts';
import type { ReadableDb } from '../store/database.ts';
import { lastBankDay } from '../store/periods/workpaper-money.ts';
import { partState } from '../store/sync/sync-unit.ts';

interface Qualified extends Pick<Workpaper, 'sections' | 'exceptions'> {
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
  readonly site: string;
  readonly days: Period;
}

/** What whoever relies on the figures must know first. */
export function qualificationsOf({
  cache,
  books,
  days,
  sections,
  exceptions,
}: Qualified): Workpaper['qualifications'] {
  const found: Workpaper['qualifications'] = [];
  const add = (what: Workpaper['qualifications'][number]['what'], message: string | null) => {
    if (message !== null) found.push({ what, message });
  };
  const statements = partState(cache, 'statements');
  if (statements?.complete !== true) add('sync', 'Not all statements of the service are held here.');
  else if (
    statements.synced_at === null ||
    new Date(statements.synced_at).toISOString().slice(0, 10) <= days.last
  )
    add(
      'sync',
      `The statements were last synced before the day after ${days.last}: later ones may be missing.`,
    );
  add(
    'check',
    countChanged(cache) > 0 ? 'Records changed since they were checked.' : checkStaleness({ cache, books }),
  );
  add('match', matchStaleness(cache, books));
  const last = lastBankDay(books);
  if (last === null) add('bank', 'No file of a bank or processor is held.');
  else if (last < days.first)
    add('bank', `The files of banks and processors end on ${last}, before the period.`);
  if (exceptions.open > 0)
    add(
      'exceptions',
      `${counted(exceptions.open, 'exception')} of the billing records ${exceptions.open === 1 ? 'is' : 'are'} open; S2 and S3 rest on these records.`,
    );
  for (const { currency, schedules, outstanding } of sections) {
    for (const { id, title, difference_in_cents } of schedules) {
      if (difference_in_cents !== 0)
        add(
          'difference',
          `${id} (${title}) shows a difference of ${money(difference_in_cents)} ${currency}.`,
        );
    }
    const inSchedules = schedules.reduce((sum, { unexplained }) => sum + unexplained.count, 0);
    const unexplained = Math.max(inSchedules, outstanding.unexplained);
    if (unexplained > 0)
      add(
        'unexplained',
        `${counted(unexplained, 'item')} in ${currency} ${unexplained === 1 ? 'is' : 'are'} not explained.`,
      );
  }
  return found;
}
