import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SystemCheck } from '../../../src/contract/app/app.ts';
import type { ContractOutputs } from '../../../src/contract/contract.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import {
  type CommandEnvironment,
  type CommandResult,
  cleanUpAfterFile,
  connectSandbox,
  run,
  type SandboxLine,
  startCommand,
  startSandboxCommand,
  temporaryFolder,
  waitForQuietExit,
} from '../run-tieout.ts';

type List<Row> = { rows: Row[]; next: string | null; total: { count: number; exact: boolean } | null };
type Webhook = ContractOutputs['webhooks']['get'];
type Statement = ContractOutputs['statements']['list']['rows'][number];
type StatusDocument = { sites: (ContractOutputs['sync']['status'] & { title: string })[] };

const afterwards = cleanUpAfterFile();
let service: SandboxLine;
let at: CommandEnvironment;

beforeAll(async () => {
  service = await startSandboxCommand(['--seed', '5', '--subscriptions', '20', '--months', '3'], afterwards);
  at = { home: temporaryFolder(afterwards), key: service.api_key };
  await connectSandbox(at, service);
});

const tieout = (...args: string[]): Promise<CommandResult> => runInProcess(args, at);
const document = <Document>(...args: string[]): Promise<Document> => runForDocument<Document>(args, at);
const list = <Row>(...args: string[]): Promise<List<Row>> => document(...args);
const splitLines = (text: string): string[] => text.trimEnd().split('\n');

describe('before the first sync', () => {
  test('status reports that nothing has been synced and names the next command', async () => {
    const { code, stdout } = await tieout('status');
    expect(code).toBe(0);
    expect(stdout).toContain('Acme (acme)');
    expect(stdout).toContain('tieout sync');
  });
});

