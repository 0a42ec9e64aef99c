import { z } from 'zod';
import {
  blobSchema,
  calendarDateSchema,
  centsSchema,
  cursorSchema,
  directionSchema,
  extraSchema,
  marksInput,
  marksOutputSchema,
  momentSchema,
  pageInputSchema,
  pageOf,
  serviceIdSchema,
  siteNameSchema,
} from '../shared/common-schemas.ts';
import { figureOfSchema } from '../shared/figure-reference.ts';
import { query, remoteCommand } from '../shared/procedure-kinds.ts';
import { transactionRowSchema } from './transactions.ts';

/** `open`: not closed yet. `unpaid`: closed but not settled. `paid`: settled. */
export const statementStateSchema = z.enum(['open', 'unpaid', 'paid']);
export type StatementState = z.infer<typeof statementStateSchema>;

export const statementRowSchema = z.object({
  id: serviceIdSchema,
  subscription_id: serviceIdSchema,
  state: statementStateSchema,
  opened_at: momentSchema.nullable(),
  closed_at: momentSchema.nullable(),
  settled_at: momentSchema.nullable(),
  starting_balance_in_cents: centsSchema,
  ending_balance_in_cents: centsSchema,
  /** Sum of the statement's charges, as a positive amount in cents. */
  charges_in_cents: centsSchema,
  payments_in_cents: centsSchema,
  customer_name: z.string(),
  customer_organization: z.string().nullable(),
  /** True if the statement's PDF is in the archive. */
  pdf_stored: z.boolean(),
  /** Time at which the service stopped listing the statement; null if it is listed. The local copy remains. */
  vanished_at: momentSchema.nullable(),
});
export type StatementRow = z.infer<typeof statementRowSchema>;

export const addressSchema = z.object({
  street: z.string().nullable(),
  street_2: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  country: z.string().nullable(),
  zip: z.string().nullable(),
});

export const statementEventSchema = z.object({
  id: serviceIdSchema,
  key: z.string(),
  message: z.string().nullable(),
  created_at: momentSchema.nullable(),
  subscription_id: serviceIdSchema.nullable(),
  event_specific_data: z.json(),
});
export type StatementEvent = z.infer<typeof statementEventSchema>;

const neighbor = z.object({
  id: serviceIdSchema,
  closed_at: momentSchema.nullable(),
  starting_balance_in_cents: centsSchema,
  ending_balance_in_cents: centsSchema,
});

export const statementDetailSchema = statementRowSchema.extend({
  memo: z.string().nullable(),
  created_at: momentSchema.nullable(),
  updated_at: momentSchema.nullable(),
  text_view: z.string().nullable(),
  basic_html_view: z.string().nullable(),
  html_view: z.string().nullable(),
  billing: addressSchema,
  shipping: addressSchema,
  transactions: z.array(transactionRowSchema),
  events: z.array(statementEventSchema),
  future_payments: z.array(z.json()),
  extra: extraSchema,
  synced_at: momentSchema,
  /** Previous statement of the subscription, if it is stored. */
  previous: neighbor.nullable(),
  next: neighbor.nullable(),
});
export type StatementDetail = z.infer<typeof statementDetailSchema>;

export const statementFilterSchema = z.object({
  state: z.array(statementStateSchema).optional(),
  subscription_id: serviceIdSchema.optional(),
  /** First `closed_at` day to include, in the site's time zone. Open statements use `opened_at`. */
  since: calendarDateSchema.optional(),
  until: calendarDateSchema.optional(),
  /** Words in the customer name, memo or text, or an ID. */
  search: z.string().max(200).optional(),
  /** Workpaper figure whose statements are selected: `S1.opening` or `S1.closing`. Other figures have no statements. */
  figure: figureOfSchema.optional(),
});
export type StatementFilter = z.infer<typeof statementFilterSchema>;

export const statementSortSchema = z.object({
  by: z
    .enum(['closed_at', 'opened_at', 'id', 'ending_balance_in_cents', 'customer_name'])
    .default('closed_at'),
  direction: directionSchema.default('desc'),
});

