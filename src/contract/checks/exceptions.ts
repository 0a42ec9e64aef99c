import { z } from 'zod';
import { allocationSchema } from '../allocations/allocation-schema.ts';
import {
  calendarDateSchema,
  centsSchema,
  directionSchema,
  marksInput,
  marksOutputSchema,
  momentSchema,
  pageInputSchema,
  pageOf,
  periodSchema,
  serviceIdSchema,
  siteNameSchema,
} from '../shared/common-schemas.ts';
import { command, query } from '../shared/procedure-kinds.ts';
import { statementEventSchema, statementRowSchema } from '../statements/statements.ts';
import { transactionRowSchema } from '../statements/transactions.ts';
import { webhookRowSchema } from '../webhooks/webhooks.ts';
import { ruleIdSchema, severitySchema } from './checks.ts';

/**
 * - `open`: no decision was made.
 * - `accepted`: a user accepted it with a reason. It stays accepted while its source rows are unchanged.
 * - `closed`: a sync or check no longer found it. If found again, it is open again.
 */
export const exceptionStatusSchema = z.enum(['open', 'accepted', 'closed']);
export type ExceptionStatus = z.infer<typeof exceptionStatusSchema>;

/** Subject of an exception: the most specific IDs that apply. All others are null. */
export const exceptionSubjectSchema = z.object({
  subscription_id: serviceIdSchema.nullable(),
  statement_id: serviceIdSchema.nullable(),
  transaction_id: serviceIdSchema.nullable(),
  event_id: serviceIdSchema.nullable(),
  webhook_id: serviceIdSchema.nullable(),
  component_id: serviceIdSchema.nullable(),
});

/** A source row of an exception, by its IDs. */
export const exceptionRefSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('statement'), id: serviceIdSchema }),
  z.object({ kind: z.literal('transaction'), id: serviceIdSchema, statement_id: serviceIdSchema }),
  z.object({ kind: z.literal('event'), id: serviceIdSchema, statement_id: serviceIdSchema }),
  z.object({ kind: z.literal('webhook'), id: serviceIdSchema }),
  z.object({
    kind: z.literal('allocation'),
    subscription_id: serviceIdSchema.nullable(),
    component_id: serviceIdSchema,
    /** Time of the allocation in UTC milliseconds. */
    timestamp: z.int(),
    ordinal: z.int(),
  }),
]);
export type ExceptionRef = z.infer<typeof exceptionRefSchema>;

/** An inconsistency in the billing records that a rule found. */
export const exceptionRowSchema = z.object({
  /** ID assigned by the app. It stays the same when the cache is rebuilt. */
  id: z.int(),
  rule: ruleIdSchema,
  title: z.string(),
  severity: severitySchema,
  status: exceptionStatusSchema,
  subject: exceptionSubjectSchema,
  customer_name: z.string().nullable(),
  /** Expected amount in cents; null if the rule compares no amounts. */
  expected_in_cents: centsSchema.nullable(),
  actual_in_cents: centsSchema.nullable(),
  /** Actual minus expected amount in cents. For exceptions without these amounts, the amount concerned. */
  difference_in_cents: centsSchema.nullable(),
  /** Absolute difference in cents. Zero if no amount is known to be affected. */
  at_stake_in_cents: centsSchema,
  /** Sentence that describes the exception with its figures. */
  message: z.string(),
  /** Date of the problem in the site's time zone, which determines the period. */
  dated_on: calendarDateSchema.nullable(),
  /** Name of the person responsible for clearing the exception, as free text; null if unassigned. */
  assigned: z.string().nullable(),
  comments: z.int(),
  found_at: momentSchema,
  /** Time of the last status change. */
  changed_at: momentSchema,
  /** Source rows, included if the list requests them. */
  refs: z.array(exceptionRefSchema).optional(),
});
export type ExceptionRow = z.infer<typeof exceptionRowSchema>;

/** A line of the calculation. The amount is null if the line has none. */
export const arithmeticLineSchema = z.object({ label: z.string(), amount_in_cents: centsSchema.nullable() });

/**
 * A source row in its current state. The user can open it. `row` is null if it is no longer stored. `text` describes it
 * without context, for example `Statement 17, closed 2026-10-01`.
 */
export const exceptionEvidenceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('statement'),
    id: serviceIdSchema,
    text: z.string(),
    row: statementRowSchema.nullable(),
  }),
  z.object({
    kind: z.literal('transaction'),
    id: serviceIdSchema,
    statement_id: serviceIdSchema,
    text: z.string(),
    row: transactionRowSchema.nullable(),
  }),
  z.object({
    kind: z.literal('event'),
    id: serviceIdSchema,
    statement_id: serviceIdSchema,
    text: z.string(),
    row: statementEventSchema.nullable(),
  }),
  z.object({
    kind: z.literal('webhook'),
    id: serviceIdSchema,
    text: z.string(),
    row: webhookRowSchema.nullable(),
  }),
  z.object({
    kind: z.literal('allocation'),
    subscription_id: serviceIdSchema,
    component_id: serviceIdSchema,
    ordinal: z.int(),
    text: z.string(),
    row: allocationSchema.nullable(),
  }),
]);
export type ExceptionEvidence = z.infer<typeof exceptionEvidenceSchema>;

