import { runInTransaction } from '../../store/sqlite/connection.ts';
import { addKnownStatements, markVanishedStatements } from '../../store/statements/known-statements.ts';
import { countKnownStatements, listKnownStatementIds } from '../../store/statements/statements-to-fetch.ts';
import { removeIdRequestsBefore } from '../../store/sync/service-request.ts';
import { isRepeatedPage } from '../shared/list-page-boundaries.ts';
import {
  getAssumedPageSize,
  isLastPageOfList,
  type ListPageSize,
  learnPageSize,
} from '../shared/list-page-size.ts';
import { repeatedPageError } from '../shared/read-page-in-parts.ts';
import type { SyncContext } from '../shared/sync-context.ts';

/** State of a site's statement lists that is stored between syncs. Instants are UTC milliseconds by the local clock. */
export interface StatementSyncState {
  /** True if the service lists statement ids in ascending order. */
  ascending: boolean;
  /** Time at which the complete id list was last read. */
  listed_at: number | null;
  /** Page size of the site's statement id list. */
  ids: ListPageSize;
  /** Page size of a subscription's statement list. */
  size: ListPageSize;
  /** Time at which all statements that may still change were last read. */
  refreshed_at: number | null;
}

/** Default page size of the statement id list (interface 4.7). */
export const STATEMENT_IDS_PER_PAGE = 10_000;
/** A reduced page size is assumed to be a multiple of 50, or 20 as in other lists. Chosen by judgment. */
const PAGE_SIZE_MULTIPLE = 50;
const DEFAULT_PAGE_SIZE = 20;
/** Maximum milliseconds between reads of the complete id list, which alone shows that statements no longer exist. */
const MAX_LIST_AGE_MS = 7 * 24 * 3_600_000;

/**
 * Reads the ids of all statements. If ids have always been in ascending order, reads only the last page, where new ids
 * are appended. If that page differs from the expectation, statements have disappeared, and the complete list is read.
 */
export async function syncStatementIds(context: SyncContext, state: StatementSyncState): Promise<void> {
  const { site, tally, full, closedPeriods, now } = context;
  const { cache } = site;
  const began = now();
  const known = countKnownStatements(cache);
  const perPage = getAssumedPageSize(state.ids);
  const last = Math.floor(known / perPage) + 1;
  tally.minimumInputs.statements.idsPerPage = perPage;
  const isListDue =
    full || closedPeriods.length > 0 || state.listed_at === null || began - state.listed_at > MAX_LIST_AGE_MS;
  if (!isListDue && state.ascending && last > 1) {
    const expected = listKnownStatementIds(cache).slice((last - 1) * perPage);
    if (await readNewIds(context, state, last, expected)) {
      tally.minimumInputs.statements.ids = Math.max(0, countKnownStatements(cache) - (last - 1) * perPage);
      return;
    }
  }

  const listed = new Set<number>();
  let ascending = await readAllIds(context, state, listed);
  // An earlier statement may have disappeared while the pages were read, so that ids were skipped.
  if (listKnownStatementIds(cache).some((id) => !listed.has(id)))
    ascending = await readAllIds(context, state, listed);
  runInTransaction(cache, () => {
    const vanished = markVanishedStatements(cache, listed, began);
    removeIdRequestsBefore(cache, began);
    if (vanished.length > 0) context.emit('statements');
  });
  Object.assign(state, { ascending, listed_at: began });
  tally.minimumInputs.statements.ids = listed.size;
  tally.minimumInputs.statements.idsPerPage = getAssumedPageSize(state.ids);
}

/** Reads the complete id list. Returns true if its ids are in ascending order. */
async function readAllIds(
  context: SyncContext,
  state: StatementSyncState,
  listed: Set<number>,
): Promise<boolean> {
  const { client, job, site } = context;
  let ascending = true;
  let before: readonly number[] = [];
  for (let page = 1; ; page++) {
    const { items, meta } = await client.listStatementIds({ page }, { signal: job.signal });
    if (isRepeatedPage(before, items)) throw repeatedPageError('statements');
    if (page === 1 && items.length !== state.ids.effective) state.ids = { ...state.ids, effective: null };
    else if (items.length > 0) state.ids = learnPageSize(state.ids, before.length);
    let last = before.at(-1) ?? -1;
    for (const id of items) {
      ascending &&= id > last;
      last = id;
      listed.add(id);
    }
    before = items;
    runInTransaction(site.cache, () => addKnownStatements(site.cache, items, meta.started_at));
    job.progress('statements', { current: `statement ids: ${listed.size}` });
    if (isLastIdPage(state, items.length)) return ascending;
  }
}

/** Returns true if a page was the last. If its row count looks like a page size, assumes that more pages follow. */
function isLastIdPage({ ids }: StatementSyncState, rows: number): boolean {
  const last = isLastPageOfList(ids, rows);
  return last === 'unsure' ? rows % PAGE_SIZE_MULTIPLE !== 0 && rows !== DEFAULT_PAGE_SIZE : last;
}

/** Reads the id list from a given page on. Returns false if the page does not begin with the expected ids. */
async function readNewIds(
  context: SyncContext,
  state: StatementSyncState,
  from: number,
  expected: readonly number[],
): Promise<boolean> {
  const { cache } = context.site;
  let before: readonly number[] = [];
  for (let page = from; ; page++) {
    const { items, meta } = await context.client.listStatementIds({ page }, { signal: context.job.signal });
    if (isRepeatedPage(before, items)) throw repeatedPageError('statements');
    before = items;
    if (page === from && !expected.every((id, index) => items[index] === id)) return false;
    const fresh = page === from ? items.slice(expected.length) : items;
    const newest = expected.at(-1) ?? -1;
    if (fresh.some((id) => id <= newest)) return false;
    runInTransaction(cache, () => addKnownStatements(cache, fresh, meta.started_at));
    if (items.length < getAssumedPageSize(state.ids)) return true;
  }
}
