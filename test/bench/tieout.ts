import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import {
  type AllocationRecord,
  checkSubscription,
  type EventRecord,
  type StatementRecord,
  type SubscriptionRecord,
  type TransactionRecord,
  type WebhookRecord,
} from '../../src/domain/checks/index.ts';
import { ALL_HABITS } from '../domain/checks/all-habits.ts';
import { SEATS, simulateLife } from '../domain/checks/simulate-life.ts';
import type { DraftRecord } from '../domain/checks/simulated-life.ts';
import { ordinaryLife } from '../domain/history-generator.ts';
import { getRelativeSpread, getShortestTime, measureTime, reportMeasurement } from './measure.ts';

/**
 * Measures a complete check: reads the rows of all subscriptions from SQLite, assembles their records and applies every
 * rule, compared with one scan of the same rows. `node test/bench/tieout.ts [statements]`.
 */

const STATEMENTS = Number(process.argv[2] ?? 50_000);
const TURNS = STATEMENTS > 100_000 ? 1 : 5;
/** Number of subscriptions in memory at a time. */
const CHUNK = 10;
const MONTHS = 23;
const SORTS = 48;

type Row = readonly (string | number | null)[];
const now = Date.UTC(2028, 6, 1);
const context = { now, log: { from: 0, to: now }, habits: ALL_HABITS, verify: () => true };

const tables = {
  statement:
    'id, opened_at, closed_at, settled_at, created_at, updated_at, starting_balance_in_cents, ending_balance_in_cents, future_payments, read_at',
  text: 'statement_id, text_view',
  txn: 'statement_id, id, transaction_type, type, kind, amount_in_cents, starting_balance_in_cents, ending_balance_in_cents, success, memo, created_at, created_on, payment_id, gateway_transaction_id, component_id',
  event: 'statement_id, id, key, created_at, transaction_id, new_state',
  webhook:
    'id, event, successful, created_at, accepted_at, last_sent_at, last_error, last_sent_url, telling, signature',
  allocation:
    'component_id, timestamp, ordinal, quantity, previous_quantity, proration_upgrade_scheme, proration_downgrade_scheme',
} as const;
type Table = keyof typeof tables;
const names = Object.keys(tables) as Table[];

const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
const db = new Database(join(folder, 'cache.db'));
db.pragma('journal_mode = OFF');
db.pragma('synchronous = OFF');
for (const name of names) {
  db.exec(`CREATE TABLE ${name} (subscription_id INTEGER, place INTEGER, ${tables[name]},
    PRIMARY KEY (subscription_id, place)) WITHOUT ROWID`);
}

/** Rows of one kind of subscription. Their IDs are shifted so that subscriptions do not share any. */
function rowsOf(draft: DraftRecord): Record<Table, Row[]> {
  const rows: Record<Table, Row[]> = {
    statement: [],
    text: [],
    txn: [],
    event: [],
    webhook: [],
    allocation: [],
  };
  for (const statement of draft.statements) {
    const { id, transactions, events, future_payments, text_view, pdf_text, ...own } = statement;
    const { opened_at, closed_at, settled_at, created_at, updated_at, read_at } = own;
    const balances = [own.starting_balance_in_cents, own.ending_balance_in_cents] as const;
    const future = JSON.stringify(future_payments);
    rows.statement.push([
      id,
      opened_at,
      closed_at,
      settled_at,
      created_at,
      updated_at,
      ...balances,
      future,
      read_at,
    ]);
    rows.text.push([id, text_view ?? pdf_text]);
    for (const { id: transaction, success, ...each } of transactions) {
      const figures = [each.amount_in_cents, each.starting_balance_in_cents, each.ending_balance_in_cents];
      const kinds = [each.transaction_type, each.type, each.kind];
      const told = success === null ? null : Number(success);
      const rest = [
        each.created_at,
        each.created_on,
        each.payment_id,
        each.gateway_transaction_id,
        each.component_id,
      ];
      rows.txn.push([id, transaction, ...kinds, ...figures, told, each.memo, ...rest]);
    }
    for (const event of events) {
      rows.event.push([id, event.id, event.key, event.created_at, event.transaction_id, event.new_state]);
    }
  }
  for (const each of draft.webhooks) {
    const times = [each.created_at, each.accepted_at, each.last_sent_at];
    const telling = JSON.stringify(each.facts);
    const rest = [each.last_error, each.last_sent_url, telling, each.signature];
    rows.webhook.push([each.id, each.event, Number(each.successful), ...times, ...rest]);
  }
  for (const { component_id, allocations } of draft.components) {
    for (const each of allocations) {
      const quantities = [each.quantity, each.previous_quantity];
      const schemes = [each.proration_upgrade_scheme, each.proration_downgrade_scheme];
      rows.allocation.push([component_id, each.timestamp, each.ordinal, ...quantities, ...schemes]);
    }
  }
  return rows;
}

