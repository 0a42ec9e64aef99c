import {
  BillingError,
  type ListResponse,
  parseInstant,
  type Webhook,
  type WebhookQuery,
} from '../../../billing/index.ts';
import { runInTransaction } from '../../store/sqlite/connection.ts';
import { readSyncPartState, saveSyncPartState } from '../../store/sync/sync-unit.ts';
import { countStoredWebhooks } from '../../store/webhooks/webhook-lookups.ts';
import {
  getAssumedPageSize,
  isLastPageOfList,
  type ListPageSize,
  learnPageSize,
} from '../shared/list-page-size.ts';
import {
  type ListPageReadResult,
  type ListPageRequest,
  readPageInParts,
} from '../shared/read-page-in-parts.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { countRejectedListRows, SyncProblemRecorder } from '../shared/sync-problems.ts';
import { attemptSyncUnit } from '../shared/sync-unit-errors.ts';
import { type StoredWebhookPage, storeWebhookPage } from './store-webhook-page.ts';

/** State of the webhook log that is stored between syncs. Instants are UTC milliseconds. */
export interface WebhookLogState {
  size: ListPageSize;
  /** Instant (service's clock) down to which the next sync must read the log. Null before the first sync. */
  reach: number | null;
  /** Instant up to which all rows are stored, except poison rows, which are requested again. */
  read_to?: number;
  /** First day to be read, if the first sync left out older rows. Otherwise null. */
  since: string | null;
  /** Time by the local clock at which all failed webhooks were last read. */
  swept_at: number | null;
  /** Milliseconds by which the service's clock is ahead of the local clock. */
  skew: number;
  /** Instant before which the service has deleted all rows of the log. The service keeps rows for a limited time. */
  gone_before: number | null;
  windows: number;
  /** Time by the local clock at which a part of the log was last scheduled to be read again. */
  audited_at: number | null;
  /** Day on which the next reread of the log starts. Null means the oldest day. */
  audit_from: string | null;
}

/** Names of the webhook lists, used in the locations of problems. */
export const NEWEST_WEBHOOKS_LOCATION = 'the newest webhooks';
export const FAILED_WEBHOOKS_LOCATION = 'the failed webhooks';
export const POISON_ROW_LOCATION_PREFIX = 'row ';

/** Default page size (interface 4.1). Every service is assumed to return at least this many rows per page. */
export const GUARANTEED_PAGE_SIZE = 20;

const INITIAL_STATE: WebhookLogState = {
  size: { asked: 200, effective: null },
  reach: null,
  since: null,
  swept_at: null,
  skew: 0,
  gone_before: null,
  windows: 0,
  audited_at: null,
  audit_from: null,
};

export type WebhookLogFilter = Pick<WebhookQuery, 'status' | 'since_date' | 'until_date'> & {
  order: 'oldest_first' | 'newest_first';
};

/** A page of the webhook log as read from the service, before it is stored. */
export interface WebhookPage {
  parts: ListPageReadResult<ListResponse<Webhook>>;
  /** Number of rows on the page, including unreadable rows. */
  rows: number;
  /** Rows with a creation time, in list order. `created_at` is in UTC milliseconds. */
  datedRows: { id: number; created_at: number }[];
  /** Creation times of `datedRows`, in UTC milliseconds. */
  created: number[];
  /** Ids of all readable rows, in list order. */
  ids: number[];
  /** Time at which the page was first requested, in UTC milliseconds by the local clock. */
  started_at: number;
  server_time: number | null;
  /** Number of pages that this sync had requested when this page arrived. */
  requestNumber: number;
}

/** Returns the page without its poison rows, which the caller handles separately. */
export function omitPoisonRows(page: WebhookPage): WebhookPage {
  return { ...page, parts: { ...page.parts, poisonRows: [] } };
}

