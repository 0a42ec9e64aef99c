import { BillingError, type ListResponse, type Statement } from '../../../billing/index.ts';
import { createWorkerPool, MAX_CONCURRENT_REQUESTS, type Task } from '../../shared/worker-pool.ts';
import { recordSubscriptionComponent } from '../../store/allocations/subscription-component.ts';
import { commit } from '../../store/sqlite/connection.ts';
import { upsertStatements } from '../../store/statements/statement.ts';
import { clearStale, markGoneStatement, statementCounts } from '../../store/statements/statement-needs.ts';
import { isRepeatedPage } from '../shared/page-boundaries.ts';
import { isLastPage, learnPageSize } from '../shared/page-size.ts';
import type { StatementFetchPlan } from '../shared/statement-fetch-plan.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { countRejectedRows, locateProblems, openSyncProblems } from '../shared/sync-problems.ts';
import { toUnitError } from '../shared/unit-failures.ts';
import { markStatementsStale } from '../webhooks/webhook-store.ts';
import type { RequestedStatements } from './requested-statements.ts';
import type { StatementSyncState } from './statements-state.ts';

/**
 * Average number of statements per subscription above which the list of a newly discovered subscription is read. Chosen
 * by judgment.
 */
const MIN_STATEMENTS_TO_LIST = 1.2;

/** Stands for the page before the first page. */
const NO_PAGE: { ids: readonly number[]; rows: number } = { ids: [], rows: 0 };

/**
 * Fetches statements as planned: subscription lists first, then single statements. A statement may reveal its
 * subscription, whose list is then read if it probably contains more requested statements. Each answer is stored
 * separately. A list is read only until it has returned the requested statements, because the site's id list proves that
 * none is missing.
 */
