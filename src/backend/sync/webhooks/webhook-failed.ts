import { touchedByReplays } from '../../store/replay/replay-touched.ts';
import { commit } from '../../store/sqlite/connection.ts';
import { solveReason } from '../../store/sync/problem.ts';
import { dropUnitBefore, unitsNamed } from '../../store/sync/sync-marks.ts';
import { failedOf, holdsBefore, notAccepted, webhookPlaces } from '../../store/webhooks/webhook-places.ts';
import type { WebhookLog } from './webhook-log.ts';
import { type Found, readAgain } from './webhook-lookup.ts';
import { markRow, youngUnit } from './webhook-store.ts';
import { outOfStep, sweepFailed } from './webhook-sweep.ts';

/** Maximum number of reads of the failed list when rows of it were skipped. */
const MOST_TRIES = 3;
/** Milliseconds for which rows of an unfinished replay are read again. */
const REPLAYED_MS = 24 * 3_600_000;

/**
 * Updates the rows that may have changed since they were read: the failed rows, from the service's list, and those that
 * left the list, were never sent, were still being retried, or were touched by one of our replays.
 */
export async function readChanged(log: WebhookLog, signal: AbortSignal): Promise<void> {
  for (let tries = 1; !(await readOnce(log, signal)); tries++) {
    if (tries === MOST_TRIES) throw outOfStep();
  }
}

/** Returns true if the complete failed list was read, false if rows of it were skipped. */
async function readOnce(log: WebhookLog, signal: AbortSignal): Promise<boolean> {
  const { context } = log;
  const { cache, books } = context.site;
  const began = context.now();
  const gone = goneOnes(log);
  const stored = notAccepted(cache, log.state.gone_before ?? 0).filter(({ id }) => !gone.has(id));
  const young = youngOnes(log);
  const failed = stored.filter(({ delivery }) => delivery === 1).map(({ id }) => id);
  const never = stored.filter(({ delivery }) => delivery === 2).map(({ id }) => id);
  const replayed = touchedByReplays(books, context.now() - REPLAYED_MS);

  const { seen, listed, inStep } = await sweepFailed(log, failed, signal);
  if (!inStep) return false;
  const departed = listed === null ? [] : failed.filter((id) => !listed.has(id));
  const wanted = new Set([...departed, ...never, ...young, ...replayed].filter((id) => !seen.has(id)));
  context.tally.learned.webhooks.departed = wanted.size;
  const found = wanted.size > 0 ? await readAgain(log, [...wanted], signal) : null;
  if (found !== null) note(log, found);
  commit(cache, () => {
    for (const id of young) dropUnitBefore(cache, 'webhooks', youngUnit(id), began);
  });
  // A row that is failed in the log was on the list all the time. If it was not seen there, others may have been skipped
  // as well.
  const still = failedOf(
    cache,
    departed.filter((id) => found?.seen.has(id)),
  );
  if (still.length > 0) log.save({ swept_at: null });
  return still.length === 0;
}

/** Records which rows the lookup found, so that missing rows are not requested again. */
function note(log: WebhookLog, { gone, behind, missed, begins }: Found): void {
  const { context } = log;
  const { cache } = context.site;
  commit(cache, () => {
    for (const id of gone) markRow(context, goneUnit(id), id);
    for (const id of missed) {
      log.problems.keep(placeOf(id), NOT_FOUND, null);
    }
    for (const id of [...gone, ...behind]) log.problems.solve(placeOf(id));
    // The service keeps its log for a limited time and deletes the oldest rows first.
    const newest = webhookPlaces(cache, [...behind])[0];
    if (newest !== undefined) log.save({ gone_before: Math.max(begins ?? 0, newest.created_at + 1) });
  });
  context.tally.failed += missed.size;
}

const NOT_FOUND = 'was not found where it should stand in the log';
const placeOf = (id: number) => `webhooks[id=${id}]`;

/**
 * Called after the complete log was read. Stored rows older than its oldest row no longer exist there, nor do rows that
 * were not found before.
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
