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

  /** Files to begin with; of a site that is no demo, none. */
  offered: query.input(z.object({ site: siteName })).output(z.array(offeredFile)),
  /**
   * Hands a file over in pieces (base64, at most 1 MB of bytes each, in order): the first without `upload`, the others with the
   * one it gave. Nothing is read yet. At most 64 MB. An upload that is not used goes when the app is closed.
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
   * Reads an uploaded file and says what importing it will do. The plan is kept for `import`; making another one of the same
   * upload (another profile, answers to its questions) takes its place.
   */
  plan: command
    .input(
      z.object({
        site: siteName,
        upload: z.string().max(60),
        /** Absent: the one the file tells by itself, or by what was imported before; where that is none, the plan has the hindrance. */
        account: accountRef.optional(),
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
  /**
   * The rows of a plan in the order of the file. Served where the plan is kept, so it is no query. `remarked`: only those there is something
   * to say of: all that are not new, and new ones to be looked at.
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
