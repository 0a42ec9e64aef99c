import { BillingError } from '../../../billing/index.ts';
import { bridges, isSamePage, repeats } from '../shared/bridge.ts';
import { type PageAsk, samePage } from '../shared/pages.ts';
import { isAsExpected, mayPrecede, startOfSweep } from './failed-sweep.ts';
import { FAILED_ONES, type ReadPage, SURE_SIZE, type WebhookLog } from './webhook-log.ts';

/** Maximum interval between reads of all failed rows, even if the last page shows no change. */
const SWEEP_EVERY_MS = 24 * 3_600_000;
/** Maximum number of reads of a page that repeats the previous one. */
const MOST_TRIES = 3;
const FILTER = { status: 'failed', order: 'oldest_first' } as const;

/** Result of reading the failed list. */
export interface Sweep {
  /** Rows that were read. */
  seen: ReadonlySet<number>;
  /** All rows on the list. Null if its last page proves that they are the stored ones. */
  listed: ReadonlySet<number> | null;
  /** True if the pages belong to one consistent list, so that no row between two pages was skipped. */
  inStep: boolean;
}

interface SeenPage extends ReadPage {
  changed: number;
}

/**
 * Reads the failed list, given the ids stored as failed, oldest first: its last page, and the complete list if that page
 * has changed. The end is found by walking up; only the walk from the end down to the beginning counts.
 */
export async function sweepFailed(
  log: WebhookLog,
  stored: readonly number[],
  signal: AbortSignal,
): Promise<Sweep> {
  const { webhooks: learned } = log.context.tally.learned;
  const began = log.context.now();
  const per_page = log.perPage();
  const start = startOfSweep(stored, per_page);
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
  /**
   * Unless a page is known to be the last, the next one is read: a page may be short because all pages have become short.
   */
  const ends = ({ rows }: SeenPage): boolean => rows < SURE_SIZE || (rows < per_page && log.sawLonger(rows));

  /**
   * Reads the previous page. If both are equal, reads both again, because either may have been returned for the other.
   */
  async function before(page: number, following: SeenPage): Promise<{ page: SeenPage; inStep: boolean }> {
    let [next, behind] = [await readAt(page), following];
    for (let tries = 1; isSamePage(next.ids, behind.ids); tries++) {
      if (tries === MOST_TRIES) throw samePage('failed webhooks');
      behind = await readAt(page + 1);
      next = await readAt(page);
    }
    if (behind.rows > 0) log.learn(next.rows);
    // Rows with the same timestamp may change their order, so one may have slipped between the two pages.
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
  // Pages may have become shorter since a longer one was returned. Then the first page is not the complete list.
  const usual = log.state.size.effective ?? (end === 1 ? per_page : longest);
  if (inStep && at.rows < usual && !log.isSureEnd(at)) inStep = (await readAt(2)).rows === 0;
  if (inStep) log.save({ swept_at: began });
  else log.unlearn();
  learned.failed = seen.size;
  return { seen, listed: seen, inStep };
}

/** Returns the error for rows that kept changing their positions while they were read. */
export function outOfStep(): BillingError {
  return new BillingError('service', 'The list of failed webhooks kept changing while it was read.', {
    hint: 'What is held stays; the next sync reads that list again.',
    retryable: true,
  });
}
