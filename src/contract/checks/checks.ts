import { z } from 'zod';
import { partStatus, syncPart } from '../app/sync.ts';
import { calendarDate, cents, moment, period, siteName } from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';

/** How grave an exception is: `error` means a figure cannot be relied on, `notice` that somebody should know. */
export const severity = z.enum(['error', 'warning', 'notice']);
export type Severity = z.infer<typeof severity>;

/** The name of a rule, such as `statement-foots`. Kept with every exception and decision; never renamed. */
export const ruleId = z.string().regex(/^[a-z][a-z-]{2,60}$/, 'a rule’s name, such as statement-foots');

/** What a rule looks at. */
export const ruleScope = z.enum(['statement', 'chain', 'payment', 'webhook', 'allocation']);

/** A named check of the billing service’s own records, in words for a person. */
export const checkRule = z.object({
  rule: ruleId,
  title: z.string(),
  /** Of its exceptions, unless one says otherwise. */
  severity,
  scope: ruleScope,
  /** What is checked, what an exception may mean, what to do. */
  explanation: z.string(),
  /** What the app can offer to do about its exceptions: send the webhook again. */
  remedy: z.literal('replay').nullable(),
  enabled: z.boolean(),
  /** Who switched it off, when and why; null while it is on. */
  off: z.object({ at: moment, user: z.string(), reason: z.string() }).nullable(),
  /** Why it cannot find anything, in a sentence, such as: no PDF is held. Null where it can. */
  idle: z.string().nullable(),
  /** Its exceptions as they stand. */
  open: z.int(),
  accepted: z.int(),
});
export type CheckRule = z.infer<typeof checkRule>;

/** Exceptions counted: how many are open and accepted, and the money at stake in the open ones. */
const counted = {
  open: z.int(),
  accepted: z.int(),
  /** Sum of `at_stake_in_cents` of the open ones. One wrong figure may upset several rules, so it is no loss. */
  at_stake_in_cents: cents,
};

/**
 * Something to do next, the most urgent first. `what` is for choosing a command, `message` for reading.
 * - `sync`: what is held is incomplete or old. `problems`: records that could not be read.
 * - `check`: something changed since the last check, or nothing was checked yet.
 * - `replay`: webhooks that were never accepted. `review`: open exceptions, errors first.
 */
export const nextStep = z.object({
  kind: z.enum(['sync', 'problems', 'check', 'replay', 'review']),
  message: z.string(),
  count: z.int().nullable(),
});
export type NextStep = z.infer<typeof nextStep>;

/** How far the checks are. */
export const checkedState = z.object({
  /** The last check of anything, after a sync or of everything; null before the first. */
  at: moment.nullable(),
  /** The last check of everything that ended. */
  full_at: moment.nullable(),
  /** Subscriptions whose rows changed since they were checked. 0: what is shown is up to date. */
  waiting: z.int(),
  /** The job that checks now, a sync or a check of everything. */
  running: z.string().nullable(),
  /** Why everything should be checked anew, in a sentence: a rule was switched, the app knows more. Null where not. */
  stale: z.string().nullable(),
});

/** The overview: the state of the site’s books for a period, or as a whole. */
export const checkSummary = z.object({
  site: siteName,
  /** The days meant, by the calendar of the site; null for all. */
  period: z.object({ period, first: calendarDate, last: calendarDate }).nullable(),
  exceptions: z.object({
    ...counted,
    /** Mended, so that a sync closed them. */
    closed: z.int(),
    /** Open ones nobody is assigned to. */
    unassigned: z.int(),
  }),
  /** The most grave first; all three, also where they are 0. */
  by_severity: z.array(z.object({ severity, ...counted })),
  /** Rules that have open or accepted exceptions, in the order of the rules. */
  by_rule: z.array(z.object({ rule: ruleId, title: z.string(), severity, ...counted })),
  /** Open ones by their age from their own date. `to_days` is null in the last. */
  aging: z.array(
    z.object({
      from_days: z.int(),
      to_days: z.int().nullable(),
      open: z.int(),
      at_stake_in_cents: cents,
    }),
  ),
  /** Webhooks of the period that the merchant’s endpoint has not taken. */
  webhooks: z.object({
    total: z.int(),
    not_accepted: z.int(),
    /** Of them: an error was recorded, or not sent yet (or queued again). */
    failed: z.int(),
    pending: z.int(),
  }),
  /** What is held and how fresh it is; `complete` is of webhooks, statements and allocations. */
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
  /** The newest first, with the open exceptions dated in each. */
  months: z.array(z.object({ period, open: z.int() })),
  /**
   * The last month that is over, as far as the records go; where nothing is open in it, the newest in which something is. Null
   * before anything is held.
   */
  due: period.nullable(),
});

export const checks = {
  /**
   * Checks everything anew as a job (kind `check`). `conflict` where one runs already, here or in another window. Not needed
   * after a sync, which checks what it changed by itself.
   */
  start: command.input(z.object({ site: siteName })).output(z.object({ job: z.string() })),
  /** Every rule there is, in the order in which exceptions are shown. */
  rules: query.input(z.object({ site: siteName })).output(z.array(checkRule)),
  /**
   * Switches a rule off, with the reason, or on again. Goes to the audit log. Switching off closes the rule’s open exceptions;
   * as other rules may now report what it would have explained, and the other way round, everything is checked anew by
   * the job that is given (null where one cannot start now: then `checked.stale` says so until one ran).
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
  /** The months that something is held of, and which of them somebody most likely means to close. */
  months: query.input(z.object({ site: siteName })).output(checkMonths),
};