let subscriptions = 0;
const counts: Record<Table, number> = { statement: 0, text: 0, txn: 0, event: 0, webhook: 0, allocation: 0 };

function fill(): void {
  const sorts = Array.from({ length: SORTS }, (_, n) =>
    rowsOf(simulateLife(ordinaryLife(n + 1, MONTHS)).draft),
  );
  const inserts = Object.fromEntries(
    names.map((name) => {
      const columns = tables[name].split(',').length + 2;
      return [name, db.prepare(`INSERT INTO ${name} VALUES (${Array(columns).fill('?').join(',')})`)];
    }),
  ) as Record<Table, Database.Statement>;
  db.transaction(() => {
    while (counts.statement < STATEMENTS) {
      const rows = sorts[subscriptions % SORTS] as Record<Table, Row[]>;
      for (const name of names) {
        rows[name].forEach((row, place) => {
          inserts[name].run(subscriptions, place, ...row);
        });
        counts[name] += rows[name].length;
      }
      subscriptions++;
    }
  })();
}

/** Reads every cell of every row once, as simply as possible. */
function scan(): number {
  let seen = 0;
  for (const name of names) {
    const read = db.prepare(`SELECT * FROM ${name} WHERE subscription_id >= ? AND subscription_id < ?`).raw();
    for (let from = 0; from < subscriptions; from += CHUNK) {
      for (const row of read.all(from, from + CHUNK) as Row[]) {
        for (const cell of row) {
          seen += typeof cell === 'number' ? cell & 1 : cell === null ? 0 : cell.length & 1;
        }
      }
    }
  }
  return seen;
}

let peak = 0;

