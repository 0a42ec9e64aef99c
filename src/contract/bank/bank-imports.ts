import { z } from 'zod';
import { calendarDate, cents, moment } from '../shared/common-schemas.ts';
import { accountKind, accountName, bankLineKind, moneySum } from './bank-lines.ts';

const rowId = z.int().positive();

/** What becomes of a row of a file: `failed`: it should be a line and could not be read; `skipped`: it is no line, on purpose. */
export const rowVerdict = z.enum(['new', 'duplicate', 'failed', 'skipped']);
export type RowVerdict = z.infer<typeof rowVerdict>;

export const planRow = z.object({
  /** Null for what is about the file or a statement, and no row. */
  row: z.int().nullable(),
  location: z.string(),
  verdict: rowVerdict,
  /** Why it is not new, or what to look at in a new one, in a sentence; null where there is nothing to say. */
  reason: z.string().nullable(),
  /** The text at that place, where it is no line. */
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
  /** The line that is held already, of a duplicate. */
  stored: z.int().nullable(),
});
export type PlanRow = z.infer<typeof planRow>;

/** Something the file does not decide: dates or decimals that can be read in two ways. The plan is made again with an answer. */
export const planQuestion = z.object({
  key: z.string(),
  text: z.string(),
  /** The first is the one the rows are read by meanwhile. */
  readings: z.array(
    z.object({
      value: z.string(),
      label: z.string(),
      examples: z.array(z.object({ location: z.string(), raw: z.string(), meaning: z.string() })),
    }),
  ),
});
export type PlanQuestion = z.infer<typeof planQuestion>;

/** An account’s span in the file, with its balances held against its lines. */
export const planStatement = z.object({
  /** The account as the file names it. */
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
  /** Closing less opening less lines: 0 where it foots, null where a balance is missing. */
  difference_in_cents: cents.nullable(),
  location: z.string(),
});
export type PlanStatement = z.infer<typeof planStatement>;

/** What importing a file will do: the very plan that is applied. */
export const importPlan = z.object({
  plan: z.string(),
  /** Over everything that will be done; kept with the import. */
  digest: z.string(),
  file: z.object({ name: z.string(), bytes: z.int(), sha256: z.string() }),
  /** `id` is null where the account is made by the import. */
  account: z.object({
    id: z.int().nullable(),
    /** Empty where nobody said which, and nothing tells. */
    name: z.string(),
    kind: accountKind,
    /** How it was found: `asked` for; it holds this very `file`; the file names its `number`; files of this `profile` went into it alone. */
    by: z.enum(['asked', 'file', 'number', 'profile']).nullable(),
  }),
  /** csv, xlsx, ofx, camt, mt940, qif; null where the file is none of them. */
  format: z.string().nullable(),
  /** For people: `CSV, semicolon, UTF-8`. */
  dialect: z.string(),
  /** The profile by which a table was read, to be saved with `saveProfile`; null for other formats. */
  profile: z.record(z.string(), z.json()).nullable(),
  rows: z.object({ total: z.int(), new: z.int(), duplicate: z.int(), failed: z.int(), skipped: z.int() }),
  /** How many of the new ones have something about them to be looked at. */
  needs_review: z.int(),
  /** New lines alone. */
  sums: z.array(moneySum),
  first_on: calendarDate.nullable(),
  last_on: calendarDate.nullable(),
  statements: z.array(planStatement),
  /** Batches of a payout report. */
  payouts: z.int(),
  /** About the file as a whole, and balances that do not foot; rows have their own. */
  remarks: z.array(z.object({ location: z.string(), text: z.string() })),
  questions: z.array(planQuestion),
  /** The import that brought in this very file, where one did and stands. */
  imported_before: z.int().nullable(),
  /** Why it cannot be applied, in a sentence: a question is open, nothing could be read. Null where it can. */
  blocker: z.string().nullable(),
});
export type ImportPlan = z.infer<typeof importPlan>;

/** `adding`: under way, or ended by a crash and about to be taken back; `removed`: undone as a whole. */
export const importState = z.enum(['adding', 'done', 'removed']);

export const bankImport = z.object({
  id: z.int(),
  account: z.object({ id: z.int(), name: z.string() }),
  state: importState,
  /** The name of its file; the file itself is kept byte for byte under its hash. */
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  format: z.string(),
  dialect: z.string(),
  /** The name of the profile a table was read by. */
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

/** A profile by which a table is read. `profile` is its whole content, as a plan gives it. */
export const bankProfile = z.object({
  name: z.string(),
  label: z.string(),
  source: z.enum(['bank', 'processor']),
  built_in: z.boolean(),
  profile: z.record(z.string(), z.json()),
});
export type BankProfile = z.infer<typeof bankProfile>;

/** A file that is at hand before anybody has one: of the demo, what its bank or card processor says of the last month. */
export const offeredFile = z.object({
  name: z.string(),
  text: z.string(),
  account: z.object({ name: accountName, kind: accountKind }),
});
export type OfferedFile = z.infer<typeof offeredFile>;

/** An account that is there, or one to be made by the import (`kind` default: a processor for a payout report, else a bank). */
export const accountRef = z.union([
  z.object({ id: rowId }),
  z.object({ name: accountName, kind: accountKind.optional() }),
]);
