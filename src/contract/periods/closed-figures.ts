import { z } from 'zod';
import { calendarDate, cents, moment, period } from '../shared/common-schemas.ts';

/** Kinds of rows in closed figures. `match`: a confirmed match. `file`: a source file. */
export const closedRowKind = z.enum(['statement', 'payment', 'line', 'payout', 'match', 'exception', 'file']);
export type ClosedRowKind = z.infer<typeof closedRowKind>;

/** A change since sign-off: a row that differs from the closed figures. */
export const signOffChange = z.object({
  id: z.int(),
  /** Period whose closed figures contain the row. */
  period,
  /** Version of the closed figures that the row was compared with. */
  version: z.int(),
  kind: closedRowKind,
  /** Id of the statement, payment, line, payout, match, exception or import. */
  row: z.int(),
  /** `added`: a late row dated in the period. `removed`: the row no longer exists. */
  change: z.enum(['changed', 'added', 'removed']),
  /** One sentence with the figures. */
  text: z.string(),
  /** Fields that differ, by name. A value is null if there is no such row. */
  fields: z.array(z.object({ field: z.string(), before: z.json(), after: z.json() })),
  /** Current amount less closed amount. 0 if the row has no amount. */
  amount_in_cents: cents,
  currency: z.string(),
  detected_at: moment,
  /** Action that caused the change, for example `sync`, `replay`, `import` or `check`, and its job if there is one. */
  detected_by: z.object({ action: z.string(), job: z.string().nullable() }),
  /** Later period in which the change is counted. */
  posted_in: period,
  /**
   * When and why the change stopped being current: `reverted` to the closed figures, `superseded` by another change, or
   * the period was `reopened`.
   */
  ended: z.object({ at: moment, reason: z.enum(['reverted', 'superseded', 'reopened']) }).nullable(),
});
export type SignOffChange = z.infer<typeof signOffChange>;

export const signOffChangeFilter = z.object({
  kind: z.array(closedRowKind).optional(),
  change: z.array(signOffChange.shape.change).optional(),
  /** Includes changes that are no longer current. */
  ended: z.boolean().default(false).optional(),
});
export type SignOffChangeFilter = z.infer<typeof signOffChangeFilter>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The figures and rows stored when a period was closed. Every digest is a SHA-256 of canonical JSON lines in the order of
 * row ids, so it does not depend on how the rows were stored. The last `sha256` covers all fields before it.
 */
export const closedFigures = z.object({
  period,
  version: z.int(),
  /** Days of the rows: from the day after the previous closed figures, or null for the beginning. */
  from: calendarDate.nullable(),
  until: calendarDate,
  app_version: z.string(),
  closed_at: moment,
  /** Digest of the workpaper as signed. */
  figures: sha256,
  rows: z.array(z.object({ kind: closedRowKind, count: z.int(), sha256 })),
  /** Check rules and match rules in force. */
  rules: z.array(
    z.object({
      of: z.enum(['check', 'match', 'user']),
      rule: z.string(),
      version: z.int(),
      enabled: z.boolean(),
    }),
  ),
  /**
   * Lists of the period report and the evidence pack as signed, stored as JSON lines, so that later changes do not affect
   * them.
   */
  lists: z.array(z.object({ list: z.string(), count: z.int(), sha256 })).default([]),
  /** Files from which the bank lines were imported. */
  files: z.array(z.object({ import: z.int(), name: z.string(), bytes: z.int(), sha256 })),
  sha256,
  /** When the period was reopened, which invalidates these closed figures. */
  reopened_at: moment.nullable(),
});
export type ClosedFigures = z.infer<typeof closedFigures>;
