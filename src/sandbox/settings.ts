/**
 * Behavior that the interface does not specify, one setting per line. The defaults follow what is known of
 * the real service. `startSandbox({ settings })` and a fault specification (`set.NAME=VALUE`) change them.
 */
export interface ServiceSettings {
  /**
   * The site's time zone, used for times in answers and for the days of `since_date` and `until_date`
   * (interface 4.1).
   */
  timeZone: string;
  /**
   * Maximum page size of webhooks and statements. A larger `per_page` is reduced to it silently (interface
   * 8).
   */
  maxPerPage: number;
  /** Page size of a subscription's statements (interface 4.8). */
  statementsPerPage: number;
  /** Default and maximum page size of the statement id lists (interface 4.6 and 4.7). */
  idsPerPage: number;
  /**
   * Seconds UTC. Older webhooks are no longer in the log, as with a service that keeps them for a limited
   * time. 0 keeps all.
   */
  logBegins: number;
  /** Order of webhooks if `order` is absent (interface 4.1). */
  defaultOrder: 'newest_first' | 'oldest_first';
  /** Reaction to an invalid status, date or order (interface 4.1). */
  invalidFilter: 'ignore' | 'refuse';
  /** True if each item of the statement list is wrapped as `{"statement": ...}` (interface 4.8). */
  wrapStatements: boolean;
  /** Default direction of a subscription's statements, by creation (interface 4.8). */
  statementsDirection: 'asc' | 'desc';
  /** Position of open statements when sorted by closing time, ascending (interface 4.6). */
  openStatements: 'first' | 'last';
  /** Maximum number of ids in one replay. More are refused with 422 (interface 4.2). */
  replayLimit: number;
  /** Proration schemes of an allocation that names none (interface 4.4). */
  upgradeScheme: 'prorate-attempt-capture' | 'prorate-delay-capture' | 'no-prorate';
  downgradeScheme: 'prorate' | 'no-prorate';
  /** Smallest accepted quantity (interface 2.2). */
  minQuantity: number;
  /** Share of captures of prorated charges that the card issuer declines. */
  captureFailures: number;
  /** Format of a request whose path has no suffix and whose `Accept` header names no known format. */
  plainFormat: 'json' | 'xml';
  /** Seconds within which the merchant's endpoint must answer 200 (interface 6). */
  acceptWithin: number;
  /** Seconds between delivery attempts. A webhook has one attempt more than the list has entries. */
  retryAfter: readonly number[];
  /** Real seconds that pass for each second between attempts. */
  timeScale: number;
  /**
   * Number of webhooks in a row that the endpoint may reject. One more pauses the endpoint: new and replayed
   * webhooks are logged but not sent. 0 never pauses.
   */
  pauseAfter: number;
  /** Seconds between probes of a paused endpoint. */
  probeEvery: number;
  /** Milliseconds that a replayed webhook waits in the background queue. */
  queueDelay: number;
  /** Number of webhooks sent at the same time. */
  sendersAtOnce: number;
  /** True if a log entry also carries `signature_hmac_sha_256` (interface 2.1). */
  hmacInLog: boolean;
  /**
   * True if statements carry `total_in_cents` and transactions carry the fields of later versions (interface
   * 2.3).
   */
  laterFields: boolean;
  /**
   * True if the HTML views contain remote images, links, styles and scripts, as real ones may (interface
   * 2.3).
   */
  hostileHtml: boolean;
}

export const defaultSettings: ServiceSettings = {
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
};
