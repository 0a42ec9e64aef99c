import { z } from 'zod';
import { allocation } from '../allocations/allocation-schema.ts';
import {
  calendarDate,
  cents,
  direction,
  marksInput,
  marksOutput,
  moment,
  pageInput,
  pageOf,
  period,
  serviceId,
  siteName,
} from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import { statementEvent, statementRow } from '../statements/statements.ts';
import { transactionRow } from '../statements/transactions.ts';
import { webhookRow } from '../webhooks/webhooks.ts';
import { ruleId, severity } from './checks.ts';

/**
 * - `open`: no decision was made.
 * - `accepted`: a user accepted it with a reason. It stays accepted while its source rows are unchanged.
 * - `closed`: a sync or check no longer found it. If found again, it is open again.
 */
export const exceptionStatus = z.enum(['open', 'accepted', 'closed']);
export type ExceptionStatus = z.infer<typeof exceptionStatus>;

/** The most specific IDs of what the exception is about. The others are null. */
export const exceptionSubject = z.object({
  subscription_id: serviceId.nullable(),
  statement_id: serviceId.nullable(),
  transaction_id: serviceId.nullable(),
  event_id: serviceId.nullable(),
  webhook_id: serviceId.nullable(),
  component_id: serviceId.nullable(),
});

/** A source row of an exception, by its IDs. */
export const exceptionRef = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('statement'), id: serviceId }),
  z.object({ kind: z.literal('transaction'), id: serviceId, statement_id: serviceId }),
  z.object({ kind: z.literal('event'), id: serviceId, statement_id: serviceId }),
  z.object({ kind: z.literal('webhook'), id: serviceId }),
  z.object({
    kind: z.literal('allocation'),
    subscription_id: serviceId.nullable(),
    component_id: serviceId,
    /** UTC milliseconds. */
    timestamp: z.int(),
    ordinal: z.int(),
  }),
]);
export type ExceptionRef = z.infer<typeof exceptionRef>;

/** An inconsistency in the billing records that a rule found. */
export const exceptionRow = z.object({
  /** Assigned by the app. It stays the same when the cache is rebuilt. */
  id: z.int(),
  rule: ruleId,
  title: z.string(),
  severity,
  status: exceptionStatus,
  subject: exceptionSubject,
  customer_name: z.string().nullable(),
  /** Expected and actual amounts. Null if the rule compares no amounts. */
  expected_in_cents: cents.nullable(),
  actual_in_cents: cents.nullable(),
  /** Actual minus expected. Without these, the amount that the exception concerns. */
  difference_in_cents: cents.nullable(),
  /** Absolute difference. Zero if no amount is known to be affected. */
  at_stake_in_cents: cents,
  /** One sentence with the figures. */
  message: z.string(),
  /** Date of the problem in the site's time zone. It decides the period. */
  dated_on: calendarDate.nullable(),
  /** Name of the person who clears it, as free text. Null if unassigned. */
  assigned: z.string().nullable(),
  comments: z.int(),
  found_at: moment,
  /** When the status last changed. */
  changed_at: moment,
  /** Source rows, if the list was asked for them. */
  refs: z.array(exceptionRef).optional(),
});
export type ExceptionRow = z.infer<typeof exceptionRow>;

/** One line of the calculation. The amount is null if the line has none. */
export const arithmeticLine = z.object({ label: z.string(), amount_in_cents: cents.nullable() });

/**
 * A source row in its current state, which the user can open. `row` is null if it is no longer stored. `text` is complete
 * by itself, such as `Statement 17, closed 2026-10-01`.
 */
export const exceptionEvidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('statement'), id: serviceId, text: z.string(), row: statementRow.nullable() }),
  z.object({
    kind: z.literal('transaction'),
    id: serviceId,
    statement_id: serviceId,
    text: z.string(),
    row: transactionRow.nullable(),
  }),
  z.object({
    kind: z.literal('event'),
    id: serviceId,
    statement_id: serviceId,
    text: z.string(),
    row: statementEvent.nullable(),
  }),
  z.object({ kind: z.literal('webhook'), id: serviceId, text: z.string(), row: webhookRow.nullable() }),
  z.object({
    kind: z.literal('allocation'),
    subscription_id: serviceId,
    component_id: serviceId,
    ordinal: z.int(),
    text: z.string(),
    row: allocation.nullable(),
  }),
]);
export type ExceptionEvidence = z.infer<typeof exceptionEvidence>;

