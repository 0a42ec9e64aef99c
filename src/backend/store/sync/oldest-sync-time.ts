import type { Site } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import type { ReadableDb } from '../sqlite/connection.ts';
import { getDefaultSyncParts } from './default-sync-parts.ts';
import { readSyncPartState } from './sync-unit.ts';

/** Returns the earliest of the last sync times of all default parts. Null if a part was never synced completely. */
export function findOldestSyncTime(cache: ReadableDb, site: Pick<Site, 'service_details'>): string | null {
  const times = getDefaultSyncParts(site).map((part) => readSyncPartState(cache, part)?.synced_at ?? null);
  return formatTimestamp(times.includes(null) ? null : Math.min(...times.map(Number)));
}
