import { commit } from '../store/database.ts';
import {
  clearStale,
  countKnownStatements,
  heldStatement,
  hintedSubscriptions,
  knownStatements,
  missingStatements,
  statementCounts,
  subscriptionsWithoutStatements,
  unsettledStatements,
  unsettledStatementsOf,
} from '../store/statements/statement-needs.ts';
import { partState, savePart, unitsOf } from '../store/sync/sync-unit.ts';
import { planFetches } from './bodies.ts';
import type { SyncContext } from './context.ts';
import type { PageSize } from './page-size.ts';
import { openProblems } from './problems.ts';
import { fetchStatements } from './statement-bodies.ts';
import { IDS_PER_PAGE, readStatementIds } from './statement-ids.ts';
import { attempt } from './units.ts';
import { type WantedStatement, wantedOf } from './wanted-statements.ts';
import { noteStale } from './webhook-store.ts';

/** What is known of the statements as a whole, kept between runs. Instants in ms UTC, our clock. */
export interface StatementsState {
  /** Whether the service lists ids in ascending order. */
  ascending: boolean;
  /** When all ids were last read. */
  listed_at: number | null;
  /** Ids of a page of the site's list. */
  ids: PageSize;
  /** Statements of a page of a subscription's list. */
  size: PageSize;
  /** When all statements that may still change were last read. */
  refreshed_at: number | null;
}

const beginning: StatementsState = {
  ascending: false,
  listed_at: null,
  ids: { asked: IDS_PER_PAGE, effective: null },
  size: { asked: 200, effective: null },
  refreshed_at: null,
};

/** What is not settled is read again at least so often, even if no webhook tells of a change. */
const REFRESH_EVERY_MS = 24 * 3_600_000;
/** Statements a page of a list has where that is not known yet; the service's own default elsewhere. */
const LIKELY_PER_PAGE = 20;

/** The site's statements: which there are, then the bodies that are missing or may have changed. Gives whether all are held. */
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

/** Once a day everything that may still change is read again. */
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
 * What is to be fetched: all that is missing, and what something told of (`stale`: `statement:<id>`, `subscription:<id>`).
 * With `full`, everything.
 */
function wantedStatements({ site, full }: SyncContext, stale: readonly string[]): WantedStatement[] {
  const { cache } = site;
  const wanted = new Map<number, WantedStatement>();
  const want = (statement: WantedStatement | null) => {
    if (statement !== null) wanted.set(statement.id, statement);
  };
  if (full) for (const id of knownStatements(cache)) want(heldStatement(cache, id));
  for (const unit of stale) {
    const [kind, id] = unit.split(':');
    if (kind === 'statement') want(heldStatement(cache, Number(id)));
    else for (const each of unsettledStatementsOf(cache, Number(id))) want(each);
  }
  const missing = missingStatements(cache);
  const owners = hintedSubscriptions(cache, missing);
  for (const id of missing) want({ id, subscription_id: owners.get(id) ?? null });
  return [...wanted.values()];
}

/** How many statements of each subscription are known: those held, and those wanted of which it is known whose they are. */
function countsWith(wanted: readonly WantedStatement[], held: Map<number, number>): Map<number, number> {
  const counts = new Map(held);
  for (const statement of wanted) {
    if (statement.subscription_id === null || 'read_at' in statement) continue;
    counts.set(statement.subscription_id, (counts.get(statement.subscription_id) ?? 0) + 1);
  }
  return counts;
}
