import { type ReadableDb, select } from '../sqlite/connection.ts';
import type { PartComparison } from './compare-results.ts';

/** Counts and sums that triggers keep up to date. `from` computes them again, with the same columns. */
interface MaintainedTotals {
  readonly table: string;
  readonly key: readonly string[];
  readonly sums: readonly string[];
  readonly from: string;
}

const claimed = (column: string) => `SELECT ${column} AS id,
    sum(iif(claim_state >= 3, allocated_in_cents, 0)) AS claimed_in_cents, sum(claim_state = 2) AS suggested,
    sum(claim_state = 1) AS ambiguous, sum(claim_state = 4) AS ignored
  FROM match_item WHERE ${column} IS NOT NULL GROUP BY ${column}`;
const claims = ['claimed_in_cents', 'suggested', 'ambiguous', 'ignored'];

const totalsOfBooks: readonly MaintainedTotals[] = [
  {
    table: 'exception_class',
    key: ['id'],
    sums: ['count', 'unassigned', 'at_stake_in_cents'],
    from: `SELECT class_id AS id, count(*) AS count, sum(assigned IS NULL) AS unassigned,
      sum(at_stake_in_cents) AS at_stake_in_cents FROM exception GROUP BY class_id`,
  },
  { table: 'bank_line', key: ['id'], sums: claims, from: claimed('line_id') },
  { table: 'match_payment', key: ['id'], sums: claims, from: claimed('transaction_id') },
];

const totalsOfCache: readonly MaintainedTotals[] = [
  {
    table: 'webhook_class',
    key: ['id'],
    sums: ['count'],
    from: 'SELECT class_id AS id, count(*) AS count FROM webhook GROUP BY class_id',
  },
  {
    table: 'webhook_error',
    key: ['id'],
    sums: ['count'],
    from: 'SELECT error_id AS id, count(*) AS count FROM webhook WHERE error_id IS NOT NULL GROUP BY error_id',
  },
  {
    table: 'webhook_day',
    key: ['day', 'class_id'],
    sums: ['count'],
    from: 'SELECT created_at / 86400000 AS day, class_id, count(*) AS count FROM webhook GROUP BY day, class_id',
  },
  {
    table: 'statement_sum',
    key: ['state'],
    sums: ['count', 'charges_in_cents', 'payments_in_cents', 'ending_balance_in_cents'],
    from: `SELECT state, count(*) AS count, sum(charges_in_cents) AS charges_in_cents,
      sum(payments_in_cents) AS payments_in_cents, sum(ending_balance_in_cents) AS ending_balance_in_cents
      FROM statement GROUP BY state`,
  },
  {
    table: 'txn_class',
    key: ['id'],
    sums: ['count', 'amount_in_cents'],
    from: 'SELECT class_id AS id, count(*) AS count, sum(amount_in_cents) AS amount_in_cents FROM txn GROUP BY class_id',
  },
];

/** Maximum number of differences listed per table. Chosen by judgment. */
const MAX_LISTED_DIFFERENCES = 50;

/** Adds up the totals that the databases keep beside their records again, and returns those that differ, per table. */
export function compareMaintainedTotals(cache: ReadableDb, books: ReadableDb): PartComparison[] {
  return [
    ...totalsOfCache.map((totals) => compareTotals(cache, totals)),
    ...totalsOfBooks.map((totals) => compareTotals(books, totals)),
  ];
}

/** Rows whose totals are all zero may be missing on either side. */
function compareTotals(db: ReadableDb, { table, key, sums, from }: MaintainedTotals): PartComparison {
  const columns = [...key, ...sums].join(', ');
  const differs = sums.map((sum) => `coalesce(kept.${sum}, 0) <> coalesce(added.${sum}, 0)`).join(' OR ');
  const source = `FROM (SELECT ${columns} FROM ${table}) AS kept FULL JOIN (${from}) AS added USING (${key.join(', ')})
    WHERE ${differs}`;
  const text = `'${table} ' || ${key.join(" || '/' || ")} || ': ${sums.join(', ')} ' || ${sums
    .map((sum) => `coalesce(kept.${sum}, 0)`)
    .join(
      " || ', ' || ",
    )} || ' instead of ' || ${sums.map((sum) => `coalesce(added.${sum}, 0)`).join(" || ', ' || ")}`;
  const rows = select.values<string>(db, `SELECT ${text} ${source} LIMIT ${MAX_LISTED_DIFFERENCES}`);
  return {
    part: 'totals',
    items: select.value<number>(db, `SELECT count(*) FROM ${table}`) ?? 0,
    count:
      rows.length < MAX_LISTED_DIFFERENCES
        ? rows.length
        : (select.value<number>(db, `SELECT count(*) ${source}`) ?? rows.length),
    differences: rows.map((description) => ({ part: 'totals', change: 'changed', text: description })),
  };
}