describe('after a sync', () => {
  beforeAll(async () => {
    const synced = await document<ContractOutputs['sync']['run']>('sync');
    expect(synced).toMatchObject({ complete: true, problems: [], error: null });
    expect(synced.requests.total).toBeGreaterThanOrEqual(synced.requests.minimum);
    expect(Object.values(synced.requests.by_kind).reduce((sum, one) => sum + one, 0)).toBe(
      synced.requests.total,
    );
  });

  test('a second sync reports no new records', async () => {
    const { code, stdout, stderr } = await tieout('sync', '--quiet');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(splitLines(stdout).at(-1)).toBe('Complete.');
  });

  test('--only syncs only that part', async () => {
    const { requests } = await document<ContractOutputs['sync']['run']>('sync', '--only', 'statements');
    expect(Object.keys(requests.by_kind).join()).not.toMatch(/webhook|allocation/);
  });

  test('status shows stored and expected counts', async () => {
    const { sites } = await document<StatusDocument>('status');
    expect(sites).toHaveLength(1);
    const stored = Object.fromEntries(sites[0]!.parts.map(({ part, stored }) => [part, stored]));
    expect(stored).toMatchObject({
      webhooks: service.counts.webhooks,
      statements: service.counts.statements,
    });
    expect(sites[0]).toMatchObject({ site: 'acme', complete: true, running: null });
    expect((await tieout('status')).stdout).toMatch(/WEBHOOKS|webhooks .* yes/);
  });

  test('webhooks list returns each webhook once across pages', async () => {
    const seen: number[] = [];
    let after: string | null | undefined;
    do {
      const page: List<Webhook> = await list(
        'webhooks',
        'list',
        '--limit',
        '200',
        ...(after ? ['--after', after] : []),
      );
      if (!after) expect(page.total?.count).toBe(service.counts.webhooks);
      seen.push(...page.rows.map(({ id }) => id));
      after = page.next;
    } while (after);
    expect(new Set(seen).size).toBe(service.counts.webhooks);
    expect(seen).toHaveLength(service.counts.webhooks);
  });

  test('webhooks list filters and sorts', async () => {
    const failed = await list<Webhook>(
      'webhooks',
      'list',
      '--status',
      'failed',
      '--all',
      '--order',
      'oldest_first',
    );
    expect(failed.rows.length).toBe(service.counts.failed_webhooks);
    expect(failed.rows.every(({ successful }) => !successful)).toBe(true);
    const times = failed.rows.map(({ created_at }) => Date.parse(created_at ?? ''));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const day = failed.rows[0]!.created_at!.slice(0, 10);
    const { rows } = await list<Webhook>('webhooks', 'list', '--since', day, '--until', day, '--all');
    expect(rows.every(({ created_at }) => created_at?.startsWith(day))).toBe(true);
    expect(rows.length).toBeGreaterThan(0);
  });

  test('webhooks list supports NDJSON and CSV', async () => {
    const { rows } = await list<Webhook>('webhooks', 'list', '--limit', '7');
    const ndjson = await tieout('webhooks', 'list', '--limit', '7', '--ndjson');
    expect(splitLines(ndjson.stdout).map((line) => JSON.parse(line) as Webhook)).toEqual(rows);
    const csv = await tieout('webhooks', 'list', '--limit', '7', '--csv');
    const records = parse(csv.stdout, { columns: true }) as Record<string, string>[];
    expect(records.map(({ id }) => Number(id))).toEqual(rows.map(({ id }) => id));
    expect(Object.keys(records[0]!)).toEqual(Object.keys(rows[0]!));
  });

  test('a table ends with the number of rows and the next cursor', async () => {
    const { stdout, stderr } = await tieout('webhooks', 'list', '--limit', '3');
    expect(splitLines(stdout)).toHaveLength(4);
    expect(stderr).toMatch(/^3 of [\d,]+ webhooks\. Next page: --after \S+\n$/);
    const quiet = await tieout('webhooks', 'list', '--limit', '3', '--quiet');
    expect(quiet).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('closing the output pipe ends the command without an error', async () => {
    const child = startCommand(['webhooks', 'list', '--all', '--ndjson'], at);
    child.stdout?.destroy();
    expect(await waitForQuietExit(child)).toEqual({ code: 0, stderr: '' });
  });

  test('webhooks show prints the fields, the decoded body and the error', async () => {
    const { rows } = await list<Webhook>('webhooks', 'list', '--status', 'failed', '--limit', '1');
    const id = String(rows[0]!.id);
    const webhook = await document<Webhook>('webhooks', 'show', id);
    expect(webhook).toMatchObject({ id: rows[0]!.id, successful: false });
    expect(webhook.fields.length).toBeGreaterThan(0);
    const { stdout } = await tieout('webhooks', 'show', id);
    for (const word of [id, webhook.event, webhook.fields[0]!.key]) expect(stdout).toContain(word);
    expect(await runForError(['webhooks', 'show', '999999999'], at, 2)).toMatchObject({ code: 'not_found' });
  });

  test('webhooks errors groups failed webhooks', async () => {
    const { rows } = await list<ContractOutputs['webhooks']['errors'][number]>('webhooks', 'errors');
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(
      service.counts.failed_webhooks,
    );
    expect(rows.length).toBeGreaterThan(0);
    const group = rows[0]!;
    const same = await list<Webhook>('webhooks', 'list', '--error', group.error, '--all');
    expect(same.rows).toHaveLength(group.count);
  });

  test('statements list filters and prints totals', async () => {
    const all = await list<Statement>('statements', 'list', '--all');
    expect(all.rows).toHaveLength(service.counts.statements);
    expect(Object.keys((all as { sums?: object }).sums ?? {})).toEqual([
      'charges_in_cents',
      'payments_in_cents',
    ]);
    const states = async (...flags: string[]) => [
      ...new Set(
        (await list<Statement>('statements', 'list', '--all', ...flags)).rows.map(({ state }) => state),
      ),
    ];
    expect(await states('--paid')).toEqual(['paid']);
    expect(await states('--open')).toEqual(['open']);
    expect(await states('--closed')).not.toContain('open');
    expect(await states('--unpaid')).not.toContain('paid');
    const { subscription_id } = all.rows[0]!;
    const one = await list<Statement>(
      'statements',
      'list',
      '--all',
      '--subscription',
      String(subscription_id),
    );
    expect(one.rows.every((row) => row.subscription_id === subscription_id)).toBe(true);
    expect((await tieout('statements', 'list', '--limit', '2')).stderr).toMatch(/charges [\d,.]+, payments/);
    expect(await runForError(['statements', 'list', '--open', '--paid'], at, 2)).toMatchObject({
      code: 'validation',
    });
  });

  test('statements show prints figures, transactions, events and text', async () => {
    const { rows } = await list<Statement>('statements', 'list', '--paid', '--limit', '1');
    const statement = await document<ContractOutputs['statements']['get']>(
      'statements',
      'show',
      String(rows[0]!.id),
    );
    expect(statement.transactions.length).toBeGreaterThan(0);
    const { stdout } = await tieout('statements', 'show', String(statement.id));
    expect(stdout).toContain('opening balance (USD)');
    expect(stdout).toContain('transactions');
    expect(stdout).toContain(statement.customer_name);
  });

  test('statements pdf writes a complete file, the second time from the archive', async () => {
    const { rows } = await list<Statement>('statements', 'list', '--paid', '--limit', '1');
    const id = String(rows[0]!.id);
    const file = join(temporaryFolder(), 'statement.pdf');
    const written = await document<{ file: string; bytes: number; sha256: string }>(
      'statements',
      'pdf',
      id,
      '-o',
      file,
    );
    const bytes = readFileSync(file);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(written).toMatchObject({ file, bytes: bytes.length });
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(written.sha256);
    const stdout = await run(['statements', 'pdf', id, '-o', '-'], { home: at.home });
    expect(stdout.stdout.startsWith('%PDF-')).toBe(true);
    const nowhere = join(temporaryFolder(), 'no', 'such', 'folder.pdf');
    expect(await runForError(['statements', 'pdf', id, '-o', nowhere], at, 5)).toMatchObject({
      code: 'storage',
    });
  });

  test('transactions list filters and prints totals', async () => {
    type Transaction = ContractOutputs['transactions']['list']['rows'][number];
    const payments = await list<Transaction>('transactions', 'list', '--type', 'payment', '--all');
    expect(payments.rows.length).toBeGreaterThan(0);
    expect(payments.rows.every(({ transaction_type }) => transaction_type === 'payment')).toBe(true);
    const { stderr } = await tieout('transactions', 'list', '--type', 'payment', '--limit', '1');
    expect(stderr).toMatch(/ayment: [\d,]+, total -?[\d,.]+ USD/);
  });

  test('subscriptions list and show print subscriptions', async () => {
    type Subscription = ContractOutputs['subscriptions']['get'];
    const { rows } = await list<Subscription>('subscriptions', 'list', '--all');
    expect(rows).toHaveLength(service.counts.subscriptions);
    const id = rows[0]!.subscription_id;
    const shown = await document<Subscription & { latest_statements: Statement[]; components: unknown[] }>(
      'subscriptions',
      'show',
      String(id),
    );
    expect(shown).toMatchObject({ subscription_id: id });
    expect(shown.latest_statements.every((statement) => statement.subscription_id === id)).toBe(true);
    expect((await tieout('subscriptions', 'show', String(id))).stdout).toContain('latest statements');
  });

  test('allocations components, list and track show components and histories', async () => {
    type ComponentRow = ContractOutputs['allocations']['components']['rows'][number];
    const { rows } = await list<ComponentRow>('allocations', 'components', '--state', 'complete', '--all');
    const component = rows.find(({ allocations }) => allocations > 1)!;
    const named = [
      '--subscription',
      String(component.subscription_id),
      '--component',
      String(component.component_id),
    ];
    const history = await list<ContractOutputs['allocations']['list']['rows'][number]>(
      'allocations',
      'list',
      ...named,
      '--all',
    );
    expect(history.rows).toHaveLength(component.allocations);
    expect(history.rows[0]!.quantity).toBe(component.quantity);
    expect(await document<ComponentRow>('allocations', 'track', ...named)).toMatchObject({
      state: 'complete',
    });
    const missing = [
      'allocations',
      'track',
      '--subscription',
      String(component.subscription_id),
      '--component',
      '1',
    ];
    expect(await runForError(missing, at, 2)).toMatchObject({ message: expect.stringContaining('1') });
  });

  test('jobs list shows past jobs', async () => {
    const { rows } = await list<ContractOutputs['jobs']['get']>('jobs', 'list');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows[0]).toMatchObject({ site: 'acme', kind: expect.any(String) as string });
  });

  test('doctor reports passed checks', async () => {
    const doctor = await document<{ ok: boolean; checks: SystemCheck[]; home: string }>('doctor');
    expect(doctor.ok).toBe(true);
    expect(doctor.checks.map(({ name }) => name)).toContain('connection to Acme');
    expect((await tieout('doctor')).stdout).toContain('No problems found.');
  });

  test('only the owner can access the data directory', () => {
    expect(statSync(at.home).mode & 0o077).toBe(0);
  });
});

describe('tieout replay', () => {
  type Plan = ContractOutputs['replay']['plan'];
  type Job = ContractOutputs['replay']['get'];

  test('shows the outcome of each webhook in plan, run, status and report', async () => {
    const failed = await list<Webhook>(
      'webhooks',
      'list',
      '--status',
      'failed',
      '--limit',
      '5',
      '--order',
      'oldest_first',
    );
    const ids = failed.rows.map(({ id }) => id);
    const file = join(temporaryFolder(), 'ids.csv');
    writeFileSync(file, ['id', ...ids].join('\n'));
    const plan = await document<Plan>('replay', 'plan', '--ids-file', file);
    expect(plan.count).toBe(ids.length);
    const planned = await tieout('replay', 'plan', '--status', 'failed', '--event', failed.rows[0]!.event);
    expect(planned.stdout).toContain('Nothing has been sent yet');

    const job = await document<Job>('replay', 'run', plan.plan, '--mode', 'fast', '--batch-size', '50');
    expect(job).toMatchObject({ state: 'done', counts: { accepted: ids.length } });
    expect(await document<Job>('replay', 'status', job.job)).toMatchObject({ state: 'done' });
    expect((await list<Job>('replay', 'status')).rows.map((one) => one.job)).toContain(job.job);
    const report = await list<ContractOutputs['replay']['items']['rows'][number]>(
      'replay',
      'report',
      job.job,
    );
    expect(report.rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(report.rows.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    const csv = await tieout('replay', 'report', job.job, '--csv');
    expect((parse(csv.stdout, { columns: true }) as unknown[]).length).toBe(ids.length);
    const shown = await document<Webhook>('webhooks', 'show', String(ids[0]));
    expect(shown).toMatchObject({ delivery: 'accepted', replays: [{ job: job.job, outcome: 'accepted' }] });
    expect(await document<Plan>('replay', 'retry-failures', job.job)).toMatchObject({ count: 0 });
    expect((await tieout('replay', 'retry-failures', job.job)).stdout).toContain(
      'There are no webhooks to send.',
    );
  });

  test('reports an unknown plan, an unknown replay or a file without IDs', async () => {
    expect(await runForError(['replay', 'run', 'nothing'], at, 2)).toMatchObject({ code: 'not_found' });
    expect(await runForError(['replay', 'status', 'nothing'], at, 2)).toMatchObject({ code: 'not_found' });
    const file = join(temporaryFolder(), 'ids');
    writeFileSync(file, 'id\n');
    expect(await runForError(['replay', 'plan', '--ids-file', file], at, 2)).toMatchObject({
      code: 'validation',
    });
    expect(await runForError(['replay', 'plan', '--ids-file', `${file}x`], at, 2)).toMatchObject({
      code: 'validation',
    });
  });
});
