import { z } from 'zod';
import { allocationSchema } from '../allocations/allocation-schema.ts';
import { createSortSchema, field, toPageSchema } from '../shared/common-schemas.ts';
import {
  definePageMarksQuery,
  definePageQuery,
  defineSiteCommand,
  defineSiteQuery,
} from '../shared/procedure-kinds.ts';
import { statementEventSchema, statementRowSchema } from '../statements/statements.ts';
import { transactionRowSchema } from '../statements/transactions.ts';
import { webhookRowSchema } from '../webhooks/webhooks.ts';
import { checkRuleIdSchema, severitySchema } from './checks.ts';

/** `accepted`: accepted by a user while its source rows are unchanged. `closed`: not found by the latest check. */
export const exceptionStatusSchema = z.enum(['open', 'accepted', 'closed']);
export type ExceptionStatus = z.infer<typeof exceptionStatusSchema>;

/** Subject of an exception: the most specific IDs that apply. All others are null. */
const exceptionSubjectSchema = z.object({
  subscription_id: field.serviceId.nullable(),
  statement_id: field.serviceId.nullable(),
  transaction_id: field.serviceId.nullable(),
  event_id: field.serviceId.nullable(),
  webhook_id: field.serviceId.nullable(),
  component_id: field.serviceId.nullable(),
});

/** A source row of an exception, by its IDs. */
const exceptionRefSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('statement'), id: field.serviceId }),
  z.object({ kind: z.literal('transaction'), id: field.serviceId, statement_id: field.serviceId }),
  z.object({ kind: z.literal('event'), id: field.serviceId, statement_id: field.serviceId }),
  z.object({ kind: z.literal('webhook'), id: field.serviceId }),
  z.object({
    kind: z.literal('allocation'),
    subscription_id: field.serviceId.nullable(),
    component_id: field.serviceId,
    /** Time of the allocation in UTC milliseconds. */
    timestamp: z.int(),
    ordinal: z.int(),
  }),
]);
export type ExceptionReference = z.infer<typeof exceptionRefSchema>;

/** A finding that an exception stands for. */
const exceptionMemberSchema = z.object({
  rule: checkRuleIdSchema,
  title: z.string(),
  severity: severitySchema,
  difference_in_cents: field.cents.nullable(),
  message: z.string(),
});

/** An inconsistency in the billing records that a rule found. */
export const exceptionRowSchema = z.object({
  /** ID assigned by the app. It stays the same when the cache is rebuilt. */
  id: z.int(),
  rule: checkRuleIdSchema,
  title: z.string(),
  severity: severitySchema,
  status: exceptionStatusSchema,
  subject: exceptionSubjectSchema,
  customer_name: z.string().nullable(),
  /** Expected amount in cents; null if the rule compares no amounts. */
  expected_in_cents: field.cents.nullable(),
  actual_in_cents: field.cents.nullable(),
  /** Actual minus expected amount in cents. For exceptions without these amounts, the amount concerned. */
  difference_in_cents: field.cents.nullable(),
  /** Absolute difference in cents. Zero if no amount is known to be affected. */
  at_stake_in_cents: field.cents,
  /** Sentence that describes the exception with its figures. */
  message: z.string(),
  /**
   * Findings that the exception stands for, because a tested cause explains all of them. Empty if a single rule found
   * it. The members are decided together. An accepted exception opens again if a member appears, disappears or changes.
   */
  members: z.array(exceptionMemberSchema),
  /** Date of the problem in the site's time zone, which determines the period. */
  dated_on: field.date.nullable(),
  /** Name of the person responsible for clearing the exception, as free text; null if unassigned. */
  assigned: z.string().nullable(),
  comments: z.int(),
  found_at: field.moment,
  /** Time of the last status change. */
  changed_at: field.moment,
  /** Source rows of the exception. Present only if the request asks for them. */
  refs: z.array(exceptionRefSchema).optional(),
});
export type ExceptionRow = z.infer<typeof exceptionRowSchema>;

/** A line of the calculation that an exception shows. The amount is null for a line without an amount. */
const arithmeticLineSchema = z.object({ label: z.string(), amount_in_cents: field.cents.nullable() });

