import { z } from 'zod';
import { bankStatementSchema } from '../bank/bank-statements.ts';
import { journalStateSchema } from '../general-ledger/journal.ts';
import { ledgerImportSchema } from '../general-ledger/ledger.ts';
import { field, oneTimeFileHandleSchema, toPageSchema } from '../shared/common-schemas.ts';
import { figureIdSchema, scheduleIdSchema } from '../shared/figure-reference.ts';
import { definePageQuery, defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';
import { checklistStepSchema } from './checklist.ts';
import { signOffChangeSchema } from './closed-figures.ts';
import { fluxLineSchema } from './flux.ts';
import { ipeFigureSchema, ipeRequestSchema, ipeSourceSchema } from './ipe.ts';
import {
  customerBalanceSchema,
  deferredChargeSchema,
  outstandingItemSchema,
  signatureSchema,
  workpaperSchema,
} from './workpapers.ts';

/** `gobd`, `ads`: ZIP files with tables for auditors, by the GoBD (Z3) and the AICPA Audit Data Standards. */
const reportFormatSchema = z.enum(['pdf', 'xlsx', 'csv', 'json', 'gobd', 'ads']);
export type ReportFormat = z.infer<typeof reportFormatSchema>;

/** An exception dated in the period. */
const reportExceptionSchema = z.object({
  id: z.int(),
  rule: z.string(),
  severity: z.string(),
  status: z.string(),
  dated_on: field.date.nullable(),
  at_stake_in_cents: field.cents,
  message: z.string(),
  /** Sentences of the findings that the exception stands for. Empty if a single rule found it. */
  members: z.array(z.string()),
  assigned: z.string().nullable(),
  /** User, time and text of the acceptance; null while the exception is open. */
  decision: z
    .object({ user: z.string().nullable(), at: field.moment, text: z.string().nullable() })
    .nullable(),
});
export type ReportException = z.infer<typeof reportExceptionSchema>;

/** A match with a line or payment of the period. */
const reportMatchSchema = z.object({
  id: z.int(),
  dated_on: field.date,
  currency: z.string(),
  rule: z.string(),
  lines_in_cents: field.cents,
  transactions_in_cents: field.cents,
  adjustments_in_cents: field.cents,
  bank_lines: z.array(z.int()),
  transactions: z.array(field.serviceId),
  payout: z.string().nullable(),
  /** Comparisons made for the match, or the reason for a manual match. */
  text: z.string(),
  changed_by: z.string().nullable(),
});
export type ReportMatch = z.infer<typeof reportMatchSchema>;

/** A difference in a match that was assigned to a category. */
const reportAdjustmentSchema = z.object({
  match: z.int(),
  dated_on: field.date,
  currency: z.string(),
  /** Code of the adjustment's category. */
  category: z.string(),
  amount_in_cents: field.cents,
  reason: z.string().nullable(),
  user: z.string().nullable(),
});
export type ReportAdjustment = z.infer<typeof reportAdjustmentSchema>;

const reportAuditSchema = z.object({
  seq: z.int(),
  at: field.moment,
  user: z.string(),
  action: z.string(),
  subject: z.string(),
  reason: z.string().nullable(),
  hash: z.string(),
});
export type ReportAuditEntry = z.infer<typeof reportAuditSchema>;

/** A line of a journal entry of the period. */
const reportJournalLineSchema = z.object({
  entry: z.int(),
  /** Number of the entry; null while it is proposed. */
  number: z.string().nullable(),
  state: journalStateSchema,
  template: z.string(),
  dated_on: field.date,
  currency: z.string(),
  memo: z.string(),
  account: z.string(),
  debit_in_cents: field.cents,
  credit_in_cents: field.cents,
  made_by: z.string(),
  approved_by: z.string().nullable(),
  /** Day of the ledger line that posts the entry; null if no ledger file contains it. */
  posted_on: field.date.nullable(),
});
export type ReportJournalLine = z.infer<typeof reportJournalLineSchema>;

/** Event of a comment on a figure. The events of a comment follow each other. */
const reportCommentSchema = z.object({
  /** Number of the comment. */
  comment: z.int(),
  currency: z.string(),
  figure: figureIdSchema,
  /** `open`: to be answered. `answered`: to be cleared by the reviewer. */
  status: z.enum(['open', 'answered', 'cleared']),
  action: z.enum(['commented', 'answered', 'cleared']),
  at: field.moment,
  name: z.string(),
  /** Text of the comment or answer, or the reason why the person who answered also cleared the comment. */
  text: z.string().nullable(),
  key: z.string().nullable(),
});
export type ReportComment = z.infer<typeof reportCommentSchema>;

/** A row of `schedules.csv`: one line of a schedule. */
const reportLineSchema = z.object({
  currency: z.string(),
  schedule: scheduleIdSchema,
  figure: figureIdSchema,
  label: z.string(),
  role: z.string(),
  amount_in_cents: field.cents,
  count: z.int().nullable(),
  ticks: z.string(),
  note: z.string(),
});

export type ReportLine = z.infer<typeof reportLineSchema>;

/** The complete period report, as in `report.json`. All other formats are written from it. */
export const periodReportSchema = z.object({
  format: z.literal('tieout-report'),
  version: z.literal(1),
  workpaper: workpaperSchema,
  signatures: z.array(signatureSchema),
  /** Month-end checklist. Empty if the period has not been opened. */
  checklist: z.array(checklistStepSchema),
  figure_comments: z.array(reportCommentSchema),
  /** Flux of every figure against the previous month. */
  flux: z.array(fluxLineSchema),
  bank_statements: z.array(bankStatementSchema),
  ledger_imports: z.array(ledgerImportSchema),
  journal: z.array(reportJournalLineSchema),
  outstanding: z.array(outstandingItemSchema),
  customers: z.array(customerBalanceSchema),
  deferred: z.array(deferredChargeSchema),
  adjustments: z.array(reportAdjustmentSchema),
  exceptions: z.array(reportExceptionSchema),
  matches: z.array(reportMatchSchema),
  ipe_figures: z.array(ipeFigureSchema),
  ipe_sources: z.array(ipeSourceSchema),
  ipe_requests: z.array(ipeRequestSchema),
  /** Changes since sign-off, for a closed period. */
  changes: z.array(signOffChangeSchema),
  audit: z.array(reportAuditSchema),
});
export type PeriodReport = z.infer<typeof periodReportSchema>;

/** A report file that has been written. */
const reportFileSchema = z.object({
  path: z.string(),
  format: reportFormatSchema,
  bytes: z.int(),
  sha256: z.string(),
  /** Digest of the workpaper in the report. */
  digest: z.string(),
  /** Number of pages of a PDF; null for other formats. */
  pages: z.int().nullable(),
});
export type ReportFile = z.infer<typeof reportFileSchema>;

/** Lists of the report that the window and the command line show. The other lists have screens and commands of their own. */
export const reportTableNames = [
  ...(['customers', 'deferred', 'bank_statements', 'journal', 'figure_comments'] as const),
  ...(['ipe_figures', 'ipe_sources', 'ipe_requests'] as const),
] as const;
export type ReportTableName = (typeof reportTableNames)[number];

/** A page of a report's list. Cells are in the order of the columns; `cents` are amounts in cents. */
const reportTablePageSchema = toPageSchema(
  z.object({
    /** Number of the row in the list, counted from 0. */
    row: z.int(),
    cells: z.array(z.union([z.string(), z.number()]).nullable()),
  }),
).extend({
  title: z.string(),
  /** Text to show if the list has no rows. */
  empty: z.string(),
  columns: z.array(
    z.object({ name: z.string(), header: z.string(), kind: z.enum(['text', 'cents', 'count']) }),
  ),
});
export type ReportTablePage = z.infer<typeof reportTablePageSchema>;

const which = { period: field.period, format: reportFormatSchema };

export const reportProcedures = {
  /** Returns a page of a list of the report: as signed if the period is closed, or else from the current records. */
  table: definePageQuery({ period: field.period, table: z.enum(reportTableNames) }).output(
    reportTablePageSchema,
  ),
  /** Returns the period report as a file for saving or printing. */
  file: defineSiteQuery(which).output(oneTimeFileHandleSchema),
  /**
   * Writes the period report to a path on this computer. The file only appears once it is complete. Throws `conflict` if
   * the file exists, unless it may be replaced. `csv` writes one file with all tables, each under its name.
   */
  write: defineSiteCommand({
    ...which,
    path: field.path,
    replace: z.boolean().default(false),
  }).output(reportFileSchema),
};
