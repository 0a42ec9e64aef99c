import { BillingError } from '../../billing/index.ts';
import { bridges, isSamePage, repeats } from './bridge.ts';
import { isAsExpected, mayPrecede, startOfSweep } from './failed-sweep.ts';
import { type PageAsk, samePage } from './pages.ts';
import { FAILED_ONES, type ReadPage, SURE_SIZE, type WebhookLog } from './webhook-log.ts';

/** All failed rows are read at least so often, even if their last page shows that nothing moved. */
const SWEEP_EVERY_MS = 24 * 3_600_000;
/** Readings of a page that comes as the one before it. */
const MOST_TRIES = 3;
const FILTER = { status: 'failed', order: 'oldest_first' } as const;

/** What a reading of the list of the failed brought. */
export interface Sweep {
  /** Rows that were read. */
  seen: ReadonlySet<number>;
  /** All that are on the list; null where its last page shows that they are those held. */
  listed: ReadonlySet<number> | null;
  /** Whether the pages are those of one list, so that no row between two of them was passed by. */
  inStep: boolean;
}

interface SeenPage extends ReadPage {
  changed: number;
}

/**
 * Reads the list of the failed, given the ids held as such, oldest first: its last page, and all of it where that one is not
 * as it was. To find its end it is walked upwards; what counts is the walk from there down to the beginning.
 */
export async function sweepFailed(
  log: WebhookLog,
  held: readonly number[],
  signal: AbortSignal,
): Promise<Sweep> {
  const { webhooks: learned } = log.context.tally.learned;
  const began = log.context.now();
  const per_page = log.perPage();
  const start = startOfSweep(held, per_page);
  const recent = log.state.swept_at !== null && began - log.state.swept_at < SWEEP_EVERY_MS;
  const seen = new Set<number>();
  let longest = 0;

  async function read(ask: PageAsk): Promise<SeenPage> {
    const page = await log.read(FILTER, ask, signal);
    const { ids, changed } = log.store(page, FAILED_ONES);
    for (const id of ids) seen.add(id);
    return { ...page, changed };
  }
  const readAt = async (page: number): Promise<SeenPage> => {
    const found = await read({ page, per_page });
    longest = Math.max(longest, found.rows);
    return found;
  };
  /** Pages of a list that is not known to end with them are read on: one may be short because all have become so. */
  const ends = ({ rows }: SeenPage): boolean => rows < SURE_SIZE || (rows < per_page && log.sawLonger(rows));

  /** The page before one that was read, read again with that one where both are the same: either may have come for the other. */
  async function before(page: number, following: SeenPage): Promise<{ page: SeenPage; inStep: boolean }> {
    let [next, behind] = [await readAt(page), following];
    for (let tries = 1; isSamePage(next.ids, behind.ids); tries++) {
      if (tries === MOST_TRIES) throw samePage('failed webhooks');
      behind = await readAt(page + 1);
      next = await readAt(page);
    }
    if (behind.rows > 0) log.learn(next.rows);
    // Rows of one moment may stand in another order with each request: then one may have got between the two pages.
    const [ask] = bridges(page * per_page, per_page);
    if (ask !== undefined && repeats(next.ids, behind.ids) && next.created.at(-1) === behind.created[0])
      await read(ask);
    return { page: next, inStep: mayPrecede(next, behind, log.state.size.effective ?? longest) };
  }

  let at = await readAt(start.page);
  const asItWas = isAsExpected(start.expected, at.ids) && ends(at);
  if (asItWas && start.page === 1) {
    log.save({ swept_at: began });
    learned.failed = seen.size;
    return { seen, listed: seen, inStep: true };
  }
  if (asItWas && recent && at.changed === 0) {
    const last = at.rows > 0 ? null : await readAt(start.page - 1);
    learned.failed = last === null ? at.rows : per_page;
    if (last === null || (isAsExpected(start.before, last.ids) && last.changed === 0))
      return { seen, listed: null, inStep: true };
  }

  let end = start.page;
  for (let tries = 1; !ends(at); ) {
    const next = await readAt(end + 1);
    if (isSamePage(at.ids, next.ids)) {
      if (tries++ === MOST_TRIES) throw samePage('failed webhooks');
      continue;
    }
    if (next.rows > 0) log.learn(at.rows);
    at = next;
    end++;
    tries = 1;
  }
  let inStep = true;
  for (let page = end - 1; page >= 1 && inStep; page--) ({ page: at, inStep } = await before(page, at));
  // Pages may have become shorter since a longer one came: then the first one is not all there is.
  const usual = log.state.size.effective ?? (end === 1 ? per_page : longest);
  if (inStep && at.rows < usual && !log.isSureEnd(at)) inStep = (await readAt(2)).rows === 0;
  if (inStep) log.save({ swept_at: began });
  else log.unlearn();
  learned.failed = seen.size;
  return { seen, listed: seen, inStep };
}

/** What is said where rows kept changing places while they were read. */
export function outOfStep(): BillingError {
  return new BillingError('service', 'The list of failed webhooks kept changing while it was read.', {
    hint: 'What is held stays; the next sync reads that list again.',
    retryable: true,
  });
}
