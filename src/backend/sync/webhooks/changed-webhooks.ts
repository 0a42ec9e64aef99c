import { listWebhooksOfUnknownOutcome } from '../../store/replay/replay-figures.ts';
import { inTransaction } from '../../store/sqlite/connection.ts';
import { removeProblemsWithReason } from '../../store/sync/problem.ts';
import { listCheckpointsByPrefix, removeUnitSavedBefore } from '../../store/sync/sync-checkpoints.ts';
import {
  filterFailed,
  isAnyCreatedBefore,
  listLoggedWebhooks,
  listNotAccepted,
} from '../../store/webhooks/webhook-lookups.ts';
import { failedListChangedError, sweepFailedList } from './failed-sweep.ts';
import type { WebhookLog } from './webhook-log.ts';
import { lookUpWebhooks, type WebhookLookupResult } from './webhook-lookup.ts';
import { getRecentWebhookUnit, saveWebhookIdUnit } from './webhook-store.ts';

/** Maximum number of times the list of failed webhooks is read if rows of it were skipped. */
const MAX_READS = 3;
/** Milliseconds for which webhooks of an unfinished replay are read again in each sync. */
const REPLAY_REREAD_MS = 24 * 3_600_000;

/**
 * Reads the webhooks again that may have changed: those that are or were on the list of failed webhooks, were never
 * sent, were still being retried, or were sent by a Tieout replay.
 */
export async function readChangedWebhooks(log: WebhookLog, signal: AbortSignal): Promise<void> {
  for (let tries = 1; !(await tryReadChangedWebhooks(log, signal)); tries++) {
    if (tries === MAX_READS) throw failedListChangedError();
  }
}

/** Reads the changed webhooks once. Returns false if rows of the list of failed webhooks were skipped. */
async function tryReadChangedWebhooks(log: WebhookLog, signal: AbortSignal): Promise<boolean> {
  const { context } = log;
  const { cache, books } = context.site;
  const began = context.now();
  const gone = listGoneIds(log);
  const stored = listNotAccepted(cache, log.state.gone_before ?? 0).filter(({ id }) => !gone.has(id));
  const recent = listRecentIds(log);
  const failed = stored.filter(({ delivery }) => delivery === 1).map(({ id }) => id);
  const never = stored.filter(({ delivery }) => delivery === 2).map(({ id }) => id);
  const replayed = listWebhooksOfUnknownOutcome(books, context.now() - REPLAY_REREAD_MS);

  const { seen, listed, isConsistent } = await sweepFailedList(log, failed, signal);
  if (!isConsistent) return false;
  const departed = listed === null ? [] : failed.filter((id) => !listed.has(id));
  const requested = new Set([...departed, ...never, ...recent, ...replayed].filter((id) => !seen.has(id)));
  context.tally.minimumInputs.webhooks.departed = requested.size;
  const found = requested.size > 0 ? await lookUpWebhooks(log, [...requested], signal) : null;
  if (found !== null) recordLookup(log, found);
  inTransaction(cache, () => {
    for (const id of recent) removeUnitSavedBefore(cache, 'webhooks', getRecentWebhookUnit(id), began);
  });
  // A webhook that still has the failed state was on the list all the time. If the sweep did not see it, it may have
  // skipped other rows as well.
  const stillFailed = filterFailed(
    cache,
    departed.filter((id) => found?.seen.has(id)),
  );
  if (stillFailed.length > 0) log.save({ swept_at: null });
  return stillFailed.length === 0;
}

/** Records the result of a lookup, so that webhooks missing from the log are not requested again. */
function recordLookup(log: WebhookLog, { gone, older, notFound, logStart }: WebhookLookupResult): void {
  const { context } = log;
  const { cache } = context.site;
  inTransaction(cache, () => {
    for (const id of gone) saveWebhookIdUnit(context, getGoneUnit(id), id);
    for (const id of notFound) {
      log.problems.record(getWebhookLocation(id), NOT_FOUND_REASON, null);
    }
    for (const id of [...gone, ...older]) log.problems.clear(getWebhookLocation(id));
    // The service keeps its log for a limited time and deletes the oldest rows first.
    const newest = listLoggedWebhooks(cache, [...older])[0];
    if (newest !== undefined) log.save({ gone_before: Math.max(logStart ?? 0, newest.created_at + 1) });
  });
  context.tally.failed += notFound.size;
}

const NOT_FOUND_REASON = 'was not found at its position in the log';
const getWebhookLocation = (id: number) => `webhooks[id=${id}]`;

/** Records that the complete log was read: older webhooks and those not found no longer exist in it. */
export function recordCompleteLogRead(log: WebhookLog): void {
  const { cache } = log.context.site;
  const { oldestCreatedAt } = log;
  inTransaction(cache, () => {
    removeProblemsWithReason(cache, 'webhooks', NOT_FOUND_REASON);
    if (oldestCreatedAt !== null && isAnyCreatedBefore(cache, oldestCreatedAt))
      log.save({ gone_before: oldestCreatedAt });
  });
}

const getGoneUnit = (id: number) => `gone ${id}`;

function listGoneIds({ context }: WebhookLog): Set<number> {
  return new Set(listCheckpointsByPrefix<number>(context.site.cache, 'webhooks', 'gone '));
}

function listRecentIds({ context }: WebhookLog): number[] {
  return listCheckpointsByPrefix<number>(context.site.cache, 'webhooks', getRecentWebhookUnit(''));
}
