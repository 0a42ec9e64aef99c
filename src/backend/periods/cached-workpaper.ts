import type { Workpaper } from '../../contract/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import type { BillingSums } from '../workpaper/billing-sums.ts';
import { type MadeAt, workpaperWithBilling } from '../workpaper/workpaper.ts';
import { readSignedPeriod, withDamageListed } from './as-signed.ts';
import { findSignOffDamage } from './damage.ts';
import { createSnapshotCache, type OpenSiteHandles } from './snapshot-cache.ts';

type Made = ReturnType<typeof workpaperWithBilling> extends WorkSteps<infer Result> ? Result : never;

/** Maximum number of cached workpapers per site: those of the months being viewed. */
const MOST = 8;
const keptNow = createSnapshotCache<Made>(MOST);
const keptDamage = createSnapshotCache<readonly string[]>(MOST);

/**
 * Returns the workpaper of a period: as signed if it is closed, else from the current records. It is computed in time
 * slices from one snapshot, so that other calls are answered, and cached until something changes.
 */
export async function cachedWorkpaper(site: OpenSiteHandles, period: string, at: MadeAt): Promise<Workpaper> {
  const signed = readSignedPeriod(site.books, period, at.now);
  if (signed === null) return currentWorkpaper(site, period, at);
  const { closedFigures, workpaper } = signed;
  const damage = await keptDamage(site, `${period} ${closedFigures.version}`, ({ books }) =>
    findSignOffDamage(books, period, closedFigures),
  );
  return withDamageListed(workpaper, damage);
}

/** Returns the workpaper from the current records, also for a closed period. */
export async function currentWorkpaper(
  site: OpenSiteHandles,
  period: string,
  at: MadeAt,
): Promise<Workpaper> {
  const { workpaper } = await madeNow(site, period, at);
  return {
    ...workpaper,
    head: { ...workpaper.head, app_version: at.version, made_at: formatTimestamp(at.now) },
  };
}

/** Returns the billing sums behind a period's items from the current records, computed together with its workpaper. */
export async function currentBillingSums(
  site: OpenSiteHandles,
  period: string,
  at: MadeAt,
): Promise<BillingSums> {
  return (await madeNow(site, period, at)).billing;
}

const madeNow = (site: OpenSiteHandles, period: string, at: MadeAt): Promise<Made> =>
  keptNow(site, period, (snapshot) => workpaperWithBilling(snapshot, period, at));
