import {
  type AllocationChange,
  type AllocationChangeOutcome,
  type AllocationChangeProblem,
  type AllocationDraft,
  allocationChangeOutcomeSchema,
  allocationChangeProblemSchema,
  type ContractOutputs,
} from '../../../contract/index.ts';
import { findProrationScheme } from '../../../domain/allocations/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { orderByColumn, type PageRequest, planListScans, readRowPage } from '../lists/keyset-pagination.ts';
import { joinConditions, whereEqual, whereIf, whereIn } from '../lists/sql-conditions.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import {
  findAllocationChange,
  findAllocationDraft,
  type StoredAllocationChange,
  type StoredAllocationDraft,
} from './allocation-draft.ts';
import { listRequestsForAllocationChange } from './allocation-request.ts';
import { findComponentName, findCustomerName } from './subscription-component.ts';

/** Lists allocation drafts, newest first. */
export function listAllocationDrafts(books: ReadableDb, site: string, limit: number): AllocationDraft[] {
  const sql = 'SELECT * FROM allocation_draft ORDER BY created_at DESC, id DESC LIMIT ?';
  return select
    .rows<StoredAllocationDraft>(books, sql, limit)
    .map((draft) => toAllocationDraft(books, site, draft));
}

/** Returns an allocation draft as defined by the contract, or null if it does not exist. */
export function getAllocationDraft(books: ReadableDb, site: string, id: string): AllocationDraft | null {
  const draft = findAllocationDraft(books, id);
  return draft === null ? null : toAllocationDraft(books, site, draft);
}

function toAllocationDraft(books: ReadableDb, site: string, stored: StoredAllocationDraft): AllocationDraft {
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
    ...countDraftChanges(books, id),
  };
}

type Figures = Pick<
  AllocationDraft,
  'count' | 'ready' | 'upgrades' | 'downgrades' | 'changed_since_drafted' | 'problems' | 'outcomes'
>;

const zeros = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

function countDraftChanges(books: ReadableDb, id: string): Figures {
  const sql = `SELECT problem, direction, outcome, count(*) AS count, sum(drafted_quantity IS NOT current_quantity) AS changed
     FROM allocation_change WHERE draft = ? GROUP BY problem, direction, outcome`;
  const groups = select.rows<{
    problem: AllocationChangeProblem | null;
    direction: AllocationChange['direction'];
    outcome: AllocationChangeOutcome;
    count: number;
    changed: number;
  }>(books, sql, id);
  const figures: Figures = {
    count: 0,
    ready: 0,
    upgrades: 0,
    downgrades: 0,
    changed_since_drafted: 0,
    problems: zeros(allocationChangeProblemSchema.options),
    outcomes: zeros(allocationChangeOutcomeSchema.options),
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

export interface AllocationChangesQuery extends PageRequest {
  draft: string;
  show: 'all' | 'ready' | 'problems';
  outcome?: readonly AllocationChangeOutcome[] | undefined;
}

/** Lists the changes of a draft in order, with customer and component names from the cache. */
export function listAllocationChanges(
  books: ReadableDb,
  cache: ReadableDb,
  query: AllocationChangesQuery,
): ContractOutputs['allocations']['changes'] {
  const { draft, show, outcome } = query;
  const isReady = show === 'ready' || outcome !== undefined;
  const conditions = joinConditions(
    whereEqual('draft', draft),
    ...(isReady ? [whereIf('problem IS NULL')] : []),
    ...(show === 'problems' ? [whereIf('problem IS NOT NULL')] : []),
    whereIn('outcome', outcome),
  );
  const order = orderByColumn('allocation changes', 'ordinal', 'asc');
  return readRowPage(
    books,
    planListScans(order, [{ from: 'allocation_change', ...conditions }]),
    query,
    ([ordinal]) => toAllocationChange(books, cache, findAllocationChange(books, draft, Number(ordinal))!),
  );
}

/** Converts a stored allocation change to the format of the contract. */
export function toAllocationChange(
  books: ReadableDb,
  cache: ReadableDb,
  change: StoredAllocationChange,
): AllocationChange {
  const { request: _, resolved_at, ...rest } = change;
  const { subscription_id, component_id, direction } = change;
  return {
    ...rest,
    customer_name: findCustomerName(cache, subscription_id),
    component_name: findComponentName(cache, subscription_id, component_id),
    scheme: findProrationScheme(change, direction),
    scheme_seen: findLatestScheme(cache, subscription_id, component_id, direction),
    resolved_at: formatTimestamp(resolved_at),
    requests: listRequestsForAllocationChange(books, change).map(
      ({ request, state, posted_at, ended_at, error }) => ({
        request,
        state,
        posted_at: formatTimestamp(posted_at),
        ended_at: formatTimestamp(ended_at),
        error,
      }),
    ),
  };
}

const seen = {
  upgrade: 'proration_upgrade_scheme',
  downgrade: 'proration_downgrade_scheme',
} as const;

function findLatestScheme(
  cache: ReadableDb,
  subscription: number | null,
  component: number | null,
  direction: AllocationChange['direction'],
): string | null {
  if (direction !== 'upgrade' && direction !== 'downgrade') return null;
  const column = seen[direction];
  const sql = `SELECT ${column} FROM allocation WHERE subscription_id = ? AND component_id = ? AND ${column} IS NOT NULL
       ORDER BY timestamp_ms DESC, ordinal DESC LIMIT 1`;
  return select.value<string>(cache, sql, subscription, component);
}
