import { BillingError } from '../../../billing/index.ts';
import { haveCommonRow, isRepeatedPage, listPagesAcrossBoundary } from '../shared/page-boundaries.ts';
import { type PageRequest, repeatedPageError } from '../shared/page-parts.ts';
import {
  type FailedSweepStart,
  hasExactRows,
  mayBePreviousPage,
  planFailedSweep,
} from './failed-sweep-plan.ts';
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

/** Reads the list of failed webhooks, or only its last page if it has the expected end. `stored` are failed ids. */
export function sweepFailedList(
  log: WebhookLog,
  stored: readonly number[],
  signal: AbortSignal,
): Promise<FailedSweep> {
  return new FailedListSweep(log, stored, signal).run();
}

class FailedListSweep {
  readonly #log: WebhookLog;
  readonly #signal: AbortSignal;
  readonly #perPage: number;
  /** Page that should be the last of the list. */
  readonly #start: FailedSweepStart;
  readonly #seen = new Set<number>();
  /** Number of rows of the longest page read. */
  #longest = 0;

  constructor(log: WebhookLog, stored: readonly number[], signal: AbortSignal) {
    this.#log = log;
    this.#signal = signal;
    this.#perPage = log.perPage();
    this.#start = planFailedSweep(stored, this.#perPage);
  }

  async run(): Promise<FailedSweep> {
    const log = this.#log;
    const start = this.#start;
    const seen = this.#seen;
    const { webhooks: minimum } = log.context.tally.minimumInputs;
    const began = log.context.now();
    const isRecent = log.state.swept_at !== null && began - log.state.swept_at < MAX_SWEEP_AGE_MS;
    const startPage = await this.#readPage(start.page);
    const isUnchanged = hasExactRows(start.expected, startPage.ids) && this.#isEnd(startPage);
    if (isUnchanged && start.page === 1) {
      log.save({ swept_at: began });
      minimum.failed = seen.size;
      return { seen, listed: seen, isConsistent: true };
    }
    if (isUnchanged && isRecent && startPage.changed === 0 && (await this.#isPreviousUnchanged(startPage)))
      return { seen, listed: null, isConsistent: true };

    const end = await this.#findEnd(startPage);
    const isConsistent = await this.#readBackward(end);
    if (isConsistent) log.save({ swept_at: began });
    else log.forgetPageSize();
    minimum.failed = seen.size;
    return { seen, listed: seen, isConsistent };
  }

  async #read(ask: PageRequest): Promise<StoredFailedPage> {
    const page = await this.#log.read(FAILED_FILTER, ask, this.#signal);
    const { ids, changed } = this.#log.store(page, FAILED_WEBHOOKS);
    for (const id of ids) this.#seen.add(id);
    return { ...page, changed };
  }

  async #readPage(page: number): Promise<StoredFailedPage> {
    const read = await this.#read({ page, per_page: this.#perPage });
    this.#longest = Math.max(this.#longest, read.rows);
    return read;
  }

  /** Returns true if a page is certainly the last. A short page may also result from a reduced page size. */
  #isEnd({ rows }: StoredFailedPage): boolean {
    return rows < GUARANTEED_PAGE_SIZE || (rows < this.#perPage && this.#log.hasSeenLongerPage(rows));
  }

  /** If the start page is empty, reads the page before it. Returns true if that page has not changed. */
  async #isPreviousUnchanged(startPage: StoredFailedPage): Promise<boolean> {
    const { webhooks: minimum } = this.#log.context.tally.minimumInputs;
    const { page, before } = this.#start;
    const previous = startPage.rows > 0 ? null : await this.#readPage(page - 1);
    minimum.failed = previous === null ? startPage.rows : this.#perPage;
    return previous === null || (hasExactRows(before, previous.ids) && previous.changed === 0);
  }

  /** Reads on from the start page until a page is known to be the last of the list. */
  async #findEnd(startPage: StoredFailedPage): Promise<{ number: number; page: StoredFailedPage }> {
    let page = startPage;
    let number = this.#start.page;
    for (let reads = 1; !this.#isEnd(page); ) {
      const next = await this.#readPage(number + 1);
      if (isRepeatedPage(page.ids, next.ids)) {
        if (reads++ === MAX_READS) throw repeatedPageError('failed webhooks');
        continue;
      }
      if (next.rows > 0) this.#log.learnPageSize(page.rows);
      page = next;
      number++;
      reads = 1;
    }
    return { number, page };
  }

  /** Reads from the last page to the first. Returns false if rows between two pages may have been skipped. */
  async #readBackward(end: { number: number; page: StoredFailedPage }): Promise<boolean> {
    const log = this.#log;
    let { page } = end;
    for (let number = end.number - 1; number >= 1; number--) {
      const previous = await this.#readPrevious(number, page);
      if (!previous.isConsistent) return false;
      page = previous.page;
    }
    // Pages may have become shorter since a longer one was returned, so the first page is not necessarily the complete
    // list.
    const usual = log.state.size.effective ?? (end.number === 1 ? this.#perPage : this.#longest);
    if (page.rows >= usual || log.isCertainEnd(page)) return true;
    return (await this.#readPage(2)).rows === 0;
  }

  /** Reads the previous page. If it equals the page after it, either may be wrong, so both are read again. */
  async #readPrevious(
    number: number,
    following: StoredFailedPage,
  ): Promise<{ page: StoredFailedPage; isConsistent: boolean }> {
    const log = this.#log;
    let page = await this.#readPage(number);
    let next = following;
    for (let reads = 1; isRepeatedPage(page.ids, next.ids); reads++) {
      if (reads === MAX_READS) throw repeatedPageError('failed webhooks');
      next = await this.#readPage(number + 1);
      page = await this.#readPage(number);
    }
    if (next.rows > 0) log.learnPageSize(page.rows);
    // Rows with the same timestamp may change their order, so that neither page contains one of them.
    const [ask] = listPagesAcrossBoundary(number * this.#perPage, this.#perPage);
    const mayMissRows = haveCommonRow(page.ids, next.ids) && page.created.at(-1) === next.created[0];
    if (ask !== undefined && mayMissRows) await this.#read(ask);
    return { page, isConsistent: mayBePreviousPage(page, next, log.state.size.effective ?? this.#longest) };
  }
}

/** Returns the error for a list of failed webhooks that kept changing while it was read. */
export function failedListChangedError(): BillingError {
  return new BillingError('service', 'The list of failed webhooks kept changing while it was read.', {
    hint: 'Stored data is kept. The next sync reads the list again.',
    retryable: true,
  });
}
