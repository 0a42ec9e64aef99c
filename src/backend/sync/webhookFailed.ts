import { commit } from '../store/database.ts';
import { touchedByReplays } from '../store/replayTouched.ts';
import { saveUnit, unitsOf } from '../store/syncUnit.ts';
import { notAccepted, webhookPlaces } from '../store/webhookPlaces.ts';
import { isAsExpected, startOfSweep } from './failedSweep.ts';
import type { WebhookLog } from './webhookLog.ts';
import { readAgain } from './webhookLookup.ts';

/** All failed rows are read at least so often, even if their last page shows that nothing moved. */
const SWEEP_EVERY_MS = 24 * 3_600_000;
/** A replay that did not see the end of what it sent is looked after for so long. */
const REPLAYED_MS = 24 * 3_600_000;

/**
 * Brings the rows up to date that may have changed since they were read: those not accepted, by the list of the failed
 * ones, and exactly those that left it or that a replay of ours touched.
 */
export async function readChanged(log: WebhookLog, signal: AbortSignal): Promise<void> {
  const { context } = log;
  const { cache, books } = context.site;
  const { webhooks: learned } = context.tally.learned;
  const already = goneOnes(log);
  const held = notAccepted(cache, log.state.gone_before ?? 0).filter(({ id }) => !already.has(id));
  const replayed = touchedByReplays(books, context.now() - REPLAYED_MS);

  const failed = await sweep(
    log,
    held.map((place) => place.id),
    signal,
  );
  const departed = held.map((place) => place.id).filter((id) => failed !== null && !failed.has(id));
  const wanted = [...new Set([...departed, ...replayed])];
  learned.departed = wanted.length;
  if (wanted.length === 0) return;

  const { gone, behind, missed } = await readAgain(log, wanted, signal);
  commit(cache, () => {
    for (const id of gone) {
      saveUnit(cache, 'webhooks', {
        unit: goneUnit(id),
        state: 'done',
        checkpoint: id,
        updated_at: context.now(),
      });
    }
    for (const id of missed) {
      log.problems.keep(`webhooks[id=${id}]`, 'was not found where it should stand in the log', null);
    }
    // The service keeps its log for a limited time: the oldest rows go first.
    const newest = webhookPlaces(cache, [...behind])[0];
    if (newest !== undefined) log.save({ gone_before: newest.created_at + 1 });
  });
  context.tally.failed += missed.size;
}

const goneUnit = (id: number) => `gone ${id}`;

function goneOnes({ context }: WebhookLog): Set<number> {
  const units = unitsOf<number>(context.site.cache, 'webhooks');
  return new Set(units.filter(({ unit }) => unit.startsWith('gone ')).map(({ checkpoint }) => checkpoint));
}

/** The ids the service lists as failed; null where its last page shows that they are those held. */
async function sweep(
  log: WebhookLog,
  held: readonly number[],
  signal: AbortSignal,
): Promise<Set<number> | null> {
  const { context } = log;
  const { webhooks: learned } = context.tally.learned;
  const filter = { status: 'failed' as const, order: 'oldest_first' as const };
  const place = 'the failed webhooks';
  const began = context.now();
  const start = startOfSweep(held, log.perPage());
  const recent = log.state.swept_at !== null && began - log.state.swept_at < SWEEP_EVERY_MS;

  const first = await log.read(filter, { page: start.page, per_page: log.perPage() }, signal);
  const { ids } = log.store(first, place);
  learned.failed = start.expected.length;
  if (isAsExpected(start, ids) && (recent || start.page === 1)) {
    if (start.page === 1) log.save({ swept_at: began });
    return null;
  }

  const failed = new Set(ids);
  // More than was known of: to the end first, then from there down to the beginning.
  let rows = first.rows;
  for (let page = start.page + 1; log.isLast(rows) !== true; page++) {
    const read = await log.read(filter, { page, per_page: log.perPage() }, signal);
    for (const id of log.store(read, place).ids) failed.add(id);
    rows = read.rows;
  }
  for (let page = start.page - 1; page >= 1; page--) {
    const read = await log.read(filter, { page, per_page: log.perPage() }, signal);
    for (const id of log.store(read, place).ids) failed.add(id);
  }
  learned.failed = failed.size;
  log.save({ swept_at: began });
  return failed;
}
