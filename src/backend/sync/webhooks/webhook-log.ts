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
import type { SyncContext } from '../shared/context.ts';
import { isLastPage, learn, type PageSize, pageRows } from '../shared/page-size.ts';
import { type PageAsk, type Pieces, readPage } from '../shared/pages.ts';
import { openProblems, type Problems, refusedRows } from '../shared/problems.ts';
import { type StoredPage, storeWebhooks } from './webhook-store.ts';

/** Knowledge about the log as a whole, stored between runs. Instants are UTC milliseconds. */
export interface LogState {
  size: PageSize;
  /**
   * Service clock. No more rows will be created up to this instant, and all of them are stored once every window is done.
   * It limits how far back the newest part must be read. Null before the first run.
   */
  reach: number | null;
  /**
   * The same, except for single rows that the service failed to return. They are recorded as problems and requested
   * again.
   */
  read_to?: number;
  /** First day that is read if older rows were left out. */
  since: string | null;
  /** Local clock: last time all rows with `status=failed` were read. */
  swept_at: number | null;
  /** Milliseconds by which the service's clock is ahead of the local one. */
  skew: number;
  /** Rows created before this instant are no longer in the service's log, which is kept for a limited time. */
  gone_before: number | null;
  windows: number;
  /** Local clock: last time a part of the log was read again. */
  audited_at: number | null;
  /** Day at which that continues. Null starts with the oldest. */
  audit_from: string | null;
}

/** Names of the lists of the log, used as prefixes of problem locations. */
export const NEWEST = 'the newest webhooks';
export const FAILED_ONES = 'the failed webhooks';
export const LOST_ROWS = 'row ';

/** The interface's default page size (interface 4.1). No service returns fewer. */
export const SURE_SIZE = 20;

