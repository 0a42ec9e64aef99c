import {
  createContractError,
  type WorkpaperSettings,
  workpaperSettingsSchema,
} from '../../contract/index.ts';
import {
  DEFAULT_AGING_BUCKETS,
  DEFAULT_DEPOSIT_TRANSIT_DAYS,
  DEFAULT_TICK_MARKS,
  findAgingBucketsError,
  findTickMarksError,
} from '../../domain/workpaper/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import { findWorkpaperSettings, storeWorkpaperSettings } from '../store/workpaper/workpaper-settings.ts';

/** Returns the workpaper settings saved by the user, or the defaults if there are none. */
export function readWorkpaperSettings(books: ReadableDb): WorkpaperSettings {
  const stored = findWorkpaperSettings(books);
  if (stored !== null) return workpaperSettingsSchema.parse(JSON.parse(stored));
  return {
    buckets: [...DEFAULT_AGING_BUCKETS],
    transit_days: DEFAULT_DEPOSIT_TRANSIT_DAYS,
    legend: [...DEFAULT_TICK_MARKS],
  };
}

/** Saves the workpaper settings. Throws `validation` for unordered aging buckets or invalid tick marks. */
export function saveWorkpaperSettings(
  { books }: OpenSite,
  settings: WorkpaperSettings,
  { now, user }: { now: number; user: string },
): WorkpaperSettings {
  const error = findAgingBucketsError(settings.buckets) ?? findTickMarksError(settings.legend);
  if (error !== null)
    throw createContractError({ code: 'validation', message: error, errors: [error], retryable: false });
  const standardMarks = new Set(DEFAULT_TICK_MARKS.map(({ mark }) => mark));
  const legend = settings.legend.map((each) => ({ ...each, standardMarks: standardMarks.has(each.mark) }));
  const saved = { ...settings, legend };
  runInTransaction(books, () => {
    storeWorkpaperSettings(books, { content: JSON.stringify(saved), at: now, user });
    const detail = { buckets: saved.buckets, transit_days: saved.transit_days, legend: legend.length };
    addAuditEntry(books, { at: now, user, action: 'workpaper.settings', subject: 'workpaper', detail });
  });
  return saved;
}