/**
 * An event in an exception's history. `user` is null if the app found, updated, closed or reopened the exception; `job`
 * is then the sync or check. `text` is the reason, the comment or a description.
 */
export const exceptionEntrySchema = z.object({
  seq: z.int(),
  at: momentSchema,
  user: z.string().nullable(),
  action: z.enum(['found', 'changed', 'assigned', 'commented', 'accepted', 'reopened', 'closed']),
  text: z.string().nullable(),
  job: z.string().nullable(),
});
export type ExceptionEntry = z.infer<typeof exceptionEntrySchema>;

export const exceptionDetailSchema = exceptionRowSchema.extend({
  /** Explanation of the rule: what it checks, what an exception can mean, and what to do. */
  explanation: z.string(),
  remedy: z.literal('replay').nullable(),
  arithmetic: z.array(arithmeticLineSchema),
  rows: z.array(exceptionEvidenceSchema),
  /** History of the exception, oldest first. */
  history: z.array(exceptionEntrySchema),
});
export type ExceptionDetail = z.infer<typeof exceptionDetailSchema>;

export const exceptionFilterSchema = z.object({
  /** Statuses to include. The default is all of them. */
  status: z.array(exceptionStatusSchema).optional(),
  rule: z.array(ruleIdSchema).optional(),
  severity: z.array(severitySchema).optional(),
  subscription_id: serviceIdSchema.optional(),
  /** Exceptions with this statement as subject or source row. */
  statement_id: serviceIdSchema.optional(),
  webhook_id: serviceIdSchema.optional(),
  /** Assignee to select, by exact name. Null selects unassigned exceptions. */
  assigned: z.string().max(200).nullable().optional(),
  /** Words of the message, or an ID of the exception's subject. */
  search: z.string().max(200).optional(),
  /** Month in which the exceptions are dated. */
  period: periodSchema.optional(),
});
export type ExceptionFilter = z.infer<typeof exceptionFilterSchema>;

/** Sort order of exceptions. With `desc`, `severity` puts the most severe first, then the largest amount. */
export const exceptionSortSchema = z.object({
  by: z.enum(['severity', 'at_stake_in_cents', 'dated_on', 'id']).default('severity'),
  direction: directionSchema.default('desc'),
});

const selection = {
  site: siteNameSchema,
  filter: exceptionFilterSchema.default({}),
  sort: exceptionSortSchema.default({ by: 'severity', direction: 'desc' }),
};

/**
 * Selects one or more exceptions. Either all of them are changed or none. `not_found` and `conflict` errors name the
 * exception.
 */
const several = { site: siteNameSchema, ids: z.array(z.int().positive()).min(1).max(1000) };
const reason = z.string().trim().min(1).max(2000);

export const exceptionProcedures = {
  list: query.input(pageInputSchema.extend({ ...selection, refs: z.boolean().default(false) })).output(
    pageOf(exceptionRowSchema).extend({
      /** Totals of all exceptions that match the filter. Only on the first page. */
      sums: z
        .object({
          at_stake_in_cents: centsSchema,
          by_severity: z.array(
            z.object({ severity: severitySchema, count: z.int(), at_stake_in_cents: centsSchema }),
          ),
          by_rule: z.array(
            z.object({
              rule: ruleIdSchema,
              severity: severitySchema,
              count: z.int(),
              at_stake_in_cents: centsSchema,
            }),
          ),
        })
        .nullable(),
    }),
  ),
  marks: query.input(z.object({ ...selection, ...marksInput })).output(marksOutputSchema),
  get: query.input(z.object({ site: siteNameSchema, id: z.int() })).output(exceptionDetailSchema),
  /** Lists the names that exceptions were assigned to. */
  assignees: query
    .input(z.object({ site: siteNameSchema }))
    .output(z.array(z.object({ assigned: z.string(), open: z.int() }))),
  /** Assigns exceptions to a person. Null removes the assignment. */
  assign: command
    .input(z.object({ ...several, assigned: z.string().trim().min(1).max(200).nullable() }))
    .output(z.array(exceptionRowSchema)),
  comment: command
    .input(z.object({ ...several, text: z.string().trim().min(1).max(10_000) }))
    .output(z.array(exceptionRowSchema)),
  /** Accepts open exceptions with a reason, as long as their source rows do not change. */
  accept: command.input(z.object({ ...several, reason })).output(z.array(exceptionRowSchema)),
  /** Undoes the acceptance of exceptions. A closed exception cannot be reopened; it reopens when it is found again. */
  reopen: command.input(z.object({ ...several, reason })).output(z.array(exceptionRowSchema)),
};
