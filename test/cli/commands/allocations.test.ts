import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type {
  AllocationChange,
  AllocationDraft,
} from '../../../src/contract/allocations/allocation-changes.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import {
  type CommandEnvironment,
  cleanUpAfterFile,
  connectSandbox,
  run,
  temporaryFolder,
} from '../run-tieout.ts';

interface Document {
  readonly draft: AllocationDraft;
  readonly changes: AllocationChange[];
}

const SEATS = 277221;
const STORAGE = 277222;
const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;
let sandbox: Sandbox;
let subscriptions: number[];

beforeAll(async () => {
  sandbox = await startSandbox({ subscriptions: 12, months: 2, outage: false });
  afterwards(() => sandbox.close());
  at = { home: temporaryFolder(afterwards), key: sandbox.apiKey };
  await connectSandbox(at, sandbox.describe());
  await runForDocument(['sync'], at);
  subscriptions = [...sandbox.truth.components()]
    .filter(({ component_id }) => component_id === SEATS)
    .map(({ subscription_id }) => subscription_id);
});

const quantity = (subscription: number, component = SEATS) =>
  Number(
    sandbox.truth.allocations({ subscription_id: subscription, component_id: component })[0]?.['quantity'] ??
      0,
  );
const allocations = (code: number, ...args: string[]) =>
  runForDocument<Document>(['allocations', ...args], at, code);

test('allocations create shows a preview, and sends the change with --confirm', async () => {
  const [subscription] = subscriptions as [number];
  const before = quantity(subscription);
  const pair = ['--subscription', String(subscription), '--component', String(SEATS)];
  const wants = [...pair, '--quantity', String(before + 2), '--memo', 'Two more'];
  const ran = await runInProcess(['allocations', 'create', ...wants], at);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain('acme');
  expect(ran.stdout).toMatch(new RegExp(`${subscription} +${SEATS} .* ${before} +${before + 2} +upgrade`));
  expect(ran.stdout).toMatch(
    /Nothing has been sent\. Send the changes with: tieout allocations send \S+ --confirm/,
  );
  expect(quantity(subscription)).toBe(before);

  const draft = /send (\S+) --confirm/.exec(ran.stdout)?.[1] ?? '';
  const sent = await allocations(0, 'send', draft, '--confirm');
  expect(sent.draft).toMatchObject({ state: 'done', outcomes: { applied: 1 } });
  expect(quantity(subscription)).toBe(before + 2);
  const history = await runForDocument<{ rows: { memo: string; direction: string }[] }>(
    ['allocations', 'list', ...pair],
    at,
  );
  expect(history.rows[0]).toMatchObject({ memo: 'Two more', direction: 'upgrade', chained: true });
});

test('allocations create-many sends several changes in one request', async () => {
  const subscription = subscriptions[1] as number;
  const set = [SEATS, STORAGE].flatMap((component) => [
    '--set',
    `${component}=${quantity(subscription, component) + 1}`,
  ]);
  sandbox.requests.reset();
  const { draft } = await allocations(
    0,
    'create-many',
    '--subscription',
    String(subscription),
    ...set,
    '--confirm',
  );
  expect(draft).toMatchObject({ together: true, outcomes: { applied: 2 } });
  expect(sandbox.requests.byKind).toMatchObject({ allocate_many: 1 });
});

test('allocations import reports invalid lines, sends the valid ones and reports each outcome', async () => {
  const file = join(temporaryFolder(afterwards), 'changes.csv');
  const [a, b, c, d] = subscriptions.slice(2, 6) as [number, number, number, number];
  const rows = [
    `${a},${SEATS},${quantity(a) + 1},"Up, by one"`,
    `${b},${SEATS},${quantity(b)},no change`,
    `${c},${SEATS},many,`,
    `${d},${SEATS},4,`,
    `${d},${SEATS},5,`,
    `77,${SEATS},5,=1+1`,
  ];
  writeFileSync(file, `subscription_id;component_id;quantity;memo\n${rows.join('\n')}`.replaceAll(';', ','));
  const plan = await allocations(1, 'import', file);
  expect(plan.draft).toMatchObject({ count: 6, ready: 1 });
  expect(plan.changes.map(({ line, problem }) => [line, problem])).toEqual([
    [2, null],
    [3, 'no_change'],
    [4, 'unreadable'],
    [5, 'contradiction'],
    [6, 'contradiction'],
    [7, 'missing'],
  ]);
  expect(plan.changes[2]).toMatchObject({
    raw: rows[2],
    problem_text: expect.stringContaining('“many” is not a whole number'),
  });
  const sent = await allocations(0, 'send', plan.draft.draft, '--confirm');
  expect(sent.draft.outcomes.applied).toBe(1);
  const report = await runInProcess(['allocations', 'report', plan.draft.draft, '--csv'], at);
  expect(report.stdout.split('\r\n').filter(Boolean)).toHaveLength(7);
  expect(report.stdout).toContain(",'=1+1,");
});

test('a rejected allocation change exits with 1 and the reason', async () => {
  const [subscription] = subscriptions as [number];
  const wants = [
    '--subscription',
    String(subscription),
    '--component',
    String(SEATS),
    '--quantity',
    '999999999',
  ];
  const { changes } = await allocations(1, 'create', ...wants, '--confirm');
  expect(changes[0]?.error?.errors).toEqual(['Quantity: must be less than or equal to 100000.']);
  const { message } = await runForError(
    [
      'allocations',
      'create',
      ...wants.slice(0, 4),
      '--quantity',
      String(quantity(subscription)),
      '--confirm',
    ],
    at,
    2,
  );
  expect(message).toContain('has no change that can be sent');
  const file = join(temporaryFolder(afterwards), 'bank.csv');
  writeFileSync(file, 'date,amount\n2026-10-01,5.00\n');
  expect((await runForError(['allocations', 'import', file], at, 2)).message).toContain(
    'cannot be read as a change file',
  );
});

test('the command ends as soon as the change is applied, so that a script does not wait', async () => {
  const [subscription = 0] = subscriptions.slice(-1);
  const wanted = quantity(subscription) + 3;
  const startedAt = performance.now();
  const args = [
    'allocations',
    'create',
    '--subscription',
    String(subscription),
    '--component',
    String(SEATS),
  ];
  const { code } = await run([...args, '--quantity', String(wanted), '--confirm'], at);
  expect({ code, quantity: quantity(subscription) }).toEqual({ code: 0, quantity: wanted });
  // A forgotten timer kept the process alive for 60 s.
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});
