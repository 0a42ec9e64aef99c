/**
 * Plans how to fetch statements with the fewest requests. The id list does not name subscriptions, a statement names its
 * own, and a subscription's list returns all its statements (interface 4.7 to 4.9).
 */
export interface Wanted {
  /** Ids to fetch, with their subscription if a stored copy or a webhook body names it. */
  statements: readonly { id: number; subscription_id: number | null }[];
  /** Number of known statements per subscription, requested or not. */
  known: ReadonlyMap<number, number>;
  /** Known subscriptions without stored statements. Their lists are likely to contain requested ids. */
  unread: readonly number[];
  /** Number of statements per list page. */
  rowsPerPage: number;
}

export interface Fetches {
  /** Subscriptions whose statement list is to be read. */
  lists: number[];
  /** Statements to be read individually. */
  reads: number[];
  /** Ids of unknown subscriptions that no planned list is known to return. */
  unknown: number[];
}

/**
 * Number of lists that may be read speculatively per id of an unknown subscription. Chosen by judgment: a list transfers
 * more bytes than a statement.
 */
const UNKNOWN_PER_LIST = 10;

export function planFetches({ statements, known, unread, rowsPerPage }: Wanted): Fetches {
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
  // Ids of unknown subscriptions probably belong to subscriptions with other requested ids. A list costs no more requests
  // than a single read.
  const many = unknown.length * UNKNOWN_PER_LIST >= bySubscription.size && unknown.length > 0;
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

/** Returns the minimum number of requests that fetch `ids` statements of a subscription with `all` statements. */
export function leastForSubscription(ids: number, all: number, rowsPerPage: number): number {
  return Math.min(ids, Math.ceil(all / rowsPerPage));
}
