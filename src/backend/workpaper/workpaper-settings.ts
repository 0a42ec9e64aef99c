import { contractError, type WorkpaperSettings, workpaperSettingsSchema } from '../../contract/index.ts';
import {
  DEFAULT_AGING_BUCKETS,
  DEFAULT_TICK_MARKS,
  DEFAULT_TRANSIT_DAYS,
  findAgingBucketsError,
  findTickMarksError,
} from '../../domain/workpaper/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { commit, type ReadableDb } from '../store/sqlite/connection.ts';
import { keepWorkpaperSettings, keptWorkpaperSettings } from '../store/workpaper/workpaper-settings.ts';

/** Returns the workpaper settings saved by the user, or the defaults if there are none. */
export function readWorkpaperSettings(books: ReadableDb): WorkpaperSettings {
  const stored = keptWorkpaperSettings(books);
  if (stored !== null) return workpaperSettingsSchema.parse(JSON.parse(stored));
  return {
    buckets: [...DEFAULT_AGING_BUCKETS],
    transit_days: DEFAULT_TRANSIT_DAYS,
    legend: [...DEFAULT_TICK_MARKS],
  };
}

/**
 * Saves the workpaper settings. Throws `validation` if the aging buckets are not ascending, a standard tick mark is
 * missing, or a tick mark is duplicated.
 */
export function saveWorkpaperSettings(
  { books }: OpenSite,
  settings: WorkpaperSettings,
  { now, user }: { now: number; user: string },
): WorkpaperSettings {
  const fault = findAgingBucketsError(settings.buckets) ?? findTickMarksError(settings.legend);
  if (fault !== null)
    throw contractError({ code: 'validation', message: fault, errors: [fault], retryable: false });
  const standardMarks = new Set(DEFAULT_TICK_MARKS.map(({ mark }) => mark));
  const legend = settings.legend.map((each) => ({ ...each, standardMarks: standardMarks.has(each.mark) }));
  const saved = { ...settings, legend };
  commit(books, () => {
    keepWorkpaperSettings(books, { content: JSON.stringify(saved), at: now, user: user });
    addAudit(books, {
      at: now,
      user: user,
      action: 'workpaper.settings',
      subject: 'workpaper',
      detail: { buckets: saved.buckets, transit_days: saved.transit_days, legend: legend.length },
    });
  });
  return saved;
}
