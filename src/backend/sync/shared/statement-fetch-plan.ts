/**
 * Input for planning how to fetch statements with the fewest requests. The id list does not name subscriptions. A
 * statement names its subscription, and a subscription's list returns all its statements (interface 4.7 to 4.9).
 */
export interface StatementFetchPlanInput {
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
  /** Subscriptions whose statement lists must be read. */
  lists: number[];
  /** Ids of the statements to read individually. */
  reads: number[];
  /** Ids of statements whose subscription is unknown. */
  unknown: number[];
}

/** Maximum number of lists read on suspicion per statement with an unknown subscription. Chosen by judgment. */
const MAX_LISTS_PER_UNKNOWN_ID = 10;

/** Plans which statements to fetch with their subscription's list and which to fetch individually. */
export function planStatementFetches({
  statements,
  known,
  unread,
  rowsPerPage,
}: StatementFetchPlanInput): StatementFetchPlan {
  const bySubscription = Map.groupBy(statements, ({ subscription_id }) => subscription_id);
  const unknown = (bySubscription.get(null) ?? []).map(({ id }) => id).sort((a, b) => a - b);
  bySubscription.delete(null);

  const lists: number[] = [];
  const reads: number[] = [];
  const unlisted = new Set(unread);
  const perSubscription = statements.length / Math.max(1, bySubscription.size + unlisted.size);
  // Statements with an unknown subscription probably belong to subscriptions with other requested statements. Reading a
  // list takes no more requests than reading one statement.
  const isSpeculative =
    unknown.length * MAX_LISTS_PER_UNKNOWN_ID >= bySubscription.size && unknown.length > 0;
  for (const [subscription, requested] of bySubscription as Map<number, typeof statements>) {
    const all = Math.max(known.get(subscription) ?? 0, requested.length);
    const mayHaveUnknown = unlisted.delete(subscription) ? perSubscription > 1 : all < rowsPerPage;
    if ((isSpeculative && mayHaveUnknown) || requested.length > Math.ceil(all / rowsPerPage))
      lists.push(subscription);
    else reads.push(...requested.map(({ id }) => id));
  }
  if (unknown.length > unlisted.size) lists.push(...unlisted);
  return { lists, reads, unknown };
}

/** Returns the minimum number of requests to fetch `ids` of the `all` statements of a subscription. */
export function computeMinimumStatementRequests(ids: number, all: number, rowsPerPage: number): number {
  return Math.min(ids, Math.ceil(all / rowsPerPage));
}
