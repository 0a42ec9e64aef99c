import { z } from 'zod';
import { calendarDate, cents, moment } from '../shared/common-schemas.ts';
import { accountKind, accountName, bankLineKind, moneySum } from './bank-lines.ts';

const rowId = z.int().positive();

/** Result of a row. `failed`: it should be a line but could not be read. `skipped`: it is not a bank line. */
export const rowVerdict = z.enum(['new', 'duplicate', 'failed', 'skipped']);
export type RowVerdict = z.infer<typeof rowVerdict>;

export const planRow = z.object({
  /** Null if the entry concerns the file or a statement instead of a row. */
  row: z.int().nullable(),
  location: z.string(),
  verdict: rowVerdict,
  /** Why the row is not new, or what to review in a new row. Null if there is nothing to report. */
  reason: z.string().nullable(),
  /** Source text of a row that is not a bank line. */
  raw: z.string().nullable(),
  booked_on: calendarDate.nullable(),
  value_on: calendarDate.nullable(),
  amount_in_cents: cents.nullable(),
  currency: z.string().nullable(),
  kind: bankLineKind.nullable(),
  description: z.string().nullable(),
  reference: z.string().nullable(),
  counterparty: z.string().nullable(),
  bank_id: z.string().nullable(),
  /** For a duplicate, the ID of the stored line. */
  stored: z.int().nullable(),
});
export type PlanRow = z.infer<typeof planRow>;

/**
 * A question that the file does not answer, such as dates or decimals that can be read in two ways. The answer creates a
 * new plan.
 */
export const planQuestion = z.object({
  key: z.string(),
  text: z.string(),
  /** The first one is used until the question is answered. */
  readings: z.array(
    z.object({
      value: z.string(),
      label: z.string(),
      examples: z.array(z.object({ location: z.string(), raw: z.string(), meaning: z.string() })),
    }),
  ),
});
export type PlanQuestion = z.infer<typeof planQuestion>;

/** A statement in the file, with its balances compared to its lines. */
export const planStatement = z.object({
  /** Account as named in the file. */
  account: z.string().nullable(),
  number: z.string().nullable(),
  currency: z.string().nullable(),
  from: calendarDate.nullable(),
  to: calendarDate.nullable(),
  lines: z.int(),
  lines_in_cents: cents,
  opening_in_cents: cents.nullable(),
  opening_on: calendarDate.nullable(),
  closing_in_cents: cents.nullable(),
  closing_on: calendarDate.nullable(),
  /** Closing balance minus opening balance minus lines. Zero if they agree, null if a balance is missing. */
  difference_in_cents: cents.nullable(),
  location: z.string(),
});
export type PlanStatement = z.infer<typeof planStatement>;

/** What importing a file will do. Exactly this plan is applied. */
export const importPlan = z.object({
  plan: z.string(),
  /** Digest of everything the import will do. Stored with the import. */
  digest: z.string(),
  file: z.object({ name: z.string(), bytes: z.int(), sha256: z.string() }),
  /** `id` is null if the import will create the account. */
  account: z.object({
    id: z.int().nullable(),
    /** Empty if no account was chosen or detected. */
    name: z.string(),
    kind: accountKind,
    /**
     * How the account was chosen. `asked`: by the user. `file`: it contains the same file. `number`: the file names its
     * number. `profile`: it is the only account with files of this profile.
     */
    by: z.enum(['asked', 'file', 'number', 'profile']).nullable(),
  }),
  /** csv, xlsx, ofx, camt, mt940 or qif. Null if the format is not supported. */
  format: z.string().nullable(),
  /** Description for users, such as `CSV, semicolon, UTF-8`. */
  dialect: z.string(),
  /** Profile used to read the table, which `saveProfile` can save. Null for other formats. */
  profile: z.record(z.string(), z.json()).nullable(),
  rows: z.object({ total: z.int(), new: z.int(), duplicate: z.int(), failed: z.int(), skipped: z.int() }),
  /** Number of new rows that need review. */
  needs_review: z.int(),
  /** Totals of the new lines. */
  sums: z.array(moneySum),
  first_on: calendarDate.nullable(),
  last_on: calendarDate.nullable(),
  statements: z.array(planStatement),
  /** Number of payouts in a payout report. */
  payouts: z.int(),
  /** Remarks on the file, including balances that do not agree. Rows have their own remarks. */
  remarks: z.array(z.object({ location: z.string(), text: z.string() })),
  questions: z.array(planQuestion),
  /** The import that contains this file already, if any. */
  imported_before: z.int().nullable(),
  /** Why the plan cannot be applied, such as an open question. Null if it can. */
  blocker: z.string().nullable(),
});
export type ImportPlan = z.infer<typeof importPlan>;

/** `adding`: in progress, or interrupted and about to be undone. `removed`: undone as a whole. */
export const importState = z.enum(['adding', 'done', 'removed']);

export const bankImport = z.object({
  id: z.int(),
  account: z.object({ id: z.int(), name: z.string() }),
  state: importState,
  /** File name. The file itself is stored unchanged under its SHA-256. */
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  format: z.string(),
  dialect: z.string(),
  /** Name of the profile used to read the table. */
  profile: z.string().nullable(),
  at: moment,
  user: z.string(),
  job: z.string().nullable(),
  digest: z.string(),
  rows: z.object({ total: z.int(), new: z.int(), duplicate: z.int(), failed: z.int(), skipped: z.int() }),
  first_on: calendarDate.nullable(),
  last_on: calendarDate.nullable(),
  removed: z.object({ at: moment, user: z.string(), reason: z.string() }).nullable(),
});
export type BankImport = z.infer<typeof bankImport>;

/** A profile for reading a table. `profile` is its complete content, in the format of a plan. */
export const bankProfile = z.object({
  name: z.string(),
  label: z.string(),
  source: z.enum(['bank', 'processor']),
  built_in: z.boolean(),
  profile: z.record(z.string(), z.json()),
});
export type BankProfile = z.infer<typeof bankProfile>;

/** A sample file of the demo site: what its bank or card processor reports for the last month. */
export const offeredFile = z.object({
  name: z.string(),
  text: z.string(),
  account: z.object({ name: accountName, kind: accountKind }),
});
export type OfferedFile = z.infer<typeof offeredFile>;

/**
 * An existing account, or one that the import creates. `kind` defaults to processor for a payout report and to bank
 * otherwise.
 */
export const accountRef = z.union([
  z.object({ id: rowId }),
  z.object({ name: accountName, kind: accountKind.optional() }),
]);
