import { z } from 'zod';
import {
  blobSchema,
  centsSchema,
  marksInput,
  marksOutputSchema,
  pageInputSchema,
  pageOf,
  siteNameSchema,
} from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import {
  accountRefSchema,
  bankImportSchema,
  bankProfileSchema,
  importPlanSchema,
  importStateSchema,
  offeredFileSchema,
  planRowSchema,
  rowVerdictSchema,
} from './bank-imports.ts';
import {
  accountKindSchema,
  accountNameSchema,
  bankAccountSchema,
  bankLineDetailSchema,
  bankLineFilterSchema,
  bankLineSchema,
  bankLineSortSchema,
  moneySumSchema,
} from './bank-lines.ts';

const reason = z.string().trim().min(1).max(2000);
const rowId = z.int().positive();
const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'three capital letters, as USD');

const lineSelection = {
  site: siteNameSchema,
  filter: bankLineFilterSchema.default({}),
  sort: bankLineSortSchema.default({ by: 'booked_on', direction: 'desc' }),
};

export const bankProcedures = {
  /** Lists accounts by name. */
  accounts: query.input(z.object({ site: siteNameSchema })).output(z.array(bankAccountSchema)),
  /** Creates an account, or changes the one with `id`. Throws `conflict` if the name is in use. */
  saveAccount: command
    .input(
      z.object({
        site: siteNameSchema,
        id: rowId.optional(),
        name: accountNameSchema,
        kind: accountKindSchema,
        currency: currencyCode.nullable().default(null),
        window: z
          .object({ from_days: z.int().min(-30).max(0), to_days: z.int().min(0).max(120) })
          .nullable()
          .default(null),
      }),
    )
    .output(bankAccountSchema),
  /** Removes an account without lines. Throws `conflict` if it has any. */
  removeAccount: command.input(z.object({ site: siteNameSchema, id: rowId })).output(z.object({})),

  /** Lists sample files. The list is empty unless the site is a demo site. */
  offered: query.input(z.object({ site: siteNameSchema })).output(z.array(offeredFileSchema)),
  /**
   * Uploads a file in base64 parts of at most 1 MB, in order, at most 64 MB in total. The first call has no `upload`; the
   * others pass the one it returned. The file is not read yet. Unused uploads are deleted when the app closes.
   */
  upload: command
    .input(
      z.object({
        site: siteNameSchema,
        upload: z.string().max(60).optional(),
        name: z
          .string()
          .min(1)
          .max(255)
          .regex(/^[^\p{Cc}/]+$/u, 'the name of a file, without its folder'),
        data: z.base64().max(1_400_000),
      }),
    )
    .output(z.object({ upload: z.string(), bytes: z.int() })),
  /**
   * Reads an uploaded file and returns what importing it will do. The plan is stored for `import`. A new plan of the same
   * upload replaces it.
   */
  plan: command
    .input(
      z.object({
        site: siteNameSchema,
        upload: z.string().max(60),
        /**
         * Account to import into. By default, it is detected from the file or earlier imports. If none is found, the plan
         * has a blocker.
         */
        account: accountRefSchema.optional(),
        /**
         * Name of a profile. By default, the profile with matching columns is used; if there is none, the columns are
         * detected.
         */
        profile: z.string().max(60).optional(),
        /** A custom profile to use instead, for example the plan's profile with changed columns. */
        custom_profile: z.record(z.string(), z.json()).optional(),
        /** Answers to the plan's questions, by key. */
        answers: z.record(z.string().max(100), z.string().max(200)).default({}),
        /** Rows to import even if an identical line is stored. */
        keep_rows: z.array(z.int().positive()).max(100_000).default([]),
      }),
    )
    .output(importPlanSchema),
  /**
   * Returns the rows of a plan in file order. This is a command because the writer stores the plan. `remarked` limits the
   * result to rows that are not new or require review.
   */
  planRows: command
    .input(
      pageInputSchema.extend({
        site: siteNameSchema,
        plan: z.string(),
        verdict: z.array(rowVerdictSchema).optional(),
        remarked: z.literal(true).optional(),
      }),
    )
    .output(pageOf(planRowSchema)),
  /**
   * Applies a plan as a job of kind `import`: stores the file and adds its lines. If interrupted, everything is undone.
   * Throws `conflict` if the account has changed so that the plan would differ; create a new plan then.
   */
  import: command
    .input(z.object({ site: siteNameSchema, plan: z.string() }))
    .output(z.object({ job: z.string() })),
  /** Lists imports, newest first. */
  imports: query
    .input(
      pageInputSchema.extend({
        site: siteNameSchema,
        account: rowId.optional(),
        state: z.array(importStateSchema).optional(),
      }),
    )
    .output(pageOf(bankImportSchema)),
  /** Returns an import by its ID or by the ID of its job. */
  getImport: query
    .input(
      z.union([
        z.object({ site: siteNameSchema, id: rowId }),
        z.object({ site: siteNameSchema, job: z.string() }),
      ]),
    )
    .output(bankImportSchema),
  /** Lists rows of the file that did not become lines, as recorded during the import. */
  importRows: query
    .input(
      pageInputSchema.extend({
        site: siteNameSchema,
        id: rowId,
        verdict: z.array(rowVerdictSchema).optional(),
      }),
    )
    .output(pageOf(planRowSchema)),
  /** Returns the imported file in its original form, for saving. */
  source: query.input(z.object({ site: siteNameSchema, id: rowId })).output(blobSchema),
  /**
   * Removes a complete import as a job. Its lines are removed, and their matches are undone with the given reason. The
   * file and the history remain.
   */
  removeImport: command
    .input(z.object({ site: siteNameSchema, id: rowId, reason }))
    .output(z.object({ job: z.string() })),

  /** Lists saved profiles, then built-in ones. */
  profiles: query.input(z.object({ site: siteNameSchema })).output(z.array(bankProfileSchema)),
  /** Saves a profile as `profile.name`. Throws `conflict` if a built-in profile has this name. */
  saveProfile: command
    .input(z.object({ site: siteNameSchema, profile: z.record(z.string(), z.json()) }))
    .output(bankProfileSchema),
  removeProfile: command
    .input(z.object({ site: siteNameSchema, name: z.string().max(60) }))
    .output(z.object({})),

  lines: query.input(pageInputSchema.extend(lineSelection)).output(
    pageOf(bankLineSchema).extend({
      /** Totals of all lines that match the filter. Only on the first page. */
      sums: z.array(moneySumSchema.extend({ claimed_in_cents: centsSchema })).nullable(),
    }),
  ),
  lineMarks: query.input(z.object({ ...lineSelection, ...marksInput })).output(marksOutputSchema),
  getLine: query.input(z.object({ site: siteNameSchema, id: rowId })).output(bankLineDetailSchema),
};