/** A source row of an exception. `row` is null if it is no longer stored. `text` describes the row on its own. */
const exceptionEvidenceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('statement'),
    id: field.serviceId,
    text: z.string(),
    row: statementRowSchema.nullable(),
  }),
  z.object({
    kind: z.literal('transaction'),
    id: field.serviceId,
    statement_id: field.serviceId,
    text: z.string(),
    row: transactionRowSchema.nullable(),
  }),
  z.object({
    kind: z.literal('event'),
    id: field.serviceId,
    statement_id: field.serviceId,
    text: z.string(),
    row: statementEventSchema.nullable(),
  }),
  z.object({
    kind: z.literal('webhook'),
    id: field.serviceId,
    text: z.string(),
    row: webhookRowSchema.nullable(),
  }),
  z.object({
    kind: z.literal('allocation'),
    subscription_id: field.serviceId,
    component_id: field.serviceId,
    ordinal: z.int(),
    text: z.string(),
    row: allocationSchema.nullable(),
  }),
]);
export type ExceptionEvidence = z.infer<typeof exceptionEvidenceSchema>;

/**
 * An event in an exception's history. `user` is null if the app made the change; `job` is then its job. `text` is the
 * reason or a description.
 */
export const exceptionEntrySchema = z.object({
  seq: z.int(),
  at: field.moment,
  user: z.string().nullable(),
  action: z.enum(['found', 'changed', 'assigned', 'accepted', 'reopened', 'closed']),
  text: z.string().nullable(),
  job: z.string().nullable(),
});
export type ExceptionEntry = z.infer<typeof exceptionEntrySchema>;

const exceptionDetailSchema = exceptionRowSchema.extend({
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
  rule: z.array(checkRuleIdSchema).optional(),
  severity: z.array(severitySchema).optional(),
  subscription_id: field.serviceId.optional(),
  /** Exceptions that have this statement as subject or source row. */
  statement_id: field.serviceId.optional(),
  webhook_id: field.serviceId.optional(),
  /** Assignee to select, by exact name. Null selects unassigned exceptions. */
  assigned: z.string().max(200).nullable().optional(),
  /** Words of the message, or an ID of the exception's subject. */
  search: field.search.optional(),
  /** Month in which the exceptions are dated. */
  period: field.period.optional(),
});
export type ExceptionFilter = z.infer<typeof exceptionFilterSchema>;

/** Sort order of exceptions. With `desc`, `severity` puts the most severe first, then the largest amount. */
export const exceptionSortSchema = createSortSchema(
  ['severity', 'at_stake_in_cents', 'dated_on', 'id'],
  'desc',
);

const selection = {
  filter: exceptionFilterSchema.default({}),
  sort: exceptionSortSchema,
};

/** Selects exceptions. Either all of them are changed or none. Errors name the exception. */
const several = { ids: z.array(z.int().positive()).min(1).max(1000) };

export const exceptionProcedures = {
  list: definePageQuery({ ...selection, refs: z.boolean().default(false) }).output(
    toPageSchema(exceptionRowSchema).extend({
      /** Totals of all exceptions that match the filter. Set only on the first page. */
      sums: z
        .object({
          at_stake_in_cents: field.cents,
          by_severity: z.array(
            z.object({ severity: severitySchema, count: z.int(), at_stake_in_cents: field.cents }),
          ),
          by_rule: z.array(
            z.object({
              rule: checkRuleIdSchema,
              severity: severitySchema,
              count: z.int(),
              at_stake_in_cents: field.cents,
            }),
          ),
        })
        .nullable(),
    }),
  ),
  marks: definePageMarksQuery(selection),
  get: defineSiteQuery({ id: z.int() }).output(exceptionDetailSchema),
  /** Lists the names that exceptions were assigned to. */
  assignees: defineSiteQuery().output(z.array(z.object({ assigned: z.string(), open: z.int() }))),
  /** Assigns exceptions to a person. Null removes the assignment. */
  assign: defineSiteCommand({ ...several, assigned: z.string().trim().min(1).max(200).nullable() }).output(
    z.array(exceptionRowSchema),
  ),
  /** Accepts open exceptions with a reason, as long as their source rows do not change. */
  accept: defineSiteCommand({ ...several, reason: field.reason }).output(z.array(exceptionRowSchema)),
  /** Undoes the acceptance of exceptions. Only a check can reopen a closed exception, by finding it again. */
  reopen: defineSiteCommand({ ...several, reason: field.reason }).output(z.array(exceptionRowSchema)),
};
