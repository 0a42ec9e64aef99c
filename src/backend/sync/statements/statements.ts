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
import { planFetches } from '../shared/bodies.ts';
import type { SyncContext } from '../shared/context.ts';
import { openProblems } from '../shared/problems.ts';
import { attempt } from '../shared/units.ts';
import { noteStale } from '../webhooks/webhook-store.ts';
import { fetchStatements } from './statement-bodies.ts';
import { IDS_PER_PAGE, readStatementIds } from './statement-ids.ts';
import type { StatementsState } from './statements-state.ts';
import { type WantedStatement, wantedOf } from './wanted-statements.ts';

const beginning: StatementsState = {
  ascending: false,
  listed_at: null,
  ids: { asked: IDS_PER_PAGE, effective: null },
  size: { asked: 200, effective: null },
  refreshed_at: null,
};

/** Maximum interval between reads of unsettled statements if no webhook reports a change. */
const REFRESH_EVERY_MS = 24 * 3_600_000;
/** Assumed number of statements per list page while it is unknown: the service's default for other lists. */
const LIKELY_PER_PAGE = 20;

/** Syncs the site's statements: their ids, then the missing or changed bodies. Returns true if all are stored. */
export async function syncStatements(context: SyncContext): Promise<boolean> {
  const { site, job, tally, now } = context;
  const { cache } = site;
  const began = now();
  const kept = partState<StatementsState>(cache, 'statements');
  const state: StatementsState = { ...beginning, ...kept?.checkpoint };
  const failedBefore = tally.failed;
  const save = (complete: boolean, synced_at: number | null) =>
    savePart(cache, 'statements', {
      synced_at,
      expected: countKnownStatements(cache),
      complete,
      checkpoint: state,
    });

  job.progress('statements', { current: 'which there are' });
  const problems = openProblems(cache, 'statements', job.id, now);
  await attempt(context, problems, 'the list of statements', () => readStatementIds(context, state));
  refreshWhereDue(context, state, began);
  save(false, kept?.synced_at ?? null);

  const stale = unitsOf(cache, 'statements').map(({ unit }) => unit);
  const wanted = wantedStatements(context, stale);
  const unknown = wanted.some(({ subscription_id }) => subscription_id === null);
  const counts = countsWith(wanted, statementCounts(cache));
  const unread = unknown ? subscriptionsWithoutStatements(cache) : [];
  const rowsPerPage = state.size.effective ?? LIKELY_PER_PAGE;
  const plan = planFetches({ statements: wanted, known: counts, unread, rowsPerPage });
  await fetchStatements(context, state, wantedOf(wanted), plan, new Set([...counts.keys(), ...unread]));

  const complete = tally.failed === failedBefore && missingStatements(cache).length === 0;
  commit(cache, () => {
    if (complete) for (const unit of stale) clearStale(cache, unit, began);
    save(complete, complete ? began : (kept?.synced_at ?? null));
  });
  return complete;
}

/** Marks everything that may still change for reading, once a day. */
function refreshWhereDue(context: SyncContext, state: StatementsState, began: number): void {
  const { cache } = context.site;
  if (state.refreshed_at === null) state.refreshed_at = began;
  if (began - state.refreshed_at < REFRESH_EVERY_MS) return;
  commit(cache, () => {
    for (const { id } of unsettledStatements(cache)) noteStale(context, `statement:${id}`);
  });
  state.refreshed_at = began;
}

/**
 * Returns the statements to fetch: all missing ones and those marked stale (`statement:<id>`, `subscription:<id>`). With
 * `full`, all statements.
 */
function wantedStatements({ site, full }: SyncContext, stale: readonly string[]): WantedStatement[] {
  const { cache } = site;
  const wanted = new Map<number, WantedStatement>();
  const want = (statement: WantedStatement | null) => {
    if (statement !== null) wanted.set(statement.id, statement);
  };
  if (full) for (const id of knownStatements(cache)) want(storedStatement(cache, id));
  for (const unit of stale) {
    const [kind, id] = unit.split(':');
    if (kind === 'statement') want(storedStatement(cache, Number(id)));
    else for (const each of unsettledStatementsOf(cache, Number(id))) want(each);
  }
  const missing = missingStatements(cache);
  const owners = hintedSubscriptions(cache, missing);
  for (const id of missing) want({ id, subscription_id: owners.get(id) ?? null });
  return [...wanted.values()];
}

/**
 * Returns the number of known statements per subscription: the stored ones and the requested ones with a known
 * subscription.
 */
function countsWith(wanted: readonly WantedStatement[], stored: Map<number, number>): Map<number, number> {
  const counts = new Map(stored);
  for (const statement of wanted) {
    if (statement.subscription_id === null || 'read_at' in statement) continue;
    counts.set(statement.subscription_id, (counts.get(statement.subscription_id) ?? 0) + 1);
  }
  return counts;
}
