import type { PeriodTrendRow } from '../../contract/index.ts';
import { countDaysBetween } from '../../domain/ledger/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { listPeriodEntries, listStoredPeriods, type StoredPeriod } from '../store/periods/period.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { WorkpaperCreationInfo } from '../workpaper/workpaper.ts';
import { readWorkpaper } from './cached-workpaper.ts';
import { readChecklist } from './checklist.ts';
import type { OpenSiteDatabases } from './site-snapshot-cache.ts';

/** Returns the progress of the last opened periods, oldest first. */
export async function readPeriodTrend(
  site: OpenSiteDatabases,
  months: number,
  at: WorkpaperCreationInfo,
): Promise<PeriodTrendRow[]> {
  const rows: PeriodTrendRow[] = [];
  const today = formatTimestamp(at.now).slice(0, 10);
  for (const stored of listStoredPeriods(site.books).slice(0, months).toReversed()) {
    const { period, state } = stored;
    const { sections } = await readWorkpaper(site, period, at);
    const { steps } = await readChecklist(site, period, at);
    rows.push({
      period,
      state,
      outstanding: sections.reduce((sum, { outstanding }) => sum + outstanding.count, 0),
      steps: { done: steps.filter((step) => step.state === 'done').length, total: steps.length },
      overdue: steps.filter((step) => step.state !== 'done' && step.due_on < today).length,
      days_to_close: countDaysToClose(site.books, stored),
    });
  }
  return rows;
}

function countDaysToClose(books: ReadableDb, { id, closed, last_on }: StoredPeriod): number | null {
  const entry = listPeriodEntries(books, id).find(({ seq }) => seq === closed);
  return entry === undefined ? null : countDaysBetween(last_on, formatTimestamp(entry.at).slice(0, 10));
}
