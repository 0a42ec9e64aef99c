import { commit } from '../../store/sqlite/connection.ts';
import { addKnownStatements, markVanishedStatements } from '../../store/statements/statement-known.ts';
import { countKnownStatements, knownStatements } from '../../store/statements/statement-needs.ts';
import { isSamePage } from '../shared/bridge.ts';
import type { SyncContext } from '../shared/context.ts';
import { isLastPage, learn, pageRows } from '../shared/page-size.ts';
import { samePage } from '../shared/pages.ts';
import type { StatementsState } from './statements-state.ts';

/** Preset page size of the id list (interface 4.7). */
export const IDS_PER_PAGE = 10_000;
/**
 * A service with smaller pages is expected to use a multiple of this, or its page size for other lists. Chosen by
 * judgment.
 */
const ROUND = 50;
const USUAL = 20;
/** Maximum interval between reads of the complete id list. Only the complete list shows what has vanished. */
const LIST_EVERY_MS = 7 * 24 * 3_600_000;

/**
 * Reads the ids of all statements. If ids have always been in ascending order, only the last page is read, because new
 * ids are appended there. An unexpected page means that something has vanished, and the complete list is read.
 */
export async function readStatementIds(context: SyncContext, state: StatementsState): Promise<void> {
  const { site, tally, full, now } = context;
  const { cache } = site;
  const began = now();
  const known = countKnownStatements(cache);
  const perPage = pageRows(state.ids);
  const last = Math.floor(known / perPage) + 1;
  tally.learned.statements.idsPerPage = perPage;
  const due = state.listed_at === null || began - state.listed_at > LIST_EVERY_MS;
  if (!full && !due && state.ascending && last > 1) {
    const expected = knownStatements(cache).slice((last - 1) * perPage);
    if (await readFrom(context, state, last, expected)) {
      tally.learned.statements.ids = Math.max(0, countKnownStatements(cache) - (last - 1) * perPage);
      return;
    }
  }

  const listed = new Set<number>();
  let ascending = await readAll(context, state, listed);
  // Missing ids may have been skipped if an earlier one vanished while the pages were read.
  if (knownStatements(cache).some((id) => !listed.has(id))) ascending = await readAll(context, state, listed);
  commit(cache, () => {
    const gone = markVanishedStatements(cache, listed, began);
    if (gone.length > 0) context.tell('statements');
  });
  Object.assign(state, { ascending, listed_at: began });
  tally.learned.statements.ids = listed.size;
  tally.learned.statements.idsPerPage = pageRows(state.ids);
}

/** Reads the complete list. Returns true if it is in ascending order. */
async function readAll(context: SyncContext, state: StatementsState, listed: Set<number>): Promise<boolean> {
  const { client, job, site } = context;
  let ascending = true;
  let before: readonly number[] = [];
  for (let page = 1; ; page++) {
    const { items, meta } = await client.listStatementIds({ page }, { signal: job.signal });
    if (isSamePage(before, items)) throw samePage('statements');
    if (page === 1 && items.length !== state.ids.effective) state.ids = { ...state.ids, effective: null };
    else if (items.length > 0) state.ids = learn(state.ids, before.length);
    let last = before.at(-1) ?? -1;
    for (const id of items) {
      ascending &&= id > last;
      last = id;
      listed.add(id);
    }
    before = items;
    commit(site.cache, () => addKnownStatements(site.cache, items, meta.started_at));
    job.progress('statements', { current: `which there are: ${listed.size}` });
    if (isEnd(state, items.length)) return ascending;
  }
}

/**
 * Returns true if a page with this many ids was the last: it is shorter than the preset size and does not look like a
 * page of another size.
 */
function isEnd({ ids }: StatementsState, rows: number): boolean {
  const last = isLastPage(ids, rows);
  return last === 'unsure' ? rows % ROUND !== 0 && rows !== USUAL : last;
}

/** Reads the list from a page on. Returns false if the page does not begin as expected. */
async function readFrom(
  context: SyncContext,
  state: StatementsState,
  from: number,
  expected: readonly number[],
): Promise<boolean> {
  const { cache } = context.site;
  let before: readonly number[] = [];
  for (let page = from; ; page++) {
    const { items, meta } = await context.client.listStatementIds({ page }, { signal: context.job.signal });
    if (isSamePage(before, items)) throw samePage('statements');
    before = items;
    if (page === from && !expected.every((id, index) => items[index] === id)) return false;
    const fresh = page === from ? items.slice(expected.length) : items;
    const newest = expected.at(-1) ?? -1;
    if (fresh.some((id) => id <= newest)) return false;
    commit(cache, () => addKnownStatements(cache, fresh, meta.started_at));
    if (items.length < pageRows(state.ids)) return true;
  }
}
