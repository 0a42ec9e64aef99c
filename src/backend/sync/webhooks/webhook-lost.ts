import { unitsNamed } from '../../store/sync/sync-marks.ts';
import { dropUnit, saveUnit } from '../../store/sync/sync-unit.ts';
import { earliestDay, latestDay } from '../shared/any-zone.ts';
import { poisonOf } from '../shared/pages.ts';
import { type Filter, LOST_ROWS, lostRow, placesOf, type ReadPage, type WebhookLog } from './webhook-log.ts';
import { firstOf } from './window.ts';
import { beginWindow } from './window-units.ts';

/** A row that the service did not give: asked for alone the next time. */
interface LostRow {
  filter: Filter;
  /** Its place in its list, from 0. */
  index: number;
  location: string;
  /** created_at of the rows beside it that were read, ms UTC; null where there is none. */
  from: number | null;
  to: number | null;
}

/** Keeps the rows of a page that the service did not give. `from`: created_at of the row before the page. To be called inside `commit`. */
export function saveLost(
  { context }: WebhookLog,
  { pieces }: ReadPage,
  { filter, location: place, from }: Pick<LostRow, 'filter' | 'location' | 'from'>,
): void {
  const read = pieces.answers.map(({ ask, answer }) => ({
    first: firstOf(ask),
    created: placesOf(answer.items).map(({ created_at }) => created_at),
  }));
  for (const { index } of pieces.lost) {
    const before = read.filter(({ first }) => first < index).flatMap(({ created }) => created);
    const behind = read.filter(({ first }) => first > index).flatMap(({ created }) => created);
    const row: LostRow = {
      filter,
      index,
      location: place,
      from: before.at(-1) ?? from,
      to: behind[0] ?? null,
    };
    saveUnit(context.site.cache, 'webhooks', {
      unit: lostRow(index, place),
      state: 'lost',
      checkpoint: row,
      updated_at: context.now(),
    });
  }
}

/**
 * Asks again for single rows that the service did not give before. Where it deleted its oldest rows meanwhile, another row
 * stands in that place: then the days are read again in which the lost one was created.
 */
export async function retryLostRows(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const { cache } = log.context.site;
  for (const row of unitsNamed<LostRow>(cache, 'webhooks', LOST_ROWS)) {
    const { filter, index, location: place } = row;
    const unit = lostRow(index, place);
    try {
      const read = await log.read(filter, { page: index + 1, per_page: 1 }, signal);
      log.store(read, place, ({ inserted }) => {
        dropUnit(cache, 'webhooks', unit);
        log.problems.solve(unit);
        if (inserted === 0 || !isBeside(row, read)) readItsDays(log, row);
      });
    } catch (error) {
      const poison = poisonOf(error);
      if (poison === null) throw error;
      log.context.tally.failed++;
      log.problems.keep(unit, poison.message, null);
    }
  }
}

/** Whether a row that was not held may be the one that was lost: it was created between those beside it. */
function isBeside({ from, to }: LostRow, { created: [at] }: ReadPage): boolean {
  return at !== undefined && at >= (from ?? at) && at <= (to ?? at);
}

/** To be called inside `commit`. */
function readItsDays(log: WebhookLog, { from, to }: LostRow): void {
  const since = from ?? to;
  beginWindow(log, {
    since: since === null ? null : earliestDay(since),
    until: to === null ? null : latestDay(to),
  });
  log.save({});
}
