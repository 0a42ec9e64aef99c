import {
  BillingError,
  type ListResponse,
  parseInstant,
  type Webhook,
  type WebhookQuery,
} from '../../../billing/index.ts';
import { commit } from '../../store/sqlite/connection.ts';
import { partState, savePart } from '../../store/sync/sync-unit.ts';
import { countWebhooks } from '../../store/webhooks/webhook-places.ts';
import { type PageParts, type PageRequest, readPageInParts } from '../shared/page-parts.ts';
import { assumedPageSize, isLastPage, learnPageSize, type PageSize } from '../shared/page-size.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { countRejectedRows, openSyncProblems, type SyncProblems } from '../shared/sync-problems.ts';
import { type StoredWebhookPage, storeWebhooks } from './webhook-store.ts';

/** State of the webhook log that is stored between syncs. Instants are UTC milliseconds. */
export interface WebhookLogState {
  size: PageSize;
  /**
   * Instant by the service's clock up to which no more rows will be created. All rows up to it are stored once every
   * window has been read. The newest part of the log must be read back to this instant. Null before the first sync.
   */
  reach: number | null;
  /** Instant up to which all rows are stored except poison rows, which are recorded as problems and requested again. */
  read_to?: number;
  /** First day that was read, if the first sync left out older rows. */
  since: string | null;
  /** Time by the local clock at which all failed webhooks were last read. */
  swept_at: number | null;
  /** Milliseconds by which the service's clock is ahead of the local clock. */
  skew: number;
  /**
   * Rows created before this instant are no longer in the service's log. The service deletes old rows after some time.
   */
  gone_before: number | null;
  windows: number;
  /** Time by the local clock at which a part of the log was last read again. */
  audited_at: number | null;
  /** Day at which the next reread of the log starts. Null starts at the oldest day. */
  audit_from: string | null;
}

/** Names of the lists of webhooks, used as the beginning of problem locations. */
export const NEWEST_WEBHOOKS = 'the newest webhooks';
export const FAILED_WEBHOOKS = 'the failed webhooks';
export const POISON_ROW_PREFIX = 'row ';

/**
 * Default page size of the interface (interface 4.1). Every service is assumed to return at least as many rows per page.
 */
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
  pieces: PageParts<ListResponse<Webhook>>;
  /** Number of rows on the page, including unreadable ones. */
  rows: number;
  /** Rows with a creation time, in list order. `created_at` is in UTC milliseconds. */
  datedRows: { id: number; created_at: number }[];
  /** Creation times of these rows, in UTC milliseconds. */
  created: number[];
  /** Ids of all readable rows, in list order. */
  ids: number[];
  /** Start of the first request for the page, by the local clock. */
  started_at: number;
  server_time: number | null;
  /** Number of pages that had been requested in this sync when this page arrived. */
  requestNumber: number;
}

/** Returns the page without its poison rows, so that the caller can handle them separately. */
export function withoutPoisonRows(page: WebhookPage): WebhookPage {
  return { ...page, pieces: { ...page.pieces, poisonRows: [] } };
}

/** The service's webhook log and its stored copy during a sync. */
export interface WebhookLog {
  readonly context: SyncContext;
  readonly problems: SyncProblems;
  state: WebhookLogState;
  /** Number of rows read in this sync, and the creation time of the oldest of them. */
  seen: number;
  oldest: number | null;
  /** Rows per millisecond at the newest end of the log. Null until it can be computed. */
  newestDensity: number | null;
  /** Estimated number of rows that this sync reads. Null until it can be estimated. */
  expected: number | null;
  /** Returns the number of rows that a full page is assumed to have. */
  perPage(): number;
  /** Reads a page. If the service fails on it, reads it in smaller parts. */
  read(filter: WebhookLogFilter, request: PageRequest, signal: AbortSignal): Promise<WebhookPage>;
  /** Stores a page. `also` saves the checkpoint in the same transaction. */
  store(page: WebhookPage, place: string, also?: (stored: StoredWebhookPage) => void): StoredWebhookPage;
  /**
   * Returns true if a page with this many rows was the last of its list. `unsure` means that the next page must be
   * requested to find out.
   */
  isLast(rows: number): boolean | 'unsure';
  learnPageSize(continuingRows: number): void;
  /** Forgets the page size learned so far. */
  forgetPageSize(): void;
  /**
   * Returns true if a page was certainly the last of its list although it is shorter than others. It is certain if a
   * longer page was requested after it, which shows that pages have not become shorter.
   */
  isCertainEnd(page: WebhookPage): boolean;
  /** Returns true if this sync has received a page with more rows, and the page size has not been forgotten since. */
  hasSeenLongerPage(rows: number): boolean;
  /** Saves the state, within the current transaction if there is one. */
  save(change: Partial<WebhookLogState>, part?: { complete?: boolean; synced_at?: number }): void;
  /** Returns the service's current time in UTC milliseconds. */
  serviceNow(): number;
}

