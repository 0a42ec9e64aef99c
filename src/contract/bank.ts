import { z } from 'zod';
import { command, query } from './kinds.ts';
import {
  blob,
  calendarDate,
  cents,
  direction,
  marksInput,
  marksOutput,
  moment,
  pageInput,
  pageOf,
  siteName,
} from './values.ts';

/**
 * Where money is said to have moved: `bank`: a bank account’s statements; `processor`: the payout reports of a payment
 * processor; `ledger`: an export of the merchant’s own books.
 */
export const accountKind = z.enum(['bank', 'processor', 'ledger']);
export type AccountKind = z.infer<typeof accountKind>;

export const accountName = z.string().trim().min(1).max(100);
const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'three capital letters, as USD');
const reason = z.string().trim().min(1).max(2000);
const rowId = z.int().positive();

/** Money in and out, of one currency: `in_cents` ≥ 0 came in, `out_cents` ≤ 0 went out. */
export const moneySum = z.object({
  currency: z.string(),
  count: z.int(),
  in_cents: cents,
  out_cents: cents,
});
export type MoneySum = z.infer<typeof moneySum>;

export const bankAccount = z.object({
  id: z.int(),
  /** Unique, whatever the case of its letters. */
  name: accountName,
  kind: accountKind,
  /** Of lines for which neither file nor profile names one; null: the site’s. */
  currency: z.string().nullable(),
  /** The account as its files name it (IBAN, number), learned from the first that does; null before. A file of another one is refused. */
  number: z.string().nullable(),
  /** How many days after the payment (or before it, below 0) its money may arrive; null: the usual window of its kind. */
  window: z.object({ from_days: z.int(), to_days: z.int() }).nullable(),
  lines: z.int(),
  imports: z.int(),
  /** Booking dates of its lines; null where there are none. */
  first_on: calendarDate.nullable(),
  last_on: calendarDate.nullable(),
  /** The newest closing balance a file stated. */
  balance: z.object({ amount_in_cents: cents, currency: z.string(), on: calendarDate }).nullable(),
  sums: z.array(moneySum),
  /** Lines by their state. */
  states: z.record(z.string(), z.int()),
});
export type BankAccount = z.infer<typeof bankAccount>;

/**
 * How far a line or a payment is explained:
 * - `open`: nothing claims it. `suggested`, `ambiguous`: a group proposes to, and waits for a person.
 * - `part`: confirmed groups claim some of its cents. `matched`: they claim all of them.
 * - `ignored`: a rule or a person said that it is none of the matter.
 */
export const matchState = z.enum(['open', 'ambiguous', 'suggested', 'part', 'matched', 'ignored']);
export type MatchState = z.infer<typeof matchState>;

/** What a line is; `entry` has no further meaning, the others are said by a processor’s report or the bank’s own codes. */
export const bankLineKind = z.enum([
  'entry',
  'payment',
  'refund',
  'chargeback',
  'fee',
  'payout',
  'reserve',
  'fx',
  'adjustment',
  'transfer',
  'interest',
]);

/** A line of an account, as its file said it. */
export const bankLine = z.object({
  id: z.int(),
  account: z.object({ id: z.int(), name: z.string() }),
  import: z.int(),
  /** The name of its file, and its number there: the first data row of a table is 1. */
  file: z.string(),
  row: z.int(),
  booked_on: calendarDate,
  value_on: calendarDate.nullable(),
  /** Money received is positive. In a payout report: the gross. */
  amount_in_cents: cents,
  currency: z.string(),
  kind: bankLineKind,
  description: z.string(),
  reference: z.string().nullable(),
  counterparty: z.string().nullable(),
  bank_id: z.string().nullable(),
  payout_id: z.string().nullable(),
  gateway_transaction_id: z.string().nullable(),
  fee_in_cents: cents.nullable(),
  net_in_cents: cents.nullable(),
  state: matchState,
  /** What confirmed groups claim of the amount; same sign, never more than it. */
  claimed_in_cents: cents,
  /** Whether somebody wrote a note on it. */
  notes: z.int(),
});
export type BankLine = z.infer<typeof bankLine>;

export const matchNote = z.object({ at: moment, who: z.string(), text: z.string() });
export type MatchNote = z.infer<typeof matchNote>;

