import type { BroughtForwardFilter, ContractOutputs } from '../../../contract/index.ts';
import { countDaysBetween } from '../../../domain/ledger/index.ts';
import {
  type IndexScan,
  type ListOrder,
  type PageRequest,
  planListScans,
  readRowPage,
} from '../lists/keyset-pagination.ts';
import { joinConditions, whereEqual, whereIf, whereIn } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, type SqlValues, select } from '../sqlite/connection.ts';
import { listItemExplanations, listPeriodsWithOutstandingItem } from './closed-outstanding-item.ts';

type BroughtForward = ContractOutputs['periods']['broughtForward'];
type Explained = ContractOutputs['periods']['explained'][number];

const order: ListOrder = {
  name: 'carried',
  columns: [
    { name: 'dated_on', type: 'text' },
    { name: 'item', type: 'text' },
  ],
  direction: 'asc',
};

const itemIdSql = (kind: string) => `CAST(substr(item, ${kind.length + 2}) AS INTEGER)`;

/** SQL for the day on which matches completely cleared a row. Null while part of the row is unmatched. */
const clearedOnSql = (
  table: string,
  column: string,
  kind: string,
) => `(SELECT iif(claimed_in_cents = amount_in_cents,
    (SELECT max(cleared_on) FROM match_item CROSS JOIN match_cleared ON match_cleared.group_id = match_item.group_id
     WHERE match_item.${column} = ${table}.id AND claim_state >= 3), NULL)
  FROM ${table} WHERE ${table}.id = ${itemIdSql(kind)})`;

const CLEARED_ON = `CASE substr(item, 1, instr(item, ':') - 1)
  WHEN 'payment' THEN ${clearedOnSql('match_payment', 'transaction_id', 'payment')}
  WHEN 'line' THEN ${clearedOnSql('bank_line', 'line_id', 'line')}
  WHEN 'payout' THEN (SELECT max(cleared_on) FROM match_group AS g CROSS JOIN match_cleared ON match_cleared.group_id = g.id
    WHERE g.payout_id = ${itemIdSql('payout')} AND g.status = 'confirmed') END`;

const PREVIOUS_CLOSED_FIGURES = `(SELECT closed_figures.id FROM period JOIN closed_figures ON period_id = period.id AND closed_figures.version = period.version
  WHERE period.state = 'closed' AND last_on = date(?, '-1 day'))`;

export interface BroughtForwardQuery extends PageRequest {
  /** First and last day of the period into which items are brought forward. */
  first: string;
  last: string;
  filter: BroughtForwardFilter;
}

/** Lists the outstanding items brought forward into a period, oldest first. */
export function listBroughtForwardItems(db: ReadableDb, query: BroughtForwardQuery): BroughtForward {
  const scan = getBroughtForwardScan(query);
  const toRow = ([, item]: SqlValues) => getBroughtForwardItem(db, String(item), query);
  const page = readRowPage(db, planListScans(order, [scan]), query, toRow);
  return { ...page, sums: page.total === null ? null : sumBroughtForward(db, scan) };
}

/** Returns the number of items brought forward into the period that starts on this day. */
export function countBroughtForwardItems(db: ReadableDb, first: string): number {
  const sql = `SELECT count(*) FROM closed_figures_item WHERE closed_figures_id = ${PREVIOUS_CLOSED_FIGURES}`;
  return select.value<number>(db, sql, first) ?? 0;
}

function getBroughtForwardScan({ first, filter }: BroughtForwardQuery): IndexScan {
  const { kind, cleared, explained, currency } = filter;
  const not = (value: boolean) => (value ? 'NOT ' : '');
  const isExplained = `(SELECT explanation FROM item_explanation WHERE item_explanation.item = closed_figures_item.item ORDER BY seq DESC LIMIT 1)
      IS ${not(explained ?? true)}NULL`;
  const conditions = joinConditions(
    whereIf(`closed_figures_id = ${PREVIOUS_CLOSED_FIGURES}`, first),
    whereIn("substr(item, 1, instr(item, ':') - 1)", kind),
    ...(cleared === undefined ? [] : [whereIf(`(${CLEARED_ON}) IS ${not(cleared)}NULL`)]),
    ...(explained === undefined ? [] : [whereIf(isExplained)]),
    whereEqual('currency', currency),
  );
  return { from: 'closed_figures_item', ...conditions };
}

function sumBroughtForward(db: ReadableDb, { where, bound }: IndexScan): NonNullable<BroughtForward['sums']> {
  return db
    .prepare<SqlValues, NonNullable<BroughtForward['sums']>[number]>(
      `SELECT currency, count(*) AS count, sum(amount_in_cents) AS amount_in_cents FROM closed_figures_item
       WHERE ${where.join(' AND ')} GROUP BY currency ORDER BY currency`,
    )
    .all(...bound);
}

function getBroughtForwardItem(
  db: ReadableDb,
  item: string,
  { first, last }: BroughtForwardQuery,
): BroughtForward['rows'][number] {
  const sql = `SELECT currency, dated_on, amount_in_cents, text, ${CLEARED_ON} AS "on" FROM closed_figures_item
     WHERE closed_figures_id = ${PREVIOUS_CLOSED_FIGURES} AND item = ?`;
  const { on, ...stored } = select.row<{
    currency: string;
    dated_on: string;
    amount_in_cents: number;
    text: string;
    on: string | null;
  }>(db, sql, first, item)!;
  return {
    ...getExplainedItem(db, item),
    ...stored,
    age_days: countDaysBetween(stored.dated_on, last),
    cleared: on === null ? null : { on, matches: listMatchesOfItem(db, item) },
  };
}

/** Returns the ids of confirmed matches that claim part of an outstanding item. */
function listMatchesOfItem(db: ReadableDb, item: string): number[] {
  const [kind, id] = item.split(':');
  const sql =
    kind === 'payout'
      ? "SELECT id FROM match_group WHERE payout_id = ? AND status = 'confirmed' ORDER BY id"
      : `SELECT DISTINCT group_id FROM match_item WHERE ${kind === 'line' ? 'line_id' : 'transaction_id'} = ? AND claim_state >= 3
         ORDER BY group_id`;
  return select.values<number>(db, sql, Number(id));
}

/** Returns the explanations of an outstanding item and the periods over which it was brought forward. */
export function getExplainedItem(db: ReadableDb, item: string): Explained {
  const history = listItemExplanations(db, item);
  const brought_forward = listPeriodsWithOutstandingItem(db, item);
  return {
    key: item,
    current: history.at(-1) ?? null,
    history,
    brought_forward_from: brought_forward[0]?.period ?? null,
    brought_forward,
  };
}

/** Returns true if the item's record exists. Looks up statements in the cache and all other records in the books. */
export function isOutstandingItemStored(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  item: string,
): boolean {
  const [kind = '', id] = item.split(':');
  const table = tables.get(kind);
  if (table === undefined) return false;
  const db = kind === 'statement' ? cache : books;
  return prepareSql(db, `SELECT 1 FROM ${table} WHERE id = ?`).get(Number(id)) !== undefined;
}

const tables = new Map([
  ['line', 'bank_line'],
  ['payment', 'match_payment'],
  ['payout', 'bank_payout'],
  ['statement', 'statement'],
]);
