import { storedWebhooks } from '../../store/webhooks/webhook-places.ts';
import { addDays, earliestDay } from '../shared/any-zone.ts';
import { bridges, isSamePage, repeats } from '../shared/bridge.ts';
import { type PageAsk, poisonOf, samePage } from '../shared/pages.ts';
import { NEWEST, type ReadPage, SURE_SIZE, type WebhookLog, withoutLost } from './webhook-log.ts';
import { SAFETY_LAG_MS } from './webhook-store.ts';
import { firstOf, openWindow, type Window } from './window.ts';
import { beginWindow, dropWindow, dropWindows, saveWindow, windowKey } from './window-units.ts';

const FILTER = { order: 'newest_first' as const };
/** Maximum number of reads of a page that repeats the previous one. */
const MOST_TRIES = 3;
/** Number of pages from which a gap is read as a window, which can be resumed. */
const LONGEST_WALK = 40;

/**
 * Reads the newest part of the log, newest first, until it meets rows that are certainly stored. New rows push others
 * down, so pages may repeat rows but never skip any, and deletions at the old end do not matter. A short log that was
 * never read is therefore read completely in this way. A remaining gap is left to a window.
 */
export async function readTail(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const { context } = log;
  const { webhooks: learned } = context.tally.learned;
  const reach = context.full ? null : log.state.reach;
  const rest = reach === null ? nextWindow(log) : null;
  let newReach = 0;
  let arrived = 0;
  let before: ReadPage | null = null;
  /** True if the previous page seemed to be the last because it was shorter than others. */
  let doubted = false;
  /** The oldest row connected to all newer rows without a gap. */
  let joint: number | undefined;
  let whole = true;
  /** Rows added by this read. Seeing them again on a later page proves nothing about older rows. */
  const brought = new Set<number>();
  let next = fetch(log, { page: 1, per_page: log.state.size.asked }, null, signal);
  for (let page = 1; ; page++) {
    const { ask } = next;
    const came: ReadPage = await next.reading;
    // A window handles poison rows, so it reads the rest of a log that was never read.
    const handsOver = rest !== null && came.pieces.lost.length > 0;
    const read: ReadPage = handsOver ? withoutLost(came) : came;
    if (before === null) distrustSize(log, read);
    else if (read.rows > 0 && !doubted) log.learn(before.rows);
    const bridged = before === null ? [] : await bridge(log, before, read, firstOf(ask), signal);
    before = read;

    const { created } = read;
    log.newestDensity ??= densityOf(created);
    if (page === 1) newReach = Math.min(created[0] ?? 0, log.serviceNow() - SAFETY_LAG_MS);
    whole &&= read.pieces.lost.length === 0;
    const oldest = created.at(-1);
    const met = reach !== null && meets(log, read, reach, brought);
    const last = log.isLast(read.rows) === true;
    // Pages may have become shorter. Then this one does not follow the previous one.
    const unsure = last && !met && page > 1 && !log.isSureEnd(read);
    const doubt: boolean = unsure && rest !== null && !doubted;
    const short = (unsure && !doubt) || (doubted && read.rows > 0);
    if (short) log.unlearn();
    const ended = !handsOver && (met || (last && !unsure && !short));
    const gap =
      short ||
      handsOver ||
      (!ended && !doubt && oldest !== undefined && isFar(context, page, created, reach));
    if (!doubt && !short && !handsOver && oldest !== undefined) joint = oldest;
    const meeting = whole ? (joint ?? null) : null;
    // Prefetch the next page while this one is stored.
    if (!ended && !gap) next = fetch(log, { page: page + 1, per_page: sizeAfter(log, read) }, read, signal);
    const stored = log.store(read, NEWEST, () => {
      for (const each of bridged) log.store(each, NEWEST);
      if (rest !== null && page === 1) {
        dropWindows(log);
        log.save({ since: gap ? context.since : null, windows: log.state.windows + 1 });
      }
      // However this walk ends early, a window reads the rest of a log that was never read.
      if (rest !== null && !ended) saveWindow(log, { ...rest, meets: meeting });
      else if (rest !== null) dropWindow(log, rest);
      else if (gap) beginWindow(log, { since: earliestDay(reach as number), meets: meeting });
      // Poison rows are requested again by the window or the next run.
      const reached = ended ? whole : gap || rest !== null;
      const read_to = ended && newReach > 0 ? { read_to: newReach } : {};
      log.save(reached && newReach > 0 ? { reach: newReach } : read_to, reached ? {} : { complete: false });
    });
    arrived += stored.inserted;
    learned.rowsPerPage = log.perPage();
    learned.arrived = gap || reach === null ? (learned.arrived ?? 0) + read.rows : arrived;
    context.job.progress('webhooks', {
      done: log.seen,
      ...(page > 1 && oldest !== undefined && { current: new Date(oldest).toISOString().slice(0, 10) }),
    });
    context.tell('webhooks');
    if (ended || gap) return;
    doubted = doubt;
  }
}

