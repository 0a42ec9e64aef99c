import { z } from 'zod';
import {
  field,
  jobRefSchema,
  oneTimeFileHandleSchema,
  pageInputSchema,
  toPageSchema,
} from '../shared/common-schemas.ts';
import {
  commandProcedure,
  definePageMarksQuery,
  definePageQuery,
  defineSiteCommand,
  defineSiteQuery,
  queryProcedure,
} from '../shared/procedure-kinds.ts';
import {
  bankImportSchema,
  bankProfileSchema,
  importAccountSchema,
  importPlanRowSchema,
  importPlanSchema,
  importRowResultSchema,
  importStateSchema,
  sampleBankFileSchema,
} from './bank-imports.ts';
import {
  accountKindSchema,
  accountNameSchema,
  bankAccountSchema,
  bankLineDetailSchema,
  bankLineFilterSchema,
  bankLineSchema,
  bankLineSortSchema,
  currencyTotalsSchema,
} from './bank-lines.ts';
import { bankStatementSchema, newBankStatementSchema } from './bank-statements.ts';

const lineSelection = {
  filter: bankLineFilterSchema.default({}),
  sort: bankLineSortSchema,
};

export const bankProcedures = {
  accounts: defineSiteQuery().output(z.array(bankAccountSchema)),
  /** Creates an account, or changes the one with `id`. Throws `conflict` if the name is in use. */
  saveAccount: defineSiteCommand({
    id: field.rowId.optional(),
    name: accountNameSchema,
    kind: accountKindSchema,
    currency: field.currencyCode.nullable().default(null),
    window: z
      .object({ from_days: z.int().min(-30).max(0), to_days: z.int().min(0).max(120) })
      .nullable()
      .default(null),
  }).output(bankAccountSchema),
  /** Removes an account without lines. Throws `conflict` if it has any. */
  removeAccount: defineSiteCommand({ id: field.rowId }).output(z.object({})),

  /** Lists sample files. The list is empty unless the site is a demo site. */
  offered: defineSiteQuery().output(z.array(sampleBankFileSchema)),
  /**
   * Uploads a file in base64 parts of at most 1 MB, in order, at most 64 MB in total. The first call has no `upload`; the
   * others pass the one it returned. The file is not read yet. Unused uploads are deleted when the app closes.
   */
  upload: defineSiteCommand({
    upload: z.string().max(60).optional(),
    name: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^\p{Cc}/]+$/u, 'must be a file name without a folder'),
    data: z.base64().max(1_400_000),
  }).output(z.object({ upload: z.string(), bytes: z.int() })),
  /** Reads an uploaded file and returns what importing it will do. A new plan of the upload replaces it. */
  plan: defineSiteCommand({
    upload: z.string().max(60),
    /** Account to import into. By default, it is detected. If none is found, the plan has a blocker. */
    account: importAccountSchema.optional(),
    /** Name of a profile. By default, it is selected by its columns, or the columns are detected. */
    profile: z.string().max(60).optional(),
    /** A custom profile to use instead, for example the plan's profile with changed columns. */
    custom_profile: z.record(z.string(), z.json()).optional(),
    /** Answers to the plan's questions, by key. */
    answers: z.record(z.string().max(100), z.string().max(200)).default({}),
    /** Numbers of the rows to import even if an identical bank line is stored. */
    keep_rows: z.array(z.int().positive()).max(100_000).default([]),
  }).output(importPlanSchema),
  /** Returns the rows of an import plan in file order. `remarked` selects rows that are not new or require review. */
  planRows: commandProcedure
    .input(
      pageInputSchema.extend({
        site: field.siteName,
        plan: z.string(),
        verdict: z.array(importRowResultSchema).optional(),
        remarked: z.literal(true).optional(),
      }),
    )
    .output(toPageSchema(importPlanRowSchema)),
  /**
   * Applies a plan as a job of kind `import`, completely or not at all. Throws `conflict` if the account has changed so
   * that the plan would differ.
   */
  import: defineSiteCommand({ plan: z.string() }).output(jobRefSchema),
  /** Lists imports, newest first. */
  imports: definePageQuery({
    account: field.rowId.optional(),
    state: z.array(importStateSchema).optional(),
  }).output(toPageSchema(bankImportSchema)),
  /** Returns an import by its ID or by the ID of its job. */
  getImport: queryProcedure
    .input(
      z.union([
        z.object({ site: field.siteName, id: field.rowId }),
        z.object({ site: field.siteName, job: z.string() }),
      ]),
    )
    .output(bankImportSchema),
  /** Lists rows of the imported file that did not become bank lines, as recorded during the import. */
  importRows: definePageQuery({ id: field.rowId, verdict: z.array(importRowResultSchema).optional() }).output(
    toPageSchema(importPlanRowSchema),
  ),
  /** Returns the imported file in its original form, for saving. */
  source: defineSiteQuery({ id: field.rowId }).output(oneTimeFileHandleSchema),
  /** Removes an import with its lines and matches, as a job. The file and the history remain. */
  removeImport: defineSiteCommand({ id: field.rowId, reason: field.reason }).output(jobRefSchema),

  /** Lists the bank statements that state a closing balance, by account and last day. */
  statements: defineSiteQuery({ account: field.rowId.optional() }).output(z.array(bankStatementSchema)),
  /**
   * Stores a bank statement that a person enters, with its source file. Throws `not_found`, `validation` if it ends before
   * it begins, and `conflict` if it is already stored.
   */
  addStatement: defineSiteCommand(newBankStatementSchema.shape).output(bankStatementSchema),
  /** Removes an entered bank statement. Throws `conflict` for one from a file, and `period_locked` in a closed period. */
  removeStatement: defineSiteCommand({ id: field.rowId, reason: field.reason }).output(z.object({})),

  /** Lists saved profiles, then built-in ones. */
  profiles: defineSiteQuery().output(z.array(bankProfileSchema)),
  /** Saves a profile as `profile.name`. Throws `conflict` if a built-in profile has this name. */
  saveProfile: defineSiteCommand({ profile: z.record(z.string(), z.json()) }).output(bankProfileSchema),
  removeProfile: defineSiteCommand({ name: z.string().max(60) }).output(z.object({})),

  lines: definePageQuery(lineSelection).output(
    toPageSchema(bankLineSchema).extend({
      /** Totals of all lines that match the filter. Set only on the first page. */
      sums: z.array(currencyTotalsSchema.extend({ claimed_in_cents: field.cents })).nullable(),
    }),
  ),
  lineMarks: definePageMarksQuery(lineSelection),
  getLine: defineSiteQuery({ id: field.rowId }).output(bankLineDetailSchema),
};
