import { z } from 'zod';
import { bankLineSchema } from '../bank/bank-lines.ts';
import { exceptionRowSchema } from '../checks/exceptions.ts';
import { paymentSchema } from '../matching/match-groups.ts';
import { defineSiteCommand, defineSiteQuery } from '../shared/procedure-kinds.ts';
import { foundStatementSchema } from '../statements/statements.ts';
import { subscriptionRowSchema } from '../subscriptions/subscriptions.ts';
import { webhookRowSchema } from '../webhooks/webhooks.ts';

/** Numbers of stored records that are not indexed yet. Records are indexed after a sync, to not delay the sync. */
const unsearchedSchema = z.object({ webhooks: z.int(), statements: z.int(), pdfs: z.int() });
export type UnindexedRecordCounts = z.infer<typeof unsearchedSchema>;

/**
 * Records of one kind that contain the search words, newest first. `more`: true if further records match. `complete`:
 * false if only the newest records were searched. The list's own `search` filter searches all records.
 */
const toSectionSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), more: z.boolean(), complete: z.boolean() });

const searchResultsSchema = z.object({
  customers: toSectionSchema(subscriptionRowSchema),
  /** Statements by ID, customer, memo, or text of the statement or its PDF. */
  statements: toSectionSchema(foundStatementSchema),
  /** Payments and refunds by customer, memo, ID or amount. */
  payments: toSectionSchema(paymentSchema),
  /** Bank lines by payer, description, reference, ID or amount. */
  lines: toSectionSchema(bankLineSchema),
  exceptions: toSectionSchema(exceptionRowSchema),
  webhooks: toSectionSchema(webhookRowSchema),
  unsearched: unsearchedSchema,
});
export type SearchResults = z.infer<typeof searchResultsSchema>;

export const searchProcedures = {
  /** Finds records of all kinds that contain all words. `limit` applies to each kind. */
  find: defineSiteQuery({
    text: z.string().trim().min(1).max(200),
    limit: z.int().min(1).max(50).default(5),
  }).output(searchResultsSchema),
  unsearched: defineSiteQuery().output(unsearchedSchema),
  /** Indexes pending records for about one second and returns the number still pending, which searches can miss. */
  catchUp: defineSiteCommand({ of: z.enum(['webhooks', 'statements']) }).output(unsearchedSchema),
};