/** The service's webhook log and its stored copy during a sync. */
export class WebhookLog {
  readonly context: SyncContext;
  readonly problems: SyncProblemRecorder;
  state: WebhookLogState;
  /** Number of rows read in this sync, and the creation time of the oldest row. */
  rowsRead = 0;
  oldestCreatedAt: number | null = null;
  /** Rows per millisecond at the newest end of the log. Null until it can be computed. */
  newestDensity: number | null = null;
  /** Estimated number of rows that this sync reads. Null until it can be estimated. */
  expectedRows: number | null = null;
  #part: { complete: boolean; synced_at: number | null };
  #requestCount = 0;
  readonly #lastRequestByLength = new Map<number, number>();

  constructor(context: SyncContext) {
    const { site, job, now } = context;
    const stored = readSyncPartState<WebhookLogState>(site.cache, 'webhooks');
    this.context = context;
    this.problems = new SyncProblemRecorder(site.cache, { part: 'webhooks', job: job.id, now });
    this.state = restoreState(stored?.checkpoint);
    this.#part = { complete: stored?.complete ?? false, synced_at: stored?.synced_at ?? null };
  }

  /** Returns the number of rows that a full page is assumed to have. */
  perPage(): number {
    return getAssumedPageSize(this.state.size);
  }

  /** Reads a sync unit of the log. Returns false and records a problem if the service fails only on this unit. */
  attempt(location: string, work: () => Promise<void>): Promise<boolean> {
    return attemptSyncUnit(this.context, this.problems, location, work);
  }

  /** Reads a page. If the service fails on the page, reads it in smaller parts. */
  async read(filter: WebhookLogFilter, request: ListPageRequest, signal: AbortSignal): Promise<WebhookPage> {
    const requestNumber = ++this.#requestCount;
    const parts = await this.#readPageOrParts(filter, request, signal);
    const rowsPerAnswer = parts.answers.map(({ answer }) => selectDatedWebhooks(answer.items));
    for (const each of rowsPerAnswer) checkOrder(each, filter.order);
    const first = parts.answers[0]?.answer.meta;
    const started_at = first?.started_at ?? this.context.now();
    const server_time = first?.server_time ?? null;
    if (server_time !== null) this.state.skew = server_time - started_at;
    const rows =
      parts.answers.reduce((sum, { answer }) => sum + countRows(answer), 0) + parts.poisonRows.length;
    this.rowsRead += rows;
    // A page with the requested number of rows proves that the service supports this page size.
    const { asked } = this.state.size;
    if (rows >= asked) this.learnPageSize(asked);
    const latest = Math.max(requestNumber, this.#lastRequestByLength.get(rows) ?? 0);
    this.#lastRequestByLength.set(rows, latest);
    const datedRows = rowsPerAnswer.flat();
    const created = datedRows.map(({ created_at }) => created_at);
    for (const at of created) this.oldestCreatedAt = Math.min(this.oldestCreatedAt ?? at, at);
    const ids = parts.answers.flatMap(({ answer }) => answer.items.map((item) => item.id));
    const arrivedAt = this.#requestCount;
    return { parts, rows, datedRows, created, ids, started_at, server_time, requestNumber: arrivedAt };
  }

  /** Reads a page, in parts if the service fails on it. Only a page of known size can be split. */
  async #readPageOrParts(
    filter: WebhookLogFilter,
    request: ListPageRequest,
    signal: AbortSignal,
  ): Promise<WebhookPage['parts']> {
    const read = (part: ListPageRequest, maxAttempts?: number) =>
      this.context.client.listWebhooks(
        { ...filter, ...part },
        { signal, ...(maxAttempts === undefined ? {} : { maxAttempts }) },
      );
    const { effective } = this.state.size;
    if (request.per_page <= Math.max(effective ?? 0, GUARANTEED_PAGE_SIZE))
      return readPageInParts(request, read);
    return { answers: [{ request, answer: await read(request) }], poisonRows: [] };
  }

