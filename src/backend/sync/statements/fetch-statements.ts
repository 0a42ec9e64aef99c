import { BillingError, type ListResponse, type Statement } from '../../../billing/index.ts';
import { WorkerPool, type WorkerTask } from '../../shared/worker-pool.ts';
import { recordSubscriptionComponent } from '../../store/allocations/subscription-component.ts';
import { runInTransaction } from '../../store/sqlite/connection.ts';
import { upsertStatements } from '../../store/statements/statement.ts';
import {
  clearRefetchMark,
  countStatementsBySubscription,
  markVanishedStatement,
} from '../../store/statements/statements-to-fetch.ts';
import { isRepeatedPage } from '../shared/list-page-boundaries.ts';
import { isLastPageOfList, learnPageSize } from '../shared/list-page-size.ts';
import type { StatementFetchPlan } from '../shared/statement-fetch-plan.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { countRejectedListRows, locateReadProblems, SyncProblemRecorder } from '../shared/sync-problems.ts';
import { toSyncUnitError } from '../shared/sync-unit-errors.ts';
import { markStatementsStale } from '../webhooks/store-webhook-page.ts';
import type { RequestedStatements } from './requested-statements.ts';
import type { StatementSyncState } from './sync-statement-ids.ts';

/** Average number of statements above which new subscriptions' lists are read. Chosen by judgment. */
const MIN_STATEMENTS_TO_LIST = 1.2;

/** Statements to fetch, and the plan for fetching them. */
export interface StatementRequest {
  readonly requested: RequestedStatements;
  readonly plan: StatementFetchPlan;
  /** Subscriptions that were known before the fetch. */
  readonly known: ReadonlySet<number>;
}

/** Next page to read of a subscription's statement list, with the ids and row count of the previous page. */
interface ListPage {
  readonly subscription: number;
  readonly page: number;
  readonly before: { ids: readonly number[]; rows: number };
}

const createFirstListPage = (subscription: number): ListPage => ({
  subscription,
  page: 1,
  before: { ids: [], rows: 0 },
});

/**
 * Fetches statements as planned. A statement may reveal its subscription. The subscription's list is then read if it
 * probably has more requested statements. Lists need not be read to their end, because the site's id list proves that
 * no statement is missing.
 */
export async function fetchStatements(
  context: SyncContext,
  state: StatementSyncState,
  fetch: StatementRequest,
): Promise<void> {
  await new StatementFetcher(context, state, fetch).run();
}

class StatementFetcher {
  readonly #context: SyncContext;
  readonly #state: StatementSyncState;
  readonly #requested: RequestedStatements;
  readonly #total: number;
  readonly #known: ReadonlySet<number>;
  readonly #problems: SyncProblemRecorder;
  readonly #workers: WorkerPool;
  readonly #lists: ListPage[];
  /** Subscriptions whose statement list has been or will be read. */
  readonly #listed: Set<number>;
  readonly #reads: number[];
  readonly #unknown: number[];
  readonly #foundPerSubscription = new Map<number, number>();
  #failed = 0;
  /** Number of rows on the longest list page so far. */
  #longest = 0;

  constructor(context: SyncContext, state: StatementSyncState, { requested, plan, known }: StatementRequest) {
    const { site, job, now } = context;
    this.#context = context;
    this.#state = state;
    this.#requested = requested;
    this.#total = requested.size;
    this.#known = known;
    this.#problems = new SyncProblemRecorder(site.cache, { part: 'statements', job: job.id, now });
    this.#workers = new WorkerPool(job.signal, () => this.#nextTask());
    this.#lists = plan.lists.map(createFirstListPage);
    this.#listed = new Set(plan.lists);
    this.#reads = [...plan.reads];
    this.#unknown = [...plan.unknown];
  }

