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
 * - `open`: found, and nobody has decided about it.
 * - `accepted`: somebody said why it may stand. It stays so only while the rows behind it are unchanged.
 * - `closed`: it was not found any more, so a sync or a check closed it. Found again, it is open again.
 */
export const exceptionStatus = z.enum(['open', 'accepted', 'closed']);
export type ExceptionStatus = z.infer<typeof exceptionStatus>;

/** What an exception is about: the most telling ids of it; the others are null. */
export const exceptionSubject = z.object({
  subscription_id: serviceId.nullable(),
  statement_id: serviceId.nullable(),
  transaction_id: serviceId.nullable(),
  event_id: serviceId.nullable(),
  webhook_id: serviceId.nullable(),
  component_id: serviceId.nullable(),
});

/** A row behind an exception, by its numbers. */
export const exceptionRef = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('statement'), id: serviceId }),
  z.object({ kind: z.literal('transaction'), id: serviceId, statement_id: serviceId }),
  z.object({ kind: z.literal('event'), id: serviceId, statement_id: serviceId }),
  z.object({ kind: z.literal('webhook'), id: serviceId }),
  z.object({
    kind: z.literal('allocation'),
    subscription_id: serviceId.nullable(),
    component_id: serviceId,
    /** ms UTC. */
    timestamp: z.int(),
    ordinal: z.int(),
  }),
]);
export type ExceptionRef = z.infer<typeof exceptionRef>;

/** Something in the billing service’s records that a rule found wrong. */
export const exceptionRow = z.object({
  /** Ours, counted up; kept when the cache is fetched anew. */
  id: z.int(),
  rule: ruleId,
  title: z.string(),
  severity,
  status: exceptionStatus,
  subject: exceptionSubject,
  customer_name: z.string().nullable(),
  /** What should be and what is; both null where the rule compares no figures. */
  expected_in_cents: cents.nullable(),
  actual_in_cents: cents.nullable(),
  /** Actual less expected; without the two, the amount the finding is about. */
  difference_in_cents: cents.nullable(),
  /** Size of the difference; 0 where no money is known to be concerned. */
  at_stake_in_cents: cents,
  /** One sentence with the figures. */
  message: z.string(),
  /** The exception’s own date, in the calendar of the site: when what is wrong happened. It decides the period. */
  dated_on: calendarDate.nullable(),
  /** Whose it is to clear; free words, null where nobody’s. */
  assigned: z.string().nullable(),
  comments: z.int(),
  found_at: moment,
  /** When its status last changed. */
  changed_at: moment,
  /** The rows behind it, where the list was asked for them. */
  refs: z.array(exceptionRef).optional(),
});
export type ExceptionRow = z.infer<typeof exceptionRow>;

/** One line of the arithmetic; null where the line has no figure. */
export const arithmeticLine = z.object({ label: z.string(), amount_in_cents: cents.nullable() });

/**
 * A row behind an exception, as it stands now, to be opened from it. `row` is null where it is not held any more. `text`
 * reads on its own: `Statement 17, closed 2026-10-01`.
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
 * What happened to an exception. `who` is null where the app did it by itself: it found it, found it changed, closed it, or
 * brought it back; then `job` is the sync or check. `text` is the reason, the comment, or a sentence of what happened.
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
  /** Of the rule: what is checked, what it may mean, what to do. */
  explanation: z.string(),
  remedy: z.literal('replay').nullable(),
  arithmetic: z.array(arithmeticLine),
  rows: z.array(exceptionEvidence),
  /** Oldest first. */
  history: z.array(exceptionEntry),
});
export type ExceptionDetail = z.infer<typeof exceptionDetail>;

export const exceptionFilter = z.object({
  /** Absent: of any status. */
  status: z.array(exceptionStatus).optional(),
  rule: z.array(ruleId).optional(),
  severity: z.array(severity).optional(),
  subscription_id: serviceId.optional(),
  /** Of which this is the subject, or one of the rows behind it. */
  statement_id: serviceId.optional(),
  webhook_id: serviceId.optional(),
  /** Assigned to exactly this; null: to nobody. */
  assigned: z.string().max(200).nullable().optional(),
  /** Words of the message as they stand, or an id of the subject. */
  search: z.string().max(200).optional(),
  /** Whose own date is in this month. */
  period: period.optional(),
});
export type ExceptionFilter = z.infer<typeof exceptionFilter>;

/** `severity`: the most grave first, among those the greatest amount at stake (with `desc`). */
export const exceptionSort = z.object({
  by: z.enum(['severity', 'at_stake_in_cents', 'dated_on', 'id']).default('severity'),
  direction: direction.default('desc'),
});

const selection = {
  site: siteName,
  filter: exceptionFilter.default({}),
  sort: exceptionSort.default({ by: 'severity', direction: 'desc' }),
};

/** One or several exceptions; all are done, or none (`not_found`, `conflict` name the one). */
const several = { site: siteName, ids: z.array(z.int().positive()).min(1).max(1000) };
const reason = z.string().trim().min(1).max(2000);

export const exceptions = {
  list: query.input(pageInput.extend({ ...selection, refs: z.boolean().default(false) })).output(
    pageOf(exceptionRow).extend({
      /** Over all rows of the filter; with the first page only. */
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
  /** Who exceptions were assigned to, for the filter and for assigning again. */
  assignees: query
    .input(z.object({ site: siteName }))
    .output(z.array(z.object({ assigned: z.string(), open: z.int() }))),
  /** Says whose they are to clear; null takes them from whoever it was. */
  assign: command
    .input(z.object({ ...several, assigned: z.string().trim().min(1).max(200).nullable() }))
    .output(z.array(exceptionRow)),
  comment: command
    .input(z.object({ ...several, text: z.string().trim().min(1).max(10_000) }))
    .output(z.array(exceptionRow)),
  /** Lets open ones stand, with the reason, as long as the rows behind them stay as they are. */
  accept: command.input(z.object({ ...several, reason })).output(z.array(exceptionRow)),
  /** Takes an acceptance back. A closed one cannot be reopened: it comes back by itself when it is found again. */
  reopen: command.input(z.object({ ...several, reason })).output(z.array(exceptionRow)),
};
