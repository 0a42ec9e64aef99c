import { commit } from '../../store/sqlite/connection.ts';
import {
  clearStale,
  countKnownStatements,
  hintedSubscriptions,
  knownStatements,
  missingStatements,
  statementCounts,
  storedStatement,
  subscriptionsWithoutStatements,
  unsettledStatements,
  unsettledStatementsOf,
} from '../../store/statements/statement-needs.ts';
import { partState, savePart, unitsOf } from '../../store/sync/sync-unit.ts';
import { planStatementFetches } from '../shared/statement-fetch-plan.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { openSyncProblems } from '../shared/sync-problems.ts';
import { attemptSyncUnit } from '../shared/unit-failures.ts';
import { markStatementsStale } from '../webhooks/webhook-store.ts';
import { fetchStatements } from './fetch-statements.ts';
import { createRequestedStatements, type RequestedStatement } from './requested-statements.ts';
import { readStatementIds, STATEMENT_IDS_PER_PAGE } from './statement-ids.ts';
import type { StatementSyncState } from './statements-state.ts';

const INITIAL_STATE: StatementSyncState = {
  ascending: false,
  listed_at: null,
  ids: { asked: STATEMENT_IDS_PER_PAGE, effective: null },
  size: { asked: 200, effective: null },
  refreshed_at: null,
};

/** Maximum interval between reads of unsettled statements if no webhook reports a change. */
const REFRESH_INTERVAL_MS = 24 * 3_600_000;
/** Number of statements assumed per list page until the size is known. It is the service's default for other lists. */
const ASSUMED_PAGE_SIZE = 20;

/**
 * Syncs a site's statements: first their ids, then those that are missing or may have changed. Returns true if all are
 * stored.
 */
export async function syncStatements(context: SyncContext): Promise<boolean> {
  const { site, job, tally, now } = context;
  const { cache } = site;
  const began = now();
  const kept = partState<StatementSyncState>(cache, 'statements');
  const state: StatementSyncState = { ...INITIAL_STATE, ...kept?.checkpoint };
  const failedBefore = tally.failed;
  const save = (complete: boolean, synced_at: number | null) =>
    savePart(cache, 'statements', {
      synced_at,
      expected: countKnownStatements(cache),
      complete,
      checkpoint: state,
    });

  job.progress('statements', { current: 'statement ids' });
  const problems = openSyncProblems(cache, 'statements', job.id, now);
  await attemptSyncUnit(context, problems, 'the list of statements', () => readStatementIds(context, state));
  scheduleDailyRefresh(context, state, began);
  save(false, kept?.synced_at ?? null);

  const stale = unitsOf(cache, 'statements').map(({ unit }) => unit);
  const wanted = listRequestedStatements(context, stale);
  const unknown = wanted.some(({ subscription_id }) => subscription_id === null);
  const counts = addRequestedCounts(wanted, statementCounts(cache));
  const unread = unknown ? subscriptionsWithoutStatements(cache) : [];
  const rowsPerPage = state.size.effective ?? ASSUMED_PAGE_SIZE;
  const plan = planStatementFetches({ statements: wanted, known: counts, unread, rowsPerPage });
  await fetchStatements(
    context,
    state,
    createRequestedStatements(wanted),
    plan,
    new Set([...counts.keys(), ...unread]),
  );

  const complete = tally.failed === failedBefore && missingStatements(cache).length === 0;
  commit(cache, () => {
    if (complete) for (const unit of stale) clearStale(cache, unit, began);
    save(complete, complete ? began : (kept?.synced_at ?? null));
  });
  return complete;
}

/** Once a day, marks all statements that may still change, so that they are read again. */
function scheduleDailyRefresh(context: SyncContext, state: StatementSyncState, began: number): void {
  const { cache } = context.site;
  if (state.refreshed_at === null) state.refreshed_at = began;
  if (began - state.refreshed_at < REFRESH_INTERVAL_MS) return;
  commit(cache, () => {
    for (const { id } of unsettledStatements(cache)) markStatementsStale(context, `statement:${id}`);
  });
  state.refreshed_at = began;
}

/**
 * Returns the statements to fetch: all missing ones and those marked as stale (`statement:<id>` or `subscription:<id>`).
 * A full sync fetches all statements.
 */
function listRequestedStatements(
  { site, full }: SyncContext,
  stale: readonly string[],
): RequestedStatement[] {
  const { cache } = site;
  const wanted = new Map<number, RequestedStatement>();
  const request = (statement: RequestedStatement | null) => {
    if (statement !== null) wanted.set(statement.id, statement);
  };
  if (full) for (const id of knownStatements(cache)) request(storedStatement(cache, id));
  for (const unit of stale) {
    const [kind, id] = unit.split(':');
    if (kind === 'statement') request(storedStatement(cache, Number(id)));
    else for (const each of unsettledStatementsOf(cache, Number(id))) request(each);
  }
  const missing = missingStatements(cache);
  const owners = hintedSubscriptions(cache, missing);
  for (const id of missing) request({ id, subscription_id: owners.get(id) ?? null });
  return [...wanted.values()];
}

/**
 * Returns the number of known statements per subscription: stored statements plus requested ones whose subscription is
 * known.
 */
function addRequestedCounts(
  wanted: readonly RequestedStatement[],
  stored: Map<number, number>,
): Map<number, number> {
  const counts = new Map(stored);
  for (const statement of wanted) {
    if (statement.subscription_id === null || 'read_at' in statement) continue;
    counts.set(statement.subscription_id, (counts.get(statement.subscription_id) ?? 0) + 1);
  }
  return counts;
}
