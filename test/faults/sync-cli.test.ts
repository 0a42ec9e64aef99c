import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as soon } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import type { ContractOutputs } from '../../src/contract/contract.ts';
import type { FaultSpec } from '../../src/sandbox/index.ts';
import {
  type CommandEnvironment,
  cleanUpAfterFile,
  connectSandbox,
  runJson,
  type SandboxLine,
  startCommand,
  startSandboxCommand,
  temporaryFolder,
} from '../cli/run-tieout.ts';

/**
 * Kills `tieout sync` twice. The next run ends with the same tables as an uninterrupted sync. `TIEOUT_LONG=1` uses the
 * size that the project promises: 20,000 webhooks, 2,000 statements, 1,000 components.
 */
const LONG = process.env['TIEOUT_LONG'] !== undefined;
const SIZE = LONG
  ? { subscriptions: 780, webhooks: 20_000, statements: 2000, components: 1000 }
  : { subscriptions: 100, webhooks: 3000, statements: 250, components: 100 };
type SyncRun = ContractOutputs['sync']['run'];

const afterwards = cleanUpAfterFile();
let service: SandboxLine;
beforeAll(async () => {
  const { subscriptions, webhooks } = SIZE;
  const size = ['--subscriptions', String(subscriptions), '--webhooks', String(webhooks)];
  service = await startSandboxCommand([...size, '--months', '3'], afterwards);
});

/** Returns the number of requests answered since the previous call. */
async function answered(): Promise<number> {
  return ((await control('GET', 'requests')) as { total: number }).total;
}

async function control(method: 'GET' | 'POST', verb: string, body?: FaultSpec): Promise<unknown> {
  const headers = {
    authorization: `Basic ${btoa(`${service.api_key}:x`)}`,
    'content-type': 'application/json',
  };
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${service.control_url}/${verb}`, { method, headers, ...json });
  expect(response.status).toBe(200);
  return response.json();
}

async function site(): Promise<CommandEnvironment> {
  const at = { home: temporaryFolder(), key: service.api_key, keychain: false };
  await connectSandbox(at, service);
  await control('POST', 'reset');
  return at;
}

/** Starts a sync and kills it after the given number of responses. Later requests get no response. */
async function syncKilledAfter(requests: number, at: CommandEnvironment): Promise<void> {
  await control('POST', 'faults', { stall_rate: 1, after: requests - (await answered()) });
  const child = startCommand(['sync', '--quiet'], at);
  const exit = once(child, 'exit');
  while (child.exitCode === null && (await answered()) < requests) await soon(5);
  child.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
  await control('POST', 'faults', {});
}

test('a sync killed twice ends like an uninterrupted one', {
  timeout: 240_000,
}, async () => {
  const whole = await site();
  const uninterrupted = await runJson<SyncRun>(['sync'], whole);
  expect(uninterrupted).toMatchObject({ complete: true, problems: [] });
  const requests = await answered();

  const broken = await site();
  await syncKilledAfter(Math.floor(requests * 0.3), broken);
  const kept = stored(broken);
  expect(kept.webhook).toBeGreaterThan(0);
  await syncKilledAfter(Math.floor(requests * 0.6), broken);
  for (const [table, rows] of Object.entries(stored(broken)))
    expect(rows).toBeGreaterThanOrEqual(kept[table]!);
  expect(await runJson<SyncRun>(['sync'], broken)).toMatchObject({ complete: true, problems: [] });
  // Stored rows were not requested again, except for the pages that were in flight.
  expect(await answered()).toBeLessThanOrEqual(requests * 1.1);

  expect(stored(whole)).toMatchObject({ webhook: SIZE.webhooks, statement: service.counts.statements });
  expect(service.counts.statements).toBeGreaterThanOrEqual(SIZE.statements);
  expect(stored(whole).subscription_component).toBeGreaterThanOrEqual(SIZE.components);
  const [left, right] = [open(whole), open(broken)];
  try {
    for (const db of [left, right]) expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    for (const [table, columns] of Object.entries(compared)) expectSame(left, right, table, columns);
  } finally {
    left.close();
    right.close();
  }
});

/** All columns with data of the service. Our own timestamps and row numbers are left out. */
const compared: Record<string, string> = {
  webhook: `id, event, successful, delivery, created_at, accepted_at, last_sent_at, last_error_at, subscription_id,
    statement_id, component_id, created_at_text, accepted_at_text, last_sent_at_text, last_error_at_text, last_sent_url,
    last_error, signature, extra, body_form, body`,
  webhook_class: 'event, delivery, url, count',
  webhook_error: 'error, count',
  statement: `id, subscription_id, state, dated_at, starting_balance_in_cents, ending_balance_in_cents, charges_in_cents,
    payments_in_cents, customer_name, digest, vanished_at`,
  statement_view: 'statement_id, text_view, basic_html_view, html_view',
  statement_sum: 'state, count, charges_in_cents, payments_in_cents, ending_balance_in_cents',
  statement_known: 'id, vanished_at',
  txn: `statement_id, ordinal, id, subscription_id, created_at, amount_in_cents, starting_balance_in_cents,
    ending_balance_in_cents, success, product_id, payment_id, transaction_type, type, kind, memo, gateway_transaction_id, extra`,
  txn_class: 'type, kind, count, amount_in_cents',
  statement_event: '*',
  subscription_component:
    'subscription_id, component_id, component_name, state, last_at, quantity, allocations',
  allocation: `subscription_id, component_id, timestamp_ms, ordinal, timestamp, quantity, previous_quantity, memo,
    proration_upgrade_scheme, proration_downgrade_scheme, extra`,
  problem: 'part, location, reason',
};

function open({ home }: CommandEnvironment) {
  return new Database(join(home, 'sites', 'acme', 'cache.db'), { readonly: true, fileMustExist: true });
}

function stored(at: CommandEnvironment): Record<string, number> {
  const db = open(at);
  try {
    const rows = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    return Object.fromEntries(
      ['webhook', 'statement', 'txn', 'subscription_component', 'allocation'].map((table) => [
        table,
        rows(table),
      ]),
    );
  } finally {
    db.close();
  }
}

function expectSame(left: Database.Database, right: Database.Database, table: string, columns: string): void {
  const rows = (db: Database.Database) =>
    db
      .prepare(`SELECT ${columns} FROM ${table}`)
      .raw()
      .all()
      .map((row) => JSON.stringify(row))
      .toSorted();
  const [one, other] = [rows(left), rows(right)];
  expect(other.length, table).toBe(one.length);
  expect(
    other.find((row, at) => row !== one[at]),
    table,
  ).toBeUndefined();
}
