import { z } from 'zod';
import { partStatus, syncPart } from '../app/sync.ts';
import { calendarDate, cents, moment, period, siteName } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';

/** Severity of an exception. `error`: a figure cannot be relied on. `notice`: for information. */
export const severity = z.enum(['error', 'warning', 'notice']);
export type Severity = z.infer<typeof severity>;

/** Rule name, such as `statement-foots`. Stored with every exception and decision, so a rule is never renamed. */
export const ruleId = z.string().regex(/^[a-z][a-z-]{2,60}$/, 'a rule’s name, such as statement-foots');

/** What a rule checks. */
export const ruleScope = z.enum(['statement', 'chain', 'payment', 'webhook', 'allocation']);

/** A check of the billing records, described for users. */
export const checkRule = z.object({
  rule: ruleId,
  title: z.string(),
  /** Severity of its exceptions, unless an exception has its own. */
  severity,
  scope: ruleScope,
  /** What the rule checks, what an exception can mean, and what to do. */
  explanation: z.string(),
  /** Available remedy: `replay` resends the webhook. */
  remedy: z.literal('replay').nullable(),
  enabled: z.boolean(),
  /** Who disabled the rule, when and why. Null while it is enabled. */
  off: z.object({ at: moment, user: z.string(), reason: z.string() }).nullable(),
  /** Why the rule cannot find anything, such as missing PDFs. Null if it can. */
  idle: z.string().nullable(),
  /** Number of its exceptions by status. */
  open: z.int(),
  accepted: z.int(),
});
export type CheckRule = z.infer<typeof checkRule>;

/** Number of open and accepted exceptions, and the amount affected by the open ones. */
const counted = {
  open: z.int(),
  accepted: z.int(),
  /**
   * Sum of `at_stake_in_cents` of the open exceptions. It is not a loss: several rules can report the same wrong figure.
   */
  at_stake_in_cents: cents,
};

/**
 * A recommended next step, most urgent first. `kind` selects a command, `message` is shown to the user.
 * - `sync`: stored data is incomplete or old. `problems`: records could not be read.
 * - `check`: data changed since the last check, or nothing was checked yet.
 * - `replay`: webhooks were never accepted. `review`: open exceptions, errors first.
 */
export const nextStep = z.object({
  kind: z.enum(['sync', 'problems', 'check', 'replay', 'review']),
  message: z.string(),
  count: z.int().nullable(),
});
export type NextStep = z.infer<typeof nextStep>;

/** Progress of the checks. */
export const checkedState = z.object({
  /** Time of the last check, partial or complete. Null before the first. */
  at: moment.nullable(),
  /** End of the last complete check. */
  full_at: moment.nullable(),
  /** Number of subscriptions that changed since their check. Zero means that all results are current. */
  waiting: z.int(),
  /** The sync or check that is running checks now. */
  running: z.string().nullable(),
  /** Why everything should be checked again, such as an enabled rule. Null if not needed. */
  stale: z.string().nullable(),
});

/** Summary of the checks for a period or for all records. */
export const checkSummary = z.object({
  site: siteName,
  /** The period with its first and last day in the site's time zone. Null for all records. */
  period: z.object({ period, first: calendarDate, last: calendarDate }).nullable(),
  exceptions: z.object({
    ...counted,
    /** Exceptions that a sync closed because they were corrected. */
    closed: z.int(),
    /** Open exceptions that are not assigned. */
    unassigned: z.int(),
  }),
  /** All three severities, most severe first, including those without exceptions. */
  by_severity: z.array(z.object({ severity, ...counted })),
  /** Rules with open or accepted exceptions, in the order of the rules. */
  by_rule: z.array(z.object({ rule: ruleId, title: z.string(), severity, ...counted })),
  /** Open exceptions by age. `to_days` is null in the last group. */
  aging: z.array(
    z.object({
      from_days: z.int(),
      to_days: z.int().nullable(),
      open: z.int(),
      at_stake_in_cents: cents,
    }),
  ),
  /** Webhooks of the period that the merchant's endpoint did not accept. */
  webhooks: z.object({
    total: z.int(),
    not_accepted: z.int(),
    /** Of these, webhooks with a recorded error, and webhooks not sent yet or queued again. */
    failed: z.int(),
    pending: z.int(),
  }),
  /** What is stored and how current it is. `complete` covers webhooks, statements and allocations. */
  freshness: z.object({
    complete: z.boolean(),
    parts: z.array(partStatus),
    oldest_part: syncPart.nullable(),
  }),
  checked: checkedState,
  next: z.array(nextStep),
});
export type CheckSummary = z.infer<typeof checkSummary>;

export const checkMonths = z.object({
  /** Months, newest first, with the number of open exceptions dated in each. */
  months: z.array(z.object({ period, open: z.int() })),
  /**
   * The last complete month with records. If it has no open exceptions, the newest month that has some. Null without
   * records.
   */
  due: period.nullable(),
});

export const checks = {
  /**
   * Checks all records as a job of kind `check`. Throws `conflict` if a check is running in any process. A sync checks
   * what it changed by itself.
   */
  start: command.input(z.object({ site: siteName })).output(z.object({ job: z.string() })),
  /** Lists all rules in the order in which exceptions are displayed. */
  rules: query.input(z.object({ site: siteName })).output(z.array(checkRule)),
  /**
   * Disables a rule with a reason, or enables it again. Recorded in the audit log. Disabling closes the rule's open
   * exceptions. Other rules can then report what this rule explained, and vice versa, so the returned job checks
   * everything again. The job is null if it cannot start now; `checked.stale` is then true until a check ran.
   */
  switch: command
    .input(
      z.object({
        site: siteName,
        rule: ruleId,
        off: z.boolean(),
        reason: z.string().trim().min(1).max(2000),
      }),
    )
    .output(z.object({ rule: checkRule, job: z.string().nullable() })),
  summary: query.input(z.object({ site: siteName, period: period.optional() })).output(checkSummary),
  /** Lists the months with records, and the month a user most likely wants to close. */
  months: query.input(z.object({ site: siteName })).output(checkMonths),
};
