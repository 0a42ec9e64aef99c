import type { Workpaper } from '../../contract/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { BillingSums } from '../workpaper/billing-sums.ts';
import { computeWorkpaperWithBilling, type WorkpaperCreationInfo } from '../workpaper/workpaper.ts';
import { findPeriodDamage } from './sign-off-damage.ts';
import { addDamageQualifications, readSignedOffPeriod } from './signed-off-period.ts';
import { createSnapshotCache, type OpenSiteDatabases } from './site-snapshot-cache.ts';

type WorkpaperWithBilling =
  ReturnType<typeof computeWorkpaperWithBilling> extends WorkSteps<infer Result> ? Result : never;

/** Maximum number of cached workpapers per site. Only months that someone views are needed. */
const MAX_CACHED_WORKPAPERS = 8;
const cachedCurrent = createSnapshotCache<WorkpaperWithBilling>(MAX_CACHED_WORKPAPERS);
const cachedDamage = createSnapshotCache<readonly string[]>(MAX_CACHED_WORKPAPERS);

/**
 * Returns the workpaper of a period, as signed or current, with a qualification for each damage. Computed in time
 * slices and cached.
 */
export async function readWorkpaper(
  site: OpenSiteDatabases,
  period: string,
  at: WorkpaperCreationInfo,
): Promise<Workpaper> {
  const signed = readSignedOffPeriod(site.books, period, at.now);
  const closedFigures = signed?.closedFigures ?? null;
  const damage = await cachedDamage(site, `${period} ${closedFigures?.version}`, ({ books }) =>
    findPeriodDamage(books, period, closedFigures),
  );
  return addDamageQualifications(signed?.workpaper ?? (await readCurrentWorkpaper(site, period, at)), damage);
}

/** Returns the workpaper from the current records, even if the period is closed. */
export async function readCurrentWorkpaper(
  site: OpenSiteDatabases,
  period: string,
  at: WorkpaperCreationInfo,
): Promise<Workpaper> {
  const { workpaper } = await computeCurrent(site, period, at);
  return {
    ...workpaper,
    head: { ...workpaper.head, app_version: at.version, made_at: formatTimestamp(at.now) },
  };
}

/** Returns the billing totals of a period from the current records, computed together with the workpaper. */
export async function readCurrentBillingSums(
  site: OpenSiteDatabases,
  period: string,
  at: WorkpaperCreationInfo,
): Promise<BillingSums> {
  return (await computeCurrent(site, period, at)).billing;
}

const computeCurrent = (
  site: OpenSiteDatabases,
  period: string,
  at: WorkpaperCreationInfo,
): Promise<WorkpaperWithBilling> =>
  cachedCurrent(site, period, (snapshot) => computeWorkpaperWithBilling(snapshot, period, at));
