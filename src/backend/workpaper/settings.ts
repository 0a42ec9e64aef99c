import { contractError, type WorkpaperSettings, workpaperSettings } from '../../contract/index.ts';
import {
  bucketsFault,
  legendFault,
  usualBuckets,
  usualLegend,
  usualTransitDays,
} from '../../domain/workpaper/index.ts';
import type { OpenSite } from '../sites/stores.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit, type ReadableDb } from '../store/database.ts';
import { keepWorkpaperSettings, keptWorkpaperSettings } from '../store/periods/workpaper-settings.ts';

/** What workpapers are made by: as somebody set it, else the usual. */
export function settingsOf(books: ReadableDb): WorkpaperSettings {
  const kept = keptWorkpaperSettings(books);
  if (kept !== null) return workpaperSettings.parse(JSON.parse(kept));
  return { buckets: [...usualBuckets], transit_days: usualTransitDays, legend: [...usualLegend] };
}

/** Sets it. Throws `validation` for buckets that do not rise, and for a legend without a usual mark or with one twice. */
export function saveSettings(
  { books }: OpenSite,
  settings: WorkpaperSettings,
  { now, user }: { now: number; user: string },
): WorkpaperSettings {
  const fault = bucketsFault(settings.buckets) ?? legendFault(settings.legend);
  if (fault !== null)
    throw contractError({ code: 'validation', message: fault, errors: [fault], retryable: false });
  const usual = new Set(usualLegend.map(({ mark }) => mark));
  const legend = settings.legend.map((each) => ({ ...each, usual: usual.has(each.mark) }));
  const saved = { ...settings, legend };
  commit(books, () => {
    keepWorkpaperSettings(books, { content: JSON.stringify(saved), at: now, who: user });
    addAudit(books, {
      at: now,
      who: user,
      action: 'workpaper.settings',
      subject: 'workpaper',
      detail: { buckets: saved.buckets, transit_days: saved.transit_days, legend: legend.length },
    });
  });
  return saved;
}
