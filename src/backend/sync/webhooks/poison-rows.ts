import { listSyncCheckpointsByPrefix } from '../../store/sync/sync-checkpoints.ts';
import { removeSyncUnit, saveSyncUnit } from '../../store/sync/sync-unit.ts';
import { getEarliestLocalDay, getLatestLocalDay } from '../shared/days-in-all-time-zones.ts';
import { toPoisonRowError } from '../shared/read-page-in-parts.ts';
import {
  getPoisonRowLocation,
  POISON_ROW_LOCATION_PREFIX,
  selectDatedWebhooks,
  type WebhookLog,
  type WebhookLogFilter,
  type WebhookPage,
} from './webhook-log.ts';
import { countRowsBeforePage } from './webhook-window.ts';
import { addWebhookWindow } from './webhook-window-units.ts';

/** Row that the service failed to return. The next sync requests this row alone. */
interface PoisonRow {
  filter: WebhookLogFilter;
  /** Zero-based index of the row in its list. */
  index: number;
  location: string;
  /** Creation times (UTC milliseconds) of the nearest readable rows before and after the poison row, or null. */
  from: number | null;
  to: number | null;
}

/** Saves a page's poison rows. `from` is the creation time of the row before the page. Requires a transaction. */
export function savePoisonRows(
  { context }: WebhookLog,
  { parts }: WebhookPage,
  { filter, location, from }: Pick<PoisonRow, 'filter' | 'location' | 'from'>,
): void {
  const read = parts.answers.map(({ request, answer }) => ({
    first: countRowsBeforePage(request),
    created: selectDatedWebhooks(answer.items).map(({ created_at }) => created_at),
  }));
  for (const { index } of parts.poisonRows) {
    const before = read.filter(({ first }) => first < index).flatMap(({ created }) => created);
    const after = read.filter(({ first }) => first > index).flatMap(({ created }) => created);
    const row: PoisonRow = {
      filter,
      index,
      location,
      from: before.at(-1) ?? from,
      to: after[0] ?? null,
    };
    saveSyncUnit(context.site.cache, 'webhooks', {
      unit: getPoisonRowLocation(index, location),
      state: 'lost',
      checkpoint: row,
      updated_at: context.now(),
    });
  }
}

/**
 * Requests poison rows again. A different row at the same index means that old rows were deleted; the poison row's days
 * are then read again.
 */
export async function retryPoisonRows(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const { cache } = log.context.site;
  for (const row of listSyncCheckpointsByPrefix<PoisonRow>(cache, 'webhooks', POISON_ROW_LOCATION_PREFIX)) {
    const { filter, index, location } = row;
    const unit = getPoisonRowLocation(index, location);
    try {
      const read = await log.read(filter, { page: index + 1, per_page: 1 }, signal);
      log.store(read, location, ({ inserted }) => {
        removeSyncUnit(cache, 'webhooks', unit);
        log.problems.clear(unit);
        if (inserted === 0 || !isBetweenNeighbors(row, read)) rereadDaysOf(log, row);
      });
    } catch (error) {
      const poison = toPoisonRowError(error);
      if (poison === null) throw error;
      log.context.tally.failed++;
      log.problems.record(unit, poison.message, null);
    }
  }
}

/** Returns true if a row may be the poison row, because it was created between the poison row's neighbors. */
function isBetweenNeighbors({ from, to }: PoisonRow, { created: [at] }: WebhookPage): boolean {
  return at !== undefined && at >= (from ?? at) && at <= (to ?? at);
}

/** Adds a window for the days on which a poison row may have been created. Must be called in a transaction. */
function rereadDaysOf(log: WebhookLog, { from, to }: PoisonRow): void {
  const since = from ?? to;
  addWebhookWindow(log, {
    since: since === null ? null : getEarliestLocalDay(since),
    until: to === null ? null : getLatestLocalDay(to),
    meets: null,
  });
  log.save({});
}
