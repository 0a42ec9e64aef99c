import { unitsNamed } from '../../store/sync/sync-marks.ts';
import { dropUnit, saveUnit } from '../../store/sync/sync-unit.ts';
import { earliestLocalDay, latestLocalDay } from '../shared/days-in-any-zone.ts';
import { toPoisonError } from '../shared/page-parts.ts';
import {
  POISON_ROW_PREFIX,
  poisonRowLocation,
  toDatedWebhooks,
  type WebhookLog,
  type WebhookLogFilter,
  type WebhookPage,
} from './webhook-log.ts';
import { rowsBeforePage } from './webhook-window.ts';
import { addWebhookWindow } from './window-units.ts';

/** Row that the service failed to return. The next sync requests it alone. */
interface PoisonRow {
  filter: WebhookLogFilter;
  /** Zero-based index of the row in its list. */
  index: number;
  location: string;
  /** Creation times of the nearest rows before and after it that were read (UTC milliseconds). Null if there are none. */
  from: number | null;
  to: number | null;
}

/**
 * Saves the poison rows of a page. `from` is the creation time of the last row before the page. Must be called inside
 * `commit`.
 */
export function savePoisonRows(
  { context }: WebhookLog,
  { pieces }: WebhookPage,
  { filter, location: place, from }: Pick<PoisonRow, 'filter' | 'location' | 'from'>,
): void {
  const read = pieces.answers.map(({ request, answer }) => ({
    first: rowsBeforePage(request),
    created: toDatedWebhooks(answer.items).map(({ created_at }) => created_at),
  }));
  for (const { index } of pieces.poisonRows) {
    const before = read.filter(({ first }) => first < index).flatMap(({ created }) => created);
    const behind = read.filter(({ first }) => first > index).flatMap(({ created }) => created);
    const row: PoisonRow = {
      filter,
      index,
      location: place,
      from: before.at(-1) ?? from,
      to: behind[0] ?? null,
    };
    saveUnit(context.site.cache, 'webhooks', {
      unit: poisonRowLocation(index, place),
      state: 'lost',
      checkpoint: row,
      updated_at: context.now(),
    });
  }
}

/**
 * Requests poison rows of earlier syncs again, one by one. If the service has deleted its oldest rows since, another row
 * is returned in that position. The days in which the poison row was created are then read again.
 */
export async function retryPoisonRows(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const { cache } = log.context.site;
  for (const row of unitsNamed<PoisonRow>(cache, 'webhooks', POISON_ROW_PREFIX)) {
    const { filter, index, location: place } = row;
    const unit = poisonRowLocation(index, place);
    try {
      const read = await log.read(filter, { page: index + 1, per_page: 1 }, signal);
      log.store(read, place, ({ inserted }) => {
        dropUnit(cache, 'webhooks', unit);
        log.problems.clear(unit);
        if (inserted === 0 || !isBetweenNeighbors(row, read)) rereadDaysOf(log, row);
      });
    } catch (error) {
      const poison = toPoisonError(error);
      if (poison === null) throw error;
      log.context.tally.failed++;
      log.problems.record(unit, poison.message, null);
    }
  }
}

/** Returns true if a row may be the poison row because it was created between the poison row's neighbors. */
function isBetweenNeighbors({ from, to }: PoisonRow, { created: [at] }: WebhookPage): boolean {
  return at !== undefined && at >= (from ?? at) && at <= (to ?? at);
}

/** Adds a window for the days in which a poison row may have been created. Must be called inside `commit`. */
function rereadDaysOf(log: WebhookLog, { from, to }: PoisonRow): void {
  const since = from ?? to;
  addWebhookWindow(log, {
    since: since === null ? null : earliestLocalDay(since),
    until: to === null ? null : latestLocalDay(to),
  });
  log.save({});
}
