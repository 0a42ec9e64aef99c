import { z } from 'zod';
import { calendarDateSchema, centsSchema, momentSchema } from '../shared/common-schemas.ts';
import { accountKindSchema, accountNameSchema, bankLineKindSchema, moneySumSchema } from './bank-lines.ts';

const rowId = z.int().positive();

/**
 * Result of reading a row. `failed`: the row should be a line but could not be read. `skipped`: the row is not a bank
 * line.
 */
export const rowVerdictSchema = z.enum(['new', 'duplicate', 'failed', 'skipped']);
export type RowVerdict = z.infer<typeof rowVerdictSchema>;

export const planRowSchema = z.object({
  /** Row number in the file; null if the entry concerns the file or a statement. */
  row: z.int().nullable(),
  location: z.string(),
  verdict: rowVerdictSchema,
  /** Reason why the row is not new, or what to review in a new row; null if there is nothing to report. */
  reason: z.string().nullable(),
  /** Source text of a row that is not a bank line. */
  raw: z.string().nullable(),
  booked_on: calendarDateSchema.nullable(),
  value_on: calendarDateSchema.nullable(),
  amount_in_cents: centsSchema.nullable(),
  currency: z.string().nullable(),
  kind: bankLineKindSchema.nullable(),
  description: z.string().nullable(),
  reference: z.string().nullable(),
  counterparty: z.string().nullable(),
  bank_id: z.string().nullable(),
  /** Id of the stored line that a duplicate row repeats. */
  stored: z.int().nullable(),
});
export type PlanRow = z.infer<typeof planRowSchema>;

/**
 * A setting that the file does not determine, for example if dates or decimals are ambiguous. Answering it creates a new
 * plan.
 */
export const planQuestionSchema = z.object({
  key: z.string(),
  text: z.string(),
  /** Possible answers. The first one is used until the question is answered. */
  readings: z.array(
    z.object({
      value: z.string(),
      label: z.string(),
      examples: z.array(z.object({ location: z.string(), raw: z.string(), meaning: z.string() })),
    }),
  ),
});
export type PlanQuestion = z.infer<typeof planQuestionSchema>;

/** A statement in the file, with its balances compared to its lines. */
export const planStatementSchema = z.object({
  /** Account as named in the file; null if it names none. */
  account: z.string().nullable(),
  number: z.string().nullable(),
  currency: z.string().nullable(),
  from: calendarDateSchema.nullable(),
  to: calendarDateSchema.nullable(),
  lines: z.int(),
  lines_in_cents: centsSchema,
  opening_in_cents: centsSchema.nullable(),
  opening_on: calendarDateSchema.nullable(),
  closing_in_cents: centsSchema.nullable(),
  closing_on: calendarDateSchema.nullable(),
  /** Closing balance minus opening balance minus lines, in cents. Zero if they agree, null if a balance is missing. */
  difference_in_cents: centsSchema.nullable(),
  location: z.string(),
});
export type PlanStatement = z.infer<typeof planStatementSchema>;

/** Plan of an import: what importing a file will do. Exactly this plan is applied. */
export const importPlanSchema = z.object({
  plan: z.string(),
  /** Digest of everything that the import will do. It is stored with the import. */
  digest: z.string(),
  file: z.object({ name: z.string(), bytes: z.int(), sha256: z.string() }),
  /** Account to import into. `id` is null if the import will create the account. */
  account: z.object({
    id: z.int().nullable(),
    /** Name of the account; empty if none was chosen or detected. */
    name: z.string(),
    kind: accountKindSchema,
    /**
     * Source of the account. `asked`: chosen by the user. `file`: the account contains the same file. `number`: the file
     * names the account's number. `profile`: it is the only account with files of this profile.
     */
    by: z.enum(['asked', 'file', 'number', 'profile']).nullable(),
  }),
  /** File format: csv, xlsx, ofx, camt, mt940 or qif. Null if the format is not supported. */
  format: z.string().nullable(),
  /** Format variant for display, for example `CSV, semicolon, UTF-8`. */
  dialect: z.string(),
  /** Profile used to read the table; null for other formats. `saveProfile` can save it. */
  profile: z.record(z.string(), z.json()).nullable(),
  rows: z.object({ total: z.int(), new: z.int(), duplicate: z.int(), failed: z.int(), skipped: z.int() }),
  /** Number of new rows that require review. */
  needs_review: z.int(),
  /** Totals of the new lines. */
  sums: z.array(moneySumSchema),
  first_on: calendarDateSchema.nullable(),
  last_on: calendarDateSchema.nullable(),
  statements: z.array(planStatementSchema),
  /** Number of payouts in the payout report. */
  payouts: z.int(),
  /** Remarks on the file, including balances that do not agree. Remarks on rows are separate. */
  remarks: z.array(z.object({ location: z.string(), text: z.string() })),
  questions: z.array(planQuestionSchema),
  /** Id of the import that already contains this file; null if there is none. */
  imported_before: z.int().nullable(),
  /** Reason why the plan cannot be applied, for example an open question; null if it can be applied. */
  blocker: z.string().nullable(),
});
export type ImportPlan = z.infer<typeof importPlanSchema>;

/** State of an import. `adding`: in progress, or interrupted and about to be undone. `removed`: undone completely. */
export const importStateSchema = z.enum(['adding', 'done', 'removed']);

export const bankImportSchema = z.object({
  id: z.int(),
  account: z.object({ id: z.int(), name: z.string() }),
  state: importStateSchema,
  /** Name of the imported file. The file itself is stored unchanged under its SHA-256. */
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  format: z.string(),
  dialect: z.string(),
  /** Name of the profile used to read the table. */
  profile: z.string().nullable(),
  at: momentSchema,
  user: z.string(),
  job: z.string().nullable(),
  digest: z.string(),
  rows: z.object({ total: z.int(), new: z.int(), duplicate: z.int(), failed: z.int(), skipped: z.int() }),
  first_on: calendarDateSchema.nullable(),
  last_on: calendarDateSchema.nullable(),
  removed: z.object({ at: momentSchema, user: z.string(), reason: z.string() }).nullable(),
});
export type BankImport = z.infer<typeof bankImportSchema>;

/** A profile for reading a table. `profile` contains its complete settings, in the format of a plan. */
export const bankProfileSchema = z.object({
  name: z.string(),
  label: z.string(),
  source: z.enum(['bank', 'processor']),
  built_in: z.boolean(),
  profile: z.record(z.string(), z.json()),
});
export type BankProfile = z.infer<typeof bankProfileSchema>;

/** A sample file of the demo site: the export of its bank or card processor for the last month. */
export const offeredFileSchema = z.object({
  name: z.string(),
  text: z.string(),
  account: z.object({ name: accountNameSchema, kind: accountKindSchema }),
});
export type OfferedFile = z.infer<typeof offeredFileSchema>;

/**
 * Account to import into: an existing one or one that the import creates. By default, `kind` is processor for a payout
 * report and bank for other files.
 */
export const accountRefSchema = z.union([
  z.object({ id: rowId }),
  z.object({ name: accountNameSchema, kind: accountKindSchema.optional() }),
]);
