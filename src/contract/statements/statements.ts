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

/** open: not closed yet; unpaid: closed and not settled; paid: settled. */
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
  /** Sums over the statement's own transactions, each positive. */
  charges_in_cents: cents,
  payments_in_cents: cents,
  customer_name: z.string(),
  customer_organization: z.string().nullable(),
  /** Whether its PDF is in the archive. */
  pdf_stored: z.boolean(),
  /** When the service no longer listed it; kept here all the same. */
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
  /** The statements before and after it in the subscription's chain, where held. */
  previous: neighbor.nullable(),
  next: neighbor.nullable(),
});
export type StatementDetail = z.infer<typeof statementDetail>;

export const statementFilter = z.object({
  state: z.array(statementState).optional(),
  subscription_id: serviceId.optional(),
  /** First and last day of closed_at (of opened_at while open), in the site's calendar. */
  since: calendarDate.optional(),
  until: calendarDate.optional(),
  /** Words in customer, memo or text, or an id. */
  search: z.string().max(200).optional(),
  /** Only the statements of a figure of the workpaper: `S1.opening` or `S1.closing`. None for another. */
  figure: figureOf.optional(),
});
export type StatementFilter = z.infer<typeof statementFilter>;

export const statementSort = z.object({
  by: z
    .enum(['closed_at', 'opened_at', 'id', 'ending_balance_in_cents', 'customer_name'])
    .default('closed_at'),
  direction: direction.default('desc'),
});

/** Where a statement says what is sought, on one line. */
export const statementPassage = z.object({
  source: z.enum(['pdf', 'text', 'memo']),
  /** Of the PDF, from 1; null where the words do not tell. */
  page: z.int().nullable(),
  before: z.string(),
  hit: z.string(),
  after: z.string(),
});
export type StatementPassage = z.infer<typeof statementPassage>;

/** A row of the list, with the place where it says what the filter's words seek; null without, and where the row shows it itself. */
export const foundStatement = statementRow.extend({ passage: statementPassage.nullable() });
export type FoundStatement = z.infer<typeof foundStatement>;

/** A statement whose PDF says what is sought. */
export const statementHits = z.object({
  id: serviceId,
  customer_name: z.string(),
  closed_at: moment.nullable(),
  /** How often its PDF says it, and the first places. */
  count: z.int(),
  passages: z.array(statementPassage),
});
export type StatementHits = z.infer<typeof statementHits>;

const selection = {
  site: siteName,
  filter: statementFilter.default({}),
  sort: statementSort.default({ by: 'closed_at', direction: 'desc' }),
};

/** A statement's PDF as the archive holds it; `held: false` where it must be fetched first. */
export const statementPdf = z.discriminatedUnion('stored', [
  z.object({ stored: z.literal(true), sha256: z.string(), fetched_at: moment, file: blob }),
  z.object({ stored: z.literal(false) }),
]);

export const statements = {
  list: query.input(pageInput.extend(selection)).output(
    pageOf(foundStatement).extend({
      /** Over all rows of the filter; with the first page only. Balances are carried from one to the next, and never summed. */
      sums: z.object({ charges_in_cents: cents, payments_in_cents: cents }).nullable(),
    }),
  ),
  marks: query.input(z.object({ ...selection, ...marksInput })).output(marksOutput),
  get: query.input(z.object({ site: siteName, id: serviceId })).output(statementDetail),
  facets: query
    .input(z.object({ site: siteName }))
    .output(z.object({ total: z.int(), open: z.int(), unpaid: z.int(), paid: z.int(), pdf_stored: z.int() })),
  /**
   * The statements of a list whose PDFs in the archive say these words, in the list's order: the words as they were typed, one after
   * the other. From the index, so a first word is found by its beginning only. `next` may come with fewer rows than asked for,
   * even with none: so many statements were looked at.
   */
  find: query
    .input(
      z.object({
        ...selection,
        words: z.string().min(1).max(200),
        match_case: z.boolean().default(false),
        whole_word: z.boolean().default(false),
        /** Begin behind this statement, wherever it stands in the order. */
        start_after_id: serviceId.optional(),
        backwards: z.boolean().default(false),
        after: cursor.optional(),
        limit: z.int().min(1).max(100).default(20),
      }),
    )
    .output(z.object({ rows: z.array(statementHits), next: cursor.nullable() })),
  /** The PDF from the archive, the newest rendering or the one of this number; works offline. */
  pdf: query
    .input(z.object({ site: siteName, id: serviceId, version: z.int().min(1).optional() }))
    .output(statementPdf),
  /**
   * Fetches the PDF into the archive where it is not held, and gives it. One that a person has deleted is fetched only where `again` says
   * so: throws `conflict` otherwise, so that looking at a statement does not bring it back.
   */
  fetchPdf: remoteCommand
    .input(z.object({ site: siteName, id: serviceId, again: z.boolean().default(false) }))
    .output(statementPdf),
};
