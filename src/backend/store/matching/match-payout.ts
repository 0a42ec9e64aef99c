import type { z } from 'zod';
import type { ContractOutputs, Payout, payoutFilterSchema } from '../../../contract/index.ts';
import { listBankLinesById } from '../bank/bank-line-list.ts';
import {
  type IndexScan,
  type ListOrder,
  type PageRequest,
  planListScans,
  readRowPage,
} from '../lists/keyset-pagination.ts';
import { joinConditions, whereIf, whereIn } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { toLikePattern } from '../sqlite/like-pattern.ts';
import { listFigureRowIds } from '../workpaper/figure-row-ids.ts';

export interface PayoutQuery extends PageRequest {
  filter: z.output<typeof payoutFilterSchema>;
}

const byDay: ListOrder = {
  name: 'payouts',
  columns: [
    { name: 'paid_on', type: 'text' },
    { name: 'id', type: 'number' },
  ],
  direction: 'desc',
};

const DEPOSITED = `EXISTS (SELECT 1 FROM match_group WHERE match_group.payout_id = bank_payout.id AND status = 'confirmed')`;
/** SQL for a payout's `unexplained` amount: its deposit, or else its reported amount, minus the sum of its lines. */
const REMAINDER = `coalesce(
    (SELECT allocated_in_cents FROM match_group CROSS JOIN match_item ON group_id = match_group.id AND ordinal = 0
     WHERE match_group.payout_id = bank_payout.id AND status = 'confirmed'),
    stated_in_cents,
    (SELECT -sum(amount_in_cents) FROM bank_line WHERE bank_line.account_id = bank_payout.account_id
       AND bank_line.payout_id = bank_payout.payout_id AND removed = 0 AND bank_line.currency = bank_payout.currency
       AND kind = 'payout'),
    net.amount_in_cents)
  - net.amount_in_cents`;

/** Lists payouts, newest first. */
export function listPayouts(db: ReadableDb, query: PayoutQuery): ContractOutputs['match']['payouts'] {
  const plan = planListScans(byDay, [getPayoutScan(db, query.filter)]);
  return readRowPage(db, plan, query, (key) => findPayout(db, Number(key.at(-1)))!);
}

function getPayoutScan(
  db: ReadableDb,
  { account, is, since, until, figure, search }: PayoutQuery['filter'],
): IndexScan {
  const status = { waiting: `NOT ${DEPOSITED}`, deposited: DEPOSITED, unexplained: UNEXPLAINED };
  const { where, bound } = joinConditions(
    whereIf('removed = 0'),
    whereIf('paid_on >= ?', since),
    whereIf('paid_on <= ?', until),
    whereIn('account_id', account),
    whereIn('id', figure && listFigureRowIds(db, figure, 'payout')),
    whereIf("payout_id LIKE ? ESCAPE '\\'", search?.trim() ? toLikePattern(search) : undefined),
    ...(is === undefined ? [] : [whereIf(status[is])]),
  );
  return { from: 'bank_payout INDEXED BY bank_payout_dated', where, bound };
}

const NET = `SELECT coalesce(sum(amount_in_cents - coalesce(fee_in_cents, 0)), 0) AS amount_in_cents FROM bank_line
  WHERE bank_line.account_id = bank_payout.account_id AND bank_line.payout_id = bank_payout.payout_id
    AND bank_line.currency = bank_payout.currency AND removed = 0 AND kind <> 'payout'`;
const UNEXPLAINED = `(SELECT ${REMAINDER} FROM (${NET}) AS net) <> 0`;

interface StoredPayout {
  id: number;
  payout_id: string;
  account_id: number;
  account_name: string;
  import_id: number;
  currency: string;
  paid_on: string;
  stated_in_cents: number | null;
}

interface BridgePart {
  kind: string;
  count: number;
  amount_in_cents: number;
  fees: number;
  fee_in_cents: number;
  matched: number;
}

