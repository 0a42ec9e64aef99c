/**
 * Settings for behavior that the interface does not specify. The defaults follow what is known about the real service.
 * `startSandbox({ settings })` or a fault specification (`set.NAME=VALUE`) changes them.
 */
export interface ServiceSettings {
  /** Time zone of the site, for times in responses and the days of `since_date` and `until_date` (interface 4.1). */
  timeZone: string;
  /** Maximum page size for webhooks and statements. A larger `per_page` is silently reduced to it (interface 8). */
  maxPerPage: number;
  /** Page size for a subscription's statements (interface 4.8). */
  statementsPerPage: number;
  /** Default and maximum page size for lists of statement ids (interface 4.6 and 4.7). */
  idsPerPage: number;
  /** Creation time, in seconds UTC, before which webhooks are no longer in the log. 0 lists all webhooks. */
  logBegins: number;
  /** Order of webhooks if a request has no `order` (interface 4.1). */
  defaultOrder: 'newest_first' | 'oldest_first';
  /** Reaction to an invalid status, date or order in a request (interface 4.1). */
  invalidFilter: 'ignore' | 'refuse';
  /** True if each item of the statement list is wrapped as `{"statement": ...}` (interface 4.8). */
  wrapStatements: boolean;
  /** Default sort direction of a subscription's statements by creation time (interface 4.8). */
  statementsDirection: 'asc' | 'desc';
  /** Position of open statements when statements are sorted by closing time, ascending (interface 4.6). */
  openStatements: 'first' | 'last';
  /** Maximum number of ids in one replay request. Requests with more ids are answered with 422 (interface 4.2). */
  replayLimit: number;
  /** Proration scheme for increases of an allocation that names no scheme (interface 4.4). */
  upgradeScheme: 'prorate-attempt-capture' | 'prorate-delay-capture' | 'no-prorate';
  downgradeScheme: 'prorate' | 'no-prorate';
  /** Minimum quantity that is accepted (interface 2.2). */
  minQuantity: number;
  /** Share of payments for prorated charges that the card issuer declines. */
  captureFailures: number;
  /** Format of the response if the path has no suffix and the `Accept` header names no known format. */
  plainFormat: 'json' | 'xml';
  /** Number of seconds within which the merchant's endpoint must answer 200 (interface 6). */
  acceptWithin: number;
  /** Seconds between delivery attempts. The number of attempts is one more than the number of entries. */
  retryAfter: readonly number[];
  /** Factor for the delays between delivery attempts, for example 0.01 for delays a hundred times shorter. */
  timeScale: number;
  /** If more than this many webhooks in a row are rejected, the endpoint is paused. 0 never pauses the endpoint. */
  pauseAfter: number;
  /** Number of seconds between probes of a paused endpoint. */
  probeEvery: number;
  /** Time that a replayed webhook waits in the background queue, in milliseconds. */
  queueDelay: number;
  /** Maximum number of webhooks that are sent at the same time. */
  sendersAtOnce: number;
  /** True if log entries also contain `signature_hmac_sha_256` (interface 2.1). */
  hmacInLog: boolean;
  /** True if statements have `total_in_cents` and transactions the fields of later versions (interface 2.3). */
  laterFields: boolean;
  /** True if HTML views contain remote images, links, styles and scripts, as real ones may (interface 2.3). */
  hostileHtml: boolean;
  /** True if the later addresses `/site.json` and `/endpoints.json` exist. They are not part of the interface. */
  describesSite: boolean;
  /** The later address `/events.json`: with date filters, without them, or absent. It is not part of the interface. */
  eventsFeed: 'filtered' | 'unfiltered' | 'absent';
  /** True if the site bills by invoices. Such a site has no statements, and their addresses answer 404. */
  relationshipInvoicing: boolean;
}

export const defaultServiceSettings: ServiceSettings = {
  timeZone: 'America/New_York',
  maxPerPage: 200,
  statementsPerPage: 20,
  idsPerPage: 10_000,
  logBegins: 0,
  defaultOrder: 'newest_first',
  invalidFilter: 'ignore',
  wrapStatements: true,
  statementsDirection: 'asc',
  openStatements: 'first',
  replayLimit: 1000,
  upgradeScheme: 'prorate-attempt-capture',
  downgradeScheme: 'no-prorate',
  minQuantity: 0,
  captureFailures: 0,
  plainFormat: 'json',
  acceptWithin: 15,
  retryAfter: [10, 15, 90, 180],
  timeScale: 1,
  pauseAfter: 25,
  probeEvery: 7200,
  queueDelay: 50,
  sendersAtOnce: 8,
  hmacInLog: true,
  laterFields: true,
  hostileHtml: true,
  describesSite: true,
  eventsFeed: 'filtered',
  relationshipInvoicing: false,
};
