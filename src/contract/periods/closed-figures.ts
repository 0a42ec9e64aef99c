import { z } from 'zod';
import { calendarDate, cents, moment, period } from '../shared/common-schemas.ts';

/** What was sealed and may drift. `match`: a confirmed one. `rule`: a check’s or a matching rule. `file`: a source file. */
export const closedRowKind = z.enum(['statement', 'payment', 'line', 'payout', 'match', 'exception', 'file']);
export type ClosedRowKind = z.infer<typeof closedRowKind>;

/** A row that is otherwise than it was signed. */
export const signOffChange = z.object({
  id: z.int(),
  /** Of whose figures it is part. */
  period,
  /** The seal it was held against. */
  version: z.int(),
  kind: closedRowKind,
  /** Of the statement, payment, line, payout, match, exception or import. */
  row: z.int(),
  /** `added`: it came late, and is dated in the period. `gone`: it is not there any more. */
  change: z.enum(['changed', 'added', 'removed']),
  /** One sentence with the figures. */
  text: z.string(),
  /** What differs, by the names of the row’s fields; null where there is no such row. */
  fields: z.array(z.object({ field: z.string(), before: z.json(), after: z.json() })),
  /** After less before, of the row’s own amount; 0 where no money is concerned. */
  amount_in_cents: cents,
  currency: z.string(),
  detected_at: moment,
  /** What brought it: `sync`, `replay`, `import`, `check`, … and its job, where it was one. */
  detected_by: z.object({ action: z.string(), job: z.string().nullable() }),
  /** The period it counts in instead. */
  posted_in: period,
  /** When it stopped being drift: it is as signed again (`back`), it changed once more (`again`), or the period was reopened. */
  ended: z.object({ at: moment, reason: z.enum(['reverted', 'superseded', 'reopened']) }).nullable(),
});
export type SignOffChange = z.infer<typeof signOffChange>;

export const signOffChangeFilter = z.object({
  kind: z.array(closedRowKind).optional(),
  change: z.array(signOffChange.shape.change).optional(),
  /** Also what stands no more. */
  ended: z.boolean().default(false).optional(),
});
export type SignOffChangeFilter = z.infer<typeof signOffChangeFilter>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * What was sealed when a period was closed. Every digest is a SHA-256 over canonical JSON lines in the order of the rows’ ids, so that it does
 * not matter how or when the rows were stored; `sha256` of the seal is over all that is listed here before it.
 */
export const closedFigures = z.object({
  period,
  version: z.int(),
  /** The days whose rows it holds: from the day after the seal before it, or from the beginning (null). */
  from: calendarDate.nullable(),
  until: calendarDate,
  app_version: z.string(),
  closed_at: moment,
  /** Of the workpaper as signed. */
  figures: sha256,
  rows: z.array(z.object({ kind: closedRowKind, count: z.int(), sha256 })),
  /** Rules of the checks and of the matching that were in force. */
  rules: z.array(
    z.object({
      of: z.enum(['check', 'match', 'user']),
      rule: z.string(),
      version: z.int(),
      enabled: z.boolean(),
    }),
  ),
  /** Lists of the report and the pack as they were signed: the rows, as JSON lines, that what became of them since is not to change. */
  lists: z.array(z.object({ list: z.string(), count: z.int(), sha256 })).default([]),
  /** Files that the bank’s and the processors’ lines were read from. */
  files: z.array(z.object({ import: z.int(), name: z.string(), bytes: z.int(), sha256 })),
  sha256,
  /** When the period was reopened, so that this seal holds no more. */
  reopened_at: moment.nullable(),
});
export type ClosedFigures = z.infer<typeof closedFigures>;