/** A passage of a statement that contains the search words, on one line. */
export const statementPassageSchema = z.object({
  source: z.enum(['pdf', 'text', 'memo']),
  /** Page number in the PDF, starting at 1; null if unknown. */
  page: z.int().nullable(),
  before: z.string(),
  hit: z.string(),
  after: z.string(),
});
export type StatementPassage = z.infer<typeof statementPassageSchema>;

/**
 * A statement in a list, with the passage that contains the search words. The passage is null without a search, or if the
 * list itself shows the words.
 */
export const foundStatementSchema = statementRowSchema.extend({ passage: statementPassageSchema.nullable() });
export type FoundStatement = z.infer<typeof foundStatementSchema>;

/** A statement whose PDF contains the search words. */
export const statementHitsSchema = z.object({
  id: serviceIdSchema,
  customer_name: z.string(),
  closed_at: momentSchema.nullable(),
  /** Number of occurrences of the search words in the PDF. */
  count: z.int(),
  passages: z.array(statementPassageSchema),
});
export type StatementHits = z.infer<typeof statementHitsSchema>;

const selection = {
  site: siteNameSchema,
  filter: statementFilterSchema.default({}),
  sort: statementSortSchema.default({ by: 'closed_at', direction: 'desc' }),
};

/** Archived PDF of a statement. `stored: false` means that it must be downloaded first. */
export const statementPdfSchema = z.discriminatedUnion('stored', [
  z.object({ stored: z.literal(true), sha256: z.string(), fetched_at: momentSchema, file: blobSchema }),
  z.object({ stored: z.literal(false) }),
]);

export const statementProcedures = {
  list: query.input(pageInputSchema.extend(selection)).output(
    pageOf(foundStatementSchema).extend({
      /**
       * Totals of all statements that match the filter. Only on the first page. Balances are brought forward, so they are
       * never added up.
       */
      sums: z.object({ charges_in_cents: centsSchema, payments_in_cents: centsSchema }).nullable(),
    }),
  ),
  marks: query.input(z.object({ ...selection, ...marksInput })).output(marksOutputSchema),
  get: query.input(z.object({ site: siteNameSchema, id: serviceIdSchema })).output(statementDetailSchema),
  facets: query
    .input(z.object({ site: siteNameSchema }))
    .output(z.object({ total: z.int(), open: z.int(), unpaid: z.int(), paid: z.int(), pdf_stored: z.int() })),
  /**
   * Lists the statements whose archived PDFs contain the given words in this order. The search uses an index, so the
   * first word must match from its beginning. A page can have fewer rows than requested, or none, and still have a `next`
   * cursor, because each call inspects a limited number of statements.
   */
  find: query
    .input(
      z.object({
        ...selection,
        words: z.string().min(1).max(200),
        match_case: z.boolean().default(false),
        whole_word: z.boolean().default(false),
        /** ID of the statement after which the search starts, in list order. */
        start_after_id: serviceIdSchema.optional(),
        backwards: z.boolean().default(false),
        after: cursorSchema.optional(),
        limit: z.int().min(1).max(100).default(20),
      }),
    )
    .output(z.object({ rows: z.array(statementHitsSchema), next: cursorSchema.nullable() })),
  /** Returns an archived PDF of a statement: the newest version or the one with the given number. Works offline. */
  pdf: query
    .input(z.object({ site: siteNameSchema, id: serviceIdSchema, version: z.int().min(1).optional() }))
    .output(statementPdfSchema),
  /**
   * Downloads a statement's PDF to the archive if it is missing, and returns it. A PDF that a user deleted is only
   * downloaded with `again`. Without it, `conflict` is thrown, so that viewing a statement does not restore the PDF.
   */
  fetchPdf: remoteCommand
    .input(z.object({ site: siteNameSchema, id: serviceIdSchema, again: z.boolean().default(false) }))
    .output(statementPdfSchema),
};
