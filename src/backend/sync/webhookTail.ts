import { heldWebhooks } from '../store/webhooks/webhookPlaces.ts';
import { addDays, earliestDay } from './anyZone.ts';
import { bridges, isSamePage, repeats } from './bridge.ts';
import { type PageAsk, poisonOf, samePage } from './pages.ts';
import { NEWEST, type ReadPage, SURE_SIZE, type WebhookLog } from './webhookLog.ts';
import { SAFETY_LAG_MS } from './webhookStore.ts';
import { firstOf } from './window.ts';
import { beginWindow, dropWindows } from './windowUnits.ts';

const FILTER = { order: 'newest_first' as const };
/** Readings of a page that comes as the one before it. */
const MOST_TRIES = 3;
/** A gap of more pages than this is read as a window, which goes on where it was stopped. */
const LONGEST_WALK = 40;

/**
 * Reads the newest part of the log, newest first, back to where it is held for certain. Arrivals push rows down, so pages
 * may repeat rows and never skip any. What then lies between is left to a window: all of the log, the first time.
 */
export async function readTail(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const { context } = log;
  const { webhooks: learned } = context.tally.learned;
  const reach = context.full ? null : log.state.reach;
  let newReach = 0;
  let arrived = 0;
  let before: ReadPage | null = null;
  let whole = true;
  /** Rows that this tail brought: that they come again with a later page says nothing of what lies behind them. */
  const brought = new Set<number>();
  for (let page = 1; ; page++) {
    const ask: PageAsk = { page, per_page: before === null ? log.state.size.asked : sizeAfter(log, before) };
    const read: ReadPage = await readFresh(log, ask, before, signal);
    if (before === null) distrustSize(log, read);
    else if (read.rows > 0) log.learn(before.rows);
    const bridged = before === null ? [] : await bridge(log, before, read, firstOf(ask), signal);
    const joint: number | undefined = before?.created.at(-1);
    before = read;

    const { created } = read;
    log.newestDensity ??= densityOf(created);
    if (page === 1) newReach = Math.min(created[0] ?? 0, log.serviceNow() - SAFETY_LAG_MS);
    whole &&= read.pieces.lost.length === 0;
    const oldest = created.at(-1);
    const met = reach !== null && meets(log, read, reach, brought);
    const last = log.isLast(read.rows) === true;
    // Pages may have become shorter: then this one is none that follows the one before it.
    const short = last && !met && page > 1 && !log.isSureEnd(read);
    if (short) log.unlearn();
    const ended = met || (last && !short);
    const gap =
      short ||
      (!ended && oldest !== undefined && (reach === null || pagesLeft(created, reach) > LONGEST_WALK));
    const stored = log.store(read, NEWEST, () => {
      for (const each of bridged) log.store(each, NEWEST);
      if (reach === null && (gap || ended)) {
        dropWindows(log);
        log.save({ since: gap ? context.since : null });
      }
      if (gap)
        beginWindow(log, {
          since: reach === null ? firstDay(context.since) : earliestDay(reach),
          meets: whole ? ((short ? joint : oldest) ?? null) : null,
        });
      // Rows the service did not give are asked for again: by the window, or else by the next tail.
      const reached = gap || (ended && whole);
      log.save(reached && newReach > 0 ? { reach: newReach } : {}, reached ? {} : { complete: false });
    });
    arrived += stored.inserted;
    learned.rowsPerPage = log.perPage();
    learned.arrived = gap || reach === null ? (learned.arrived ?? 0) + read.rows : arrived;
    context.job.progress('webhooks', { done: log.seen });
    context.tell('webhooks');
    if (ended || gap) return;
  }
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
