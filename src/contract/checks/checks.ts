import { z } from 'zod';
import { syncPartSchema, syncPartStatusSchema } from '../app/sync.ts';
import { field, jobRefSchema } from '../shared/common-schemas.ts';
import { defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';
import { recomputeProcedure } from './recomputation.ts';

/** Severity of an exception. `error`: a figure cannot be relied on. `notice`: for information only. */
export const severitySchema = z.enum(['error', 'warning', 'notice']);
export type Severity = z.infer<typeof severitySchema>;

/** ID of a check rule, for example `statement-foots`. Rules are never renamed, because decisions store it. */
export const checkRuleIdSchema = z
  .string()
  .regex(/^[a-z][a-z-]{2,60}$/, 'must be a rule, for example statement-foots');

/** Kind of record that a rule checks. */
const ruleScopeSchema = z.enum(['statement', 'chain', 'payment', 'webhook', 'allocation']);

/** A check rule, described for users. */
export const checkRuleSchema = z.object({
  rule: checkRuleIdSchema,
  title: z.string(),
  /** Default severity of the rule's exceptions. A single exception may have a different one. */
  severity: severitySchema,
  scope: ruleScopeSchema,
  /** Explanation of the rule: what it checks, what an exception can mean, and what to do. */
  explanation: z.string(),
  /** Available remedy: `replay` resends the webhook. */
  remedy: z.literal('replay').nullable(),
  enabled: z.boolean(),
  /** User, time and reason of disabling the rule; null while the rule is enabled. */
  off: z.object({ at: field.moment, user: z.string(), reason: z.string() }).nullable(),
  /** Reason why the rule cannot find anything, for example missing PDFs; null if it can. */
  idle: z.string().nullable(),
  /** Number of the rule's open exceptions. */
  open: z.int(),
  accepted: z.int(),
});
export type CheckRule = z.infer<typeof checkRuleSchema>;

/** Number of open and accepted exceptions, and the amount at stake in the open ones. */
const counted = {
  open: z.int(),
  accepted: z.int(),
  /** Total of the open exceptions. It is not a loss: several rules can report the same wrong figure. */
  at_stake_in_cents: field.cents,
};

/**
 * A recommended next step, most urgent first. `kind` selects a command, `message` is shown to the user.
 * - `sync`: stored data is incomplete or old. `problems`: records could not be read.
 * - `check`: data changed since the last check, or nothing was checked yet.
 * - `replay`: webhooks were never accepted. `review`: open exceptions, errors first.
 */
const nextStepSchema = z.object({
  kind: z.enum(['sync', 'problems', 'check', 'replay', 'review']),
  message: z.string(),
  count: z.int().nullable(),
});
export type CheckNextStep = z.infer<typeof nextStepSchema>;

const checkedStateSchema = z.object({
  /** Time of the last partial or complete check; null before the first check. */
  at: field.moment.nullable(),
  /** End time of the last complete check. */
  full_at: field.moment.nullable(),
  /** Number of subscriptions that have changed since their last check. Zero means that all results are current. */
  waiting: z.int(),
  /** Job that is running checks now: a sync or a check. */
  running: z.string().nullable(),
  /** Reason why everything should be checked again, for example an enabled rule; null if this is not necessary. */
  stale: z.string().nullable(),
});

/** Summary of the checks for a period or for all records. */
const checkSummarySchema = z.object({
  site: field.siteName,
  /** The period, with its first and last day in the site's time zone; null for all records. */
  period: z.object({ period: field.period, first: field.date, last: field.date }).nullable(),
  exceptions: z.object({
    ...counted,
    /** Number of exceptions that a sync closed because they had been corrected. */
    closed: z.int(),
    /** Number of open exceptions that are not assigned to anyone. */
    unassigned: z.int(),
  }),
  /** Counts for all three severities, most severe first. Includes severities without exceptions. */
  by_severity: z.array(z.object({ severity: severitySchema, ...counted })),
  /** Rules with open or accepted exceptions, in the order of the rules. */
  by_rule: z.array(
    z.object({ rule: checkRuleIdSchema, title: z.string(), severity: severitySchema, ...counted }),
  ),
  /** Open exceptions by age. `to_days` is null in the oldest group. */
  aging: z.array(
    z.object({
      from_days: z.int(),
      to_days: z.int().nullable(),
      open: z.int(),
      at_stake_in_cents: field.cents,
    }),
  ),
  /** Webhooks of the period that the merchant's endpoint has not accepted. */
  webhooks: z.object({
    total: z.int(),
    not_accepted: z.int(),
    /** Number of webhooks with a recorded error. */
    failed: z.int(),
    /** Number of webhooks that have not been sent yet or are queued again. */
    pending: z.int(),
  }),
  /** Extent and age of the stored data. `complete` covers webhooks, statements and allocations. */
  freshness: z.object({
    complete: z.boolean(),
    parts: z.array(syncPartStatusSchema),
    oldest_part: syncPartSchema.nullable(),
  }),
  checked: checkedStateSchema,
  next: z.array(nextStepSchema),
});
export type CheckSummary = z.infer<typeof checkSummarySchema>;

const checkMonthsSchema = z.object({
  /** Months, newest first, with the number of open exceptions dated in each month. */
  months: z.array(z.object({ period: field.period, open: z.int() })),
  /** Suggested month: the last complete month. Null if there are no records. */
  due: field.period.nullable(),
});

export const checkProcedures = {
  /** Checks all records as a job of kind `check`. Throws `conflict` if any process is running a check. */
  start: defineSiteCommand().output(jobRefSchema),
  /** Lists all rules in the order in which exceptions are displayed. */
  rules: defineSiteQuery().output(z.array(checkRuleSchema)),
  /**
   * Disables or enables a rule, with a reason. Disabling closes the rule's open exceptions. The returned job checks
   * everything again, because other rules may now report the causes of these exceptions. The job is null if it cannot
   * start now.
   */
  switch: defineSiteCommand({
    rule: checkRuleIdSchema,
    off: z.boolean(),
    reason: field.reason,
  }).output(z.object({ rule: checkRuleSchema, job: z.string().nullable() })),
  summary: defineSiteQuery({ period: field.period.optional() }).output(checkSummarySchema),
  /** Lists the months with records, and suggests the month that a user most likely wants to close. */
  months: defineSiteQuery().output(checkMonthsSchema),
  recompute: recomputeProcedure,
};
