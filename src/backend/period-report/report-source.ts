import type { ReportAuditEntry, SignOffChange, Workpaper } from '../../contract/index.ts';
import type { RowContribution } from '../../domain/workpaper/index.ts';
import { computeReportFlux } from '../flux/period-flux.ts';
import { readCurrentChecklist } from '../periods/checklist.ts';
import { getPreviousPeriod } from '../periods/compared-figures.ts';
import { findPeriodDamage } from '../periods/sign-off-damage.ts';
import { readClosedContributions, readFigureContributions } from '../periods/signed-off-contributions.ts';
import {
  addDamageQualifications,
  readSignedOffPeriod,
  readSignedOffPeriodLists,
  readSnapshotWorkpaper,
} from '../periods/signed-off-period.ts';
import { runInTimeSlices } from '../shared/time-slices.ts';
import { readReportAuditLog } from '../store/period-report/report-rows.ts';
import { findStatementCustomer, type StatementCustomer } from '../store/workpaper/receivable-rows.ts';
import { readAllContributions } from '../workpaper/figure-rows.ts';
import { addIpeLists } from '../workpaper/ipe/ipe-lists.ts';
import type { ComputedLists, PeriodLists, ReportLists } from '../workpaper/report-lists.ts';
import type { SiteSnapshot } from '../workpaper/site-snapshot.ts';
import { computeWorkpaperWithBilling, type WorkpaperCreationInfo } from '../workpaper/workpaper.ts';

/** Figures and lists of a report. All formats and the evidence pack share this source, so that they agree. */
export interface ReportSource extends ReportLists, ComputedLists {
  readonly workpaper: Workpaper;
  /** Yields the changes since sign-off. Empty if the period is not closed. */
  changes(): Iterable<SignOffChange>;
  /** Yields the audit log entries since the first day of the period. */
  audit(): Iterable<ReportAuditEntry>;
}

/** Source of a report with the records behind its figures. */
export interface PeriodEvidence extends ReportSource, PeriodLists {
  /**
   * Yields the rows of all figures, and null to end a step without a row. The rows of each figure are in the order that its
   * digest in the IPE sheet covers.
   */
  figure_rows(): Iterable<RowContribution | null>;
  /**
   * Yields the rows of figures that have the same source, and null to end a step without a row. Rows of other figures may be
   * among them.
   */
  readRowsOfFigures(figures: readonly string[]): Iterable<RowContribution | null>;
  /** Returns the customer of a statement; null if the statement is not stored. */
  findCustomer(statement: number): StatementCustomer | null;
}

/**
 * Returns the source of a period's report. A closed period is reported as signed, with later changes and damage listed.
 * Any other period is reported from the current records. The figures are computed in time slices.
 */
export async function createReportSource(
  site: SiteSnapshot,
  period: string,
  stamp: WorkpaperCreationInfo,
): Promise<PeriodEvidence> {
  const signed = readSignedOffPeriod(site.books, period, stamp.now);
  const workpaper = addDamageQualifications(
    signed?.workpaper ?? (await runInTimeSlices(computeWorkpaperWithBilling(site, period, stamp))).workpaper,
    await runInTimeSlices(findPeriodDamage(site.books, period, signed?.closedFigures ?? null)),
  );
  const lists = readSignedOffPeriodLists(site, period);
  const flux = lists.flux === undefined ? await computeReportFlux(site, workpaper, stamp) : [...lists.flux()];
  const checklist =
    lists.checklist === undefined
      ? readCurrentChecklist(site, period, {
          current: workpaper,
          previous: await readSnapshotWorkpaper(site, getPreviousPeriod(period), stamp),
        })
      : [...lists.checklist()];
  return {
    workpaper,
    ...(await runInTimeSlices(addIpeLists(site, workpaper, lists))),
    flux: () => flux,
    checklist: () => checklist,
    figure_rows: () =>
      signed === null
        ? readAllContributions(site, period)
        : readClosedContributions(site.books, signed.closedFigures, workpaper),
    readRowsOfFigures: (figures) =>
      readFigureContributions(
        site,
        period,
        workpaper.sections.flatMap(({ currency }) => figures.map((figure) => ({ figure, currency }))),
      ),
    findCustomer: (statement) => findStatementCustomer(site.cache, statement),
    changes: signed?.changes ?? (() => []),
    audit: () => readReportAuditLog(site.books, Date.parse(`${workpaper.head.period.first}T00:00:00Z`)),
  };
}
