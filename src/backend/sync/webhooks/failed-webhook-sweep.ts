import { BillingError } from '../../../billing/index.ts';
import { doPagesOverlap, isRepeatedPage, listPagesAcrossBoundary } from '../shared/list-page-boundaries.ts';
import { type ListPageRequest, repeatedPageError } from '../shared/read-page-in-parts.ts';
import {
  canBePreviousPage,
  type FailedWebhookSweepStart,
  hasExactlyExpectedRows,
  planFailedWebhookSweep,
} from './failed-webhook-sweep-plan.ts';
import {
  FAILED_WEBHOOKS_LOCATION,
  GUARANTEED_PAGE_SIZE,
  type WebhookLog,
  type WebhookPage,
} from './webhook-log.ts';

/** Maximum milliseconds between reads of the complete list of failed webhooks, even if its last page is unchanged. */
const MAX_SWEEP_AGE_MS = 24 * 3_600_000;
/** Maximum number of reads of a page that repeats the previous page. */
const MAX_READS = 3;
const FAILED_FILTER = { status: 'failed', order: 'oldest_first' } as const;

export interface FailedWebhookSweep {
  /** Ids of the webhooks that were read. */
  seen: ReadonlySet<number>;
  /** Ids of all webhooks on the list. Null if only the last page was read, because it proved the list unchanged. */
  listed: ReadonlySet<number> | null;
  /** True if all pages come from one state of the list, so that no row between two pages was skipped. */
  isConsistent: boolean;
}

interface StoredFailedPage extends WebhookPage {
  changed: number;
}

/** Reads the list of failed webhooks, or only an unchanged last page. `stored` has the ids stored as failed. */
export function sweepFailedWebhooks(
  log: WebhookLog,
  stored: readonly number[],
  signal: AbortSignal,
): Promise<FailedWebhookSweep> {
  return new FailedWebhookSweeper(log, stored, signal).run();
}

class FailedWebhookSweeper {
  readonly #log: WebhookLog;
  readonly #signal: AbortSignal;
  readonly #perPage: number;
  /** Start of the sweep at the page expected to be the last of the list. */
  readonly #start: FailedWebhookSweepStart;
  readonly #seen = new Set<number>();
  /** Number of rows on the longest page read. */
  #longest = 0;

  constructor(log: WebhookLog, stored: readonly number[], signal: AbortSignal) {
    this.#log = log;
    this.#signal = signal;
    this.#perPage = log.perPage();
    this.#start = planFailedWebhookSweep(stored, this.#perPage);
  }

  async run(): Promise<FailedWebhookSweep> {
    const log = this.#log;
    const start = this.#start;
    const seen = this.#seen;
    const { webhooks: minimum } = log.context.tally.minimumInputs;
    const began = log.context.now();
    const isRecent = log.state.swept_at !== null && began - log.state.swept_at < MAX_SWEEP_AGE_MS;
    const startPage = await this.#readPage(start.page);
    const isUnchanged = hasExactlyExpectedRows(start.expected, startPage.ids) && this.#isEnd(startPage);
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

  async #read(request: ListPageRequest): Promise<StoredFailedPage> {
    const page = await this.#log.read(FAILED_FILTER, request, this.#signal);
    const { ids, changed } = this.#log.store(page, FAILED_WEBHOOKS_LOCATION);
    for (const id of ids) this.#seen.add(id);
    return { ...page, changed };
  }

  async #readPage(page: number): Promise<StoredFailedPage> {
    const read = await this.#read({ page, per_page: this.#perPage });
    this.#longest = Math.max(this.#longest, read.rows);
    return read;
  }

  /** Returns true if a page is certainly the last. A short page can also result from a reduced page size. */
  #isEnd({ rows }: StoredFailedPage): boolean {
    return rows < GUARANTEED_PAGE_SIZE || (rows < this.#perPage && this.#log.hasSeenLongerPage(rows));
  }

  /** Returns true if the page before the start page is unchanged. Reads that page only if the start page is empty. */
  async #isPreviousUnchanged(startPage: StoredFailedPage): Promise<boolean> {
    const { webhooks: minimum } = this.#log.context.tally.minimumInputs;
    const { page, before } = this.#start;
    const previous = startPage.rows > 0 ? null : await this.#readPage(page - 1);
    minimum.failed = previous === null ? startPage.rows : this.#perPage;
    return previous === null || (hasExactlyExpectedRows(before, previous.ids) && previous.changed === 0);
  }

  /** Reads pages from the start page until one is the last of the list. */
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
    // The service may have reduced its page size, so the first page is not necessarily the complete list.
    const usual = log.state.size.effective ?? (end.number === 1 ? this.#perPage : this.#longest);
    if (page.rows >= usual || log.isCertainEnd(page)) return true;
    return (await this.#readPage(2)).rows === 0;
  }

  /** Reads the page before `following`. If both pages are equal, either one may be wrong, so both are read again. */
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
    // If rows with the same timestamp change their order, both pages may lack one of these rows.
    const [request] = listPagesAcrossBoundary(number * this.#perPage, this.#perPage);
    const mayMissRows = doPagesOverlap(page.ids, next.ids) && page.created.at(-1) === next.created[0];
    if (request !== undefined && mayMissRows) await this.#read(request);
    return { page, isConsistent: canBePreviousPage(page, next, log.state.size.effective ?? this.#longest) };
  }
}

/** Returns the error for a list of failed webhooks that kept changing while it was read. */
export function failedWebhooksChangedError(): BillingError {
  return new BillingError('service', 'The list of failed webhooks kept changing while it was read.', {
    hint: 'Stored data is kept. The next sync reads the list again.',
    retryable: true,
  });
}
