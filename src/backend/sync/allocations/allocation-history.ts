import type { Allocation, BillingError, ListResponse } from '../../../billing/index.ts';
import { replaceAllocations } from '../../store/allocations/allocation.ts';
import { findSubscriptionComponent, storedAllocations } from '../../store/allocations/history-needs.ts';
import { type ComponentKey, setHistoryState } from '../../store/allocations/subscription-component.ts';
import { commit } from '../../store/sqlite/connection.ts';
import {
  ALLOCATIONS_PER_PAGE,
  areQuantitiesContinuous,
  countNewAllocations,
  isPageShifted,
  isSameAllocation,
} from '../shared/allocation-rows.ts';
import { repeatedPageError } from '../shared/page-parts.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { countRejectedRows, locateProblems, type SyncProblems } from '../shared/sync-problems.ts';
import { toUnitError } from '../shared/unit-failures.ts';

/** Dependencies for reading an allocation history. Syncing and following a subscription component both use them. */
export interface AllocationHistoryContext extends Pick<SyncContext, 'site' | 'tally' | 'now'> {
  readonly client: Pick<SyncContext['client'], 'listAllocations' | 'listStatementIds'>;
}

/** The newest part of an allocation history, as just read from the service. Rows are sorted newest first. */
interface HistoryRead {
  rows: Allocation[];
  /** True if the history was read to its oldest row. */
  isComplete: boolean;
  /** Start of the request that returned the newest page, in UTC milliseconds by the local clock. */
  readAt: number;
  answers: ListResponse<Allocation>[];
}

/**
 * Format in which histories are requested: JSON even on sites that use XML. XML lists have no proration schemes
 * (interface 2.2), and without the schemes a missing charge cannot be detected.
 */
const HISTORY_FORMAT = 'json';

/** Maximum number of attempts to read a history that keeps changing. The next sync tries again. */
const MAX_ATTEMPTS = 4;

/**
 * Reads a subscription component's history, newest first, until a page contains a stored row, and stores it. If no page
 * does, or if quantities do not connect, reads the complete history. Returns false and records a problem if the history
 * could not be read.
 */
export async function readAllocationHistory(
  context: AllocationHistoryContext,
  problems: SyncProblems,
  component: ComponentKey,
  signal: AbortSignal,
): Promise<boolean> {
  const { tally } = context;
  const { cache } = context.site;
  const place = `allocations of component ${component.component_id} on subscription ${component.subscription_id}`;
  try {
    const stored = storedAllocations(cache, component);
    let read = await readPages(context, component, stored, signal);
    let fresh = countNewAllocations(read.rows, stored, read.isComplete);
    let history = fresh === null ? read.rows : [...read.rows.slice(0, fresh), ...stored];
    if (mustReadAll(read, stored, fresh)) {
      read = await readPages(context, component, [], signal);
      fresh = null;
      history = read.rows;
    }
    const added = fresh ?? history.length;
    tally.minimumInputs.allocations.push(
      read.isComplete ? { rows: read.rows.length, isComplete: true } : { rows: added, isComplete: false },
    );
    storeHistory(context, problems, component, read, { history, added }, place);
    return true;
  } catch (error) {
    const failure = toUnitError(error);
    if (failure === null) throw error;
    const missing = failure.code === 'not_found';
    if (missing) await verifyNotFound(context, failure, signal);
    else if (tally.answered === 0) throw failure;
    else tally.failureLimit.recordFailure(failure);
    commit(cache, () => {
      setHistoryState(cache, component, missing ? 'missing' : 'problem', context.now());
      if (!missing) problems.record(place, failure.message, null);
    });
    if (missing) tally.minimumInputs.allocations.push({ rows: 0, isComplete: true });
    return missing;
  }
}

/**
 * Throws `failure` unless the server is the billing service. Any server may answer 404, but only the billing service can
 * list statements.
 */