export function openWebhookLog(context: SyncContext): WebhookLog {
  const { site, client, job, now } = context;
  const { cache } = site;
  const kept = partState<WebhookLogState>(cache, 'webhooks');
  const problems = openSyncProblems(cache, 'webhooks', job.id, now);
  let part = { complete: kept?.complete ?? false, synced_at: kept?.synced_at ?? null };
  let requestCount = 0;
  /** Number of the latest request that returned a page of the given length. */
  const lastRequestByLength = new Map<number, number>();

  const log: WebhookLog = {
    context,
    problems,
    state: stateOf(kept?.checkpoint),
    seen: 0,
    oldest: null,
    newestDensity: null,
    expected: null,
    perPage: () => assumedPageSize(log.state.size),

    async read(filter, asked, signal) {
      const read = (ask: PageRequest, tries?: number) =>
        client.listWebhooks(
          { ...filter, ...ask },
          { signal, ...(tries === undefined ? {} : { maxAttempts: tries }) },
        );
      // A page can be split into smaller pages only if its actual size is known.
      const { effective } = log.state.size;
      const requestNumber = ++requestCount;
      const sure =
        (effective !== null && asked.per_page <= effective) || asked.per_page <= GUARANTEED_PAGE_SIZE;
      const pieces = sure
        ? await readPageInParts(asked, read)
        : { answers: [{ request: asked, answer: await read(asked) }], poisonRows: [] };
      const rowsPerAnswer = pieces.answers.map(({ answer }) => toDatedWebhooks(answer.items));
      for (const each of rowsPerAnswer) checkOrder(each, filter.order);
      const first = pieces.answers[0]?.answer.meta;
      const started_at = first?.started_at ?? now();
      const server_time = first?.server_time ?? null;
      if (server_time !== null) log.state.skew = server_time - started_at;
      const rows =
        pieces.answers.reduce((sum, { answer }) => sum + countRows(answer), 0) + pieces.poisonRows.length;
      log.seen += rows;
      // A page as long as requested proves that the service supports this size.
      if (rows >= log.state.size.asked) log.state.size = learnPageSize(log.state.size, log.state.size.asked);
      lastRequestByLength.set(rows, Math.max(requestNumber, lastRequestByLength.get(rows) ?? 0));
      const datedRows = rowsPerAnswer.flat();
      const created = datedRows.map(({ created_at }) => created_at);
      for (const at of created) log.oldest = Math.min(log.oldest ?? at, at);
      const ids = pieces.answers.flatMap(({ answer }) => answer.items.map((item) => item.id));
      return { pieces, rows, datedRows, created, ids, started_at, server_time, requestNumber: requestCount };
    },

    store(page, place, also) {
      return commit(cache, () => {
        const stored: StoredWebhookPage = { ids: [], inserted: 0, changed: 0 };
        for (const { request, answer } of page.pieces.answers) {
          const each = storeWebhooks(context, problems, answer, `page ${request.page} of ${place}`);
          stored.ids.push(...each.ids);
          stored.inserted += each.inserted;
          stored.changed += each.changed;
        }
        for (const { index, error } of page.pieces.poisonRows) {
          context.tally.failed++;
          problems.record(poisonRowLocation(index, place), error.message, null);
        }
        also?.(stored);
        return stored;
      });
    },

    isLast: (rows) => isLastPage(log.state.size, rows),
    learnPageSize(continuingRows) {
      log.state.size = learnPageSize(log.state.size, continuingRows);
    },
    forgetPageSize() {
      lastRequestByLength.clear();
      log.state.size = { ...log.state.size, effective: null };
    },
    isCertainEnd: ({ rows, requestNumber }) =>
      rows < GUARANTEED_PAGE_SIZE ||
      [...lastRequestByLength].some(([longer, asked]) => longer > rows && asked > requestNumber),
    hasSeenLongerPage: (rows) => [...lastRequestByLength.keys()].some((longer) => longer > rows),

    save(change, progress) {
      log.state = { ...log.state, ...change };
      if (progress !== undefined) part = { ...part, ...progress };
      savePart(cache, 'webhooks', {
        ...part,
        expected: part.complete ? countWebhooks(cache) : null,
        checkpoint: log.state,
      });
    },

    serviceNow: () => now() + log.state.skew,
  };
  return log;
}

/** Returns the stored state. If the page size was reduced after a failure, resets it to the normal size. */
function stateOf(kept: WebhookLogState | undefined): WebhookLogState {
  const state = { ...INITIAL_STATE, ...kept };
  return state.size.asked === INITIAL_STATE.size.asked ? state : { ...state, size: INITIAL_STATE.size };
}

function countRows({ items, problems }: ListResponse<Webhook>): number {
  return items.length + countRejectedRows('webhooks', problems);
}

/** Returns the problem location of a poison row from its zero-based index in a list. */
export function poisonRowLocation(index: number, place: string): string {
  return `${POISON_ROW_PREFIX}${index + 1} of ${place}`;
}

/** Returns the ids and creation times (UTC milliseconds) of the rows that have a creation time. */
export function toDatedWebhooks(items: readonly Webhook[]): { id: number; created_at: number }[] {
  return items.flatMap(({ id, created_at }) => {
    const at = created_at === null ? null : parseInstant(created_at);
    return at === null ? [] : [{ id, created_at: at }];
  });
}

/**
 * Throws if the service returned a list in a different order than requested, because reading would then end too early.
 */
function checkOrder(placed: readonly { created_at: number }[], order: WebhookLogFilter['order']): void {
  const [first, last] = [placed[0]?.created_at, placed.at(-1)?.created_at];
  if (first === undefined || last === undefined || first === last) return;
  if (first < last === (order === 'oldest_first')) return;
  const message = `The service does not list webhooks ${order.replace('_', ' ')} as requested.`;
  throw new BillingError('service', message, {
    hint: 'Report this to the service’s support. Without this order, webhooks cannot be read reliably.',
  });
}
