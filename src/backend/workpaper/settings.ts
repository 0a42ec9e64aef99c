import { contractError, type WorkpaperSettings, workpaperSettings } from '../../contract/index.ts';
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

/** Returns the settings of workpapers: the user's, else the defaults. */
export function settingsOf(books: ReadableDb): WorkpaperSettings {
  const kept = keptWorkpaperSettings(books);
  if (kept !== null) return workpaperSettings.parse(JSON.parse(kept));
  return {
    buckets: [...DEFAULT_AGING_BUCKETS],
    transit_days: DEFAULT_TRANSIT_DAYS,
    legend: [...DEFAULT_TICK_MARKS],
  };
}

/**
 * Saves the settings. Throws `validation` if the buckets do not ascend, or if the legend lacks a usual mark or has one
 * twice.
 */
export function saveSettings(
  { books }: OpenSite,
  settings: WorkpaperSettings,
  { now, user }: { now: number; user: string },
): WorkpaperSettings {
  const fault = findAgingBucketsError(settings.buckets) ?? findTickMarksError(settings.legend);
  if (fault !== null)
    throw contractError({ code: 'validation', message: fault, errors: [fault], retryable: false });
  const usual = new Set(DEFAULT_TICK_MARKS.map(({ mark }) => mark));
  const legend = settings.legend.map((each) => ({ ...each, usual: usual.has(each.mark) }));
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