  async run(): Promise<void> {
    this.#showProgress();
    await this.#workers.run();
    const { site, tally } = this.#context;
    const { statements: minimum } = tally.minimumInputs;
    const all = countStatementsBySubscription(site.cache);
    minimum.rowsPerPage = this.#state.size.effective ?? Math.max(1, this.#longest);
    for (const [subscription, ids] of this.#foundPerSubscription)
      minimum.requested.push({ ids, all: Math.max(ids, all.get(subscription) ?? 0) });
  }

  #nextTask(): WorkerTask | null {
    const listPage = this.#lists.shift();
    if (listPage !== undefined) return () => this.#readList(listPage);
    for (const queue of [this.#reads, this.#unknown]) {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        const statement = id;
        if (this.#requested.has(statement)) return () => this.#readStatement(statement);
      }
    }
    return null;
  }

  #showProgress(): void {
    const [total, failed] = [this.#total, this.#failed];
    const done = total - this.#requested.size - failed;
    this.#context.job.progress('statements', { done, total, failed, current: null });
  }

  #store({ items, problems: found, meta }: ListResponse<Statement>, location: string): void {
    const { site, tally, emit } = this.#context;
    const problems = this.#problems;
    runInTransaction(site.cache, () => {
      tally.recordRows('statement', upsertStatements(site.cache, items, meta.started_at));
      const ids = items.map((item) => item.id);
      const located = locateReadProblems('statements', found, ids, location);
      for (const each of located) problems.record(each.fieldLocation, each.reason, each.raw);
      const locations = new Set(located.map((each) => each.fieldLocation));
      for (const item of items) {
        problems.clear(`statements[id=${item.id}]`, locations);
        problems.clear(`statement ${item.id}`);
        recordSubscriptionComponents(this.#context, item);
        clearRefetchMark(site.cache, `statement:${item.id}`, meta.started_at);
      }
    });
    const counts = this.#foundPerSubscription;
    for (const { id, subscription_id } of items) {
      if (this.#requested.remove(id)) counts.set(subscription_id, (counts.get(subscription_id) ?? 0) + 1);
    }
    this.#showProgress();
    emit('statements', 'allocations');
  }

  /** Reads a page of a statement list. If the service fails on it, the list's statements are read individually. */
  async #readList({ subscription, page, before }: ListPage): Promise<void> {
    const { client, tally } = this.#context;
    const request = { page, per_page: this.#state.size.asked };
    let answer: ListResponse<Statement>;
    try {
      answer = await client.listStatements(subscription, request, { signal: this.#workers.signal });
    } catch (error) {
      const failure = toSyncUnitError(error);
      if (failure === null) throw error;
      if (!isGone(error)) tally.failureLimit.recordFailure(failure);
      this.#reads.push(...this.#requested.idsOf(subscription));
      return;
    }
    const rows = answer.items.length + countRejectedListRows('statements', answer.problems);
    this.#learnPageSize(before.rows, rows);
    this.#store(answer, `page ${page} of the statements of subscription ${subscription}`);
    if (this.#requested.count(subscription) === 0) return;
    const ids = answer.items.map(({ id }) => id);
    if (isLastPageOfList(this.#state.size, rows) === true || isRepeatedPage(before.ids, ids))
      this.#reads.push(...this.#requested.idsOf(subscription));
    else this.#lists.push({ subscription, page: page + 1, before: { ids, rows } });
  }

  #learnPageSize(rowsBefore: number, rows: number): void {
    const state = this.#state;
    this.#longest = Math.max(this.#longest, rows);
    if (rows > 0) state.size = learnPageSize(state.size, rowsBefore);
    if (rows >= state.size.asked) state.size = learnPageSize(state.size, rows);
  }

  async #readStatement(id: number): Promise<void> {
    const { client, tally } = this.#context;
    const owner = this.#requested.subscriptionOf(id);
    try {
      const {
        item,
        problems: found,
        meta,
      } = await client.readStatement(id, { signal: this.#workers.signal });
      if (item === null) {
        this.#fail(id, found[0]?.reason ?? 'cannot be read', found[0]?.raw ?? null);
        return;
      }
      if (item.id !== id) {
        this.#fail(id, `the service returned statement ${item.id}`, JSON.stringify(item));
        return;
      }
      const { subscription_id } = item;
      const isFirst = !this.#known.has(subscription_id) && !this.#foundPerSubscription.has(subscription_id);
      this.#store({ items: [item], problems: found, meta }, `statement ${id}`);
      if (owner === null) this.#considerListing(subscription_id, isFirst);
    } catch (error) {
      const failure = toSyncUnitError(error);
      if (failure === null || tally.answered === 0) throw error;
      if (isGone(error)) {
        this.#recordVanished(id);
        return;
      }
      tally.failureLimit.recordFailure(failure);
      this.#fail(id, failure.message, null);
    }
  }

  /** Plans to read the list of a newly found subscription if the list probably has more requested statements. */
  #considerListing(subscription: number, isFirst: boolean): void {
    const counts = this.#foundPerSubscription;
    if (isFirst) this.#context.tally.minimumInputs.statements.discovered++;
    const found = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const isLikely = isFirst
      ? counts.size < 3 || found / counts.size > MIN_STATEMENTS_TO_LIST
      : this.#requested.count(null) > this.#known.size + counts.size;
    if (!isLikely || this.#listed.has(subscription)) return;
    this.#listed.add(subscription);
    this.#lists.push(createFirstListPage(subscription));
  }

  #fail(id: number, reason: string, raw: string | null): void {
    const { site, tally } = this.#context;
    this.#requested.remove(id);
    this.#failed++;
    tally.failed++;
    runInTransaction(site.cache, () => {
      this.#problems.record(`statement ${id}`, reason, raw);
      // Marks the statement as stale, so that the next sync reads it again even if that sync is not a full one.
      markStatementsStale(this.#context, `statement:${id}`);
    });
    this.#showProgress();
  }

  /** Records that a statement from the id list no longer exists. */
  #recordVanished(id: number): void {
    const { site, now } = this.#context;
    this.#requested.remove(id);
    runInTransaction(site.cache, () => {
      markVanishedStatement(site.cache, id, now());
      clearRefetchMark(site.cache, `statement:${id}`, now());
    });
  }
}

function isGone(error: unknown): boolean {
  return error instanceof BillingError && error.code === 'not_found';
}

/** Records the subscription components that transactions name in `component_id`, an undocumented field. */
function recordSubscriptionComponents(
  { site }: SyncContext,
  { subscription_id, transactions }: Statement,
): void {
  for (const { extra } of transactions) {
    const component = extra['component_id'];
    if (typeof component !== 'number' || !Number.isSafeInteger(component) || component <= 0) continue;
    const pair = { subscription_id, component_id: component, component_name: null };
    recordSubscriptionComponent(site.cache, { ...pair, source: 'statement', changed_hint_at: null });
  }
}