  /** Stores a page. `also` saves the checkpoint in the same transaction. */
  store(page: WebhookPage, location: string, also?: (stored: StoredWebhookPage) => void): StoredWebhookPage {
    const { context, problems } = this;
    return runInTransaction(context.site.cache, () => {
      const stored: StoredWebhookPage = { ids: [], inserted: 0, changed: 0 };
      for (const { request, answer } of page.parts.answers) {
        const each = storeWebhookPage(context, problems, answer, `page ${request.page} of ${location}`);
        stored.ids.push(...each.ids);
        stored.inserted += each.inserted;
        stored.changed += each.changed;
      }
      for (const { index, error } of page.parts.poisonRows) {
        context.tally.failed++;
        problems.record(getPoisonRowLocation(index, location), error.message, null);
      }
      also?.(stored);
      return stored;
    });
  }

  /** Returns true if a page with this many rows was the last of its list, or `unsure` if only the next page can tell. */
  isLast(rows: number): boolean | 'unsure' {
    return isLastPageOfList(this.state.size, rows);
  }

  learnPageSize(continuingRows: number): void {
    this.state.size = learnPageSize(this.state.size, continuingRows);
  }

  forgetPageSize(): void {
    this.#lastRequestByLength.clear();
    this.state.size = { ...this.state.size, effective: null };
  }

  /**
   * Returns true if a page was certainly the last: a later request returned a longer page, so the service has not
   * reduced its page size.
   */
  isCertainEnd({ rows, requestNumber }: WebhookPage): boolean {
    if (rows < GUARANTEED_PAGE_SIZE) return true;
    return [...this.#lastRequestByLength].some(([longer, asked]) => longer > rows && asked > requestNumber);
  }

  /** Returns true if this sync has received a longer page and has not forgotten the page size since. */
  hasSeenLongerPage(rows: number): boolean {
    return [...this.#lastRequestByLength.keys()].some((longer) => longer > rows);
  }

  /** Saves the state of the log, in the current transaction if there is one. */
  save(change: Partial<WebhookLogState>, part?: { complete?: boolean; synced_at?: number }): void {
    const { cache } = this.context.site;
    this.state = { ...this.state, ...change };
    this.#part = { ...this.#part, ...part };
    const expected = this.#part.complete ? countStoredWebhooks(cache) : null;
    saveSyncPartState(cache, 'webhooks', { ...this.#part, expected, checkpoint: this.state });
  }

  /** Returns the service's current time in UTC milliseconds. */
  serviceNow(): number {
    return this.context.now() + this.state.skew;
  }
}

/** Returns the state at the start of a sync. Resets a page size that was reduced after a failure. */
function restoreState(stored: WebhookLogState | undefined): WebhookLogState {
  const state = { ...INITIAL_STATE, ...stored };
  return state.size.asked === INITIAL_STATE.size.asked ? state : { ...state, size: INITIAL_STATE.size };
}

function countRows({ items, problems }: ListResponse<Webhook>): number {
  return items.length + countRejectedListRows('webhooks', problems);
}

/** Returns the problem location of a poison row from its zero-based index in a list. */
export function getPoisonRowLocation(index: number, list: string): string {
  return `${POISON_ROW_LOCATION_PREFIX}${index + 1} of ${list}`;
}

/** Returns the ids and creation times (UTC milliseconds) of the rows that have a creation time. */
export function selectDatedWebhooks(items: readonly Webhook[]): { id: number; created_at: number }[] {
  return items.flatMap(({ id, created_at }) => {
    const at = created_at === null ? null : parseInstant(created_at);
    return at === null ? [] : [{ id, created_at: at }];
  });
}

/** Throws if a list is not in the requested order, because reading would then end too early. */
function checkOrder(rows: readonly { created_at: number }[], order: WebhookLogFilter['order']): void {
  const [first, last] = [rows[0]?.created_at, rows.at(-1)?.created_at];
  if (first === undefined || last === undefined || first === last) return;
  if (first < last === (order === 'oldest_first')) return;
  const message = `The service does not list webhooks ${order.replace('_', ' ')} as requested.`;
  throw new BillingError('service', message, {
    hint: 'Report this to the service’s support. Without this order, webhooks cannot be read reliably.',
  });
}
