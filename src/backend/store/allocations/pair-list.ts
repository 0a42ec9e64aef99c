import type { AllocationPair, Marks, Outputs } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type Value, type Values } from '../database.ts';
import { type Branch, type Column, countRows, type Reading, readMarks, readPage } from '../keyset.ts';
import { isoMoment } from '../moment.ts';
import { containing } from '../text.ts';
import type { PairKey, PairState } from './pair.ts';

export interface PairQuery {
  filter: {
    subscription_id?: number | undefined;
    component_id?: number | undefined;
    state?: PairState | undefined;
    search?: string | undefined;
  };
  sort: { by: 'last_at' | 'subscription_id'; direction: 'asc' | 'desc' };
}

const row: Column = { name: 'row', type: 'number' };
const sorts: Record<PairQuery['sort']['by'], readonly Column[]> = {
  last_at: [{ name: 'last_at', type: 'number' }, row],
  subscription_id: [
    { name: 'subscription_id', type: 'number' },
    { name: 'component_id', type: 'number' },
    row,
  ],
};

export function listPairs(
  db: ReadableDb,
  query: PairQuery & { after?: string | undefined; limit: number },
): Outputs['allocations']['pairs'] {
  const reading = readingOf(query);
  const { keys, next } = readPage(db, reading, query);
  return {
    rows: keys.map((key) => pairWhere(db, 'row = ?', [key.at(-1)!])!),
    next,
    total:
      query.after === undefined ? { count: countRows(db, reading.groups[0]!.branches), exact: true } : null,
  };
}

/** The cursors of that list, so that any part of it can be read at once. */
export function pairMarks(db: ReadableDb, query: PairQuery & { every: number }): Marks {
  const reading = readingOf(query);
  return readMarks(db, reading, query.every, 'pair');
}

/** A pair as the contract shows it; null where it is not followed. */
export function shownPair(db: ReadableDb, pair: PairKey): AllocationPair | null {
  const { subscription_id, component_id } = pair;
  return pairWhere(db, 'subscription_id = ? AND component_id = ?', [subscription_id, component_id]);
}

/** There are few enough pairs that those a filter leaves out may be looked at too. */
function readingOf({ filter, sort: { by, direction } }: PairQuery): Reading {
  const where: string[] = [];
  const bound: Values = [];
  const add = (sql: string, ...values: Value[]) => {
    where.push(sql);
    bound.push(...values);
  };
  if (filter.subscription_id !== undefined) add('subscription_id = ?', filter.subscription_id);
  if (filter.component_id !== undefined) add('component_id = ?', filter.component_id);
  if (filter.state !== undefined) add('state = ?', filter.state);
  if (filter.search !== undefined && filter.search.trim() !== '') {
    const like = containing(filter.search);
    const id = filter.search.trim();
    add(
      `(component_name LIKE ? ESCAPE '\\' OR component_id = ? OR subscription_id = ? OR subscription_id IN (
          SELECT subscription_id FROM subscription
          WHERE customer_name LIKE ? ESCAPE '\\' OR customer_organization LIKE ? ESCAPE '\\'))`,
      ...[like, id, id, like, like],
    );
  }
  const branch: Branch = { from: 'pair', where, bound };
  return {
    order: { name: `pairs ${by}`, columns: sorts[by], direction },
    groups: [{ lead: [], branches: [branch] }],
    edge: null,
  };
}

interface StoredPair extends Omit<AllocationPair, 'customer_name' | 'synced_at'> {
  read_at: number | null;
}

function pairWhere(db: ReadableDb, where: string, bound: Values): AllocationPair | null {
  const stored = prepared<StoredPair>(
    db,
    `SELECT subscription_id, component_id, component_name, quantity, allocations, last_at_text AS last_at, state, source,
       read_at FROM pair WHERE ${where}`,
  ).get(...bound);
  if (stored === undefined) return null;
  const { read_at, ...rest } = stored;
  const customer_name = prepared<string | null>(
    db,
    `SELECT nullif(customer_name, '') FROM subscription WHERE subscription_id = ?`,
  )
    .pluck()
    .get(stored.subscription_id);
  return { ...rest, customer_name: customer_name ?? null, synced_at: isoMoment(read_at) };
}
