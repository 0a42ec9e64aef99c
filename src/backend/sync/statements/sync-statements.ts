import { listRowsChangedSinceSignOff } from '../../store/periods/sign-off-change.ts';
import { runInTransaction } from '../../store/sqlite/connection.ts';
import {
  clearRefetchMark,
  countKnownStatements,
  countStatementsBySubscription,
  findNamedSubscriptions,
  findStoredStatement,
  listKnownStatementIds,
  listMissingStatementIds,
  listStatementsClosedBetween,
  listSubscriptionsWithoutStatements,
  listUnsettledStatements,
  listUnsettledStatementsOfSubscription,
} from '../../store/statements/statements-to-fetch.ts';
import { listSyncUnits, readSyncPartState, saveSyncPartState } from '../../store/sync/sync-unit.ts';
import { planStatementFetches } from '../shared/statement-fetch-plan.ts';
import type { SyncContext } from '../shared/sync-context.ts';
import { SyncProblemRecorder } from '../shared/sync-problems.ts';
import { attemptSyncUnit } from '../shared/sync-unit-errors.ts';
import { markStatementsStale } from '../webhooks/store-webhook-page.ts';
import { fetchStatements } from './fetch-statements.ts';
import { type RequestedStatement, RequestedStatements } from './requested-statements.ts';
import { STATEMENT_IDS_PER_PAGE, type StatementSyncState, syncStatementIds } from './sync-statement-ids.ts';

const INITIAL_STATE: StatementSyncState = {
  ascending: false,
  listed_at: null,
  ids: { asked: STATEMENT_IDS_PER_PAGE, effective: null },
  size: { asked: 200, effective: null },
  refreshed_at: null,
};

/** Maximum interval in milliseconds between reads of unsettled statements if no webhook reports a change. */
const REFRESH_INTERVAL_MS = 24 * 3_600_000;
/** Assumed number of statements per list page until the actual size is known: the service's default for other lists. */
const ASSUMED_PAGE_SIZE = 20;

/** Syncs statement ids, then missing and possibly changed statements. Returns true if all statements are stored. */
export async function syncStatements(context: SyncContext): Promise<boolean> {
  const { site, job, tally, now } = context;
  const { cache } = site;
  const began = now();
  const stored = readSyncPartState<StatementSyncState>(cache, 'statements');
  const state: StatementSyncState = { ...INITIAL_STATE, ...stored?.checkpoint };
  const failedBefore = tally.failed;
  const save = (complete: boolean, synced_at: number | null) =>
    saveSyncPartState(cache, 'statements', {
      synced_at,
      expected: countKnownStatements(cache),
      complete,
      checkpoint: state,
    });

  job.progress('statements', { current: 'statement ids' });
  const problems = new SyncProblemRecorder(cache, { part: 'statements', job: job.id, now });
  await attemptSyncUnit(context, problems, 'the list of statements', () => syncStatementIds(context, state));
  scheduleDailyRefresh(context, state, began);
  save(false, stored?.synced_at ?? null);

  const stale = listSyncUnits(cache, 'statements').map(({ unit }) => unit);
  const requested = listRequestedStatements(context, stale);
  const hasUnknown = requested.some(({ subscription_id }) => subscription_id === null);
  const counts = addRequestedCounts(requested, countStatementsBySubscription(cache));
  const unread = hasUnknown ? listSubscriptionsWithoutStatements(cache) : [];
  const rowsPerPage = state.size.effective ?? ASSUMED_PAGE_SIZE;
  const plan = planStatementFetches({ statements: requested, known: counts, unread, rowsPerPage });
  const known = new Set([...counts.keys(), ...unread]);
  await fetchStatements(context, state, { requested: new RequestedStatements(requested), plan, known });

  const complete = tally.failed === failedBefore && listMissingStatementIds(cache).length === 0;
  runInTransaction(cache, () => {
    if (complete) for (const unit of stale) clearRefetchMark(cache, unit, began);
    save(complete, complete ? began : (stored?.synced_at ?? null));
  });
  return complete;
}

/** Once a day, marks all unsettled statements as stale, so that they are read again. */
function scheduleDailyRefresh(context: SyncContext, state: StatementSyncState, began: number): void {
  const { cache } = context.site;
  if (state.refreshed_at === null) state.refreshed_at = began;
  if (began - state.refreshed_at < REFRESH_INTERVAL_MS) return;
  runInTransaction(cache, () => {
    for (const { id } of listUnsettledStatements(cache)) markStatementsStale(context, `statement:${id}`);
  });
  state.refreshed_at = began;
}

/** Returns the statements to fetch: all in a full sync, otherwise missing, stale and requested closed ones. */
function listRequestedStatements(
  { site, full, closedPeriods }: SyncContext,
  stale: readonly string[],
): RequestedStatement[] {
  const { cache, books } = site;
  const requested = new Map<number, RequestedStatement>();
  const request = (statement: RequestedStatement | null) => {
    if (statement !== null) requested.set(statement.id, statement);
  };
  if (full) for (const id of listKnownStatementIds(cache)) request(findStoredStatement(cache, id));
  for (const { id, from_on, until_on } of closedPeriods) {
    // Also includes changed statements, because a changed date may lie outside the period.
    const changed = listRowsChangedSinceSignOff(books, id, 'statement').map(({ row }) => row);
    const days = { from: from_on, until: until_on };
    for (const each of listStatementsClosedBetween(cache, days, changed)) request(each);
  }
  for (const unit of stale) {
    const [kind, id] = unit.split(':');
    if (kind === 'statement') request(findStoredStatement(cache, Number(id)));
    else for (const each of listUnsettledStatementsOfSubscription(cache, Number(id))) request(each);
  }
  const missing = listMissingStatementIds(cache);
  const owners = findNamedSubscriptions(cache, missing);
  for (const id of missing) request({ id, subscription_id: owners.get(id) ?? null });
  return [...requested.values()];
}

/** Returns the number of known statements per subscription, including requested ones that are not stored yet. */
function addRequestedCounts(
  requested: readonly RequestedStatement[],
  stored: Map<number, number>,
): Map<number, number> {
  const counts = new Map(stored);
  for (const statement of requested) {
    if (statement.subscription_id === null || 'read_at' in statement) continue;
    counts.set(statement.subscription_id, (counts.get(statement.subscription_id) ?? 0) + 1);
  }
  return counts;
}