/**
 * An event in an exception's history. `user` is null if the app found, updated, closed or reopened it; `job` is then the
 * sync or check. `text` is the reason, the comment or a description.
 */
export const exceptionEntry = z.object({
  seq: z.int(),
  at: moment,
  user: z.string().nullable(),
  action: z.enum(['found', 'changed', 'assigned', 'commented', 'accepted', 'reopened', 'closed']),
  text: z.string().nullable(),
  job: z.string().nullable(),
});
export type ExceptionEntry = z.infer<typeof exceptionEntry>;

export const exceptionDetail = exceptionRow.extend({
  /** Explanation of the rule: what it checks, what an exception can mean, and what to do. */
  explanation: z.string(),
  remedy: z.literal('replay').nullable(),
  arithmetic: z.array(arithmeticLine),
  rows: z.array(exceptionEvidence),
  /** Oldest first. */
  history: z.array(exceptionEntry),
});
export type ExceptionDetail = z.infer<typeof exceptionDetail>;

export const exceptionFilter = z.object({
  /** If omitted, all statuses. */
  status: z.array(exceptionStatus).optional(),
  rule: z.array(ruleId).optional(),
  severity: z.array(severity).optional(),
  subscription_id: serviceId.optional(),
  /** Exceptions with this statement as subject or source row. */
  statement_id: serviceId.optional(),
  webhook_id: serviceId.optional(),
  /** Assigned to exactly this name. Null selects unassigned exceptions. */
  assigned: z.string().max(200).nullable().optional(),
  /** Words of the message, or an ID of the subject. */
  search: z.string().max(200).optional(),
  /** Dated in this month. */
  period: period.optional(),
});
export type ExceptionFilter = z.infer<typeof exceptionFilter>;

/** With `desc`, `severity` puts the most severe first, then the largest amount. */
export const exceptionSort = z.object({
  by: z.enum(['severity', 'at_stake_in_cents', 'dated_on', 'id']).default('severity'),
  direction: direction.default('desc'),
});

const selection = {
  site: siteName,
  filter: exceptionFilter.default({}),
  sort: exceptionSort.default({ by: 'severity', direction: 'desc' }),
};

/** One or more exceptions. Either all are changed or none. `not_found` and `conflict` name the exception. */
const several = { site: siteName, ids: z.array(z.int().positive()).min(1).max(1000) };
const reason = z.string().trim().min(1).max(2000);

export const exceptions = {
  list: query.input(pageInput.extend({ ...selection, refs: z.boolean().default(false) })).output(
    pageOf(exceptionRow).extend({
      /** Totals over all rows of the filter. First page only. */
      sums: z
        .object({
          at_stake_in_cents: cents,
          by_severity: z.array(z.object({ severity, count: z.int(), at_stake_in_cents: cents })),
          by_rule: z.array(z.object({ rule: ruleId, severity, count: z.int(), at_stake_in_cents: cents })),
        })
        .nullable(),
    }),
  ),
  marks: query.input(z.object({ ...selection, ...marksInput })).output(marksOutput),
  get: query.input(z.object({ site: siteName, id: z.int() })).output(exceptionDetail),
  /** Lists the names that exceptions were assigned to. */
  assignees: query
    .input(z.object({ site: siteName }))
    .output(z.array(z.object({ assigned: z.string(), open: z.int() }))),
  /** Assigns exceptions to a person. Null removes the assignment. */
  assign: command
    .input(z.object({ ...several, assigned: z.string().trim().min(1).max(200).nullable() }))
    .output(z.array(exceptionRow)),
  comment: command
    .input(z.object({ ...several, text: z.string().trim().min(1).max(10_000) }))
    .output(z.array(exceptionRow)),
  /** Accepts open exceptions with a reason, as long as their source rows do not change. */
  accept: command.input(z.object({ ...several, reason })).output(z.array(exceptionRow)),
  /** Undoes an acceptance. A closed exception cannot be reopened; it reopens when it is found again. */
  reopen: command.input(z.object({ ...several, reason })).output(z.array(exceptionRow)),
};
