import { BillingError } from '../../../billing/index.ts';
import { haveCommonRow, isRepeatedPage, pagesAcrossBoundary } from '../shared/page-boundaries.ts';
import { type PageRequest, repeatedPageError } from '../shared/page-parts.ts';
import { hasExactRows, mayBePreviousPage, planFailedSweep } from './failed-sweep-plan.ts';
import { FAILED_WEBHOOKS, GUARANTEED_PAGE_SIZE, type WebhookLog, type WebhookPage } from './webhook-log.ts';

/** Maximum interval between reads of the complete list of failed webhooks, even if its last page shows no change. */
const MAX_SWEEP_AGE_MS = 24 * 3_600_000;
/** Maximum number of times a page is read if it repeats the previous one. */
const MAX_READS = 3;
const FAILED_FILTER = { status: 'failed', order: 'oldest_first' } as const;

/** Result of reading the service's list of failed webhooks. */
export interface FailedSweep {
  /** Ids of the webhooks that were read. */
  seen: ReadonlySet<number>;
  /** Ids of all webhooks on the list. Null if only its last page was read, which proves that the list is unchanged. */
  listed: ReadonlySet<number> | null;
  /** True if the pages belong to one state of the list, so that no row between two pages was skipped. */
  isConsistent: boolean;
}

interface StoredFailedPage extends WebhookPage {
  changed: number;
}

/**
 * Reads the last page of the list of failed webhooks, and the complete list if that page has changed. `stored` are the
 * ids stored as failed, oldest first. To read the complete list, first finds its last page, then reads from there to the
 * first page.
 */
export async function sweepFailedList(
  log: WebhookLog,
  stored: readonly number[],
  signal: AbortSignal,
): Promise<FailedSweep> {
  const { webhooks: learned } = log.context.tally.minimumInputs;
  const began = log.context.now();
  const per_page = log.perPage();
  const start = planFailedSweep(stored, per_page);
  const recent = log.state.swept_at !== null && began - log.state.swept_at < MAX_SWEEP_AGE_MS;
  const seen = new Set<number>();
  let longest = 0;

  async function read(ask: PageRequest): Promise<StoredFailedPage> {
    const page = await log.read(FAILED_FILTER, ask, signal);
    const { ids, changed } = log.store(page, FAILED_WEBHOOKS);
    for (const id of ids) seen.add(id);
    return { ...page, changed };
  }
  const readAt = async (page: number): Promise<StoredFailedPage> => {
    const found = await read({ page, per_page });
    longest = Math.max(longest, found.rows);
    return found;
  };
  /**
   * Returns true if a page is known to be the last. A page shorter than requested is not necessarily the last, because
   * the service may have reduced the page size.
   */
  const ends = ({ rows }: StoredFailedPage): boolean =>
    rows < GUARANTEED_PAGE_SIZE || (rows < per_page && log.hasSeenLongerPage(rows));

  /**
   * Reads the previous page. If both pages have the same rows, reads both again, because either may have been returned
   * for the other.
   */
  async function before(
    page: number,
    following: StoredFailedPage,
  ): Promise<{ page: StoredFailedPage; isConsistent: boolean }> {
    let [next, behind] = [await readAt(page), following];
    for (let tries = 1; isRepeatedPage(next.ids, behind.ids); tries++) {
      if (tries === MAX_READS) throw repeatedPageError('failed webhooks');
      behind = await readAt(page + 1);
      next = await readAt(page);
    }
    if (behind.rows > 0) log.learnPageSize(next.rows);
    // Rows with the same timestamp may change their order, so that neither page contains one of them.
    const [ask] = pagesAcrossBoundary(page * per_page, per_page);
    if (ask !== undefined && haveCommonRow(next.ids, behind.ids) && next.created.at(-1) === behind.created[0])
      await read(ask);
    return { page: next, isConsistent: mayBePreviousPage(next, behind, log.state.size.effective ?? longest) };
  }

  let at = await readAt(start.page);
  const isUnchanged = hasExactRows(start.expected, at.ids) && ends(at);
  if (isUnchanged && start.page === 1) {
    log.save({ swept_at: began });
    learned.failed = seen.size;
    return { seen, listed: seen, isConsistent: true };
  }
  if (isUnchanged && recent && at.changed === 0) {
    const last = at.rows > 0 ? null : await readAt(start.page - 1);
    learned.failed = last === null ? at.rows : per_page;
    if (last === null || (hasExactRows(start.before, last.ids) && last.changed === 0))
      return { seen, listed: null, isConsistent: true };
  }

  let end = start.page;
  for (let tries = 1; !ends(at); ) {
    const next = await readAt(end + 1);
    if (isRepeatedPage(at.ids, next.ids)) {
      if (tries++ === MAX_READS) throw repeatedPageError('failed webhooks');
      continue;
    }
    if (next.rows > 0) log.learnPageSize(at.rows);
    at = next;
    end++;
    tries = 1;
  }
  let isConsistent = true;
  for (let page = end - 1; page >= 1 && isConsistent; page--)
    ({ page: at, isConsistent } = await before(page, at));
  // Pages may have become shorter since a longer one was returned, so the first page is not necessarily the complete
  // list.
  const usual = log.state.size.effective ?? (end === 1 ? per_page : longest);
  if (isConsistent && at.rows < usual && !log.isCertainEnd(at)) isConsistent = (await readAt(2)).rows === 0;
  if (isConsistent) log.save({ swept_at: began });
  else log.forgetPageSize();
  learned.failed = seen.size;
  return { seen, listed: seen, isConsistent };
}

/** Returns the error for a list of failed webhooks that kept changing while it was read. */
export function failedListChangedError(): BillingError {
  return new BillingError('service', 'The list of failed webhooks kept changing while it was read.', {
    hint: 'Stored data is kept. The next sync reads the list again.',
    retryable: true,
  });
}
