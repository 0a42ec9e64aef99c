import { heldWebhooks } from '../store/webhooks/webhook-places.ts';
import { addDays, earliestDay } from './any-zone.ts';
import { bridges, isSamePage, repeats } from './bridge.ts';
import { type PageAsk, poisonOf, samePage } from './pages.ts';
import { NEWEST, type ReadPage, SURE_SIZE, type WebhookLog, withoutLost } from './webhook-log.ts';
import { SAFETY_LAG_MS } from './webhook-store.ts';
import { firstOf, openWindow, type Window } from './window.ts';
import { beginWindow, dropWindow, dropWindows, saveWindow, windowKey } from './window-units.ts';

const FILTER = { order: 'newest_first' as const };
/** Readings of a page that comes as the one before it. */
const MOST_TRIES = 3;
/** A gap of more pages than this is read as a window, which goes on where it was stopped. */
const LONGEST_WALK = 40;

/**
 * Reads the newest part of the log, newest first, back to where it is held for certain. Arrivals push rows down, so pages
 * may repeat rows and never skip any; nor does it matter to them that the service deletes its oldest rows. So a log that was
 * never read is read like this as a whole, where it is short. What then lies between is left to a window.
 */
export async function readTail(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const { context } = log;
  const { webhooks: learned } = context.tally.learned;
  const reach = context.full ? null : log.state.reach;
  const rest = reach === null ? nextWindow(log) : null;
  let newReach = 0;
  let arrived = 0;
  let before: ReadPage | null = null;
  /** Whether the page before seemed to be the last one, for it was shorter than others. */
  let doubted = false;
  /** The oldest row that follows all others read here without a gap. */
  let joint: number | undefined;
  let whole = true;
  /** Rows that this tail brought: that they come again with a later page says nothing of what lies behind them. */
  const brought = new Set<number>();
  let next = fetch(log, { page: 1, per_page: log.state.size.asked }, null, signal);
  for (let page = 1; ; page++) {
    const { ask } = next;
    const came: ReadPage = await next.reading;
    // A window looks after rows that the service does not give, so it reads the rest of a log that was never read.
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
    // Pages may have become shorter: then this one is none that follows the one before it.
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
    // The next page is on its way while this one is stored.
    if (!ended && !gap) next = fetch(log, { page: page + 1, per_page: sizeAfter(log, read) }, read, signal);
    const stored = log.store(read, NEWEST, () => {
      for (const each of bridged) log.store(each, NEWEST);
      if (rest !== null && page === 1) {
        dropWindows(log);
        log.save({ since: gap ? context.since : null, windows: log.state.windows + 1 });
      }
      // However this walk ends before its end, the rest of a log that was never read is left to a window.
      if (rest !== null && !ended) saveWindow(log, { ...rest, meets: meeting });
      else if (rest !== null) dropWindow(log, rest);
      else if (gap) beginWindow(log, { since: earliestDay(reach as number), meets: meeting });
      // Rows the service did not give are asked for again: by the window, or else by the next tail.
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

/** The window of a log that is read for the first time: from its beginning, or from a day on where older rows are left out. */
function nextWindow(log: WebhookLog): Window {
  return openWindow(windowKey(log.state.windows + 1), firstDay(log.context.since), null, null);
}

/** Whether what is held lies so far behind a page that a window reads what is between, which goes on where it was stopped. */
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
  // It may fail while its forerunner is being stored; then it is heard of when its turn comes.
  reading.catch(() => {});
  return { ask, reading };
}

/** A page of the newest webhooks, read again where it comes as the one before it. */
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

/** Where the service fails on the first page of a size it was never seen to give, a size is asked for that it gives for certain. */
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

/** The size of the page behind this one: where sizes are not known, its own. */
function sizeAfter({ state: { size } }: WebhookLog, before: ReadPage): number {
  return size.effective ?? Math.max(1, before.rows);
}

/**
 * Where two pages share a row, either rows have arrived, or rows of one moment changed places and one got between the
 * pages: a page that has the place within it shows it.
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

/** A day early, because the zone of the service's days is not known. */
function firstDay(since: string | null): string | null {
  return since === null ? null : addDays(since, -1);
}

/** Whether a page reaches a row that was held before, among those that do not become more; adds to `brought` those that were not. */
function meets(log: WebhookLog, read: ReadPage, reach: number, brought: Set<number>): boolean {
  const settled = read.placed.filter(({ created_at }) => created_at <= reach).map(({ id }) => id);
  const held = heldWebhooks(log.context.site.cache, settled);
  for (const id of settled) if (!held.has(id)) brought.add(id);
  return settled.some((id) => !brought.has(id));
}

/** How many more pages lie before `reach`, if the log is as dense there as in this page. */
function pagesLeft(created: readonly number[], reach: number): number {
  const newest = created[0];
  const oldest = created.at(-1);
  if (newest === undefined || oldest === undefined || newest === oldest) return 1;
  return (oldest - reach) / (newest - oldest);
}

/** Rows a ms; null where they show none. */
function densityOf(created: readonly number[]): number | null {
  const [newest, oldest] = [created[0], created.at(-1)];
  if (newest === undefined || oldest === undefined || newest <= oldest) return null;
  return created.length / (newest - oldest);
}

/** A service that gives smaller pages than it once did would seem to end too early; one that gives larger ones is asked for those. */
function distrustSize(log: WebhookLog, { rows }: ReadPage): void {
  const { effective } = log.state.size;
  if (effective !== null && rows !== effective) log.unlearn();
}
