import type { BroughtForwardFilter, Outputs } from '../../../contract/index.ts';
import { daysBetween } from '../../../domain/ledger/index.ts';
import { type Branch, countRows, type Order, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import { carriedOf, saidOf } from './closed-outstanding-item.ts';

type BroughtForward = Outputs['periods']['broughtForward'];
type Explained = Outputs['periods']['explained'][number];

const order: Order = {
  name: 'carried',
  columns: [
    { name: 'dated_on', type: 'text' },
    { name: 'item', type: 'text' },
  ],
  direction: 'asc',
};

const idOf = (kind: string) => `CAST(substr(item, ${kind.length + 2}) AS INTEGER)`;

/** SQL for the day on which matches cleared a row completely. Null while something is open. */
const clearedRow = (
  table: string,
  column: string,
  kind: string,
) => `(SELECT iif(claimed_in_cents = amount_in_cents,
    (SELECT max(cleared_on) FROM match_item CROSS JOIN match_cleared ON match_cleared.group_id = match_item.group_id
     WHERE match_item.${column} = ${table}.id AND standing >= 3), NULL)
  FROM ${table} WHERE ${table}.id = ${idOf(kind)})`;

const CLEARED = `CASE substr(item, 1, instr(item, ':') - 1)
  WHEN 'payment' THEN ${clearedRow('match_payment', 'transaction_id', 'payment')}
  WHEN 'line' THEN ${clearedRow('bank_line', 'line_id', 'line')}
  WHEN 'payout' THEN (SELECT max(cleared_on) FROM match_group AS g CROSS JOIN match_cleared ON match_cleared.group_id = g.id
    WHERE g.payout_id = ${idOf('payout')} AND g.status = 'confirmed') END`;

const PREVIOUS_CLOSED_FIGURES = `(SELECT closed_figures.id FROM period JOIN closed_figures ON period_id = period.id AND closed_figures.version = period.version
  WHERE period.state = 'closed' AND last_on = date(?, '-1 day'))`;

export interface BroughtForwardQuery {
  /** First and last day of the period into which the items are brought forward. */
  first: string;
  last: string;
  filter: BroughtForwardFilter;
  after?: string | undefined;
  limit: number;
}

/** Lists the items brought forward into a period, oldest first. */
export function listBroughtForward(db: ReadableDb, query: BroughtForwardQuery): BroughtForward {
  const branches = [branchOf(query)];
  const { keys, next } = readPage(db, { order, groups: [{ lead: [], branches }], edge: null }, query);
  const isFirst = query.after === undefined;
  return {
    rows: keys.map(([, item]) => broughtForwardItem(db, String(item), query)),
    next,
    total: isFirst ? { count: countRows(db, branches), exact: true } : null,
    sums: isFirst ? sumsOf(db, branches[0]!) : null,
  };
}

/** Returns the number of items brought forward into the period that starts on a day. */
export function countBroughtForward(db: ReadableDb, first: string): number {
  return (
    prepared<number>(
      db,
      `SELECT count(*) FROM closed_figures_item WHERE closed_figures_id = ${PREVIOUS_CLOSED_FIGURES}`,
    )
      .pluck()
      .get(first) ?? 0
  );
}

function branchOf({ first, filter: { kind, cleared, explained, currency } }: BroughtForwardQuery): Branch {
  const where = [`closed_figures_id = ${PREVIOUS_CLOSED_FIGURES}`];
  const bound: Values = [first];
  if (kind !== undefined) {
    where.push("substr(item, 1, instr(item, ':') - 1) IN (SELECT value FROM json_each(?))");
    bound.push(JSON.stringify(kind));
  }
  if (cleared !== undefined) where.push(`(${CLEARED}) IS ${cleared ? 'NOT ' : ''}NULL`);
  if (explained !== undefined) {
    where.push(`(SELECT explanation FROM item_explanation WHERE item_explanation.item = closed_figures_item.item ORDER BY seq DESC LIMIT 1)
      IS ${explained ? 'NOT ' : ''}NULL`);
  }
  if (currency !== undefined) {
    where.push('currency = ?');
    bound.push(currency);
  }
  return { from: 'closed_figures_item', where, bound };
}

function sumsOf(db: ReadableDb, { where, bound }: Branch): NonNullable<BroughtForward['sums']> {
  return db
    .prepare<Values, NonNullable<BroughtForward['sums']>[number]>(
      `SELECT currency, count(*) AS count, sum(amount_in_cents) AS amount_in_cents FROM closed_figures_item
       WHERE ${where.join(' AND ')} GROUP BY currency ORDER BY currency`,
    )
    .all(...bound);
}

function broughtForwardItem(
  db: ReadableDb,
  item: string,
  { first, last }: BroughtForwardQuery,
): BroughtForward['rows'][number] {
  const { on, ...stored } = prepared<{
    currency: string;
    dated_on: string;
    amount_in_cents: number;
    text: string;
    on: string | null;
  }>(
    db,
    `SELECT currency, dated_on, amount_in_cents, text, ${CLEARED} AS "on" FROM closed_figures_item
     WHERE closed_figures_id = ${PREVIOUS_CLOSED_FIGURES} AND item = ?`,
  ).get(first, item)!;
  return {
    ...explainedItem(db, item),
    ...stored,
    age_days: daysBetween(stored.dated_on, last),
    cleared: on === null ? null : { on, matches: matchesOf(db, item) },
  };
}

/** Returns the confirmed matches that claim something of an item. */
function matchesOf(db: ReadableDb, item: string): number[] {
  const [kind, id] = item.split(':');
  const sql =
    kind === 'payout'
      ? "SELECT id FROM match_group WHERE payout_id = ? AND status = 'confirmed' ORDER BY id"
      : `SELECT DISTINCT group_id FROM match_item WHERE ${kind === 'line' ? 'line_id' : 'transaction_id'} = ? AND standing >= 3
         ORDER BY group_id`;
  return prepared<number>(db, sql).pluck().all(Number(id));
}

/** Returns the explanations of an item and how long it has been outstanding. */
export function explainedItem(db: ReadableDb, item: string): Explained {
  const history = saidOf(db, item);
  const brought_forward = carriedOf(db, item);
  return {
    key: item,
    current: history.at(-1) ?? null,
    history,
    brought_forward_from: brought_forward[0]?.period ?? null,
    brought_forward,
  };
}

/** Returns true if the line, payment or payout exists. Statements are in the cache. */
export function isItemStored(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  item: string,
): boolean {
  const [kind = '', id] = item.split(':');
  const table = tables.get(kind);
  if (table === undefined) return false;
  const db = kind === 'statement' ? cache : books;
  return prepared(db, `SELECT 1 FROM ${table} WHERE id = ?`).get(Number(id)) !== undefined;
}

const tables = new Map([
  ['line', 'bank_line'],
  ['payment', 'match_payment'],
  ['payout', 'bank_payout'],
  ['statement', 'statement'],
]);
