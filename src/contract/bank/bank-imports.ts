import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import {
  accountKindSchema,
  accountNameSchema,
  bankLineKindSchema,
  currencyTotalsSchema,
} from './bank-lines.ts';

/** Result of reading a row. `failed`: the line could not be read. `skipped`: the row is not a bank line. */
export const importRowResultSchema = z.enum(['new', 'duplicate', 'failed', 'skipped']);
export type ImportRowResult = z.infer<typeof importRowResultSchema>;

export const importPlanRowSchema = z.object({
  /** Row number in the file; null if the entry concerns the file or a statement. */
  row: z.int().nullable(),
  location: z.string(),
  verdict: importRowResultSchema,
  /** Reason why the row is not new, or what to review in a new row; null if there is nothing to report. */
  reason: z.string().nullable(),
  /** Source text of a row that is not a bank line. */
  raw: z.string().nullable(),
  booked_on: field.date.nullable(),
  value_on: field.date.nullable(),
  amount_in_cents: field.cents.nullable(),
  currency: z.string().nullable(),
  kind: bankLineKindSchema.nullable(),
  description: z.string().nullable(),
  reference: z.string().nullable(),
  counterparty: z.string().nullable(),
  bank_id: z.string().nullable(),
  /** Id of the stored line that a duplicate row repeats. */
  stored: z.int().nullable(),
});
export type ImportPlanRow = z.infer<typeof importPlanRowSchema>;

/** A setting that the file does not determine, for example ambiguous dates. An answer creates a new plan. */
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
export type ImportPlanQuestion = z.infer<typeof planQuestionSchema>;

/** A statement in the file, with its balances compared to its lines. */
const planStatementSchema = z.object({
  /** Account as named in the file; null if it names none. */
  account: z.string().nullable(),
  number: z.string().nullable(),
  currency: z.string().nullable(),
  from: field.date.nullable(),
  to: field.date.nullable(),
  lines: z.int(),
  lines_in_cents: field.cents,
  opening_in_cents: field.cents.nullable(),
  opening_on: field.date.nullable(),
  closing_in_cents: field.cents.nullable(),
  closing_on: field.date.nullable(),
  /** Closing balance minus opening balance minus lines, in cents. Zero if they agree, null if a balance is missing. */
  difference_in_cents: field.cents.nullable(),
  location: z.string(),
});
export type ImportPlanStatement = z.infer<typeof planStatementSchema>;

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
    /** Basis for the choice of account: the user, an earlier import of the file, its account number, or its profile. */
    by: z.enum(['user', 'file', 'number', 'profile']).nullable(),
  }),
  /** File format: csv, xlsx, ofx, camt, mt940 or qif. Null if the format is not supported. */
  format: z.string().nullable(),
  /** Format variant for display, for example `CSV, semicolon, UTF-8`. */
  dialect: z.string(),
  /** Profile used to read the table; null for other formats. `saveProfile` can save it. */
  profile: z.record(z.string(), z.json()).nullable(),
  /** Columns of a table in file order, with the profile field each is read as, or `not_used`. Empty for other formats. */
  columns: z.array(z.object({ name: z.string(), role: z.string() })),
  rows: z.object({ total: z.int(), new: z.int(), duplicate: z.int(), failed: z.int(), skipped: z.int() }),
  /** Number of new rows that require review. */
  needs_review: z.int(),
  /** Totals of the new bank lines by currency. */
  sums: z.array(currencyTotalsSchema),
  first_on: field.date.nullable(),
  last_on: field.date.nullable(),
  statements: z.array(planStatementSchema),
  /** Number of payouts in the imported payout report. */
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
  at: field.moment,
  user: z.string(),
  job: z.string().nullable(),
  digest: z.string(),
  rows: z.object({ total: z.int(), new: z.int(), duplicate: z.int(), failed: z.int(), skipped: z.int() }),
  first_on: field.date.nullable(),
  last_on: field.date.nullable(),
  removed: z.object({ at: field.moment, user: z.string(), reason: z.string() }).nullable(),
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

/** A sample file of the demo site for its last month. */
export const sampleFileSchema = z.object({ name: z.string(), text: z.string() });
export type SampleFile = z.infer<typeof sampleFileSchema>;

/** A sample file that the demo’s bank or card processor exports. */
export const sampleBankFileSchema = sampleFileSchema.extend({
  account: z.object({ name: accountNameSchema, kind: accountKindSchema }),
});
export type SampleBankFile = z.infer<typeof sampleBankFileSchema>;

/** Account to import into: an existing or a new one. The default kind depends on the type of file. */
export const importAccountSchema = z.union([
  z.object({ id: field.rowId }),
  z.object({ name: accountNameSchema, kind: accountKindSchema.optional() }),
]);
