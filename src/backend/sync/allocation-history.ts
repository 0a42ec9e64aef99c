import type { Allocation, BillingError, ListAnswer } from '../../billing/index.ts';
import { replaceAllocations } from '../store/allocations/allocation.ts';
import { type PairKey, setPairState } from '../store/allocations/pair.ts';
import { heldAllocations, pairOf } from '../store/allocations/pair-needs.ts';
import { commit } from '../store/database.ts';
import type { SyncContext } from './context.ts';
import { ALLOCATIONS_PER_PAGE, isChained, isSame, mayBeShifted, newRows } from './history.ts';
import { samePage } from './pages.ts';
import { located, type Problems, refusedRows } from './problems.ts';
import { unitFailure } from './units.ts';

/** What reading a history needs; also used where a pair is followed by hand. */
export type HistoryContext = Pick<SyncContext, 'site' | 'client' | 'tally' | 'now'>;

/** A history as far as it was read, newest first. */
interface Read {
  rows: Allocation[];
  /** Whether it was read to its end. */
  whole: boolean;
  /** When the request began that brought its newest page, ms UTC, our clock. */
  readAt: number;
  answers: ListAnswer<Allocation>[];
}

/** Read by JSON on every site: the interface's XML shows no proration schemes (2.2), without which nothing tells that a charge is missing. */
const WHOLE = 'json';

/** Readings of a history that keeps changing, before it is left for the next time. */
const READINGS = 4;

/**
 * Reads a pair's history, newest first, back to where it is held, and stores it as a whole. A history that does not fit
 * what is held, or is not a chain, is read again from its end to its beginning. Gives false where it could not be read;
 * what is wrong is then in the problems.
 */
export async function readHistory(
  context: HistoryContext,
  problems: Problems,
  pair: PairKey,
  signal: AbortSignal,
): Promise<boolean> {
  const { tally } = context;
  const { cache } = context.site;
  const place = `allocations of component ${pair.component_id} on subscription ${pair.subscription_id}`;
  try {
    const held = heldAllocations(cache, pair);
    let read = await readPages(context, pair, held, signal);
    let fresh = newRows(read.rows, held, read.whole);
    let history = fresh === null ? read.rows : [...read.rows.slice(0, fresh), ...held];
    if (isDoubtful(read, held, fresh)) {
      read = await readPages(context, pair, [], signal);
      fresh = null;
      history = read.rows;
    }
    const added = fresh ?? history.length;
    tally.learned.allocations.push(
      read.whole ? { rows: read.rows.length, whole: true } : { rows: added, whole: false },
    );
    store(context, problems, pair, read, { history, added }, place);
    return true;
  } catch (error) {
    const failure = unitFailure(error);
    if (failure === null) throw error;
    const missing = failure.code === 'not_found';
    if (missing) await believe(context, failure, signal);
    else if (tally.answered === 0) throw failure;
    else tally.strikes.bad(failure);
    commit(cache, () => {
      setPairState(cache, pair, missing ? 'missing' : 'problem', context.now());
      if (!missing) problems.keep(place, failure.message, null);
    });
    if (missing) tally.learned.allocations.push({ rows: 0, whole: true });
    return missing;
  }
}

/** Any server may say that it does not have something. It is believed where it is the billing service: only that lists statements. */
async function believe(
  { client, tally }: HistoryContext,
  failure: BillingError,
  signal: AbortSignal,
): Promise<void> {
  if (tally.answered > 0) return;
  await client.listStatementIds({ page: 1 }, { signal, tries: 1 }).catch(() => {
    throw failure;
  });
}

/**
 * Whether a history must be read whole (again): it does not meet what is held, or its chain breaks where pages or readings
 * were joined. A break inside one page is the service's own, and is kept as it is.
 */
function isDoubtful(read: Read, held: readonly Allocation[], fresh: number | null): boolean {
  if (held.length === 0) return read.answers.length > 1 && !isChained(read.rows);
  if (fresh === null) return !(read.whole && read.answers.length === 1);
  return fresh > 0 && !isChained([...read.rows.slice(fresh - 1, fresh), ...held.slice(0, 1)]);
}

/** Pages until one meets what is held, or to the end. Rows that arrive meanwhile shift pages; then it is begun again. */
async function readPages(
  { client }: HistoryContext,
  { subscription_id, component_id }: PairKey,
  held: readonly Allocation[],
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
      if (read.whole || newRows(read.rows, held, false) !== null) return read;
    }
  }
}

/** Whether a page is the one before it once more. */
function isAgain(before: readonly Allocation[], items: readonly Allocation[]): boolean {
  return (
    items.length > 0 &&
    items.length === before.length &&
    items.every((item, index) => isSame(item, before[index] ?? item))
  );
}

/** Whether a history has become longer since its first page was read. */
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
  pair: PairKey,
  read: Read,
  { history, added }: { history: readonly Allocation[]; added: number },
  place: string,
): void {
  const { cache } = site;
  commit(cache, () => {
    // Who began later has seen more: a change that was made meanwhile must not be taken back.
    if ((pairOf(cache, pair)?.read_at ?? 0) > read.readAt) return;
    if (added > 0) replaceAllocations(cache, pair, history.toReversed(), read.readAt);
    tally.rows('allocation', { inserted: added, changed: 0 });
    setPairState(cache, pair, 'held', read.readAt);
    problems.solve(place);
    for (const { problems: found } of read.answers) {
      for (const each of located('allocations', found, [], place))
        problems.keep(each.fullPlace, each.reason, each.raw);
    }
  });
}
