import { addDays, earliestDay } from './anyZone.ts';
import type { ReadPage, WebhookLog } from './webhookLog.ts';
import { beginWindow, dropWindows } from './webhookWindows.ts';

/** Rows younger than this may still be joined by older ones, and may change by the service's own retries. */
export const SAFETY_LAG_MS = 600_000;
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
  for (let page = 1; ; page++) {
    const read: ReadPage = await log.read({ order: 'newest_first' }, page, signal);
    if (before === null) distrustSize(log, read);
    else if (read.rows > 0) log.learn(before.rows);
    before = read;

    const { created } = read;
    if (page === 1) newReach = Math.min(created[0] ?? 0, log.serviceNow() - SAFETY_LAG_MS);
    whole &&= read.pieces.lost.length === 0;
    const oldest = created.at(-1);
    const ended = log.isLast(read.rows) === true || (reach !== null && created.some((at) => at <= reach));
    const gap =
      !ended && oldest !== undefined && (reach === null || pagesLeft(created, reach) > LONGEST_WALK);
    const stored = log.store(read, 'the newest webhooks', () => {
      if (reach === null && (gap || ended)) dropWindows(log);
      if (gap)
        beginWindow(
          log,
          reach === null ? firstDay(context.since) : earliestDay(reach),
          whole ? oldest : null,
        );
      // Rows the service did not give are asked for again: by the window, or else by the next tail.
      log.save((gap || (ended && whole)) && newReach > 0 ? { reach: newReach } : {});
    });
    arrived += stored.inserted;
    learned.rowsPerPage = log.perPage();
    learned.arrived = gap || reach === null ? (learned.arrived ?? 0) + read.rows : arrived;
    context.tell('webhooks');
    if (ended || gap) return;
  }
}

/** A day early, because the zone of the service's days is not known. */
function firstDay(since: string | null): string | null {
  return since === null ? null : addDays(since, -1);
}

/** How many more pages lie before `reach`, if the log is as dense there as in this page. */
function pagesLeft(created: readonly number[], reach: number): number {
  const newest = created[0];
  const oldest = created.at(-1);
  if (newest === undefined || oldest === undefined || newest === oldest) return 1;
  return (oldest - reach) / (newest - oldest);
}

/** A service that gives smaller pages than it once did would seem to end too early. */
function distrustSize(log: WebhookLog, { rows }: ReadPage): void {
  const { effective, asked } = log.state.size;
  if (effective !== null && rows < effective) log.state.size = { asked, effective: null };
}