export const bankLineDetail = bankLine.extend({
  /** Where in its file: `line 7`, `Sheet1!A7`. */
  place: z.string(),
  balance_in_cents: cents.nullable(),
  foreign: z.object({ amount_in_cents: cents, currency: z.string(), rate: z.string().nullable() }).nullable(),
  /** Everything else the file says of it, by the file’s own names. Never used for matching. */
  extra: z.record(z.string(), z.string()),
  /** Groups it is or was in, the newest first: to be asked for with `match.get`. */
  groups: z.array(z.int()),
  /** Oldest first. */
  noted: z.array(matchNote),
});
export type BankLineDetail = z.infer<typeof bankLineDetail>;

export const bankLineFilter = z.object({
  account: z.array(rowId).optional(),
  import: rowId.optional(),
  state: z.array(matchState).optional(),
  kind: z.array(bankLineKind).optional(),
  /** Only money that came in, or only money that went out. */
  flow: z.enum(['in', 'out']).optional(),
  currency: z.string().max(3).optional(),
  /** Booking dates, both included. */
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  /** Smallest and greatest size of the amount, whichever way it moved. */
  least_in_cents: cents.nonnegative().optional(),
  most_in_cents: cents.nonnegative().optional(),
  payout_id: z.string().max(200).optional(),
  /** Words of its texts and ids, or an amount as `19.90`. */
  search: z.string().max(200).optional(),
});
export type BankLineFilter = z.infer<typeof bankLineFilter>;

export const bankLineSort = z.object({
  by: z.enum(['booked_on', 'amount_in_cents']).default('booked_on'),
  direction: direction.default('desc'),
});

// ---- Import

/** What becomes of a row of a file: `failed`: it should be a line and could not be read; `skipped`: it is no line, on purpose. */
export const rowVerdict = z.enum(['new', 'duplicate', 'failed', 'skipped']);
export type RowVerdict = z.infer<typeof rowVerdict>;

export const planRow = z.object({
  /** Null for what is about the file or a statement, and no row. */
  row: z.int().nullable(),
  place: z.string(),
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
  held: z.int().nullable(),
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
      examples: z.array(z.object({ place: z.string(), raw: z.string(), meaning: z.string() })),
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
  place: z.string(),
});
export type PlanStatement = z.infer<typeof planStatement>;

