import type { Allocation, BillingError, ListResponse } from '../../../billing/index.ts';
import { replaceAllocations } from '../../store/allocations/allocation.ts';
import {
  findSubscriptionComponent,
  listStoredAllocations,
} from '../../store/allocations/histories-to-read.ts';
import {
  type ComponentKey,
  setAllocationHistoryState,
} from '../../store/allocations/subscription-component.ts';
import { runInTransaction } from '../../store/sqlite/connection.ts';
import {
  ALLOCATIONS_PER_PAGE,
  areQuantitiesContinuous,
  countNewAllocations,
  isHistoryPageShifted,
  isSameAllocation,
} from '../shared/allocation-history-rows.ts';
import { repeatedPageError } from '../shared/read-page-in-parts.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import {
  countRejectedListRows,
  locateReadProblems,
  type SyncProblemRecorder,
} from '../shared/sync-problems.ts';
import { toSyncUnitError } from '../shared/sync-unit-errors.ts';

/** Dependencies for reading an allocation history, by a sync or when a single subscription component is followed. */
export interface AllocationHistoryContext extends Pick<SyncContext, 'site' | 'tally' | 'now'> {
  readonly client: Pick<SyncContext['client'], 'listAllocations' | 'listStatementIds'>;
}

/** Newest part of an allocation history, as read from the service and sorted newest first. */
interface HistoryRead {
  rows: Allocation[];
  /** True if the history was read to its oldest row. */
  isComplete: boolean;
  /** Time at which the newest page was requested, in UTC milliseconds by the local clock. */
  readAt: number;
  answers: ListResponse<Allocation>[];
}

/** Requested response format. XML lists omit the proration schemes (interface 2.2), which reveal missing charges. */
const HISTORY_FORMAT = 'json';

/** Maximum number of attempts to read a history that keeps changing. The next sync tries again. */
const MAX_ATTEMPTS = 4;

/** Subscription component whose history is read. */
interface HistoryRequest {
  readonly context: AllocationHistoryContext;
  readonly problems: SyncProblemRecorder;
  readonly component: ComponentKey;
  readonly signal: AbortSignal;
}

/**
 * Reads a subscription component's history, newest first, until a page contains a stored row. Stores the new rows.
 * Reads the complete history if necessary. Returns false and records a problem if the history could not be read.
 */
export async function readAllocationHistory(
  context: AllocationHistoryContext,
  problems: SyncProblemRecorder,
  component: ComponentKey,
  signal: AbortSignal,
): Promise<boolean> {
  const { tally } = context;
  const { cache } = context.site;
  const request: HistoryRequest = { context, problems, component, signal };
  try {
    const stored = listStoredAllocations(cache, component);
    let read = await readPages(request, stored);
    let fresh = countNewAllocations(read.rows, stored, read.isComplete);
    let history = fresh === null ? read.rows : [...read.rows.slice(0, fresh), ...stored];
    if (mustReadAll(read, stored, fresh)) {
      read = await readPages(request, []);
      fresh = null;
      history = read.rows;
    }
    const added = fresh ?? history.length;
    tally.minimumInputs.allocations.push(
      read.isComplete ? { rows: read.rows.length, isComplete: true } : { rows: added, isComplete: false },
    );
    storeHistory(request, read, history, added);
    return true;
  } catch (error) {
    const failure = toSyncUnitError(error);
    if (failure === null) throw error;
    const isMissing = failure.code === 'not_found';
    if (isMissing) await verifyNotFound(context, failure, signal);
    else if (tally.answered === 0) throw failure;
    else tally.failureLimit.recordFailure(failure);
    runInTransaction(cache, () => {
      setAllocationHistoryState(cache, component, isMissing ? 'missing' : 'problem', context.now());
      if (!isMissing) problems.record(getHistoryLocation(component), failure.message, null);
    });
    if (isMissing) tally.minimumInputs.allocations.push({ rows: 0, isComplete: true });
    return isMissing;
  }
}

