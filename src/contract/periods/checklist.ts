import { z } from 'zod';
import { personNameSchema } from '../people/people.ts';
import { field } from '../shared/common-schemas.ts';
import { defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';

/** Kinds of steps, in the order of the checklist. `reconcile` is one step per account. Users add the `own` steps. */
export const checklistStepKinds = [
  ...(['sync', 'exceptions', 'bank-files', 'matching', 'reconcile', 'ledger', 'journal', 'flux'] as const),
  ...(['certify', 'submit', 'review', 'close', 'own'] as const),
] as const;
export type ChecklistStepKind = (typeof checklistStepKinds)[number];

/** Key of a step: its kind, or `reconcile:2-USD` for account 2 in USD, or `own:1` for the first step that a user added. */
const stepKeySchema = z
  .string()
  .max(60)
  .regex(
    /^([a-z][a-z-]*|reconcile:\d+-[A-Z]{3}|own:\d+)$/,
    'must be a step of the checklist, for example sync or own:1',
  );

export const checklistStepSchema = z.object({
  step: stepKeySchema,
  kind: z.enum(checklistStepKinds),
  title: z.string(),
  /** `unknown`: the stored records do not show whether the step is done. */
  state: z.enum(['done', 'open', 'unknown']),
  /** Sentence that explains the state. */
  reason: z.string(),
  owner: z.string().nullable(),
  due_on: field.date,
  /** Person who marked the step as done, and when. Null for the steps of Tieout. */
  done: z.object({ name: z.string(), at: field.moment }).nullable(),
});
export type ChecklistStep = z.infer<typeof checklistStepSchema>;

const checklistSchema = z.object({
  period: field.period,
  /** False if the period is closed or being closed. The checklist of a closed period is the one stored at closing. */
  changeable: z.boolean(),
  steps: z.array(checklistStepSchema),
});
export type Checklist = z.infer<typeof checklistSchema>;

const periodTrendRowSchema = z.object({
  period: field.period,
  state: z.enum(['open', 'submitted', 'reviewed', 'closed']),
  /** Number of items outstanding on the period's last day: as signed for a closed period. */
  outstanding: z.int(),
  steps: z.object({ done: z.int(), total: z.int() }),
  /** Number of steps that are not done and whose due date has passed. */
  overdue: z.int(),
  /** Number of days from the period's last day to its closing (UTC); null if it is not closed. */
  days_to_close: z.int().nullable(),
});
export type PeriodTrendRow = z.infer<typeof periodTrendRowSchema>;

const title = z.string().trim().min(1).max(200);
const one = { period: field.period };

export const checklistProcedures = {
  /** Returns the month-end checklist of a period. Throws `not_found` if the month has not been opened. */
  checklist: defineSiteQuery(one).output(checklistSchema),
  /** Adds a step of the user's own. Throws `period_locked` if the period is closed. */
  addChecklistStep: defineSiteCommand({
    ...one,
    title,
    owner: personNameSchema.nullable().default(null),
    due_on: field.date.nullable().default(null),
  }).output(checklistSchema),
  /**
   * Changes a step. Omitted fields stay unchanged; null removes the owner, or restores the default due date. Only own
   * steps can be renamed and marked as done, by `by`. Throws `not_found`, `validation`, and `period_locked` if the period
   * is closed.
   */
  changeChecklistStep: defineSiteCommand({
    ...one,
    step: stepKeySchema,
    title: title.optional(),
    owner: personNameSchema.nullable().optional(),
    due_on: field.date.nullable().optional(),
    done: z.boolean().optional(),
    by: personNameSchema.optional(),
  }).output(checklistSchema),
  /** Removes an own step. Throws `not_found`, `validation` for other steps, and `period_locked` if the period is closed. */
  removeChecklistStep: defineSiteCommand({ ...one, step: stepKeySchema }).output(checklistSchema),
  /** Returns the progress of the last opened months, oldest first. */
  trend: defineSiteQuery({ months: z.int().min(1).max(12).default(6) }).output(z.array(periodTrendRowSchema)),
};
