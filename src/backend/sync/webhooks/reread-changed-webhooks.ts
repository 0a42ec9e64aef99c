import { listWebhooksWithUnknownOutcome } from '../../store/replay/replay-figures.ts';
import { runInTransaction } from '../../store/sqlite/connection.ts';
import { listSyncCheckpointsByPrefix, removeSyncUnitSavedBefore } from '../../store/sync/sync-checkpoints.ts';
import { removeSyncProblemsWithReason } from '../../store/sync/sync-problem.ts';
import {
  filterFailedWebhooks,
  isAnyWebhookCreatedBefore,
  listNotAcceptedWebhooks,
  listWebhookLogPositions,
} from '../../store/webhooks/webhook-lookups.ts';
import { failedWebhooksChangedError, sweepFailedWebhooks } from './failed-webhook-sweep.ts';
import { getRecentWebhookUnitName, saveSyncUnitForWebhook } from './store-webhook-page.ts';
import type { WebhookLog } from './webhook-log.ts';
import { lookUpWebhooks, type WebhookLookupResult } from './webhook-lookup.ts';

/** Maximum number of attempts to read the list of failed webhooks without skipping rows. */
const MAX_READS = 3;
/** For this many milliseconds after a replayed webhook was sent, each sync reads it again if its outcome is unknown. */
const REPLAY_REREAD_MS = 24 * 3_600_000;

/**
 * Reads webhooks again that may have changed: webhooks that are or were on the list of failed webhooks, were never
 * sent, were still being retried, or were sent by a Tieout replay.
 */
export async function rereadChangedWebhooks(log: WebhookLog, signal: AbortSignal): Promise<void> {
  for (let tries = 1; !(await tryReadChangedWebhooks(log, signal)); tries++) {
    if (tries === MAX_READS) throw failedWebhooksChangedError();
  }
}

/** Reads possibly changed webhooks once. Returns false if the read skipped rows of the list of failed webhooks. */
async function tryReadChangedWebhooks(log: WebhookLog, signal: AbortSignal): Promise<boolean> {
  const { context } = log;
  const { cache, books } = context.site;
  const began = context.now();
  const missing = listMissingIds(log);
  const stored = listNotAcceptedWebhooks(cache, log.state.gone_before ?? 0).filter(
    ({ id }) => !missing.has(id),
  );
  const recent = listRecentIds(log);
  const failed = stored.filter(({ delivery }) => delivery === 1).map(({ id }) => id);
  const never = stored.filter(({ delivery }) => delivery === 2).map(({ id }) => id);
  const replayed = listWebhooksWithUnknownOutcome(books, context.now() - REPLAY_REREAD_MS);

  const { seen, listed, isConsistent } = await sweepFailedWebhooks(log, failed, signal);
  if (!isConsistent) return false;
  const departed = listed === null ? [] : failed.filter((id) => !listed.has(id));
  const requested = new Set([...departed, ...never, ...recent, ...replayed].filter((id) => !seen.has(id)));
  context.tally.minimumInputs.webhooks.departed = requested.size;
  const found = requested.size > 0 ? await lookUpWebhooks(log, [...requested], signal) : null;
  if (found !== null) recordLookup(log, found);
  runInTransaction(cache, () => {
    for (const id of recent)
      removeSyncUnitSavedBefore(cache, 'webhooks', getRecentWebhookUnitName(id), began);
  });
  // A webhook that is still failed was on the list during the sweep. A sweep that missed it may have missed other rows.
  const stillFailed = filterFailedWebhooks(
    cache,
    departed.filter((id) => found?.seen.has(id)),
  );
  if (stillFailed.length > 0) log.save({ swept_at: null });
  return stillFailed.length === 0;
}

/** Records the result of a lookup, so that webhooks missing from the log are not requested again. */
function recordLookup(log: WebhookLog, { missing, older, notFound, logStart }: WebhookLookupResult): void {
  const { context } = log;
  const { cache } = context.site;
  runInTransaction(cache, () => {
    for (const id of missing) saveSyncUnitForWebhook(context, getMissingWebhookUnitName(id), id);
    for (const id of notFound) {
      log.problems.record(getWebhookLocation(id), NOT_FOUND_REASON, null);
    }
    for (const id of [...missing, ...older]) log.problems.clear(getWebhookLocation(id));
    // The service keeps its log for a limited time and deletes the oldest rows first.
    const newest = listWebhookLogPositions(cache, [...older])[0];
    if (newest !== undefined) log.save({ gone_before: Math.max(logStart ?? 0, newest.created_at + 1) });
  });
  context.tally.failed += notFound.size;
}

const NOT_FOUND_REASON = 'was not found at its position in the log';
const getWebhookLocation = (id: number) => `webhooks[id=${id}]`;

/** Records a complete read of the log. Webhooks that are older or were not found no longer exist in the log. */
export function recordCompleteWebhookLogRead(log: WebhookLog): void {
  const { cache } = log.context.site;
  const { oldestCreatedAt } = log;
  runInTransaction(cache, () => {
    removeSyncProblemsWithReason(cache, 'webhooks', NOT_FOUND_REASON);
    if (oldestCreatedAt !== null && isAnyWebhookCreatedBefore(cache, oldestCreatedAt))
      log.save({ gone_before: oldestCreatedAt });
  });
}

const getMissingWebhookUnitName = (id: number) => `gone ${id}`;

function listMissingIds({ context }: WebhookLog): Set<number> {
  return new Set(listSyncCheckpointsByPrefix<number>(context.site.cache, 'webhooks', 'gone '));
}

function listRecentIds({ context }: WebhookLog): number[] {
  return listSyncCheckpointsByPrefix<number>(context.site.cache, 'webhooks', getRecentWebhookUnitName(''));
}
