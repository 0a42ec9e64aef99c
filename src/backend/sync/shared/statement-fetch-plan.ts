/**
 * Input for planning how to fetch statements with the fewest requests. The id list does not name subscriptions, a
 * statement names its own, and a subscription's list returns all its statements (interface 4.7 to 4.9).
 */
export interface StatementFetchInput {
  /** Ids of the statements to fetch, each with its subscription if a stored copy or a webhook body names it. */
  statements: readonly { id: number; subscription_id: number | null }[];
  /** Number of known statements per subscription, whether requested or not. */
  known: ReadonlyMap<number, number>;
  /** Known subscriptions without stored statements. Their lists probably contain requested statements. */
  unread: readonly number[];
  /** Number of statements per page of a subscription's list. */
  rowsPerPage: number;
}

export interface StatementFetchPlan {
  /** Subscriptions whose statement list is to be read. */
  lists: number[];
  /** Ids of the statements to read individually. */
  reads: number[];
  /** Ids of statements whose subscription is unknown. */
  unknown: number[];
}

/**
 * Number of subscription lists that may be read speculatively per statement of unknown subscription. Chosen by judgment:
 * a list transfers more bytes than a statement.
 */
const MAX_LISTS_PER_UNKNOWN_ID = 10;

export function planStatementFetches({
  statements,
  known,
  unread,
  rowsPerPage,
}: StatementFetchInput): StatementFetchPlan {
  const bySubscription = new Map<number, number[]>();
  const unknown: number[] = [];
  for (const { id, subscription_id } of statements) {
    if (subscription_id === null) {
      unknown.push(id);
      continue;
    }
    const ids = bySubscription.get(subscription_id);
    if (ids === undefined) bySubscription.set(subscription_id, [id]);
    else ids.push(id);
  }

  const lists: number[] = [];
  const reads: number[] = [];
  const unlisted = new Set(unread);
  const perSubscription = statements.length / Math.max(1, bySubscription.size + unlisted.size);
  // Statements of unknown subscription probably belong to subscriptions with other requested statements. Reading a list
  // takes no more requests than reading one statement.
  const many = unknown.length * MAX_LISTS_PER_UNKNOWN_ID >= bySubscription.size && unknown.length > 0;
  for (const [subscription, ids] of bySubscription) {
    const all = Math.max(known.get(subscription) ?? 0, ids.length);
    const more = many && (unlisted.has(subscription) ? perSubscription > 1 : all < rowsPerPage);
    if (more || ids.length > Math.ceil(all / rowsPerPage)) lists.push(subscription);
    else reads.push(...ids);
    unlisted.delete(subscription);
  }
  if (unknown.length > unlisted.size) lists.push(...unlisted);
  return { lists, reads, unknown: unknown.sort((a, b) => a - b) };
}

/** Returns the minimum number of requests that fetch `ids` of a subscription's `all` statements. */
export function computeMinimumSubscriptionRequests(ids: number, all: number, rowsPerPage: number): number {
  return Math.min(ids, Math.ceil(all / rowsPerPage));
}
