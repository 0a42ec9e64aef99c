import {
  type ContractInputs,
  createContractError,
  type WorkpaperSettings,
  workpaperSettingsSchema,
} from '../../contract/index.ts';
import { DEFAULT_CERTIFICATION_STATEMENTS, findCertificationError } from '../../domain/periods/index.ts';
import {
  DEFAULT_AGING_BUCKETS,
  DEFAULT_DEPOSIT_TRANSIT_DAYS,
  DEFAULT_TICK_MARKS,
  findAgingBucketsError,
  findThresholdsError,
  findTickMarksError,
} from '../../domain/workpaper/index.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import { findWorkpaperSettings, storeWorkpaperSettings } from '../store/workpaper/workpaper-settings.ts';

/** Returns the workpaper settings saved by the user, or the defaults if there are none. */
export function readWorkpaperSettings(books: ReadableDb): WorkpaperSettings {
  const stored = findWorkpaperSettings(books);
  const defaults: WorkpaperSettings = {
    buckets: [...DEFAULT_AGING_BUCKETS],
    transit_days: DEFAULT_DEPOSIT_TRANSIT_DAYS,
    legend: [...DEFAULT_TICK_MARKS],
    certification: { required: false, statements: [...DEFAULT_CERTIFICATION_STATEMENTS] },
    self_review: 'explained',
    thresholds: [],
    suspend_on: 'material',
  };
  return stored === null
    ? defaults
    : workpaperSettingsSchema.parse({ ...defaults, ...(JSON.parse(stored) as object) });
}

/** Saves the settings that are given. Throws `validation` as `workpapers.saveSettings` states. */
export function saveWorkpaperSettings(
  { books }: OpenSite,
  changed: ContractInputs['workpapers']['saveSettings']['settings'],
  { now, user }: { now: number; user: string },
): WorkpaperSettings {
  const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
  const settings: WorkpaperSettings = { ...readWorkpaperSettings(books), ...given };
  const error =
    findAgingBucketsError(settings.buckets) ??
    findTickMarksError(settings.legend) ??
    findCertificationError(settings.certification.statements) ??
    findThresholdsError(settings.thresholds);
  if (error !== null)
    throw createContractError({ code: 'validation', message: error, errors: [error], retryable: false });
  const standardMarks = new Set(DEFAULT_TICK_MARKS.map(({ mark }) => mark));
  const legend = settings.legend.map((each) => ({ ...each, usual: standardMarks.has(each.mark) }));
  const saved = { ...settings, legend };
  runInTransaction(books, () => {
    storeWorkpaperSettings(books, { content: JSON.stringify(saved), at: now, user });
    const detail = { ...saved, legend: legend.length };
    addAuditEntry(books, { at: now, user, action: 'workpaper.settings', subject: 'workpaper', detail });
  });
  return saved;
}
