import type { NotificationIdentity } from './notification.ts';

const ids = ['event_id', 'transaction_id', 'statement_id'] as const;

/**
 * Pairs mentions (events or webhooks) with what they mention. A shared id decides. Otherwise, a mention is paired with
 * the nearest unpaired item of the same event and subscription within the tolerance (milliseconds) whose ids do not
 * contradict it. Each item and each mention occurs in at most one pair.
 */
export function pairByIdentity<Item extends NotificationIdentity, Mention extends NotificationIdentity>(
  items: readonly Item[],
  mentions: readonly Mention[],
  toleranceMs: number,
): Map<Mention, Item> {
  const pairs = new Map<Mention, Item>();
  for (const id of ids) pairBySharedId(items, mentions, id, pairs);
  pairByTime(items, mentions, toleranceMs, pairs);
  return pairs;
}

/** Returns the items or mentions without a pair. */
const without = <Entry>(entries: readonly Entry[], paired: Iterable<Entry>): Entry[] => {
  const known = new Set(paired);
  return entries.filter((entry) => !known.has(entry));
};

function pairBySharedId<Item extends NotificationIdentity, Mention extends NotificationIdentity>(
  items: readonly Item[],
  mentions: readonly Mention[],
  id: (typeof ids)[number],
  pairs: Map<Mention, Item>,
): void {
  const byId = Map.groupBy(without(items, pairs.values()), (item) => toIdKey(item, id));
  for (const mention of without(mentions, pairs.keys())) {
    const key = toIdKey(mention, id);
    const item = key === null ? undefined : byId.get(key)?.shift();
    if (item !== undefined) pairs.set(mention, item);
  }
}

function pairByTime<Item extends NotificationIdentity, Mention extends NotificationIdentity>(
  items: readonly Item[],
  mentions: readonly Mention[],
  toleranceMs: number,
  pairs: Map<Mention, Item>,
): void {
  const bySubject = Map.groupBy(without(items, pairs.values()), toSubjectKey);
  for (const group of bySubject.values()) group.sort((a, b) => a.at - b.at);
  for (const mention of without(mentions, pairs.keys()).sort((a, b) => a.at - b.at)) {
    const group = bySubject.get(toSubjectKey(mention)) ?? [];
    const nearest = findNearest(group, mention, toleranceMs);
    if (nearest === undefined) continue;
    pairs.set(mention, nearest);
    group.splice(group.indexOf(nearest), 1);
  }
}

const toIdKey = (identity: NotificationIdentity, id: (typeof ids)[number]): string | null =>
  identity[id] === null ? null : `${identity.event} ${identity[id]}`;

const toSubjectKey = ({ event, subscription_id }: NotificationIdentity): string =>
  `${event} ${subscription_id}`;

function findNearest<Item extends NotificationIdentity>(
  sorted: readonly Item[],
  mention: NotificationIdentity,
  toleranceMs: number,
): Item | undefined {
  let nearest: Item | undefined;
  for (let index = findFirstFrom(sorted, mention.at - toleranceMs); index < sorted.length; index++) {
    const item = sorted[index] as Item;
    const distance = Math.abs(item.at - mention.at);
    if (item.at > mention.at && nearest && distance >= Math.abs(nearest.at - mention.at)) break;
    if (item.at > mention.at + toleranceMs) break;
    if (contradicts(item, mention)) continue;
    if (nearest === undefined || distance < Math.abs(nearest.at - mention.at)) nearest = item;
  }
  return nearest;
}

/** Returns the index of the first item at or after a time. */
function findFirstFrom(sorted: readonly NotificationIdentity[], at: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as NotificationIdentity).at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns true if an id that both name differs. */
const contradicts = (one: NotificationIdentity, other: NotificationIdentity): boolean =>
  ([...ids, 'component_id'] as const).some(
    (id) => one[id] !== null && other[id] !== null && one[id] !== other[id],
  );
