import { z } from 'zod';
import {
  blob,
  cents,
  marksInput,
  marksOutput,
  pageInput,
  pageOf,
  siteName,
} from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import {
  accountRef,
  bankImport,
  bankProfile,
  importPlan,
  importState,
  offeredFile,
  planRow,
  rowVerdict,
} from './bank-imports.ts';
import {
  accountKind,
  accountName,
  bankAccount,
  bankLine,
  bankLineDetail,
  bankLineFilter,
  bankLineSort,
  moneySum,
} from './bank-lines.ts';

const reason = z.string().trim().min(1).max(2000);
const rowId = z.int().positive();
const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'three capital letters, as USD');

const lineSelection = {
  site: siteName,
  filter: bankLineFilter.default({}),
  sort: bankLineSort.default({ by: 'booked_on', direction: 'desc' }),
};

export const bank = {
  /** Lists accounts by name. */
  accounts: query.input(z.object({ site: siteName })).output(z.array(bankAccount)),
  /** Creates an account, or changes the one with `id`. Throws `conflict` if the name is in use. */
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
  /** Removes an account without lines. Throws `conflict` if it has any. */
  removeAccount: command.input(z.object({ site: siteName, id: rowId })).output(z.object({})),

  /** Lists sample files. Empty unless the site is a demo site. */
  offered: query.input(z.object({ site: siteName })).output(z.array(offeredFile)),
  /**
   * Uploads a file in base64 parts of at most 1 MB, in order, at most 64 MB in total. The first call has no `upload`; the
   * others pass the one it returned. The file is not read yet. Unused uploads are deleted when the app closes.
   */
  upload: command
    .input(
      z.object({
        site: siteName,
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
        site: siteName,
        upload: z.string().max(60),
        /**
         * If omitted, the account is detected from the file or earlier imports. If none is found, the plan has a blocker.
         */
        account: accountRef.optional(),
        /** Name of a profile. If omitted, the profile with matching columns, or a detected one. */
        profile: z.string().max(60).optional(),
        /** A custom profile instead, such as the plan's with changed columns. */
        custom_profile: z.record(z.string(), z.json()).optional(),
        /** Answers to the plan's questions by key. */
        answers: z.record(z.string().max(100), z.string().max(200)).default({}),
        /** Rows to import even though an identical line is stored. */
        keep_rows: z.array(z.int().positive()).max(100_000).default([]),
      }),
    )
    .output(importPlan),
  /**
   * Returns the rows of a plan in file order. It is a command because the writer stores the plan. `remarked` limits it to
   * rows that are not new or need review.
   */
  planRows: command
    .input(
      pageInput.extend({
        site: siteName,
        plan: z.string(),
        verdict: z.array(rowVerdict).optional(),
        remarked: z.literal(true).optional(),
      }),
    )
    .output(pageOf(planRow)),
  /**
   * Applies a plan as a job of kind `import`: stores the file and adds its lines. If interrupted, everything is undone.
   * Throws `conflict` if the account has changed so that the plan would differ; create a new plan then.
   */
  import: command.input(z.object({ site: siteName, plan: z.string() })).output(z.object({ job: z.string() })),
  /** Lists imports, newest first. */
  imports: query
    .input(
      pageInput.extend({ site: siteName, account: rowId.optional(), state: z.array(importState).optional() }),
    )
    .output(pageOf(bankImport)),
  /** Returns an import by its ID or by the job that applied it. */
  getImport: query
    .input(z.union([z.object({ site: siteName, id: rowId }), z.object({ site: siteName, job: z.string() })]))
    .output(bankImport),
  /** Lists rows of the file that did not become lines, as recorded at import. */
  importRows: query
    .input(pageInput.extend({ site: siteName, id: rowId, verdict: z.array(rowVerdict).optional() }))
    .output(pageOf(planRow)),
  /** Returns the original file for saving. */
  source: query.input(z.object({ site: siteName, id: rowId })).output(blob),
  /**
   * Removes an import as a whole, as a job. Its lines are removed and their matches undone with this reason. The file and
   * the history remain.
   */
  removeImport: command
    .input(z.object({ site: siteName, id: rowId, reason }))
    .output(z.object({ job: z.string() })),

  /** Lists saved profiles, then built-in ones. */
  profiles: query.input(z.object({ site: siteName })).output(z.array(bankProfile)),
  /** Saves a profile as `profile.name`. Throws `conflict` if a built-in profile has this name. */
  saveProfile: command
    .input(z.object({ site: siteName, profile: z.record(z.string(), z.json()) }))
    .output(bankProfile),
  removeProfile: command.input(z.object({ site: siteName, name: z.string().max(60) })).output(z.object({})),

  lines: query.input(pageInput.extend(lineSelection)).output(
    pageOf(bankLine).extend({
      /** Totals over all rows of the filter. First page only. */
      sums: z.array(moneySum.extend({ claimed_in_cents: cents })).nullable(),
    }),
  ),
  lineMarks: query.input(z.object({ ...lineSelection, ...marksInput })).output(marksOutput),
  getLine: query.input(z.object({ site: siteName, id: rowId })).output(bankLineDetail),
};