/** Returns a payout with its gross-to-net bridge, or null if it does not exist. */
function findPayout(db: ReadableDb, id: number): Payout | null {
  const storedSql = `SELECT bank_payout.id, payout_id, account_id, name AS account_name, import_id, bank_payout.currency, paid_on, stated_in_cents
     FROM bank_payout JOIN bank_account ON bank_account.id = account_id WHERE bank_payout.id = ? AND removed = 0`;
  const stored = prepareSql<StoredPayout>(db, storedSql).get(id);
  if (stored === undefined) return null;
  const { account_id, account_name, import_id, ...rest } = stored;
  const partsSql = `SELECT kind, count(*) AS count, sum(amount_in_cents) AS amount_in_cents,
       count(*) FILTER (WHERE fee_in_cents <> 0) AS fees, coalesce(sum(fee_in_cents), 0) AS fee_in_cents,
       count(*) FILTER (WHERE claimed_in_cents = amount_in_cents) AS matched
     FROM bank_line INDEXED BY bank_line_payout
     WHERE account_id = ? AND payout_id = ? AND currency = ? AND removed = 0 GROUP BY kind ORDER BY kind`;
  const parts = select.rows<BridgePart>(db, partsSql, account_id, stored.payout_id, stored.currency);
  const inside = parts.filter(({ kind }) => kind !== 'payout');
  const bridge = toBridge(inside);
  const net = bridge.reduce((sum, part) => sum + part.amount_in_cents, 0);
  const own = parts.find(({ kind }) => kind === 'payout');
  const stated = stored.stated_in_cents ?? (own === undefined ? null : -own.amount_in_cents);
  const deposit = findDeposit(db, id);
  const payments = parts.filter(({ kind }) => toBridgeCategory(kind) === 'payment');
  return {
    ...rest,
    account: { id: account_id, name: account_name },
    import: import_id,
    lines: inside.reduce((sum, { count }) => sum + count, 0),
    bridge,
    net_in_cents: net,
    stated_in_cents: stated,
    deposited_in_cents: deposit?.status === 'confirmed' ? deposit.deposited : null,
    deposit: deposit === null ? null : deposit.shown,
    unexplained_in_cents: (deposit?.status === 'confirmed' ? deposit.deposited : (stated ?? net)) - net,
    payments: payments.reduce((sum, { count }) => sum + count, 0),
    payments_matched: payments.reduce((sum, { matched }) => sum + matched, 0),
  };
}

/** Line kinds in the order of the bridge, from gross to net. Lines without a kind count as payments. */
const bridgeOrder = [
  'payment',
  'refund',
  'chargeback',
  'fee',
  'fx',
  'reserve',
  'interest',
  'transfer',
  'adjustment',
];
const toBridgeCategory = (kind: string): string => (kind === 'entry' ? 'payment' : kind);

/** Returns the gross-to-net bridge: the total of each kind of line, and the processor's fees. */
function toBridge(parts: readonly BridgePart[]): Payout['bridge'] {
  const sums = new Map<string, { count: number; amount_in_cents: number }>();
  const add = (category: string, count: number, amount_in_cents: number) => {
    if (count === 0) return;
    const sum = sums.get(category) ?? { count: 0, amount_in_cents: 0 };
    sums.set(category, {
      count: sum.count + count,
      amount_in_cents: sum.amount_in_cents + amount_in_cents,
    });
  };
  for (const { kind, count, amount_in_cents, fees, fee_in_cents } of parts) {
    add(toBridgeCategory(kind), count, amount_in_cents);
    add('fee', fees, 0 - fee_in_cents);
  }
  return bridgeOrder.flatMap((category) => {
    const sum = sums.get(category);
    return sum === undefined ? [] : [{ category, ...sum }];
  });
}

function findDeposit(db: ReadableDb, id: number) {
  const sql = `SELECT bank_line.id AS line, g.id AS "group", g.status, booked_on, name AS account, allocated_in_cents AS deposited
     FROM match_group AS g CROSS JOIN match_item ON group_id = g.id CROSS JOIN bank_line ON bank_line.id = line_id
     CROSS JOIN bank_account ON bank_account.id = account_id
     WHERE g.payout_id = ? AND g.status IN ('confirmed', 'suggested', 'ambiguous')
     ORDER BY g.status = 'confirmed' DESC, g.id, ordinal LIMIT 1`;
  const found = prepareSql<{
    line: number;
    group: number;
    status: NonNullable<Payout['deposit']>['status'];
    booked_on: string;
    account: string;
    deposited: number;
  }>(db, sql).get(id);
  if (found === undefined) return null;
  const { deposited, ...shown } = found;
  return { status: shown.status, deposited, shown };
}

/** Returns a payout with its lines in file order, or null if it does not exist. */
export function getPayoutDetail(db: ReadableDb, id: number): ContractOutputs['match']['getPayout'] | null {
  const payout = findPayout(db, id);
  if (payout === null) return null;
  const sql = `SELECT id FROM bank_line INDEXED BY bank_line_payout
     WHERE account_id = ? AND payout_id = ? AND currency = ? AND removed = 0 ORDER BY import_id, row`;
  const ids = select.values<number>(db, sql, payout.account.id, payout.payout_id, payout.currency);
  return { ...payout, rows: listBankLinesById(db, ids) };
}

/** Returns the number of payouts, and the number of payouts without a deposit. */
export function countPayouts(db: ReadableDb): { total: number; waiting: number } {
  const sql = `SELECT count(*) AS total, count(*) FILTER (WHERE NOT ${DEPOSITED}) AS waiting
     FROM bank_payout WHERE removed = 0`;
  return prepareSql<{ total: number; waiting: number }>(db, sql).get() ?? { total: 0, waiting: 0 };
}