async function verifyNotFound(
  { client, tally }: AllocationHistoryContext,
  failure: BillingError,
  signal: AbortSignal,
): Promise<void> {
  if (tally.answered > 0) return;
  await client.listStatementIds({ page: 1 }, { signal, maxAttempts: 1 }).catch(() => {
    throw failure;
  });
}

/**
 * Returns true if the complete history must be read again. This is the case if the new rows do not reach the stored ones,
 * or if quantities do not connect where pages or reads were joined. A break within one page comes from the service and is
 * stored as it is.
 */
function mustReadAll(read: HistoryRead, stored: readonly Allocation[], fresh: number | null): boolean {
  if (stored.length === 0) return read.answers.length > 1 && !areQuantitiesContinuous(read.rows);
  if (fresh === null) return !(read.isComplete && read.answers.length === 1);
  return fresh > 0 && !areQuantitiesContinuous([...read.rows.slice(fresh - 1, fresh), ...stored.slice(0, 1)]);
}

/** Reads pages until one contains a stored row, or to the end. Starts again if new rows have shifted the pages. */
async function readPages(
  { client }: AllocationHistoryContext,
  { subscription_id, component_id }: ComponentKey,
  stored: readonly Allocation[],
  signal: AbortSignal,
): Promise<HistoryRead> {
  for (let attempt = 1; ; attempt++) {
    const read: HistoryRead = { rows: [], isComplete: false, readAt: 0, answers: [] };
    let before: Allocation[] = [];
    for (let page = 1; ; page++) {
      const answer = await client.listAllocations(subscription_id, component_id, page, {
        signal,
        format: HISTORY_FORMAT,
      });
      const { items, meta } = answer;
      if (page === 1) read.readAt = meta.started_at;
      else if (isRepeatedHistoryPage(before, items)) {
        if (attempt === MAX_ATTEMPTS) throw repeatedPageError('allocations');
        break;
      } else if (
        attempt < MAX_ATTEMPTS &&
        isPageShifted(before, items) &&
        (await hasGrown(client, read, signal))
      ) {
        break;
      }
      read.rows.push(...items);
      read.answers.push(answer);
      before = items;
      read.isComplete =
        items.length + countRejectedRows('allocations', answer.problems) < ALLOCATIONS_PER_PAGE;
      if (read.isComplete || countNewAllocations(read.rows, stored, false) !== null) return read;
    }
  }
}

/** Returns true if a page has the same rows as the previous page. */
function isRepeatedHistoryPage(before: readonly Allocation[], items: readonly Allocation[]): boolean {
  return (
    items.length > 0 &&
    items.length === before.length &&
    items.every((item, index) => isSameAllocation(item, before[index] ?? item))
  );
}

/** Returns true if the history has new rows since its first page was read. */
async function hasGrown(
  client: AllocationHistoryContext['client'],
  read: HistoryRead,
  signal: AbortSignal,
): Promise<boolean> {
  const newest = read.rows[0];
  if (newest === undefined) return false;
  const { items } = await client.listAllocations(newest.subscription_id, newest.component_id, 1, {
    signal,
    format: HISTORY_FORMAT,
  });
  return items.some((item, index) => !isSameAllocation(item, read.rows[index] ?? item));
}

function storeHistory(
  { site, tally }: AllocationHistoryContext,
  problems: SyncProblems,
  component: ComponentKey,
  read: HistoryRead,
  { history, added }: { history: readonly Allocation[]; added: number },
  place: string,
): void {
  const { cache } = site;
  commit(cache, () => {
    // A read that started later is more recent, so an older result must not replace it.
    if ((findSubscriptionComponent(cache, component)?.read_at ?? 0) > read.readAt) return;
    if (added > 0) replaceAllocations(cache, component, history.toReversed(), read.readAt);
    tally.recordRows('allocation', { inserted: added, changed: 0 });
    setHistoryState(cache, component, 'complete', read.readAt);
    problems.clear(place);
    for (const { problems: found } of read.answers) {
      for (const each of locateProblems('allocations', found, [], place))
        problems.record(each.fieldLocation, each.reason, each.raw);
    }
  });
}
