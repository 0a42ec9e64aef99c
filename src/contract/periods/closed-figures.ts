import { z } from 'zod';
import { field } from '../shared/common-schemas.ts';
import { suspensionPolicySchema } from './workpapers.ts';

/** Kinds of rows in closed figures. `match` is a confirmed match and `file` is a source file. */
const closedRowKindSchema = z.enum(['statement', 'payment', 'line', 'payout', 'match', 'exception', 'file']);
export type ClosedFiguresRowKind = z.infer<typeof closedRowKindSchema>;

/** A change since sign-off: a row that differs from the closed figures. */
export const signOffChangeSchema = z.object({
  id: z.int(),
  /** Period whose closed figures contain the row. */
  period: field.period,
  /** Version of the closed figures that the row was compared with. */
  version: z.int(),
  kind: closedRowKindSchema,
  /** ID of the changed statement, payment, line, payout, match, exception or import. */
  row: z.int(),
  /** Kind of change. `added`: a late row dated in the period. `removed`: the row no longer exists. */
  change: z.enum(['changed', 'added', 'removed']),
  /** Sentence that describes the change with its figures. */
  text: z.string(),
  /** Fields that differ, by name. A value is null if the row does not exist on that side. */
  fields: z.array(z.object({ field: z.string(), before: z.json(), after: z.json() })),
  /** Current amount minus closed amount, in cents. Zero if the row has no amount. */
  amount_in_cents: field.cents,
  currency: z.string(),
  detected_at: field.moment,
  /** Action that caused the change, for example `sync`, `replay`, `import` or `check`, and its job if there is one. */
  detected_by: z.object({ action: z.string(), job: z.string().nullable() }),
  /** Later period in which the change is counted. */
  posted_in: field.period,
  /** Time and reason why the change is no longer current: reverted, superseded or reopened. Null while it is current. */
  ended: z.object({ at: field.moment, reason: z.enum(['reverted', 'superseded', 'reopened']) }).nullable(),
});
export type SignOffChange = z.infer<typeof signOffChangeSchema>;

export const signOffChangeFilterSchema = z.object({
  kind: z.array(closedRowKindSchema).optional(),
  change: z.array(signOffChangeSchema.shape.change).optional(),
  /** True to include changes that are no longer current. */
  ended: z.boolean().default(false).optional(),
});
export type SignOffChangeFilter = z.infer<typeof signOffChangeFilterSchema>;

const { sha256 } = field;

/**
 * The figures and rows stored when a period was closed. Every digest is a SHA-256 of canonical JSON lines in the order of
 * row ids, so it does not depend on how the rows were stored. The last `sha256` covers all fields before it.
 */
export const closedFiguresSchema = z.object({
  period: field.period,
  version: z.int(),
  /** First day of the rows: the day after the previous closed figures. Null means that there is no limit. */
  from: field.date.nullable(),
  until: field.date,
  app_version: z.string(),
  closed_at: field.moment,
  /** Digest of the workpaper as signed. */
  figures: sha256,
  rows: z.array(z.object({ kind: closedRowKindSchema, count: z.int(), sha256 })),
  /** Check rules and match rules in effect at closing. */
  rules: z.array(
    z.object({
      of: z.enum(['check', 'match', 'user']),
      rule: z.string(),
      version: z.int(),
      enabled: z.boolean(),
    }),
  ),
  /** Policy at closing, which decides whether changes since sign-off suspend the sign-off. */
  suspension: suspensionPolicySchema,
  /** Lists of the report and the evidence pack as signed, which later changes do not affect. */
  lists: z.array(z.object({ list: z.string(), count: z.int(), sha256 })).default([]),
  /** Files from which the bank lines were imported. */
  files: z.array(z.object({ import: z.int(), name: z.string(), bytes: z.int(), sha256 })),
  sha256,
  /** Time at which the period was reopened, which invalidates the closed figures. */
  reopened_at: field.moment.nullable(),
});
export type ClosedFigures = z.infer<typeof closedFiguresSchema>;
