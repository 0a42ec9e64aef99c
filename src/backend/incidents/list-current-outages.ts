import type { ContractOutputs } from '../../contract/index.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { readSyncPartState } from '../store/sync/sync-unit.ts';
import { listWebhookOutages } from '../store/webhooks/webhook-outages.ts';

/** Returns the outages as of the latest sync, newest first. `now` is the local clock in UTC milliseconds. */
export function listCurrentOutages(
  cache: ReadableDb,
  limit: number,
  now: number,
): ContractOutputs['webhooks']['outages'] {
  const part = readSyncPartState<{ skew?: number }>(cache, 'webhooks');
  const skew = part?.checkpoint.skew ?? 0;
  const known_to = (part?.synced_at ?? 0) + skew;
  return listWebhookOutages(cache, { limit, now: now + skew, known_to });
}
