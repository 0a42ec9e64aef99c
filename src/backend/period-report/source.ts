import type { ReportAudit, SignOffChange, Workpaper } from '../../contract/index.ts';
import { periodLists, readSignedPeriod, withDamageListed } from '../periods/as-signed.ts';
import { findSignOffDamage } from '../periods/damage.ts';
import { runInTimeSlices } from '../shared/time-slices.ts';
import { reportAudit } from '../store/period-report/report-rows.ts';
import type { Lists, ReportLists } from '../workpaper/report-lists.ts';
import type { SiteSnapshot } from '../workpaper/site-snapshot.ts';
import { type MadeAt, workpaperWithBilling } from '../workpaper/workpaper.ts';

/** Figures and lists of a report. Every format and every table of a pack comes from one source, so that they agree. */
export interface ReportSource extends ReportLists {
  readonly workpaper: Workpaper;
  /** For a closed period: the changes since sign-off. */
  changes(): Iterable<SignOffChange>;
  /** Entries of the audit log from the first day of the period on. */
  audit(): Iterable<ReportAudit>;
}

/**
 * Returns the source of a period's report: for a closed period as signed, with later changes and damage listed, else from
 * the current records. Computed in time slices.
 */
export async function createReportSource(
  site: SiteSnapshot,
  period: string,
  made: MadeAt,
): Promise<ReportSource & Lists> {
  const signed = readSignedPeriod(site.books, period, made.now);
  const workpaper =
    signed === null
      ? (await runInTimeSlices(workpaperWithBilling(site, period, made))).workpaper
      : withDamageListed(
          signed.workpaper,
          await runInTimeSlices(findSignOffDamage(site.books, period, signed.closedFigures)),
        );
  return {
    workpaper,
    ...periodLists(site, period),
    changes: signed?.changes ?? (() => []),
    audit: () => reportAudit(site.books, Date.parse(`${workpaper.head.period.first}T00:00:00Z`)),
  };
}
