import { BillingError, type ListResponse, type Statement } from '../../../billing/index.ts';
import { WorkerPool, type WorkerTask } from '../../shared/worker-pool.ts';
import { recordSubscriptionComponent } from '../../store/allocations/subscription-component.ts';
import { inTransaction } from '../../store/sqlite/connection.ts';
import { upsertStatements } from '../../store/statements/statement.ts';
import {
  clearStaleMark,
  countStatementsBySubscription,
  markVanishedStatement,
} from '../../store/statements/statements-to-fetch.ts';
import { isRepeatedPage } from '../shared/page-boundaries.ts';
import { isLastPage, learnPageSize } from '../shared/page-size.ts';
import type { StatementFetchPlan } from '../shared/statement-fetch-plan.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { countRejectedRows, locateProblems, SyncProblems } from '../shared/sync-problems.ts';
import { toUnitError } from '../shared/unit-failures.ts';
import { markStatementsStale } from '../webhooks/webhook-store.ts';
import type { RequestedStatements } from './requested-statements.ts';
import type { StatementSyncState } from './statement-ids.ts';

/** Average number of statements per subscription above which a found subscription is listed. Chosen by judgment. */
const MIN_STATEMENTS_TO_LIST = 1.2;

/** Statements to fetch. */
export interface StatementFetch {
  readonly requested: RequestedStatements;
  readonly plan: StatementFetchPlan;
  /** Subscriptions that were known before the fetch. */
  readonly known: ReadonlySet<number>;
}

/** A page of a subscription's statement list to read, and the page before it. */
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
 * Fetches statements as planned. A statement may reveal its subscription, whose list is then read if it probably has
 * more requested statements. Lists need not be read to their end: the site's id list proves that none is missing.
 */
export async function fetchStatements(
  context: SyncContext,
  state: StatementSyncState,
  fetch: StatementFetch,
): Promise<void> {
  await new StatementFetcher(context, state, fetch).run();
}

class StatementFetcher {
  readonly #context: SyncContext;
  readonly #state: StatementSyncState;
  readonly #requested: RequestedStatements;
  /** Number of requested statements. */
  readonly #total: number;
  readonly #known: ReadonlySet<number>;
  readonly #problems: SyncProblems;
  readonly #workers: WorkerPool;
  readonly #lists: ListPage[];
  /** Subscriptions whose list was or will be read. */
  readonly #listed: Set<number>;
  readonly #reads: number[];
  readonly #unknown: number[];
  /** Number of requested statements found per subscription. */
  readonly #foundPerSubscription = new Map<number, number>();
  #failed = 0;
  /** Number of rows of the longest list page. */
  #longest = 0;

  constructor(context: SyncContext, state: StatementSyncState, { requested, plan, known }: StatementFetch) {
    const { site, job, now } = context;
    this.#context = context;
    this.#state = state;
    this.#requested = requested;
    this.#total = requested.size;
    this.#known = known;
    this.#problems = new SyncProblems(site.cache, { part: 'statements', job: job.id, now });
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
    inTransaction(site.cache, () => {
      tally.recordRows('statement', upsertStatements(site.cache, items, meta.started_at));
      const ids = items.map((item) => item.id);
      const located = locateProblems('statements', found, ids, location);
      for (const each of located) problems.record(each.fieldLocation, each.reason, each.raw);
      const locations = new Set(located.map((each) => each.fieldLocation));
      for (const item of items) {
        problems.clear(`statements[id=${item.id}]`, locations);
        problems.clear(`statement ${item.id}`);
        recordSubscriptionComponents(this.#context, item);
        clearStaleMark(site.cache, `statement:${item.id}`, meta.started_at);
      }
    });
    const counts = this.#foundPerSubscription;
    for (const { id, subscription_id } of items) {
      if (this.#requested.remove(id)) counts.set(subscription_id, (counts.get(subscription_id) ?? 0) + 1);
    }
    this.#showProgress();
    emit('statements', 'allocations');
  }

  /** Reads a page of a list. If the service fails on the list, its statements are read individually. */
  async #readList({ subscription, page, before }: ListPage): Promise<void> {
    const { client, tally } = this.#context;
    const request = { page, per_page: this.#state.size.asked };
    let answer: ListResponse<Statement>;
    try {
      answer = await client.listStatements(subscription, request, { signal: this.#workers.signal });
    } catch (error) {
      const failure = toUnitError(error);
      if (failure === null) throw error;
      if (!isGone(error)) tally.failureLimit.recordFailure(failure);
      this.#reads.push(...this.#requested.idsOf(subscription));
      return;
    }
    const rows = answer.items.length + countRejectedRows('statements', answer.problems);
    this.#learnPageSize(before.rows, rows);
    this.#store(answer, `page ${page} of the statements of subscription ${subscription}`);
    if (this.#requested.count(subscription) === 0) return;
    const ids = answer.items.map(({ id }) => id);
    if (isLastPage(this.#state.size, rows) === true || isRepeatedPage(before.ids, ids))
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
      const { subscription_id } = item;
      const isFirst = !this.#known.has(subscription_id) && !this.#foundPerSubscription.has(subscription_id);
      this.#store({ items: [item], problems: found, meta }, `statement ${id}`);
      if (owner === null) this.#considerListing(subscription_id, isFirst);
    } catch (error) {
      const failure = toUnitError(error);
      if (failure === null || tally.answered === 0) throw error;
      if (isGone(error)) {
        this.#recordVanished(id);
        return;
      }
      tally.failureLimit.recordFailure(failure);
      this.#fail(id, failure.message, null);
    }
  }

  /** Reads the list of a subscription that a statement has revealed if it probably has more requested statements. */
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
    inTransaction(site.cache, () => {
      this.#problems.record(`statement ${id}`, reason, raw);
      // The next sync reads a statement marked as stale again, even if it does not do a full sync.
      markStatementsStale(this.#context, `statement:${id}`);
    });
    this.#showProgress();
  }

  /** Records that a statement from the id list no longer exists. */
  #recordVanished(id: number): void {
    const { site, now } = this.#context;
    this.#requested.remove(id);
    inTransaction(site.cache, () => {
      markVanishedStatement(site.cache, id, now());
      clearStaleMark(site.cache, `statement:${id}`, now());
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
