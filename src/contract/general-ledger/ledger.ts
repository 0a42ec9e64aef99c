import { z } from 'zod';
import { planQuestionSchema, sampleFileSchema } from '../bank/bank-imports.ts';
import { field, toPageSchema } from '../shared/common-schemas.ts';
import { definePageQuery, defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';

/** Use of a ledger account. Schedule S4 uses the first five areas, and journal entries use all of them. */
export const ledgerAreaSchema = z.enum([
  'revenue',
  'receivables',
  'clearing',
  'fees',
  'cash',
  'chargebacks',
  'reserve',
  'write-offs',
  'in-transit',
  'exchange',
  'other-income',
]);

export const ledgerAccountKeySchema = z.string().trim().min(1).max(100);

const ledgerAccountSchema = z.object({
  /** Number of the account, or its name if it has no number. */
  account: z.string(),
  name: z.string().nullable(),
  /** Area of the account; null if the account is not mapped, so that S4 ignores it. */
  area: ledgerAreaSchema.nullable(),
  lines: z.int(),
  balances: z.int(),
  /** Day of the account's first posting or balance; null if there is none. */
  first_on: field.date.nullable(),
  last_on: field.date.nullable(),
});
export type LedgerAccount = z.infer<typeof ledgerAccountSchema>;

const ledgerKindSchema = z.enum(['activity', 'balances']);

export const ledgerImportSchema = z.object({
  id: z.int(),
  /** `activity`: dated postings. `balances`: a trial balance as of `last_on`. */
  kind: ledgerKindSchema,
  state: z.enum(['done', 'removed']),
  file: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  dialect: z.string(),
  currency: z.string(),
  first_on: field.date,
  last_on: field.date,
  rows: z.int(),
  /** Number of rows that were not read: headings, totals, unreadable rows and rows in closed periods. */
  skipped: z.int(),
  debit_in_cents: field.cents,
  credit_in_cents: field.cents,
  at: field.moment,
  user: z.string(),
  removed_at: field.moment.nullable(),
  removed_by: z.string().nullable(),
  removed_reason: z.string().nullable(),
});
export type LedgerImport = z.infer<typeof ledgerImportSchema>;

const ledgerFileInput = {
  /** ID of an upload from `bank.upload`. */
  upload: z.string().max(60),
  /** Answers to the plan's questions, by key: `date_order`, `decimal_mark`, `amount_sign` or `sheet`. */
  answers: z.record(z.string().max(100), z.string().max(200)).default({}),
  /** Currency of amounts without one. By default, the site's currency. */
  currency: field.currencyCode.optional(),
  /** Date of a trial balance. By default, the date stated in the file. */
  as_on: field.date.optional(),
};

const ledgerPlanSchema = z.object({
  file: z.string(),
  kind: ledgerKindSchema.nullable(),
  dialect: z.string(),
  columns: z.array(z.object({ name: z.string(), role: z.string() })),
  questions: z.array(planQuestionSchema),
  currency: z.string(),
  first_on: field.date.nullable(),
  last_on: field.date.nullable(),
  rows: z.int(),
  skipped: z.int(),
  /** Number of rows dated in a closed period, which are not imported. */
  locked: z.int(),
  debit_in_cents: field.cents,
  credit_in_cents: field.cents,
  accounts: z.array(
    z.object({
      account: z.string(),
      name: z.string().nullable(),
      area: ledgerAreaSchema.nullable(),
      rows: z.int(),
      debit_in_cents: field.cents,
      credit_in_cents: field.cents,
    }),
  ),
  /** Rows that could not be read, and remarks about the file. At most 200. */
  problems: z.array(z.object({ location: z.string(), reason: z.string() })),
  /** Imports with rows of the same accounts and days, which this import replaces. */
  replaces: z.array(z.object({ id: z.int(), file: z.string() })),
  /** Reason why the file cannot be imported; null if it can. */
  blocker: z.string().nullable(),
});
export type LedgerPlan = z.infer<typeof ledgerPlanSchema>;

const ledgerLineSchema = z.object({
  id: z.int(),
  import: z.int(),
  row: z.int(),
  account: z.string(),
  name: z.string().nullable(),
  area: ledgerAreaSchema.nullable(),
  dated_on: field.date,
  /** Debits are positive, unless the file states increases of the account as positive. */
  amount_in_cents: field.cents,
  currency: z.string(),
  text: z.string(),
  /** Number of the journal entry of Tieout that this line posts; null for other lines. */
  entry: z.string().nullable(),
});
export type LedgerLine = z.infer<typeof ledgerLineSchema>;

export const ledgerProcedures = {
  /** Lists the accounts of all ledger files, by number. */
  accounts: defineSiteQuery().output(z.array(ledgerAccountSchema)),
  /** Maps accounts to areas. Accounts that no file has named are added, for journal entries. */
  mapAccounts: defineSiteCommand({
    accounts: z
      .array(
        z.object({
          account: ledgerAccountKeySchema,
          name: z.string().trim().min(1).max(200).optional(),
          area: ledgerAreaSchema.nullable(),
        }),
      )
      .min(1)
      .max(1000),
  }).output(z.array(ledgerAccountSchema)),
  /** Lists sample ledger files. The list is empty unless the site is a demo site. */
  offered: defineSiteQuery().output(z.array(sampleFileSchema)),
  /** Reads an uploaded ledger file and returns what importing it will do. */
  plan: defineSiteCommand(ledgerFileInput).output(ledgerPlanSchema),
  /**
   * Imports an uploaded ledger file and finds the exported journal entries in it. Throws `conflict` if earlier imports have
   * rows of the same accounts and days, unless they are replaced, and `validation` if the plan has a blocker.
   */
  import: defineSiteCommand({ ...ledgerFileInput, replace: z.boolean().default(false) }).output(
    ledgerImportSchema.extend({ posted_entries: z.array(z.string()) }),
  ),
  /** Lists imports, newest first. */
  imports: defineSiteQuery().output(z.array(ledgerImportSchema)),
  /**
   * Removes the rows of an import. The file and the listed import remain. Throws `period_locked` in a closed period.
   */
  removeImport: defineSiteCommand({ id: field.rowId, reason: field.reason }).output(ledgerImportSchema),
  /** Lists ledger lines by day. */
  lines: definePageQuery({
    account: ledgerAccountKeySchema.optional(),
    since: field.date.optional(),
    until: field.date.optional(),
  }).output(toPageSchema(ledgerLineSchema)),
};
