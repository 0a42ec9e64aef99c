import { commit } from '../store/database.ts';
import { touchedByReplays } from '../store/replay/replay-touched.ts';
import { solveReason } from '../store/sync/problem.ts';
import { dropUnitBefore, unitsNamed } from '../store/sync/sync-marks.ts';
import { failedOf, holdsBefore, notAccepted, webhookPlaces } from '../store/webhooks/webhook-places.ts';
import type { WebhookLog } from './webhook-log.ts';
import { type Found, readAgain } from './webhook-lookup.ts';
import { markRow, youngUnit } from './webhook-store.ts';
import { outOfStep, sweepFailed } from './webhook-sweep.ts';

/** Readings of the list of the failed, where rows of it were passed by. */
const MOST_TRIES = 3;
/** A replay that did not see the end of what it sent is looked after for so long. */
const REPLAYED_MS = 24 * 3_600_000;

/**
 * Brings the rows up to date that may have changed since they were read: the failed ones, by the service's list of them,
 * and exactly those that left that list, were never sent, were still being tried, or were touched by a replay of ours.
 */
export async function readChanged(log: WebhookLog, signal: AbortSignal): Promise<void> {
  for (let tries = 1; !(await readOnce(log, signal)); tries++) {
    if (tries === MOST_TRIES) throw outOfStep();
  }
}

/** Gives whether the list of the failed was read whole: else rows of it were passed by. */
async function readOnce(log: WebhookLog, signal: AbortSignal): Promise<boolean> {
  const { context } = log;
  const { cache, books } = context.site;
  const began = context.now();
  const gone = goneOnes(log);
  const held = notAccepted(cache, log.state.gone_before ?? 0).filter(({ id }) => !gone.has(id));
  const young = youngOnes(log);
  const failed = held.filter(({ delivery }) => delivery === 1).map(({ id }) => id);
  const never = held.filter(({ delivery }) => delivery === 2).map(({ id }) => id);
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
  // One that is failed where it stands in the log was on the list all the while: so others may have been passed by as well.
  const still = failedOf(
    cache,
    departed.filter((id) => found?.seen.has(id)),
  );
  if (still.length > 0) log.save({ swept_at: null });
  return still.length === 0;
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
