import { z } from 'zod';
import { blob, calendarDate, cents, moment, period, serviceId, siteName } from '../shared/common-schemas.ts';
import { figureId } from '../shared/figure-reference.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import { signOffChange } from './closed-figures.ts';
import { openItem, scheduleId, signature, workpaper } from './workpapers.ts';

export const reportFormat = z.enum(['pdf', 'xlsx', 'csv', 'json']);
export type ReportFormat = z.infer<typeof reportFormat>;

/** An exception dated in the period. */
export const reportException = z.object({
  id: z.int(),
  rule: z.string(),
  severity: z.string(),
  status: z.string(),
  dated_on: calendarDate.nullable(),
  at_stake_in_cents: cents,
  message: z.string(),
  assigned: z.string().nullable(),
  /** Who accepted it, when and why. Null while it is open. */
  decision: z.object({ user: z.string().nullable(), at: moment, text: z.string().nullable() }).nullable(),
});
export type ReportException = z.infer<typeof reportException>;

/** A match with a line or payment of the period. */
export const reportMatch = z.object({
  id: z.int(),
  dated_on: calendarDate,
  currency: z.string(),
  rule: z.string(),
  lines_in_cents: cents,
  transactions_in_cents: cents,
  adjustments_in_cents: cents,
  bank_lines: z.array(z.int()),
  transactions: z.array(serviceId),
  payout: z.string().nullable(),
  /** What was compared, or the reason of a manual match. */
  text: z.string(),
  changed_by: z.string().nullable(),
});
export type ReportMatch = z.infer<typeof reportMatch>;

/** A difference in a match that was assigned to a category. */
export const reportAdjustment = z.object({
  match: z.int(),
  dated_on: calendarDate,
  currency: z.string(),
  /** Category code. */
  category: z.string(),
  amount_in_cents: cents,
  reason: z.string().nullable(),
  user: z.string().nullable(),
});
export type ReportAdjustment = z.infer<typeof reportAdjustment>;

export const reportAudit = z.object({
  seq: z.int(),
  at: moment,
  user: z.string(),
  action: z.string(),
  subject: z.string(),
  reason: z.string().nullable(),
  hash: z.string(),
});
export type ReportAudit = z.infer<typeof reportAudit>;

/** A row of `schedules.csv`: one line of a schedule. */
export const reportLine = z.object({
  currency: z.string(),
  schedule: scheduleId,
  figure: figureId,
  label: z.string(),
  role: z.string(),
  amount_in_cents: cents,
  count: z.int().nullable(),
  ticks: z.string(),
  note: z.string(),
});

export type ReportLine = z.infer<typeof reportLine>;

/** The complete report, as in `report.json`. All other formats are written from the same value. */
export const report = z.object({
  format: z.literal('tieout-report'),
  version: z.literal(1),
  workpaper,
  signatures: z.array(signature),
  outstanding: z.array(openItem),
  adjustments: z.array(reportAdjustment),
  exceptions: z.array(reportException),
  matches: z.array(reportMatch),
  /** For a closed period, the changes since sign-off. */
  changes: z.array(signOffChange),
  audit: z.array(reportAudit),
});
export type Report = z.infer<typeof report>;

/** A written report file. */
export const reportFile = z.object({
  path: z.string(),
  format: reportFormat,
  bytes: z.int(),
  sha256: z.string(),
  /** Digest of its workpaper. */
  digest: z.string(),
  /** Number of pages of a PDF. Otherwise null. */
  pages: z.int().nullable(),
});
export type ReportFile = z.infer<typeof reportFile>;

const which = { site: siteName, period, format: reportFormat };

export const reports = {
  /** Returns the report as a file for saving or printing. */
  file: query.input(z.object(which)).output(blob),
  /**
   * Writes the report to a path on this computer. The file gets its name once complete. Throws `conflict` if the file
   * exists, unless it may be replaced. `csv` writes one file with all tables, each under its name.
   */
  write: command
    .input(z.object({ ...which, path: z.string().min(1).max(4000), replace: z.boolean().default(false) }))
    .output(reportFile),
};
