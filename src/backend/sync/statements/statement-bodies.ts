import { BillingError, type ListResponse, type Statement } from '../../../billing/index.ts';
import { createWorkerPool, MAX_CONCURRENT_REQUESTS, type Task } from '../../shared/worker-pool.ts';
import { recordSubscriptionComponent } from '../../store/allocations/subscription-component.ts';
import { commit } from '../../store/sqlite/connection.ts';
import { upsertStatements } from '../../store/statements/statement.ts';
import { clearStale, markGoneStatement, statementCounts } from '../../store/statements/statement-needs.ts';
import type { Fetches } from '../shared/bodies.ts';
import { isSamePage } from '../shared/bridge.ts';
import type { SyncContext } from '../shared/context.ts';
import { isLastPage, learn } from '../shared/page-size.ts';
import { located, openProblems, refusedRows } from '../shared/problems.ts';
import { unitFailure } from '../shared/units.ts';
import { noteStale } from '../webhooks/webhook-store.ts';
import type { StatementsState } from './statements-state.ts';
import type { Wanted } from './wanted-statements.ts';

/**
 * Minimum average number of statements per subscription from which a newly discovered subscription's list is read. Chosen
 * by judgment.
 */
const WORTH_LISTING = 1.2;

/** Placeholder for the page before the first. */
const NONE: { ids: readonly number[]; rows: number } = { ids: [], rows: 0 };

/**
 * Fetches statements as planned: subscription lists first, then single statements. A statement of an unknown subscription
 * reveals it, and its list is then read if it probably contains more. Each answer is stored separately. A list is read
 * only until it has returned what was requested, because the site's id list proves that nothing is missing.
 */
export async function fetchStatements(
  context: SyncContext,
  state: StatementsState,
  wanted: Wanted,
  plan: Fetches,
  known: ReadonlySet<number>,
): Promise<void> {
  const { site, client, job, tally } = context;
  const { cache } = site;
  const problems = openProblems(cache, 'statements', job.id, context.now);
  const ends = new AbortController();
  const signal = AbortSignal.any([job.signal, ends.signal]);

  const total = wanted.size;
  const lists = plan.lists.map((subscription) => ({ subscription, page: 1, before: NONE }));
  const listed = new Set(plan.lists);
  const reads = [...plan.reads];
  const unknown = [...plan.unknown];
  /** Number of requested statements found per subscription. */
  const brought = new Map<number, number>();
  let failed = 0;
  let widest = 0;

  const show = () => {
    job.progress('statements', { done: total - wanted.size - failed, total, failed, current: null });
  };

  function store({ items, problems: found, meta }: ListResponse<Statement>, where: string): void {
    commit(cache, () => {
      tally.rows('statement', upsertStatements(cache, items, meta.started_at));
      const ids = items.map((item) => item.id);
      const placed = located('statements', found, ids, where);
      for (const each of placed) problems.keep(each.fullPlace, each.reason, each.raw);
      const places = new Set(placed.map((each) => each.fullPlace));
      for (const item of items) {
        problems.solve(`statements[id=${item.id}]`, places);
        problems.solve(`statement ${item.id}`);
        recordSubscriptionComponents(context, item);
        clearStale(cache, `statement:${item.id}`, meta.started_at);
      }
    });
    for (const { id, subscription_id } of items) {
      if (wanted.strike(id)) brought.set(subscription_id, (brought.get(subscription_id) ?? 0) + 1);
    }
    show();
    context.tell('statements', 'allocations');
  }

  async function list({ subscription, page, before }: (typeof lists)[number]): Promise<void> {
    let answer: ListResponse<Statement>;
    try {
      answer = await client.listStatements(subscription, { page, per_page: state.size.asked }, { signal });
    } catch (error) {
      const failure = unitFailure(error);
      if (failure === null) throw error;
      if (!isGone(error)) tally.strikes.bad(failure);
      reads.push(...wanted.of(subscription));
      return;
    }
    const rows = answer.items.length + refusedRows('statements', answer.problems);
    widest = Math.max(widest, rows);
    if (rows > 0 && page > 1) state.size = learn(state.size, before.rows);
    if (rows >= state.size.asked) state.size = learn(state.size, rows);
    store(answer, `page ${page} of the statements of subscription ${subscription}`);
    if (wanted.count(subscription) === 0) return;
    const ids = answer.items.map(({ id }) => id);
    if (isLastPage(state.size, rows) === true || isSamePage(before.ids, ids))
      reads.push(...wanted.of(subscription));
    else lists.push({ subscription, page: page + 1, before: { ids, rows } });
  }

  async function read(id: number): Promise<void> {
    const owner = wanted.ownerOf(id);
    try {
      const { item, problems: found, meta } = await client.readStatement(id, { signal });
      if (item === null) {
        fail(id, found[0]?.reason ?? 'cannot be read', found[0]?.raw ?? null);
        return;
      }
      const first = !known.has(item.subscription_id) && !brought.has(item.subscription_id);
      store({ items: [item], problems: found, meta }, `statement ${id}`);
      if (owner === null) meet(item.subscription_id, first);
    } catch (error) {
      const failure = unitFailure(error);
      if (failure === null || tally.answered === 0) throw error;
      if (isGone(error)) {
        vanish(id);
        return;
      }
      tally.strikes.bad(failure);
      fail(id, failure.message, null);
    }
  }

  /** A statement has revealed its subscription, so others of that subscription may be available at once. */
  function meet(subscription: number, first: boolean): void {
    if (first) tally.learned.statements.discovered++;
    const found = [...brought.values()].reduce((sum, count) => sum + count, 0);
    const likely = first
      ? brought.size < 3 || found / brought.size > WORTH_LISTING
      : wanted.count(null) > known.size + brought.size;
    if (!likely || listed.has(subscription)) return;
    listed.add(subscription);
    lists.push({ subscription, page: 1, before: NONE });
  }

  function fail(id: number, reason: string, raw: string | null): void {
    wanted.strike(id);
    failed++;
    tally.failed++;
    commit(cache, () => {
      problems.keep(`statement ${id}`, reason, raw);
      // A stored statement that was to be read again is requested in the next run, whatever that run is about.
      noteStale(context, `statement:${id}`);
    });
    show();
  }

  /** Handles a statement that was listed but no longer exists. */
  function vanish(id: number): void {
    wanted.strike(id);
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
  tally.learned.statements.rowsPerPage = state.size.effective ?? Math.max(1, widest);
  for (const [subscription, ids] of brought) {
    tally.learned.statements.wanted.push({ ids, all: Math.max(ids, all.get(subscription) ?? 0) });
  }
}

function isGone(error: unknown): boolean {
  return error instanceof BillingError && error.code === 'not_found';
}

/**
 * The interface names no component in a transaction, but later services do. A subscription component is followed if one
 * is named.
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