/** Assembles and checks the same rows. */
function check(): { findings: number; rules: number } {
  const read = recordReader();
  let findings = 0;
  let rules = 0;
  for (let from = 0; from < subscriptions; from += CHUNK) {
    const records = read(from, from + CHUNK);
    const [ms, found] = measureTime(() =>
      records.reduce((sum, record) => sum + checkSubscription(record, context).length, 0),
    );
    findings += found;
    rules += ms;
    if (from % 1000 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  }
  return { findings, rules };
}

type Of<T> = T & { subscription_id: number };
type StatementRow = Of<Omit<StatementRecord, 'future_payments'> & { future_payments: string }>;
type TransactionRow = Of<
  Omit<TransactionRecord, 'success'> & { statement_id: number; success: number | null }
>;
type EventRow = Of<EventRecord & { statement_id: number }>;
type WebhookRow = Of<Omit<WebhookRecord, 'telling' | 'successful'> & { telling: string; successful: number }>;

/**
 * Reads the records of a range of subscriptions: each table once, in record order, so that rows only need to be
 * distributed.
 */
function recordReader(): (from: number, to: number) => SubscriptionRecord[] {
  const prepared = (sql: string): Database.Statement =>
    db.prepare(
      `${sql} WHERE t.subscription_id >= ? AND t.subscription_id < ? ORDER BY t.subscription_id, t.place`,
    );
  const selects = {
    statements: prepared('SELECT *, NULL AS pdf_text FROM statement t'),
    texts: prepared('SELECT text_view FROM text t').pluck(),
    transactions: prepared('SELECT * FROM txn t'),
    events: prepared('SELECT * FROM event t'),
    webhooks: prepared('SELECT *, NULL AS body FROM webhook t'),
    allocations: prepared('SELECT * FROM allocation t'),
  };
  return (from, to) => {
    const transactions = dealer(selects.transactions.all(from, to) as TransactionRow[]);
    const events = dealer(selects.events.all(from, to) as EventRow[]);
    const webhooks = dealer(selects.webhooks.all(from, to) as WebhookRow[]);
    const allocations = dealer(selects.allocations.all(from, to) as Of<AllocationRecord>[]);
    const statements = dealer(selects.statements.all(from, to) as StatementRow[]);
    const texts = selects.texts.all(from, to) as (string | null)[];
    let text = 0;
    const records: SubscriptionRecord[] = [];
    for (let subscription_id = from; subscription_id < to; subscription_id++) {
      const own = (row: Of<object>): boolean => row.subscription_id === subscription_id;
      const ofIt = statements(own).map((row) => {
        const within = (each: Of<{ statement_id: number }>): boolean =>
          own(each) && each.statement_id === row.id;
        return Object.assign(row, {
          future_payments: row.future_payments === '[]' ? [] : JSON.parse(row.future_payments),
          transactions: transactions(within).map((each) =>
            Object.assign(each, { success: each.success === null ? null : each.success === 1 }),
          ),
          events: events(within),
          customer: { name: null, organization: null, address: null },
          text_view: texts[text++] ?? null,
        });
      });
      if (ofIt.length === 0) continue;
      records.push({
        subscription_id,
        statements: ofIt,
        statements_complete: true,
        webhooks: webhooks(own).map((row) =>
          Object.assign(row, { successful: row.successful === 1, telling: JSON.parse(row.telling) }),
        ),
        components: [{ component_id: SEATS, name: 'Seats', complete: true, allocations: allocations(own) }],
        transactions_elsewhere: new Map(),
      });
    }
    return records;
  };
}

/** Returns the next rows as long as they belong to the subscription. */
function dealer<T>(rows: readonly T[]): (belongs: (row: T) => boolean) => T[] {
  let at = 0;
  return (belongs) => {
    const from = at;
    while (at < rows.length && belongs(rows[at] as T)) at++;
    return rows.slice(from, at);
  };
}

try {
  fill();
  const idle = process.memoryUsage.rss();
  const scans: number[] = [];
  const checks: number[] = [];
  const rules: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    scans.push(measureTime(scan)[0]);
    const [ms, result] = measureTime(check);
    if (result.findings > 0) throw new Error(`the clean rows gave ${result.findings} findings`);
    checks.push(ms);
    rules.push(result.rules);
  }
  const what = `${counts.statement} statements, ${counts.txn} transactions, ${counts.event} events, ${counts.webhook} webhooks, texts`;
  reportMeasurement(
    `all rules over ${what}: read and checked, against one scan`,
    'ms',
    getShortestTime(checks),
    getShortestTime(scans),
    TURNS,
    getRelativeSpread(checks),
  );
  reportMeasurement(
    'the rules alone, against one scan',
    'ms',
    getShortestTime(rules),
    getShortestTime(scans),
    TURNS,
    getRelativeSpread(rules),
  );
  const one = recordReader()(0, 1);
  const single = Array.from(
    { length: 200 },
    () => measureTime(() => one.map((record) => checkSubscription(record, context)))[0],
  ).sort((a, b) => a - b);
  const rowsEach = getShortestTime(scans) / subscriptions;
  reportMeasurement(
    'one subscription rechecked, against a scan of its rows',
    'ms',
    single[100] as number,
    rowsEach,
    200,
    (single[190] as number) / (single[100] as number) - 1,
  );
  reportMeasurement('memory at the most, against before', 'MB', peak / 2 ** 20, idle / 2 ** 20, TURNS, 0);
} finally {
  db.close();
  rmSync(folder, { recursive: true, force: true });
}
