import { commit } from '../store/database.ts';
import { touchedByReplays } from '../store/replay/replayTouched.ts';
import { solveReason } from '../store/sync/problem.ts';
import { dropUnitBefore, unitsNamed } from '../store/sync/syncMarks.ts';
import { holdsBefore, notAccepted, webhookPlaces } from '../store/webhooks/webhookPlaces.ts';
import { isSamePage } from './bridge.ts';
import { isAsExpected, startOfSweep } from './failedSweep.ts';
import { samePage } from './pages.ts';
import { FAILED_ONES, type WebhookLog } from './webhookLog.ts';
import { type Found, readAgain } from './webhookLookup.ts';
import { markRow, youngUnit } from './webhookStore.ts';

/** All failed rows are read at least so often, even if their last page shows that nothing moved. */
const SWEEP_EVERY_MS = 24 * 3_600_000;
/** Readings of a page that comes as the one before it. */
const MOST_TRIES = 3;
/** A replay that did not see the end of what it sent is looked after for so long. */
const REPLAYED_MS = 24 * 3_600_000;

/**
 * Brings the rows up to date that may have changed since they were read: the failed ones, by the service's list of them,
 * and exactly those that left that list, were never sent, were still being tried, or were touched by a replay of ours.
 */
export async function readChanged(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const { context } = log;
  const { cache, books } = context.site;
  const began = context.now();
  const gone = goneOnes(log);
  const held = notAccepted(cache, log.state.gone_before ?? 0).filter(({ id }) => !gone.has(id));
  const young = youngOnes(log);
  const failed = held.filter(({ delivery }) => delivery === 1).map(({ id }) => id);
  const never = held.filter(({ delivery }) => delivery === 2).map(({ id }) => id);
  const replayed = touchedByReplays(books, context.now() - REPLAYED_MS);

  const { seen, listed } = await sweep(log, failed, signal);
  const departed = listed === null ? [] : failed.filter((id) => !listed.has(id));
  const wanted = new Set([...departed, ...never, ...young, ...replayed].filter((id) => !seen.has(id)));
  context.tally.learned.webhooks.departed = wanted.size;
  if (wanted.size > 0) note(log, await readAgain(log, [...wanted], signal));
  commit(cache, () => {
    for (const id of young) dropUnitBefore(cache, 'webhooks', youngUnit(id), began);
  });
}

/** Keeps what came of looking for rows: those that are no longer there are not looked for again. */
function note(log: WebhookLog, { gone, behind, missed, begins }: Found): void {
  const { context } = log;
  const { cache } = context.site;
  commit(cache, () => {
    for (const id of gone) markRow(context, goneUnit(id), id);
    for (const id of missed) {
      log.problems.keep(placeOf(id), NOT_FOUND, null);
    }
    for (const id of [...gone, ...behind]) log.problems.solve(placeOf(id));
    // The service keeps its log for a limited time: the oldest rows go first.
    const newest = webhookPlaces(cache, [...behind])[0];
    if (newest !== undefined) log.save({ gone_before: Math.max(begins ?? 0, newest.created_at + 1) });
  });
  context.tally.failed += missed.size;
}

const NOT_FOUND = 'was not found where it should stand in the log';
const placeOf = (id: number) => `webhooks[id=${id}]`;

/**
 * To be called when all of the log was read: what is held and older than its oldest row is no longer there, and what was not
 * found before is not there either.
 */
export function noteWhole(log: WebhookLog): void {
  const { cache } = log.context.site;
  const { oldest } = log;
  commit(cache, () => {
    solveReason(cache, 'webhooks', NOT_FOUND);
    if (oldest !== null && holdsBefore(cache, oldest)) log.save({ gone_before: oldest });
  });
}

const goneUnit = (id: number) => `gone ${id}`;

function goneOnes({ context }: WebhookLog): Set<number> {
  return new Set(unitsNamed<number>(context.site.cache, 'webhooks', 'gone '));
}

function youngOnes({ context }: WebhookLog): number[] {
  return unitsNamed<number>(context.site.cache, 'webhooks', youngUnit(''));
}

/**
 * Reads the list of the failed: `seen` are the rows read, `listed` all that are on it; null where its last page shows that
 * they are those held.
 */
async function sweep(
  log: WebhookLog,
  held: readonly number[],
  signal: AbortSignal,
): Promise<{ seen: Set<number>; listed: Set<number> | null }> {
  const { context } = log;
  const { webhooks: learned } = context.tally.learned;
  const filter = { status: 'failed' as const, order: 'oldest_first' as const };
  const began = context.now();
  const start = startOfSweep(held, log.perPage());
  const recent = log.state.swept_at !== null && began - log.state.swept_at < SWEEP_EVERY_MS;
  const seen = new Set<number>();
  const perPage = log.perPage();
  /** Reads a page; gives how many rows it has. */
  const read = async (page: number) => {
    const answer = await log.read(filter, { page, per_page: perPage }, signal);
    const stored = log.store(answer, FAILED_ONES);
    for (const id of stored.ids) seen.add(id);
    return { ...stored, rows: answer.rows };
  };

  const first = await read(start.page);
  learned.failed = start.expected.length;
  const still = isAsExpected(start, first.ids) && first.changed === 0;
  if (still && start.page > 1 && recent) return { seen, listed: null };

  // More than was known of: to the end first, then from there down to the beginning.
  let at = first;
  for (let page = start.page + 1, tries = 1; !still && log.isLast(at.rows) !== true; ) {
    const next = await read(page);
    if (isSamePage(at.ids, next.ids)) {
      if (tries++ === MOST_TRIES) throw samePage('failed webhooks');
      continue;
    }
    at = next;
    page++;
    tries = 1;
  }
  for (let page = start.page - 1; page >= 1; page--) await read(page);
  learned.failed = seen.size;
  log.save({ swept_at: began });
  return { seen, listed: seen };
}
