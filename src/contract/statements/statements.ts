import { z } from 'zod';
import { createSortSchema, field, oneTimeFileHandleSchema, toPageSchema } from '../shared/common-schemas.ts';
import { figureReferenceSchema } from '../shared/figure-reference.ts';
import {
  definePageMarksQuery,
  definePageQuery,
  defineRemoteSiteCommand,
  defineSiteQuery,
} from '../shared/procedure-kinds.ts';
import { transactionRowSchema } from './transactions.ts';

/** `open`: not closed yet. `unpaid`: closed but not settled. `paid`: settled. */
const statementStateSchema = z.enum(['open', 'unpaid', 'paid']);
export type StatementState = z.infer<typeof statementStateSchema>;

export const statementRowSchema = z.object({
  id: field.serviceId,
  subscription_id: field.serviceId,
  state: statementStateSchema,
  opened_at: field.moment.nullable(),
  closed_at: field.moment.nullable(),
  settled_at: field.moment.nullable(),
  starting_balance_in_cents: field.cents,
  ending_balance_in_cents: field.cents,
  /** Sum of the statement's charges, as a positive amount in cents. */
  charges_in_cents: field.cents,
  payments_in_cents: field.cents,
  customer_name: z.string(),
  customer_organization: z.string().nullable(),
  /** True if the statement's PDF is in the archive. */
  pdf_stored: z.boolean(),
  /** Time at which the service stopped listing the statement; null if it is listed. The local copy remains. */
  vanished_at: field.moment.nullable(),
});
export type StatementRow = z.infer<typeof statementRowSchema>;

const addressSchema = z.object({
  street: z.string().nullable(),
  street_2: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  country: z.string().nullable(),
  zip: z.string().nullable(),
});

export const statementEventSchema = z.object({
  id: field.serviceId,
  key: z.string(),
  message: z.string().nullable(),
  created_at: field.moment.nullable(),
  subscription_id: field.serviceId.nullable(),
  event_specific_data: z.json(),
});
export type StatementEvent = z.infer<typeof statementEventSchema>;

const neighbor = z.object({
  id: field.serviceId,
  closed_at: field.moment.nullable(),
  starting_balance_in_cents: field.cents,
  ending_balance_in_cents: field.cents,
});

const statementDetailSchema = statementRowSchema.extend({
  memo: z.string().nullable(),
  created_at: field.moment.nullable(),
  updated_at: field.moment.nullable(),
  text_view: z.string().nullable(),
  basic_html_view: z.string().nullable(),
  html_view: z.string().nullable(),
  billing: addressSchema,
  shipping: addressSchema,
  transactions: z.array(transactionRowSchema),
  events: z.array(statementEventSchema),
  future_payments: z.array(z.json()),
  extra: field.extra,
  synced_at: field.moment,
  /** Previous statement of the subscription, if it is stored. */
  previous: neighbor.nullable(),
  next: neighbor.nullable(),
});
export type StatementDetail = z.infer<typeof statementDetailSchema>;

export const statementFilterSchema = z.object({
  state: z.array(statementStateSchema).optional(),
  subscription_id: field.serviceId.optional(),
  /** First `closed_at` day to include, in the site's time zone. Open statements use `opened_at`. */
  since: field.date.optional(),
  until: field.date.optional(),
  /** Words in the customer name, memo or text, or an ID. */
  search: field.search.optional(),
  /** Workpaper figure whose statements are selected: `S1.opening` or `S1.closing`. Other figures have no statements. */
  figure: figureReferenceSchema.optional(),
});
export type StatementFilter = z.infer<typeof statementFilterSchema>;

export const statementSortSchema = createSortSchema(
  ['closed_at', 'opened_at', 'id', 'ending_balance_in_cents', 'customer_name'],
  'desc',
);

/** A passage of a statement that contains the search words, on one line. */
const statementPassageSchema = z.object({
  source: z.enum(['pdf', 'text', 'memo']),
  /** Page number in the PDF, starting at 1; null if unknown. */
  page: z.int().nullable(),
  before: z.string(),
  hit: z.string(),
  after: z.string(),
});
export type StatementSearchPassage = z.infer<typeof statementPassageSchema>;

/** A statement with the passage that contains the search words. Null if the list already shows the words. */
export const foundStatementSchema = statementRowSchema.extend({ passage: statementPassageSchema.nullable() });
export type StatementSearchResult = z.infer<typeof foundStatementSchema>;

/** A statement whose PDF contains the search words. */
const statementHitsSchema = z.object({
  id: field.serviceId,
  customer_name: z.string(),
  closed_at: field.moment.nullable(),
  /** Number of occurrences of the search words in the PDF. */
  count: z.int(),
  passages: z.array(statementPassageSchema),
});
export type StatementSearchHits = z.infer<typeof statementHitsSchema>;

const selection = {
  filter: statementFilterSchema.default({}),
  sort: statementSortSchema,
};

/** Archived PDF of a statement. `stored: false` means that it must be downloaded first. */
const statementPdfSchema = z.discriminatedUnion('stored', [
  z.object({
    stored: z.literal(true),
    sha256: z.string(),
    fetched_at: field.moment,
    file: oneTimeFileHandleSchema,
  }),
  z.object({ stored: z.literal(false) }),
]);

export const statementProcedures = {
  list: definePageQuery(selection).output(
    toPageSchema(foundStatementSchema).extend({
      /** Totals of all matching statements. Set only on the first page. Balances carry over, so they are not added up. */
      sums: z.object({ charges_in_cents: field.cents, payments_in_cents: field.cents }).nullable(),
    }),
  ),
  marks: definePageMarksQuery(selection),
  get: defineSiteQuery({ id: field.serviceId }).output(statementDetailSchema),
  facets: defineSiteQuery().output(
    z.object({ total: z.int(), open: z.int(), unpaid: z.int(), paid: z.int(), pdf_stored: z.int() }),
  ),
  /**
   * Lists the statements whose archived PDFs contain the given words in this order. The search uses an index, so the
   * first word must match from its beginning. A page can have fewer rows than requested, or none, and still have a `next`
   * cursor, because each call inspects a limited number of statements.
   */
  find: defineSiteQuery({
    ...selection,
    words: z.string().min(1).max(200),
    match_case: z.boolean().default(false),
    whole_word: z.boolean().default(false),
    /** ID of the statement after which the search starts, in the order of the list. */
    start_after_id: field.serviceId.optional(),
    backwards: z.boolean().default(false),
    after: field.cursor.optional(),
    limit: z.int().min(1).max(100).default(20),
  }).output(z.object({ rows: z.array(statementHitsSchema), next: field.cursor.nullable() })),
  /** Returns an archived PDF of a statement: the newest version or the one with the given number. Works offline. */
  pdf: defineSiteQuery({ id: field.serviceId, version: z.int().min(1).optional() }).output(
    statementPdfSchema,
  ),
  /**
   * Downloads a statement's PDF to the archive if it is missing, and returns it. Throws `conflict` for a PDF that a
   * user deleted, unless `again` is true, so that viewing a statement does not restore its PDF.
   */
  fetchPdf: defineRemoteSiteCommand({ id: field.serviceId, again: z.boolean().default(false) }).output(
    statementPdfSchema,
  ),
};
