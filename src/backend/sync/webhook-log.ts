import {
  BillingError,
  instant,
  type ListAnswer,
  type Webhook,
  type WebhookQuery,
} from '../../billing/index.ts';
import { commit } from '../store/database.ts';
import { partState, savePart } from '../store/sync/sync-unit.ts';
import { countWebhooks } from '../store/webhooks/webhook-places.ts';
import type { SyncContext } from './context.ts';
import { isLastPage, learn, type PageSize, pageRows } from './page-size.ts';
import { type PageAsk, type Pieces, readPage } from './pages.ts';
import { openProblems, type Problems, refusedRows } from './problems.ts';
import { type StoredPage, storeWebhooks } from './webhook-store.ts';

/** What is known of the log as a whole, kept between runs. Instants in ms UTC. */
export interface LogState {
  size: PageSize;
  /**
   * Rows created up to here will not become more, and are held once every window is done: how far back the tail must
   * read. By the service's clock; null before the first run.
   */
  reach: number | null;
  /** The same, but for single rows that the service did not give: those are among the problems, and asked for again by the tail. */
  read_to?: number;
  /** The day from which on it is read, where older rows were left out. */
  since: string | null;
  /** When all rows with `status=failed` were last read, by our clock. */
  swept_at: number | null;
  /** The service's clock less ours. */
  skew: number;
  /** Rows created before this are no longer in the service's log: it keeps them for a limited time. */
  gone_before: number | null;
  windows: number;
  /** When a part of the log was last read again, by our clock. */
  audited_at: number | null;
  /** The day to go on from with that; null: to begin with the oldest. */
  audit_from: string | null;
}

/** Lists of the log, as their problems name them; a row of one that the service does not give begins so. */
export const NEWEST = 'the newest webhooks';
export const FAILED_ONES = 'the failed webhooks';
export const LOST_ROWS = 'row ';

/** The page size the interface names as its default (4.1): no service gives less. */
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

/** A page of the log that was read, not yet stored. */
export interface ReadPage {
  pieces: Pieces<ListAnswer<Webhook>>;
  /** Rows it has, those that could not be read included. */
  rows: number;
  /** Its rows in order, with created_at in ms UTC; rows without one are left out. */
  placed: { id: number; created_at: number }[];
  /** The same moments alone. */
  created: number[];
  /** The ids of its rows in order; those that could not be read are left out. */
  ids: number[];
  /** When its first request began, by our clock. */
  started_at: number;
  server_time: number | null;
  /** How many pages had been asked for when it came. */
  turn: number;
}

/** The page as if the rows that the service did not give were none of it: they are looked after elsewhere. */
export function withoutLost(page: ReadPage): ReadPage {
  return { ...page, pieces: { ...page.pieces, lost: [] } };
}

/** The log as the sync reads and stores it. */
export interface WebhookLog {
  readonly context: SyncContext;
  readonly problems: Problems;
  state: LogState;
  /** Rows this run has read, and when the oldest of them was created. */
  seen: number;
  oldest: number | null;
  /** How dense the log is at its newest end, in rows a ms; null until that is known. */
  newestDensity: number | null;
  /** How many rows this run will have read, as far as can be reckoned; null until it can. */
  expected: number | null;
  /** Rows of a full page, as far as is known. */
  perPage(): number;
  /** Reads a page; what the service fails on is read in smaller pieces. */
  read(filter: Filter, ask: PageAsk, signal: AbortSignal): Promise<ReadPage>;
  /** Stores a page and, in the same transaction, what `also` writes of how far the reading is. */
  store(page: ReadPage, place: string, also?: (stored: StoredPage) => void): StoredPage;
  /** Whether a page of so many rows was the last; learns the page size where `followed` says that rows came behind it. */
  isLast(rows: number): boolean | 'unsure';
  learn(continuingRows: number): void;
  /** What was known of the size of pages holds no more. */
  unlearn(): void;
  /**
   * Whether a page shorter than others was its list's last for certain. Pages may have become shorter, unless a longer one was
   * asked for since and came.
   */
  isSureEnd(page: ReadPage): boolean;
  /** Whether a page of more rows came within this run, and nothing has shown since that pages have become shorter. */
  sawLonger(rows: number): boolean;
  /** Writes the state down; inside `commit` it goes with that. */
  save(change: Partial<LogState>, part?: { complete?: boolean; synced_at?: number }): void;
  /** The service's clock now. */
  serviceNow(): number;
}

export function openLog(context: SyncContext): WebhookLog {
  const { site, client, job, now } = context;
  const { cache } = site;
  const kept = partState<LogState>(cache, 'webhooks');
  const problems = openProblems(cache, 'webhooks', job.id, now);
  let part = { complete: kept?.complete ?? false, synced_at: kept?.synced_at ?? null };
  let turns = 0;
  /** By how many rows a page had, when one such was last asked for. */
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
        client.listWebhooks({ ...filter, ...ask }, { signal, ...(tries === undefined ? {} : { tries }) });
      // What the numbers of smaller pages mean is known only where the size of this one is.
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
      // A page as long as asked for shows that such pages are given.
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

/** What was kept; pages that were asked for smaller than usual, because of something the service failed on, are not again. */
function stateOf(kept: LogState | undefined): LogState {
  const state = { ...beginning, ...kept };
  return state.size.asked === beginning.size.asked ? state : { ...state, size: beginning.size };
}

function rowsOf({ items, problems }: ListAnswer<Webhook>): number {
  return items.length + refusedRows('webhooks', problems);
}

/** The name of a row that the service does not give, by its place in a list. */
export function lostRow(index: number, place: string): string {
  return `${LOST_ROWS}${index + 1} of ${place}`;
}

/** Where rows stand in the log: created_at in ms UTC; rows without one are left out. */
export function placesOf(items: readonly Webhook[]): { id: number; created_at: number }[] {
  return items.flatMap(({ id, created_at }) => {
    const at = created_at === null ? null : instant(created_at);
    return at === null ? [] : [{ id, created_at: at }];
  });
}

/** A list in another order than asked for would end the reading too early. */
function checkOrder(placed: readonly { created_at: number }[], order: Filter['order']): void {
  const [first, last] = [placed[0]?.created_at, placed.at(-1)?.created_at];
  if (first === undefined || last === undefined || first === last) return;
  if (first < last === (order === 'oldest_first')) return;
  const message = `The service does not list webhooks ${order.replace('_', ' ')}, as was asked for.`;
  throw new BillingError('service', message, {
    hint: 'Show this to the service’s support: without that order nothing can be read safely.',
  });
}
