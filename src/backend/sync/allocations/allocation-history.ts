import type { Allocation, BillingError, ListResponse } from '../../../billing/index.ts';
import { replaceAllocations } from '../../store/allocations/allocation.ts';
import { findSubscriptionComponent, storedAllocations } from '../../store/allocations/history-needs.ts';
import { type ComponentKey, setHistoryState } from '../../store/allocations/subscription-component.ts';
import { commit } from '../../store/sqlite/connection.ts';
import type { SyncContext } from '../shared/context.ts';
import { ALLOCATIONS_PER_PAGE, isChained, isSame, mayBeShifted, newRows } from '../shared/history.ts';
import { samePage } from '../shared/pages.ts';
import { located, type Problems, refusedRows } from '../shared/problems.ts';
import { unitFailure } from '../shared/units.ts';

/** Dependencies for reading an allocation history. Also used when a person follows a subscription component. */
export interface HistoryContext extends Pick<SyncContext, 'site' | 'tally' | 'now'> {
  readonly client: Pick<SyncContext['client'], 'listAllocations' | 'listStatementIds'>;
}

/** The part of a history that was read, newest first. */
interface Read {
  rows: Allocation[];
  /** True if the history was read to its end. */
  whole: boolean;
  /** UTC milliseconds, local clock: start of the request that returned the newest page. */
  readAt: number;
  answers: ListResponse<Allocation>[];
}

/**
 * JSON on every site. XML lists show no proration schemes (interface 2.2), and without them a missing charge cannot be
 * detected.
 */
const WHOLE = 'json';

/** Maximum number of attempts to read a history that keeps changing. The next sync tries again. */
const READINGS = 4;

/**
 * Reads the history of a subscription component, newest first, until it meets the stored rows, and stores it. If it does
 * not meet them or is not a chain, the complete history is read again. Returns false if it could not be read; the reason
 * is recorded as a problem.
 */
export async function readHistory(
  context: HistoryContext,
  problems: Problems,
  component: ComponentKey,
  signal: AbortSignal,
): Promise<boolean> {
  const { tally } = context;
  const { cache } = context.site;
  const place = `allocations of component ${component.component_id} on subscription ${component.subscription_id}`;
  try {
    const stored = storedAllocations(cache, component);
    let read = await readPages(context, component, stored, signal);
    let fresh = newRows(read.rows, stored, read.whole);
    let history = fresh === null ? read.rows : [...read.rows.slice(0, fresh), ...stored];
    if (isDoubtful(read, stored, fresh)) {
      read = await readPages(context, component, [], signal);
      fresh = null;
      history = read.rows;
    }
    const added = fresh ?? history.length;
    tally.learned.allocations.push(
      read.whole ? { rows: read.rows.length, whole: true } : { rows: added, whole: false },
    );
    store(context, problems, component, read, { history, added }, place);
    return true;
  } catch (error) {
    const failure = unitFailure(error);
    if (failure === null) throw error;
    const missing = failure.code === 'not_found';
    if (missing) await believe(context, failure, signal);
    else if (tally.answered === 0) throw failure;
    else tally.strikes.bad(failure);
    commit(cache, () => {
      setHistoryState(cache, component, missing ? 'missing' : 'problem', context.now());
      if (!missing) problems.keep(place, failure.message, null);
    });
    if (missing) tally.learned.allocations.push({ rows: 0, whole: true });
    return missing;
  }
}

/**
 * Any server may answer 404. The answer is trusted only from the billing service, which is the only one to list
 * statements.
 */
async function believe(
  { client, tally }: HistoryContext,
  failure: BillingError,
  signal: AbortSignal,
): Promise<void> {
  if (tally.answered > 0) return;
  await client.listStatementIds({ page: 1 }, { signal, maxAttempts: 1 }).catch(() => {
    throw failure;
  });
}

/**
 * Returns true if the complete history must be read again: it does not meet the stored rows, or its chain breaks where
 * pages or reads were joined. A break within one page comes from the service and is stored as it is.
 */
function isDoubtful(read: Read, stored: readonly Allocation[], fresh: number | null): boolean {
  if (stored.length === 0) return read.answers.length > 1 && !isChained(read.rows);
  if (fresh === null) return !(read.whole && read.answers.length === 1);
  return fresh > 0 && !isChained([...read.rows.slice(fresh - 1, fresh), ...stored.slice(0, 1)]);
}

/** Reads pages until one meets the stored rows, or to the end. Starts again if new rows have shifted the pages. */
async function readPages(
  { client }: HistoryContext,
  { subscription_id, component_id }: ComponentKey,
  stored: readonly Allocation[],
  signal: AbortSignal,
): Promise<Read> {
  for (let reading = 1; ; reading++) {
    const read: Read = { rows: [], whole: false, readAt: 0, answers: [] };
    let before: Allocation[] = [];
    for (let page = 1; ; page++) {
      const answer = await client.listAllocations(subscription_id, component_id, page, {
        signal,
        format: WHOLE,
      });
      const { items, meta } = answer;
      if (page === 1) read.readAt = meta.started_at;
      else if (isAgain(before, items)) {
        if (reading === READINGS) throw samePage('allocations');
        break;
      } else if (
        reading < READINGS &&
        mayBeShifted(before, items) &&
        (await hasGrown(client, read, signal))
      ) {
        break;
      }
      read.rows.push(...items);
      read.answers.push(answer);
      before = items;
      read.whole = items.length + refusedRows('allocations', answer.problems) < ALLOCATIONS_PER_PAGE;
      if (read.whole || newRows(read.rows, stored, false) !== null) return read;
    }
  }
}

/** Returns true if the page repeats the previous one. */
function isAgain(before: readonly Allocation[], items: readonly Allocation[]): boolean {
  return (
    items.length > 0 &&
    items.length === before.length &&
    items.every((item, index) => isSame(item, before[index] ?? item))
  );
}

/** Returns true if the history has grown since its first page was read. */
async function hasGrown(client: HistoryContext['client'], read: Read, signal: AbortSignal): Promise<boolean> {
  const newest = read.rows[0];
  if (newest === undefined) return false;
  const { items } = await client.listAllocations(newest.subscription_id, newest.component_id, 1, {
    signal,
    format: WHOLE,
  });
  return items.some((item, index) => !isSame(item, read.rows[index] ?? item));
}

function store(
  { site, tally }: HistoryContext,
  problems: Problems,
  component: ComponentKey,
  read: Read,
  { history, added }: { history: readonly Allocation[]; added: number },
  place: string,
): void {
  const { cache } = site;
  commit(cache, () => {
    // A read that started later has seen more, so its result must not be replaced by an older one.
    if ((findSubscriptionComponent(cache, component)?.read_at ?? 0) > read.readAt) return;
    if (added > 0) replaceAllocations(cache, component, history.toReversed(), read.readAt);
    tally.rows('allocation', { inserted: added, changed: 0 });
    setHistoryState(cache, component, 'complete', read.readAt);
    problems.solve(place);
    for (const { problems: found } of read.answers) {
      for (const each of located('allocations', found, [], place))
        problems.keep(each.fullPlace, each.reason, each.raw);
    }
  });
}
