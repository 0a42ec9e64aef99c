import type { DriftRow, ReportAudit, Workpaper } from '../../contract/index.ts';
import { asSigned, listsShown, withDamage } from '../periods/as-signed.ts';
import { damageSteps } from '../periods/damage.ts';
import { inTurns } from '../steps.ts';
import { reportAudit } from '../store/periods/report-rows.ts';
import { type MadeAt, workpaperWithBilling } from '../workpaper/workpaper.ts';
import type { Lists, ReportLists } from './lists.ts';
import type { SiteSnapshot } from './snapshot.ts';

/** A report: its figures, and its lists. Every format and every table of a pack is made of one, so that they say the same. */
export interface ReportSource extends ReportLists {
  readonly workpaper: Workpaper;
  /** Of a closed period: what is otherwise by now than it was signed. */
  changes(): Iterable<DriftRow>;
  /** Of the audit log: from the first day of the period on. */
  audit(): Iterable<ReportAudit>;
}

/**
 * Of a closed period: as it was signed, with what changed since, and what of it is damaged, beside it. Of another: as the records stand. Made in turns with
 * whatever else the thread has to do.
 */
export async function reportOf(
  site: SiteSnapshot,
  period: string,
  made: MadeAt,
): Promise<ReportSource & Lists> {
  const signed = asSigned(site.books, period, made.now);
  const workpaper =
    signed === null
      ? (await inTurns(workpaperWithBilling(site, period, made))).workpaper
      : withDamage(signed.workpaper, await inTurns(damageSteps(site.books, period, signed.seal)));
  return {
    workpaper,
    ...listsShown(site, period),
    changes: signed?.changes ?? (() => []),
    audit: () => reportAudit(site.books, Date.parse(`${workpaper.head.period.first}T00:00:00Z`)),
  };
}