export async function fetchStatements(
  context: SyncContext,
  state: StatementSyncState,
  wanted: RequestedStatements,
  plan: StatementFetchPlan,
  known: ReadonlySet<number>,
): Promise<void> {
  const { site, client, job, tally } = context;
  const { cache } = site;
  const problems = openSyncProblems(cache, 'statements', job.id, context.now);
  const ends = new AbortController();
  const signal = AbortSignal.any([job.signal, ends.signal]);

  const total = wanted.size;
  const lists = plan.lists.map((subscription) => ({ subscription, page: 1, before: NO_PAGE }));
  const listed = new Set(plan.lists);
  const reads = [...plan.reads];
  const unknown = [...plan.unknown];
  /** Number of requested statements found per subscription. */
  const foundPerSubscription = new Map<number, number>();
  let failed = 0;
  let widest = 0;

  const show = () => {
    job.progress('statements', { done: total - wanted.size - failed, total, failed, current: null });
  };

  function store({ items, problems: found, meta }: ListResponse<Statement>, where: string): void {
    commit(cache, () => {
      tally.recordRows('statement', upsertStatements(cache, items, meta.started_at));
      const ids = items.map((item) => item.id);
      const placed = locateProblems('statements', found, ids, where);
      for (const each of placed) problems.record(each.fieldLocation, each.reason, each.raw);
      const places = new Set(placed.map((each) => each.fieldLocation));
      for (const item of items) {
        problems.clear(`statements[id=${item.id}]`, places);
        problems.clear(`statement ${item.id}`);
        recordSubscriptionComponents(context, item);
        clearStale(cache, `statement:${item.id}`, meta.started_at);
      }
    });
    for (const { id, subscription_id } of items) {
      if (wanted.remove(id))
        foundPerSubscription.set(subscription_id, (foundPerSubscription.get(subscription_id) ?? 0) + 1);
    }
    show();
    context.emit('statements', 'allocations');
  }

  async function list({ subscription, page, before }: (typeof lists)[number]): Promise<void> {
    let answer: ListResponse<Statement>;
    try {
      answer = await client.listStatements(subscription, { page, per_page: state.size.asked }, { signal });
    } catch (error) {
      const failure = toUnitError(error);
      if (failure === null) throw error;
      if (!isGone(error)) tally.failureLimit.recordFailure(failure);
      reads.push(...wanted.idsOf(subscription));
      return;
    }
    const rows = answer.items.length + countRejectedRows('statements', answer.problems);
    widest = Math.max(widest, rows);
    if (rows > 0 && page > 1) state.size = learnPageSize(state.size, before.rows);
    if (rows >= state.size.asked) state.size = learnPageSize(state.size, rows);
    store(answer, `page ${page} of the statements of subscription ${subscription}`);
    if (wanted.count(subscription) === 0) return;
    const ids = answer.items.map(({ id }) => id);
    if (isLastPage(state.size, rows) === true || isRepeatedPage(before.ids, ids))
      reads.push(...wanted.idsOf(subscription));
    else lists.push({ subscription, page: page + 1, before: { ids, rows } });
  }

  async function read(id: number): Promise<void> {
    const owner = wanted.subscriptionOf(id);
    try {
      const { item, problems: found, meta } = await client.readStatement(id, { signal });
      if (item === null) {
        fail(id, found[0]?.reason ?? 'cannot be read', found[0]?.raw ?? null);
        return;
      }
      const first = !known.has(item.subscription_id) && !foundPerSubscription.has(item.subscription_id);
      store({ items: [item], problems: found, meta }, `statement ${id}`);
      if (owner === null) considerListing(item.subscription_id, first);
    } catch (error) {
      const failure = toUnitError(error);
      if (failure === null || tally.answered === 0) throw error;
      if (isGone(error)) {
        recordVanished(id);
        return;
      }
      tally.failureLimit.recordFailure(failure);
      fail(id, failure.message, null);
    }
  }

  /**
   * Reads a subscription's list after a statement has revealed the subscription, if the list probably contains more
   * requested statements.
   */
  function considerListing(subscription: number, first: boolean): void {
    if (first) tally.minimumInputs.statements.discovered++;
    const found = [...foundPerSubscription.values()].reduce((sum, count) => sum + count, 0);
    const likely = first
      ? foundPerSubscription.size < 3 || found / foundPerSubscription.size > MIN_STATEMENTS_TO_LIST
      : wanted.count(null) > known.size + foundPerSubscription.size;
    if (!likely || listed.has(subscription)) return;
    listed.add(subscription);
    lists.push({ subscription, page: 1, before: NO_PAGE });
  }

  function fail(id: number, reason: string, raw: string | null): void {
    wanted.remove(id);
    failed++;
    tally.failed++;
    commit(cache, () => {
      problems.record(`statement ${id}`, reason, raw);
      // The next sync reads a statement marked as stale again, even if it does not do a full sync.
      markStatementsStale(context, `statement:${id}`);
    });
    show();
  }

  /** Records that a statement from the id list no longer exists. */
  function recordVanished(id: number): void {
    wanted.remove(id);
    commit(cache, () => {
      markGoneStatement(cache, id, context.now());
      clearStale(cache, `statement:${id}`, context.now());
    });
  }

  function next(): Task | null {
    const due = lists.shift();
    if (due !== undefined) return () => list(due);
    for (const queue of [reads, unknown]) {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        const one = id;
        if (wanted.has(one)) return () => read(one);
      }
    }
    return null;
  }

  show();
  await createWorkerPool(MAX_CONCURRENT_REQUESTS, next, () => ends.abort()).run();

  const all = statementCounts(cache);
  tally.minimumInputs.statements.rowsPerPage = state.size.effective ?? Math.max(1, widest);
  for (const [subscription, ids] of foundPerSubscription) {
    tally.minimumInputs.statements.wanted.push({ ids, all: Math.max(ids, all.get(subscription) ?? 0) });
  }
}

function isGone(error: unknown): boolean {
  return error instanceof BillingError && error.code === 'not_found';
}

/**
 * Records the subscription components that a statement's transactions name. The interface defines no such field, but
 * later versions of the service send it.
 */
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
