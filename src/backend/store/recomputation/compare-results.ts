import type { RecomputedDifference, RecomputedPart } from '../../../contract/checks/recomputation.ts';
import { attachCurrentBooks, compareTable } from '../backups/compare-books.ts';
import type { ComparedTable } from '../backups/compared-tables.ts';
import { openSqlite, type ReadableDb, SqliteError, select } from '../sqlite/connection.ts';

/** Result of comparing one part: its number of items, and its differences. */
export interface PartComparison {
  readonly part: RecomputedPart;
  readonly items: number;
  readonly count: number;
  readonly differences: readonly RecomputedDifference[];
}

const claims = ['claimed_in_cents', 'suggested', 'ambiguous', 'ignored'];

/** Tables of the books that hold computed results. A changed id of a match shows that its items were replaced. */
const resultTables: readonly ComparedTable<RecomputedPart>[] = [
  {
    part: 'exceptions',
    table: 'exception',
    key: ['key'],
    content: [
      ...['rule', 'severity', 'status', 'across', 'evidence', 'dated_on', 'dated_at', 'at_stake_in_cents'],
      ...['subscription_id', 'statement_id', 'transaction_id', 'event_id', 'webhook_id', 'component_id'],
      ...[
        'expected_in_cents',
        'actual_in_cents',
        'difference_in_cents',
        'message',
        'arithmetic',
        'rows',
        'members',
      ],
    ],
    where: "x.status <> 'closed'",
    text: "'Exception ' || x.id || ', ' || x.rule || ', ' || x.status || ': ' || x.message",
  },
  {
    part: 'payments',
    table: 'match_payment',
    key: ['id'],
    content: [
      ...['statement_id', 'subscription_id', 'kind', 'removed', 'paid_on', 'amount_in_cents', 'currency'],
      ...['payment_id', 'gateway_transaction_id', 'memo', 'customer_name', 'organization', ...claims],
    ],
    text: "'Payment ' || x.id || ' of ' || x.paid_on",
  },
  {
    part: 'matches',
    table: 'match_group',
    key: ['key'],
    content: [
      ...[
        'id',
        'status',
        'rule',
        'rule_version',
        'score',
        'currency',
        'dated_on',
        'amount_in_cents',
        'reasons',
      ],
      ...[
        'lines_in_cents',
        'transactions_in_cents',
        'adjustments_in_cents',
        'line_count',
        'transaction_count',
      ],
      ...['alternatives', 'user_rule', 'payout_id', 'reverses'],
    ],
    where: "x.key IS NOT NULL AND x.status IN ('confirmed', 'suggested', 'ambiguous')",
    text: "'Match ' || x.id || ', ' || x.status || ' by ' || x.rule || ', dated ' || x.dated_on",
  },
  {
    part: 'matches',
    table: 'bank_line',
    key: ['id'],
    content: claims,
    text: "'Matched amount of bank line ' || x.id || ' of ' || x.booked_on",
  },
];

const changes = { lost: 'stored', restored: 'recomputed', changed: 'changed' } as const;

/** Compares the recomputed books with a copy of the stored ones. Throws an SQLite error if one cannot be read. */
export function compareResults(recomputedPath: string, storedPath: string): PartComparison[] {
  const db = openSqlite(recomputedPath, { readonly: true }) as ReadableDb;
  try {
    const damage = attachCurrentBooks(db, storedPath);
    if (damage !== null) throw new SqliteError(damage, 'SQLITE_CORRUPT');
    return resultTables.map((table) => {
      const { lost, restored, changed, items } = compareTable(db, table);
      if (lost === null || restored === null || changed === null)
        throw new SqliteError(`${table.table} cannot be read`, 'SQLITE_CORRUPT');
      return {
        part: table.part,
        items:
          select.value<number>(
            db,
            `SELECT count(*) FROM present.${table.table} AS x WHERE ${table.where ?? '1'}`,
          ) ?? 0,
        count: lost + restored + changed,
        differences: items.map(({ change, text }) => ({ part: table.part, change: changes[change], text })),
      };
    });
  } finally {
    db.close();
  }
}
