import {
  type AllocationChange,
  type AllocationDraft,
  type ChangeOutcome,
  type ChangeProblem,
  changeOutcomeSchema,
  changeProblemSchema,
  type Outputs,
} from '../../../contract/index.ts';
import { findProrationScheme } from '../../../domain/allocations/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type Branch, countRows, type Reading, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import { type StoredChange, type StoredDraft, storedChange, storedDraft } from './allocation-draft.ts';
import { requestsOf } from './allocation-request.ts';

/** Lists drafts, newest first. */
export function listDrafts(books: ReadableDb, site: string, limit: number): AllocationDraft[] {
  return prepared<StoredDraft>(
    books,
    'SELECT * FROM allocation_draft ORDER BY created_at DESC, id DESC LIMIT ?',
  )
    .all(limit)
    .map((draft) => shownDraft(books, site, draft));
}

/** Returns null if the draft does not exist. */
export function draftOf(books: ReadableDb, site: string, id: string): AllocationDraft | null {
  const draft = storedDraft(books, id);
  return draft === null ? null : shownDraft(books, site, draft);
}

function shownDraft(books: ReadableDb, site: string, stored: StoredDraft): AllocationDraft {
  const { id, together, created_at, checked_at, sent_at, ended_at, ...rest } = stored;
  return {
    ...rest,
    draft: id,
    site,
    together: together === 1,
    created_at: formatTimestamp(created_at),
    checked_at: formatTimestamp(checked_at),
    sent_at: formatTimestamp(sent_at),
    ended_at: formatTimestamp(ended_at),
    ...figuresOf(books, id),
  };
}

type Figures = Pick<
  AllocationDraft,
  'count' | 'ready' | 'upgrades' | 'downgrades' | 'changed_since_drafted' | 'problems' | 'outcomes'
>;

const zeros = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

function figuresOf(books: ReadableDb, id: string): Figures {
  const groups = prepared<{
    problem: ChangeProblem | null;
    direction: AllocationChange['direction'];
    outcome: ChangeOutcome;
    count: number;
    changed: number;
  }>(
    books,
    `SELECT problem, direction, outcome, count(*) AS count, sum(drafted_quantity IS NOT current_quantity) AS changed
     FROM allocation_change WHERE draft = ? GROUP BY problem, direction, outcome`,
  ).all(id);
  const figures: Figures = {
    count: 0,
    ready: 0,
    upgrades: 0,
    downgrades: 0,
    changed_since_drafted: 0,
    problems: zeros(changeProblemSchema.options),
    outcomes: zeros(changeOutcomeSchema.options),
  };
  for (const { problem, direction, outcome, count, changed } of groups) {
    figures.count += count;
    figures.changed_since_drafted += changed;
    if (problem !== null) {
      figures.problems[problem] += count;
      continue;
    }
    figures.ready += count;
    figures.outcomes[outcome] += count;
    if (direction === 'upgrade') figures.upgrades += count;
    if (direction === 'downgrade') figures.downgrades += count;
  }
  return figures;
}

export interface ChangesQuery {
  draft: string;
  show: 'all' | 'ready' | 'problems';
  outcome?: readonly ChangeOutcome[] | undefined;
  after?: string | undefined;
  limit: number;
}

/** Lists the changes of a draft in order, with names from the cache. */
export function listChanges(
  books: ReadableDb,
  cache: ReadableDb,
  { draft, show, outcome, after, limit }: ChangesQuery,
): Outputs['allocations']['changes'] {
  const where = ['draft = ?'];
  const bound: Values = [draft];
  if (show !== 'all') where.push(show === 'ready' ? 'problem IS NULL' : 'problem IS NOT NULL');
  if (outcome !== undefined) {
    where.push('problem IS NULL', 'outcome IN (SELECT value FROM json_each(?))');
    bound.push(JSON.stringify(outcome));
  }
  const branches: Branch[] = [{ from: 'allocation_change', where, bound }];
  const reading: Reading = {
    order: { name: 'allocation changes', columns: [{ name: 'ordinal', type: 'number' }], direction: 'asc' },
    groups: [{ lead: [], branches }],
    edge: null,
  };
  const { keys, next } = readPage(books, reading, { after, limit });
  return {
    rows: keys.map(([ordinal]) => shownChange(books, cache, storedChange(books, draft, Number(ordinal))!)),
    next,
    total: after === undefined ? { count: countRows(books, branches), exact: true } : null,
  };
}

/** Returns a change as defined by the contract. */
export function shownChange(books: ReadableDb, cache: ReadableDb, change: StoredChange): AllocationChange {
  const { request: _, resolved_at, ...rest } = change;
  const { subscription_id, component_id, direction } = change;
  return {
    ...rest,
    customer_name: customerOf(cache, subscription_id),
    component_name: componentOf(cache, subscription_id, component_id),
    scheme: findProrationScheme(change, direction),
    scheme_seen: seenScheme(cache, subscription_id, component_id, direction),
    resolved_at: formatTimestamp(resolved_at),
    requests: requestsOf(books, change).map(({ request, state, posted_at, ended_at, error }) => ({
      request,
      state,
      posted_at: formatTimestamp(posted_at),
      ended_at: formatTimestamp(ended_at),
      error,
    })),
  };
}

function customerOf(cache: ReadableDb, subscription: number | null): string | null {
  return (
    prepared<string | null>(
      cache,
      "SELECT nullif(customer_name, '') FROM subscription WHERE subscription_id = ?",
    )
      .pluck()
      .get(subscription) ?? null
  );
}

function componentOf(
  cache: ReadableDb,
  subscription: number | null,
  component: number | null,
): string | null {
  const name = prepared<string | null>(
    cache,
    'SELECT component_name FROM subscription_component WHERE subscription_id = ? AND component_id = ?',
  )
    .pluck()
    .get(subscription, component);
  if (name) return name;
  return (
    prepared<string>(
      cache,
      'SELECT component_name FROM subscription_component WHERE component_id = ? AND component_name IS NOT NULL LIMIT 1',
    )
      .pluck()
      .get(component) ?? null
  );
}

const seen = {
  upgrade: 'proration_upgrade_scheme',
  downgrade: 'proration_downgrade_scheme',
} as const;

function seenScheme(
  cache: ReadableDb,
  subscription: number | null,
  component: number | null,
  direction: AllocationChange['direction'],
): string | null {
  if (direction !== 'upgrade' && direction !== 'downgrade') return null;
  const column = seen[direction];
  return (
    prepared<string>(
      cache,
      `SELECT ${column} FROM allocation WHERE subscription_id = ? AND component_id = ? AND ${column} IS NOT NULL
       ORDER BY timestamp_ms DESC, ordinal DESC LIMIT 1`,
    )
      .pluck()
      .get(subscription, component) ?? null
  );
}