const beginning: LogState = {
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

export type Filter = Pick<WebhookQuery, 'status' | 'since_date' | 'until_date'> & {
  order: 'oldest_first' | 'newest_first';
};

/** A page of the log that was read but not stored. */
export interface ReadPage {
  pieces: Pieces<ListResponse<Webhook>>;
  /** Number of rows, including unreadable ones. */
  rows: number;
  /** The rows in order with `created_at` in UTC milliseconds. Rows without one are left out. */
  placed: { id: number; created_at: number }[];
  /** The `created_at` values alone. */
  created: number[];
  /** The ids of the readable rows in order. */
  ids: number[];
  /** Local clock: start of the first request. */
  started_at: number;
  server_time: number | null;
  /** Number of pages requested when this page arrived. */
  turn: number;
}

/** Returns the page without its poison rows, which are handled separately. */
export function withoutLost(page: ReadPage): ReadPage {
  return { ...page, pieces: { ...page.pieces, lost: [] } };
}

/** The log as read and stored by the sync. */
export interface WebhookLog {
  readonly context: SyncContext;
  readonly problems: Problems;
  state: LogState;
  /** Number of rows read in this run, and the creation time of the oldest. */
  seen: number;
  oldest: number | null;
  /** Rows per millisecond at the newest end of the log. Null until known. */
  newestDensity: number | null;
  /** Estimated number of rows that this run will read. Null until it can be estimated. */
  expected: number | null;
  /** Returns the number of rows of a full page, as far as known. */
  perPage(): number;
  /** Reads a page. If the service fails on it, reads it in smaller pieces. */
  read(filter: Filter, ask: PageAsk, signal: AbortSignal): Promise<ReadPage>;
  /** Stores a page. `also` saves the checkpoint in the same transaction. */
  store(page: ReadPage, place: string, also?: (stored: StoredPage) => void): StoredPage;
  /**
   * Returns true if a page with this many rows was the last. Learns the page size if `followed` says that more rows came.
   */
  isLast(rows: number): boolean | 'unsure';
  learn(continuingRows: number): void;
  /** Forgets the learned page size. */
  unlearn(): void;
  /**
   * Returns true if a page shorter than others was certainly the last. Pages may have become shorter, unless a longer one
   * has been requested and returned since.
   */
  isSureEnd(page: ReadPage): boolean;
  /**
   * Returns true if a page with more rows was returned in this run and nothing has shown since that pages have become
   * shorter.
   */
  sawLonger(rows: number): boolean;
  /** Saves the state. Inside `commit`, it becomes part of that transaction. */
  save(change: Partial<LogState>, part?: { complete?: boolean; synced_at?: number }): void;
  /** Returns the service's current time. */
  serviceNow(): number;
}

export function openLog(context: SyncContext): WebhookLog {
  const { site, client, job, now } = context;
  const { cache } = site;
  const kept = partState<LogState>(cache, 'webhooks');
  const problems = openProblems(cache, 'webhooks', job.id, now);
  let part = { complete: kept?.complete ?? false, synced_at: kept?.synced_at ?? null };
  let turns = 0;
  /** Per number of rows: the time such a page was last requested. */
  const lengths = new Map<number, number>();

  const log: WebhookLog = {
    context,
    problems,
    state: stateOf(kept?.checkpoint),
    seen: 0,
    oldest: null,
    newestDensity: null,
    expected: null,
    perPage: () => pageRows(log.state.size),

    async read(filter, asked, signal) {
      const read = (ask: PageAsk, tries?: number) =>
        client.listWebhooks(
          { ...filter, ...ask },
          { signal, ...(tries === undefined ? {} : { maxAttempts: tries }) },
        );
      // The numbering of smaller pages is known only if the size of this one is.
      const { effective } = log.state.size;
      const turn = ++turns;
      const sure = (effective !== null && asked.per_page <= effective) || asked.per_page <= SURE_SIZE;
      const pieces = sure
        ? await readPage(asked, read)
        : { answers: [{ ask: asked, answer: await read(asked) }], lost: [] };
      const placedIn = pieces.answers.map(({ answer }) => placesOf(answer.items));
      for (const each of placedIn) checkOrder(each, filter.order);
      const first = pieces.answers[0]?.answer.meta;
      const started_at = first?.started_at ?? now();
      const server_time = first?.server_time ?? null;
      if (server_time !== null) log.state.skew = server_time - started_at;
      const rows = pieces.answers.reduce((sum, { answer }) => sum + rowsOf(answer), 0) + pieces.lost.length;
      log.seen += rows;
      // A page as long as requested shows that such pages are returned.
      if (rows >= log.state.size.asked) log.state.size = learn(log.state.size, log.state.size.asked);
      lengths.set(rows, Math.max(turn, lengths.get(rows) ?? 0));
      const placed = placedIn.flat();
      const created = placed.map(({ created_at }) => created_at);
      for (const at of created) log.oldest = Math.min(log.oldest ?? at, at);
      const ids = pieces.answers.flatMap(({ answer }) => answer.items.map((item) => item.id));
      return { pieces, rows, placed, created, ids, started_at, server_time, turn: turns };
    },

    store(page, place, also) {
      return commit(cache, () => {
        const stored: StoredPage = { ids: [], inserted: 0, changed: 0 };
        for (const { ask, answer } of page.pieces.answers) {
          const each = storeWebhooks(context, problems, answer, `page ${ask.page} of ${place}`);
          stored.ids.push(...each.ids);
          stored.inserted += each.inserted;
          stored.changed += each.changed;
        }
        for (const { index, error } of page.pieces.lost) {
          context.tally.failed++;
          problems.keep(lostRow(index, place), error.message, null);
        }
        also?.(stored);
        return stored;
      });
    },

    isLast: (rows) => isLastPage(log.state.size, rows),
    learn(continuingRows) {
      log.state.size = learn(log.state.size, continuingRows);
    },
    unlearn() {
      lengths.clear();
      log.state.size = { ...log.state.size, effective: null };
    },
    isSureEnd: ({ rows, turn }) =>
      rows < SURE_SIZE || [...lengths].some(([longer, asked]) => longer > rows && asked > turn),
    sawLonger: (rows) => [...lengths.keys()].some((longer) => longer > rows),

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

/** Returns the stored state. Pages that were reduced because of a failure use the normal size again. */
function stateOf(kept: LogState | undefined): LogState {
  const state = { ...beginning, ...kept };
  return state.size.asked === beginning.size.asked ? state : { ...state, size: beginning.size };
}

function rowsOf({ items, problems }: ListResponse<Webhook>): number {
  return items.length + refusedRows('webhooks', problems);
}

/** Returns the location of a poison row by its index in a list. */
export function lostRow(index: number, place: string): string {
  return `${LOST_ROWS}${index + 1} of ${place}`;
}

/** Returns the ids with `created_at` in UTC milliseconds. Rows without one are left out. */
export function placesOf(items: readonly Webhook[]): { id: number; created_at: number }[] {
  return items.flatMap(({ id, created_at }) => {
    const at = created_at === null ? null : parseInstant(created_at);
    return at === null ? [] : [{ id, created_at: at }];
  });
}

/** Throws if the list has another order than requested, which would end the read too early. */
function checkOrder(placed: readonly { created_at: number }[], order: Filter['order']): void {
  const [first, last] = [placed[0]?.created_at, placed.at(-1)?.created_at];
  if (first === undefined || last === undefined || first === last) return;
  if (first < last === (order === 'oldest_first')) return;
  const message = `The service does not list webhooks ${order.replace('_', ' ')}, as was asked for.`;
  throw new BillingError('service', message, {
    hint: 'Show this to the service’s support: without that order nothing can be read safely.',
  });
}