const getHistoryLocation = ({ component_id, subscription_id }: ComponentKey) =>
  `allocations of component ${component_id} on subscription ${subscription_id}`;

/** Throws `failure` unless the server can list statements, because servers of other kinds may also respond with 404. */
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

/** Returns true if the new rows do not connect to the stored rows, or if quantities do not match where they meet. */
function mustReadAll(read: HistoryRead, stored: readonly Allocation[], fresh: number | null): boolean {
  if (stored.length === 0) return read.answers.length > 1 && !areQuantitiesContinuous(read.rows);
  if (fresh === null) return !(read.isComplete && read.answers.length === 1);
  return fresh > 0 && !areQuantitiesContinuous([...read.rows.slice(fresh - 1, fresh), ...stored.slice(0, 1)]);
}

/** Reads history pages up to a stored row or to the end. Starts over if new rows have shifted the pages. */
async function readPages(request: HistoryRequest, stored: readonly Allocation[]): Promise<HistoryRead> {
  for (let attempt = 1; ; attempt++) {
    const read = await tryReadPages(request, stored, attempt === MAX_ATTEMPTS);
    if (read !== null) return read;
  }
}

/** Reads history pages once. Returns null if new rows have shifted the pages, unless this is the last attempt. */
async function tryReadPages(
  request: HistoryRequest,
  stored: readonly Allocation[],
  isLastAttempt: boolean,
): Promise<HistoryRead | null> {
  const read: HistoryRead = { rows: [], isComplete: false, readAt: 0, answers: [] };
  let before: Allocation[] = [];
  for (let page = 1; ; page++) {
    const answer = await readPage(request, page);
    const { items, meta } = answer;
    if (page === 1) read.readAt = meta.started_at;
    else if (isRepeatedHistoryPage(before, items)) {
      if (isLastAttempt) throw repeatedPageError('allocations');
      return null;
    } else if (!isLastAttempt && isHistoryPageShifted(before, items) && (await hasGrown(request, read)))
      return null;
    read.rows.push(...items);
    read.answers.push(answer);
    before = items;
    const rows = items.length + countRejectedListRows('allocations', answer.problems);
    read.isComplete = rows < ALLOCATIONS_PER_PAGE;
    if (read.isComplete || countNewAllocations(read.rows, stored, false) !== null) return read;
  }
}

function readPage({ context, component, signal }: HistoryRequest, page: number) {
  const { subscription_id, component_id } = component;
  const options = { signal, format: HISTORY_FORMAT } as const;
  return context.client.listAllocations(subscription_id, component_id, page, options);
}

function isRepeatedHistoryPage(before: readonly Allocation[], items: readonly Allocation[]): boolean {
  return (
    items.length > 0 &&
    items.length === before.length &&
    items.every((item, index) => isSameAllocation(item, before[index] ?? item))
  );
}

/** Returns true if the history has gained rows since its first page was read. */
async function hasGrown(request: HistoryRequest, { rows }: HistoryRead): Promise<boolean> {
  if (rows.length === 0) return false;
  const { items } = await readPage(request, 1);
  return items.some((item, index) => !isSameAllocation(item, rows[index] ?? item));
}

function storeHistory(
  { context: { site, tally }, problems, component }: HistoryRequest,
  read: HistoryRead,
  history: readonly Allocation[],
  added: number,
): void {
  const { cache } = site;
  const location = getHistoryLocation(component);
  runInTransaction(cache, () => {
    // Results must not replace those of a read that started later.
    if ((findSubscriptionComponent(cache, component)?.read_at ?? 0) > read.readAt) return;
    if (added > 0) replaceAllocations(cache, component, history.toReversed(), read.readAt);
    tally.recordRows('allocation', { inserted: added, changed: 0 });
    setAllocationHistoryState(cache, component, 'complete', read.readAt);
    problems.clear(location);
    for (const answer of read.answers) {
      for (const each of locateReadProblems('allocations', answer.problems, [], location))
        problems.record(each.fieldLocation, each.reason, each.raw);
    }
  });
}
