import { touchedByReplays } from '../../store/replay/replay-touched.ts';
import { commit } from '../../store/sqlite/connection.ts';
import { solveReason } from '../../store/sync/problem.ts';
import { dropUnitBefore, unitsNamed } from '../../store/sync/sync-marks.ts';
import { failedOf, holdsBefore, notAccepted, webhookPlaces } from '../../store/webhooks/webhook-places.ts';
import { failedListChangedError, sweepFailedList } from './failed-sweep.ts';
import type { WebhookLog } from './webhook-log.ts';
import { lookUpWebhooks, type WebhookLookupResult } from './webhook-lookup.ts';
import { recentWebhookUnitName, saveWebhookIdUnit } from './webhook-store.ts';

/** Maximum number of times the list of failed webhooks is read if rows of it were skipped. */
const MAX_READS = 3;
/** Milliseconds for which webhooks of an unfinished replay are read again in each sync. */
const REPLAY_REREAD_MS = 24 * 3_600_000;

/**
 * Reads the webhooks again that may have changed: those on the service's list of failed webhooks, those no longer on that
 * list, and those that were never sent, were still being retried, or were sent by a Tieout replay.
 */
export async function readChangedWebhooks(log: WebhookLog, signal: AbortSignal): Promise<void> {
  for (let tries = 1; !(await tryReadChanged(log, signal)); tries++) {
    if (tries === MAX_READS) throw failedListChangedError();
  }
}

/** Reads the changed webhooks once. Returns false if rows of the list of failed webhooks were skipped. */
async function tryReadChanged(log: WebhookLog, signal: AbortSignal): Promise<boolean> {
  const { context } = log;
  const { cache, books } = context.site;
  const began = context.now();
  const gone = goneIds(log);
  const stored = notAccepted(cache, log.state.gone_before ?? 0).filter(({ id }) => !gone.has(id));
  const young = recentIds(log);
  const failed = stored.filter(({ delivery }) => delivery === 1).map(({ id }) => id);
  const never = stored.filter(({ delivery }) => delivery === 2).map(({ id }) => id);
  const replayed = touchedByReplays(books, context.now() - REPLAY_REREAD_MS);

  const { seen, listed, isConsistent } = await sweepFailedList(log, failed, signal);
  if (!isConsistent) return false;
  const departed = listed === null ? [] : failed.filter((id) => !listed.has(id));
  const wanted = new Set([...departed, ...never, ...young, ...replayed].filter((id) => !seen.has(id)));
  context.tally.minimumInputs.webhooks.departed = wanted.size;
  const found = wanted.size > 0 ? await lookUpWebhooks(log, [...wanted], signal) : null;
  if (found !== null) recordLookup(log, found);
  commit(cache, () => {
    for (const id of young) dropUnitBefore(cache, 'webhooks', recentWebhookUnitName(id), began);
  });
  // A webhook that still has the failed state was on the list all the time. If the sweep did not see it, it may have
  // skipped other rows as well.
  const still = failedOf(
    cache,
    departed.filter((id) => found?.seen.has(id)),
  );
  if (still.length > 0) log.save({ swept_at: null });
  return still.length === 0;
}

/** Records the result of a lookup, so that webhooks missing from the log are not requested again. */
function recordLookup(log: WebhookLog, { gone, older, notFound, logStart }: WebhookLookupResult): void {
  const { context } = log;
  const { cache } = context.site;
  commit(cache, () => {
    for (const id of gone) saveWebhookIdUnit(context, goneUnit(id), id);
    for (const id of notFound) {
      log.problems.record(webhookLocation(id), NOT_FOUND_REASON, null);
    }
    for (const id of [...gone, ...older]) log.problems.clear(webhookLocation(id));
    // The service keeps its log for a limited time and deletes the oldest rows first.
    const newest = webhookPlaces(cache, [...older])[0];
    if (newest !== undefined) log.save({ gone_before: Math.max(logStart ?? 0, newest.created_at + 1) });
  });
  context.tally.failed += notFound.size;
}

const NOT_FOUND_REASON = 'was not found at its position in the log';
const webhookLocation = (id: number) => `webhooks[id=${id}]`;

/**
 * Records that the complete log was read. Stored webhooks older than its oldest row no longer exist in the log, and
 * problems of webhooks that were not found are deleted.
 */
export function recordCompleteLogRead(log: WebhookLog): void {
  const { cache } = log.context.site;
  const { oldest } = log;
  commit(cache, () => {
    solveReason(cache, 'webhooks', NOT_FOUND_REASON);
    if (oldest !== null && holdsBefore(cache, oldest)) log.save({ gone_before: oldest });
  });
}

const goneUnit = (id: number) => `gone ${id}`;

function goneIds({ context }: WebhookLog): Set<number> {
  return new Set(unitsNamed<number>(context.site.cache, 'webhooks', 'gone '));
}

function recentIds({ context }: WebhookLog): number[] {
  return unitsNamed<number>(context.site.cache, 'webhooks', recentWebhookUnitName(''));
}
