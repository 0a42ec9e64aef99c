/**
 * How the statements that must be fetched are fetched with the fewest requests. The service lists ids without saying whose
 * they are; a statement says its subscription, and a subscription's list brings all its statements (interface 4.7 to 4.9).
 */
export interface Wanted {
  /** Ids to fetch, with their subscription where it is known: from the copy held, or from a webhook's body. */
  statements: readonly { id: number; subscription_id: number | null }[];
  /** How many statements of a subscription are known, wanted or not. */
  known: ReadonlyMap<number, number>;
  /** Subscriptions known to exist, of which nothing is held: their lists are likely to bring wanted ids. */
  unread: readonly number[];
  /** Statements a list page has. */
  rowsPerPage: number;
}

export interface Fetches {
  /** Subscriptions whose list is read. */
  lists: number[];
  /** Statements read by themselves. */
  reads: number[];
  /** Ids of which the subscription is not known and that no list planned here is known to bring. */
  unknown: number[];
}

/** Lists read on suspicion for each id whose owner is not known; a list brings more bytes than a statement. */
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
  // Ids whose owner is not known are likely to be of those that have others to be fetched: a list costs no more than a read.
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

/** The least requests that fetch `ids` statements of a subscription that has `all`. */
export function leastForSubscription(ids: number, all: number, rowsPerPage: number): number {
  return Math.min(ids, Math.ceil(all / rowsPerPage));
}
