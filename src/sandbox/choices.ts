/**
 * What the interface document does not show, one named choice a line. The defaults are what the real service is known or
 * likely to do. `startSandbox({ settings })` and a fault specification (`set:name=value`) change any of them.
 */
export interface Choices {
  /** Time zone of the site: of times in answers, and of the days `since_date` and `until_date` name. Section 4.1. */
  timeZone: string;
  /** Largest page of webhooks or statements; a larger `per_page` is lowered to it without a word. Section 8. */
  maxPerPage: number;
  /** Page size of a subscription's statements. Section 4.8. */
  statementsPerPage: number;
  /** Largest page, and the preset one, of the statement id lists. Sections 4.6 and 4.7. */
  idsPerPage: number;
  /** Instant before which webhooks are no longer in the log, seconds UTC: a service keeps them for a limited time. 0: all are. */
  logBegins: number;
  /** Order of webhooks when `order` is absent. Section 4.1. */
  defaultOrder: 'newest_first' | 'oldest_first';
  /** What a status, date or order that is not one does. Section 4.1. */
  invalidFilter: 'ignore' | 'refuse';
  /** Whether items of the statements list are `{"statement": ...}`. Section 4.8. */
  wrapStatements: boolean;
  /** Direction of a subscription's statements by creation when none is asked for. Section 4.8. */
  statementsDirection: 'asc' | 'desc';
  /** Where statements that are still open stand when sorted by closing time, ascending. Section 4.6. */
  openStatements: 'first' | 'last';
  /** Most ids one replay may name; more are refused with 422. Section 4.2. */
  replayLimit: number;
  /** Schemes of an allocation that names none. Section 4.4. */
  upgradeScheme: 'prorate-attempt-capture' | 'prorate-delay-capture' | 'no-prorate';
  downgradeScheme: 'prorate' | 'no-prorate';
  /** Smallest quantity that is not refused. Section 2.2. */
  minQuantity: number;
  /** Part of the captures of prorated charges that the bank declines. */
  captureFailures: number;
  /** Format of a path that has no suffix and no Accept that decides. */
  plainFormat: 'json' | 'xml';
  /** Seconds within which the merchant's endpoint must answer 200. Section 6. */
  acceptWithin: number;
  /** Seconds from one failed attempt to the next. Their number plus one is the number of attempts. */
  retryAfter: readonly number[];
  /** Real seconds that pass for one second of waiting between attempts. */
  timeScale: number;
  /**
   * Webhooks in a row that the endpoint did not take and may still be sent to; after one more it is paused: what is created or
   * replayed is logged and not sent. 0: it is never paused.
   */
  pauseAfter: number;
  /** Seconds from one webhook that tries a paused endpoint to the next. */
  probeEvery: number;
  /** Milliseconds a replay waits in the background queue before it is sent. */
  queueDelay: number;
  /** Webhooks sent at the same time. */
  sendersAtOnce: number;
  /** Whether a log entry also carries `signature_hmac_sha_256`. Section 2.1. */
  hmacInLog: boolean;
  /** Whether a statement also carries `total_in_cents`, and transactions the fields of later versions. Section 2.3. */
  laterFields: boolean;
  /** Whether the HTML views hold the remote images, links, styles and scripts that real ones may. Section 2.3. */
  hostileHtml: boolean;
}

export const realService: Choices = {
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
