import { z } from 'zod';
import {
  blob,
  calendarDate,
  cents,
  cursor,
  direction,
  extra,
  marksInput,
  marksOutput,
  moment,
  pageInput,
  pageOf,
  serviceId,
  siteName,
} from '../shared/common-schemas.ts';
import { figureOf } from '../shared/figure-reference.ts';
import { query, remoteCommand } from '../shared/procedure-kinds.ts';
import { transactionRow } from './transactions.ts';

/** `open`: not closed yet. `unpaid`: closed but not settled. `paid`: settled. */
export const statementState = z.enum(['open', 'unpaid', 'paid']);
export type StatementState = z.infer<typeof statementState>;

export const statementRow = z.object({
  id: serviceId,
  subscription_id: serviceId,
  state: statementState,
  opened_at: moment.nullable(),
  closed_at: moment.nullable(),
  settled_at: moment.nullable(),
  starting_balance_in_cents: cents,
  ending_balance_in_cents: cents,
  /** Sums of the statement's own transactions, as positive amounts. */
  charges_in_cents: cents,
  payments_in_cents: cents,
  customer_name: z.string(),
  customer_organization: z.string().nullable(),
  /** True if its PDF is in the archive. */
  pdf_stored: z.boolean(),
  /** When the service stopped listing it. The local copy remains. */
  vanished_at: moment.nullable(),
});
export type StatementRow = z.infer<typeof statementRow>;

export const address = z.object({
  street: z.string().nullable(),
  street_2: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  country: z.string().nullable(),
  zip: z.string().nullable(),
});

export const statementEvent = z.object({
  id: serviceId,
  key: z.string(),
  message: z.string().nullable(),
  created_at: moment.nullable(),
  subscription_id: serviceId.nullable(),
  event_specific_data: z.json(),
});
export type StatementEvent = z.infer<typeof statementEvent>;

const neighbor = z.object({
  id: serviceId,
  closed_at: moment.nullable(),
  starting_balance_in_cents: cents,
  ending_balance_in_cents: cents,
});

export const statementDetail = statementRow.extend({
  memo: z.string().nullable(),
  created_at: moment.nullable(),
  updated_at: moment.nullable(),
  text_view: z.string().nullable(),
  basic_html_view: z.string().nullable(),
  html_view: z.string().nullable(),
  billing: address,
  shipping: address,
  transactions: z.array(transactionRow),
  events: z.array(statementEvent),
  future_payments: z.array(z.json()),
  extra,
  synced_at: moment,
  /** Previous and next statement of the subscription, if stored. */
  previous: neighbor.nullable(),
  next: neighbor.nullable(),
});
export type StatementDetail = z.infer<typeof statementDetail>;

export const statementFilter = z.object({
  state: z.array(statementState).optional(),
  subscription_id: serviceId.optional(),
  /** Range of `closed_at` days (`opened_at` for open statements), inclusive, in the site's time zone. */
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  /** Words in the customer name, memo or text, or an ID. */
  search: z.string().max(200).optional(),
  /** Only source rows of a workpaper figure: `S1.opening` or `S1.closing`. Other figures have no statements. */
  figure: figureOf.optional(),
});
export type StatementFilter = z.infer<typeof statementFilter>;

export const statementSort = z.object({
  by: z
    .enum(['closed_at', 'opened_at', 'id', 'ending_balance_in_cents', 'customer_name'])
    .default('closed_at'),
  direction: direction.default('desc'),
});

/** A search result within a statement, on one line. */
export const statementPassage = z.object({
  source: z.enum(['pdf', 'text', 'memo']),
  /** Page of the PDF, starting at 1. Null if unknown. */
  page: z.int().nullable(),
  before: z.string(),
  hit: z.string(),
  after: z.string(),
});
export type StatementPassage = z.infer<typeof statementPassage>;

/**
 * A row of the list with the passage that contains the search words. Null without a search, or if the row itself shows
 * the words.
 */
export const foundStatement = statementRow.extend({ passage: statementPassage.nullable() });
export type FoundStatement = z.infer<typeof foundStatement>;

/** A statement whose PDF contains the search words. */
export const statementHits = z.object({
  id: serviceId,
  customer_name: z.string(),
  closed_at: moment.nullable(),
  /** Number of occurrences in the PDF, and the first passages. */
  count: z.int(),
  passages: z.array(statementPassage),
});
export type StatementHits = z.infer<typeof statementHits>;

const selection = {
  site: siteName,
  filter: statementFilter.default({}),
  sort: statementSort.default({ by: 'closed_at', direction: 'desc' }),
};

/** PDF of a statement in the archive. `stored: false` means that it must be downloaded first. */
export const statementPdf = z.discriminatedUnion('stored', [
  z.object({ stored: z.literal(true), sha256: z.string(), fetched_at: moment, file: blob }),
  z.object({ stored: z.literal(false) }),
]);

export const statements = {
  list: query.input(pageInput.extend(selection)).output(
    pageOf(foundStatement).extend({
      /** Totals over all rows of the filter. First page only. Balances are brought forward, so they are never summed. */
      sums: z.object({ charges_in_cents: cents, payments_in_cents: cents }).nullable(),
    }),
  ),
  marks: query.input(z.object({ ...selection, ...marksInput })).output(marksOutput),
  get: query.input(z.object({ site: siteName, id: serviceId })).output(statementDetail),
  facets: query
    .input(z.object({ site: siteName }))
    .output(z.object({ total: z.int(), open: z.int(), unpaid: z.int(), paid: z.int(), pdf_stored: z.int() })),
  /**
   * Lists the statements whose archived PDFs contain these words in this order. The search uses an index, so the first
   * word must match from its beginning. A page can have fewer rows than requested, even none, and still have a `next`
   * cursor, because each call inspects a limited number of statements.
   */
  find: query
    .input(
      z.object({
        ...selection,
        words: z.string().min(1).max(200),
        match_case: z.boolean().default(false),
        whole_word: z.boolean().default(false),
        /** Starts after this statement in the list order. */
        start_after_id: serviceId.optional(),
        backwards: z.boolean().default(false),
        after: cursor.optional(),
        limit: z.int().min(1).max(100).default(20),
      }),
    )
    .output(z.object({ rows: z.array(statementHits), next: cursor.nullable() })),
  /** Returns the archived PDF: the newest version, or the one with this number. Works offline. */
  pdf: query
    .input(z.object({ site: siteName, id: serviceId, version: z.int().min(1).optional() }))
    .output(statementPdf),
  /**
   * Downloads the PDF to the archive if it is missing, and returns it. A PDF that a user deleted is downloaded only with
   * `again`. Otherwise `conflict` is thrown, so that viewing a statement does not restore it.
   */
  fetchPdf: remoteCommand
    .input(z.object({ site: siteName, id: serviceId, again: z.boolean().default(false) }))
    .output(statementPdf),
};
