import { commit } from '../store/database.ts';
import { addKnownStatements, markVanishedStatements } from '../store/statements/statementKnown.ts';
import { countKnownStatements, knownStatements } from '../store/statements/statementNeeds.ts';
import type { SyncContext } from './context.ts';
import type { StatementsState } from './statements.ts';

/** Ids of a page; the interface presets it (4.7). */
const IDS_PER_PAGE = 10_000;
/** All ids are read at least so often: only a whole list shows what vanished. */
const LIST_EVERY_MS = 7 * 24 * 3_600_000;

/**
 * Reads which statements there are. Where ids were always listed in ascending order, only the list's last page is read:
 * new ids join there. A page that is not as it should be means that something vanished, and all are read.
 */
export async function readStatementIds(context: SyncContext, state: StatementsState): Promise<void> {
  const { site, job, tally, full, now } = context;
  const { cache } = site;
  const began = now();
  const known = countKnownStatements(cache);
  const last = Math.floor(known / IDS_PER_PAGE) + 1;
  const due = state.listed_at === null || began - state.listed_at > LIST_EVERY_MS;
  if (!full && !due && state.ascending && last > 1) {
    const expected = knownStatements(cache).slice((last - 1) * IDS_PER_PAGE);
    if (await readFrom(context, last, expected)) {
      tally.learned.statements.ids = Math.max(0, countKnownStatements(cache) - (last - 1) * IDS_PER_PAGE);
      return;
    }
  }

  const listed = new Set<number>();
  let ascending = true;
  let before = -1;
  for (let page = 1; ; page++) {
    const { items, meta } = await context.client.listStatementIds({ page }, { signal: job.signal });
    for (const id of items) {
      ascending &&= id > before;
      before = id;
      listed.add(id);
    }
    commit(cache, () => addKnownStatements(cache, items, meta.started_at));
    job.progress('statements', { current: `${listed.size} ids` });
    if (items.length < IDS_PER_PAGE) break;
  }
  commit(cache, () => {
    const gone = markVanishedStatements(cache, listed, began);
    if (gone.length > 0) context.tell('statements');
  });
  Object.assign(state, { ascending, listed_at: began });
  tally.learned.statements.ids = listed.size;
}

/** Reads the list from a page on; false where the page does not begin with what it should. */
async function readFrom(context: SyncContext, from: number, expected: readonly number[]): Promise<boolean> {
  const { cache } = context.site;
  for (let page = from; ; page++) {
    const { items, meta } = await context.client.listStatementIds({ page }, { signal: context.job.signal });
    if (page === from && !expected.every((id, index) => items[index] === id)) return false;
    const fresh = page === from ? items.slice(expected.length) : items;
    const newest = expected.at(-1) ?? -1;
    if (fresh.some((id) => id <= newest)) return false;
    commit(cache, () => addKnownStatements(cache, fresh, meta.started_at));
    if (items.length < IDS_PER_PAGE) return true;
  }
}