/** Returns the window of a log that is read for the first time: from its beginning, or from a given day. */
function nextWindow(log: WebhookLog): Window {
  return openWindow(windowKey(log.state.windows + 1), firstDay(log.context.since), null, null);
}

/**
 * Returns true if the stored rows are so far behind a page that a window reads the gap, because a window can be resumed.
 */
function isFar(
  { since }: WebhookLog['context'],
  page: number,
  created: readonly number[],
  reach: number | null,
): boolean {
  if (reach !== null) return pagesLeft(created, reach) > LONGEST_WALK;
  return since !== null || page >= LONGEST_WALK;
}

function fetch(log: WebhookLog, ask: PageAsk, before: ReadPage | null, signal: AbortSignal) {
  const reading = readFresh(log, ask, before, signal);
  // A prefetched page may fail while the previous page is being stored; the error surfaces when the page is awaited.
  reading.catch(() => {});
  return { ask, reading };
}

/** Reads a page of the newest webhooks, again if it repeats the previous page. */
async function readFresh(
  log: WebhookLog,
  ask: PageAsk,
  before: ReadPage | null,
  signal: AbortSignal,
): Promise<ReadPage> {
  for (let tries = 1; ; tries++) {
    const read = await readCarefully(log, ask, signal);
    if (before === null || !isSamePage(before.ids, read.ids)) return read;
    if (tries === MOST_TRIES) throw samePage('webhooks');
  }
}

/** If the service fails on the first page of an untested size, uses a size that it certainly accepts. */
async function readCarefully(log: WebhookLog, ask: PageAsk, signal: AbortSignal): Promise<ReadPage> {
  try {
    return await log.read(FILTER, ask, signal);
  } catch (error) {
    const { effective } = log.state.size;
    if (ask.page > 1 || ask.per_page <= (effective ?? SURE_SIZE) || poisonOf(error) === null) throw error;
    if (effective === null) log.state.size = { asked: SURE_SIZE, effective: SURE_SIZE };
    return await log.read(FILTER, { page: 1, per_page: effective ?? SURE_SIZE }, signal);
  }
}

/** Returns the size of the next page: while sizes are unknown, that of the given page. */
function sizeAfter({ state: { size } }: WebhookLog, before: ReadPage): number {
  return size.effective ?? Math.max(1, before.rows);
}

/**
 * If two pages share a row, either rows have arrived, or rows with the same timestamp changed their order and one slipped
 * between the pages. A page that contains the boundary shows it.
 */
async function bridge(
  log: WebhookLog,
  before: ReadPage,
  after: ReadPage,
  index: number,
  signal: AbortSignal,
): Promise<ReadPage[]> {
  const [ask] = repeats(before.ids, after.ids) ? bridges(index, log.perPage()) : [];
  return ask === undefined ? [] : [await log.read(FILTER, ask, signal)];
}

/** One day early, because the time zone of the service's days is unknown. */
function firstDay(since: string | null): string | null {
  return since === null ? null : addDays(since, -1);
}

/**
 * Returns true if a page reaches a row that was already stored within the complete range. Adds the new rows to `brought`.
 */
function meets(log: WebhookLog, read: ReadPage, reach: number, brought: Set<number>): boolean {
  const settled = read.placed.filter(({ created_at }) => created_at <= reach).map(({ id }) => id);
  const held = storedWebhooks(log.context.site.cache, settled);
  for (const id of settled) if (!held.has(id)) brought.add(id);
  return settled.some((id) => !brought.has(id));
}

/** Returns the estimated number of pages before `reach`, assuming the density of this page. */
function pagesLeft(created: readonly number[], reach: number): number {
  const newest = created[0];
  const oldest = created.at(-1);
  if (newest === undefined || oldest === undefined || newest === oldest) return 1;
  return (oldest - reach) / (newest - oldest);
}

/** Returns rows per millisecond, or null if the rows show none. */
function densityOf(created: readonly number[]): number | null {
  const [newest, oldest] = [created[0], created.at(-1)];
  if (newest === undefined || oldest === undefined || newest <= oldest) return null;
  return created.length / (newest - oldest);
}

/**
 * A service that now returns smaller pages would seem to end too early. One that returns larger pages is asked for those.
 */
function distrustSize(log: WebhookLog, { rows }: ReadPage): void {
  const { effective } = log.state.size;
  if (effective !== null && rows !== effective) log.unlearn();
}