/** What importing a file will do: the very plan that is applied. */
export const importPlan = z.object({
  plan: z.string(),
  /** Over everything that will be done; kept with the import. */
  digest: z.string(),
  file: z.object({ name: z.string(), bytes: z.int(), sha256: z.string() }),
  /** `id` is null where the account is made by the import. */
  account: z.object({ id: z.int().nullable(), name: z.string(), kind: accountKind }),
  /** csv, xlsx, ofx, camt, mt940, qif; null where the file is none of them. */
  format: z.string().nullable(),
  /** For people: `CSV, semicolon, UTF-8`. */
  dialect: z.string(),
  /** The profile by which a table was read, to be saved with `saveProfile`; null for other formats. */
  profile: z.record(z.string(), z.json()).nullable(),
  rows: z.object({ total: z.int(), new: z.int(), duplicate: z.int(), failed: z.int(), skipped: z.int() }),
  /** New lines alone. */
  sums: z.array(moneySum),
  first_on: calendarDate.nullable(),
  last_on: calendarDate.nullable(),
  statements: z.array(planStatement),
  /** Batches of a payout report. */
  payouts: z.int(),
  /** About the file as a whole, and balances that do not foot; rows have their own. */
  remarks: z.array(z.object({ place: z.string(), text: z.string() })),
  questions: z.array(planQuestion),
  /** The import that brought in this very file, where one did and stands. */
  imported_before: z.int().nullable(),
  /** Why it cannot be applied, in a sentence: a question is open, nothing could be read. Null where it can. */
  hindrance: z.string().nullable(),
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
  who: z.string(),
  job: z.string().nullable(),
  digest: z.string(),
  rows: z.object({ total: z.int(), new: z.int(), duplicate: z.int(), failed: z.int(), skipped: z.int() }),
  first_on: calendarDate.nullable(),
  last_on: calendarDate.nullable(),
  removed: z.object({ at: moment, who: z.string(), reason: z.string() }).nullable(),
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

/** An account that is there, or one to be made by the import (`kind` default: a processor for a payout report, else a bank). */
export const accountRef = z.union([
  z.object({ id: rowId }),
  z.object({ name: accountName, kind: accountKind.optional() }),
]);

const lineSelection = {
  site: siteName,
  filter: bankLineFilter.default({}),
  sort: bankLineSort.default({ by: 'booked_on', direction: 'desc' }),
};

export const bank = {
  /** In the order of their names. */
  accounts: query.input(z.object({ site: siteName })).output(z.array(bankAccount)),
  /** Makes an account, or changes one (`id`). `conflict` where the name is taken. */
  saveAccount: command
    .input(
      z.object({
        site: siteName,
        id: rowId.optional(),
        name: accountName,
        kind: accountKind,
        currency: currencyCode.nullable().default(null),
        window: z
          .object({ from_days: z.int().min(-30).max(0), to_days: z.int().min(0).max(120) })
          .nullable()
          .default(null),
      }),
    )
    .output(bankAccount),
  /** Removes an account that has no lines; `conflict` where it has. */
  removeAccount: command.input(z.object({ site: siteName, id: rowId })).output(z.object({})),

  /**
   * Hands a file over in pieces (base64, at most 1 MB of bytes each, in order): the first without `upload`, the others with the
   * one it gave. Nothing is read yet. At most 200 MB. An upload that is not used goes when the app is closed.
   */
  upload: command
    .input(
      z.object({
        site: siteName,
        upload: z.string().max(60).optional(),
        name: z.string().min(1).max(255),
        data: z.base64().max(1_400_000),
      }),
    )
    .output(z.object({ upload: z.string(), bytes: z.int() })),
  /**
   * Reads an uploaded file and says what importing it will do. The plan is kept for `import`; making another one of the same
   * upload (another profile, answers to its questions) takes its place.
   */
  plan: command
    .input(
      z.object({
        site: siteName,
        upload: z.string().max(60),
        account: accountRef,
        /** The name of a profile; absent: the one whose columns are there, else detected. */
        profile: z.string().max(60).optional(),
        /** A profile of one’s own making instead, such as the plan’s with changed columns. */
        custom_profile: z.record(z.string(), z.json()).optional(),
        /** Answers to the plan’s questions: key → value. */
        answers: z.record(z.string().max(100), z.string().max(200)).default({}),
        /** Rows to bring in although a line like them is held. */
        keep_rows: z.array(z.int().positive()).max(100_000).default([]),
      }),
    )
    .output(importPlan),
  /** The rows of a plan in the order of the file. Served where the plan is kept, so it is no query. */
  planRows: command
    .input(pageInput.extend({ site: siteName, plan: z.string(), verdict: z.array(rowVerdict).optional() }))
    .output(pageOf(planRow)),
  /**
   * Applies a plan, as a job (kind `import`): the file is kept, the lines are added; ended half way, all is taken back.
   * `conflict` where the account has changed so that another plan would come out: make it again.
   */
  import: command.input(z.object({ site: siteName, plan: z.string() })).output(z.object({ job: z.string() })),
  /** The newest first. */
  imports: query
    .input(
      pageInput.extend({ site: siteName, account: rowId.optional(), state: z.array(importState).optional() }),
    )
    .output(pageOf(bankImport)),
  /** By its number, or by the job that applied it. */
  getImport: query
    .input(z.union([z.object({ site: siteName, id: rowId }), z.object({ site: siteName, job: z.string() })]))
    .output(bankImport),
  /** The rows of an import’s file that did not become lines, as they were listed when it was applied. */
  importRows: query
    .input(pageInput.extend({ site: siteName, id: rowId, verdict: z.array(rowVerdict).optional() }))
    .output(pageOf(planRow)),
  /** The file as it was given, for saving. */
  source: query.input(z.object({ site: siteName, id: rowId })).output(blob),
  /**
   * Takes an import back as a whole, as a job: its lines go, groups they are in are undone with this reason. The file and what
   * was done stay on record.
   */
  removeImport: command
    .input(z.object({ site: siteName, id: rowId, reason }))
    .output(z.object({ job: z.string() })),

  /** Saved ones first, then those built in. */
  profiles: query.input(z.object({ site: siteName })).output(z.array(bankProfile)),
  /** Keeps a profile under its name (`profile.name`); `conflict` where that is a built-in one’s. */
  saveProfile: command
    .input(z.object({ site: siteName, profile: z.record(z.string(), z.json()) }))
    .output(bankProfile),
  removeProfile: command.input(z.object({ site: siteName, name: z.string().max(60) })).output(z.object({})),

  lines: query.input(pageInput.extend(lineSelection)).output(
    pageOf(bankLine).extend({
      /** Over all rows of the filter; with the first page only. */
      sums: z.array(moneySum.extend({ claimed_in_cents: cents })).nullable(),
    }),
  ),
  lineMarks: query.input(z.object({ ...lineSelection, ...marksInput })).output(marksOutput),
  getLine: query.input(z.object({ site: siteName, id: rowId })).output(bankLineDetail),
};
