import type { Workpaper } from '../../contract/index.ts';
import { type DateRange, formatMoney } from '../../domain/ledger/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';
import { findReasonForFullCheck as checkStaleness } from '../checks/check-inputs.ts';
import { findReasonToMatchAgain as matchStaleness } from '../matching/match-summary.ts';
import { countChanged } from '../store/check-queue/check-due.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { partState } from '../store/sync/sync-unit.ts';
import { lastBankDay } from '../store/workpaper/workpaper-money.ts';

interface QualificationInputs extends Pick<Workpaper, 'sections' | 'exceptions'> {
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
  readonly site: string;
  readonly days: DateRange;
}

/** Returns the qualifications that a reader must know before relying on the figures. */
export function findQualifications({
  cache,
  books,
  days,
  sections,
  exceptions,
}: QualificationInputs): Workpaper['qualifications'] {
  const found: Workpaper['qualifications'] = [];
  const add = (kind: Workpaper['qualifications'][number]['kind'], message: string | null) => {
    if (message !== null) found.push({ kind, message });
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
      `${formatCount(exceptions.open, 'exception')} of the billing records ${exceptions.open === 1 ? 'is' : 'are'} open; S2 and S3 rest on these records.`,
    );
  for (const { currency, schedules, outstanding } of sections) {
    for (const { id, title, difference_in_cents } of schedules) {
      if (difference_in_cents !== 0)
        add(
          'difference',
          `${id} (${title}) shows a difference of ${formatMoney(difference_in_cents)} ${currency}.`,
        );
    }
    const inSchedules = schedules.reduce((sum, { unexplained }) => sum + unexplained.count, 0);
    const unexplained = Math.max(inSchedules, outstanding.unexplained);
    if (unexplained > 0)
      add(
        'unexplained',
        `${formatCount(unexplained, 'item')} in ${currency} ${unexplained === 1 ? 'is' : 'are'} not explained.`,
      );
  }
  return found;
}
