import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBagText, withOpenBag } from '../../../src/backend/bagit/bag-reader.ts';
import { addException, addExceptionEntry } from '../../../src/backend/store/checks/exception.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { runInTransaction, type WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import {
  type DecisionDifference,
  type PackDecisions,
  packDecisionsSchema,
} from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';

const now = () => Date.UTC(2026, 10, 20, 12);
const october = { site: SITE, period: '2026-10' };
const on = { site: SITE };
const bank = standardCsv([
  ['2026-10-02', '19.00', 'CARD PAYMENT', 'ch_x10'],
  ['2026-10-06', '51.00', 'TRANSFER GLOBEX'],
  ['2026-10-09', '12.00', 'INTEREST'],
  ['2026-10-21', '77.00', 'UNKNOWN'],
  ['2026-10-22', '30.00', 'TRANSFER'],
  ['2026-10-28', '-3.00', 'ACCOUNT FEE'],
]);

let benches: PeriodBench[];
beforeEach(() => {
  benches = [];
});
afterEach(async () => {
  for (const bench of benches) await bench.close();
});

/** Creates a site with four statements, two exceptions and no decisions. */
async function createSite(): Promise<PeriodBench> {
  const bench = await openPeriodBench(now);
  benches.push(bench);
  bench.addStatements(
    { id: 1, on: '2026-10-01', cents: 1900 },
    { id: 2, on: '2026-10-03', cents: 4900 },
    { id: 3, on: '2026-10-20', cents: 3000 },
    { id: 4, on: '2026-10-30', cents: 800 },
  );
  await bench.client.audit.list({ site: SITE });
  await bench.client.bank.saveAccount({ ...on, name: 'Other', kind: 'bank', currency: 'USD' });
  inBooks(bench, (books) => {
    const links = { subscription: new Set([1]), statement: new Set([1]), webhook: new Set<number>() };
    for (const key of ['first', 'second']) {
      const id = addException(
        books,
        {
          key,
          rule: 'period-gap',
          severity: 'warning',
          across: false,
          subject: { subscription_id: 1 } as Parameters<typeof addException>[1]['subject'],
          dated_on: '2026-10-05',
          dated_at: Date.UTC(2026, 9, 5),
          expected_in_cents: null,
          actual_in_cents: null,
          difference_in_cents: 100,
          message: `The ${key} one.`,
          arithmetic: [],
          rows: [],
          members: [],
          links,
          evidence: `evidence of ${key}`,
        },
        now(),
      );
      addExceptionEntry(books, id, { at: now(), user: null, action: 'found', text: null, job: null });
    }
  });
  return bench;
}

function inBooks(bench: PeriodBench, work: (books: WritableDb) => void): void {
  const books = openStore(join(bench.home, 'sites', SITE, 'books.db'), 'books') as WritableDb;
  runInTransaction(books, () => work(books));
  closeStore(books);
}

/** Makes decisions of every kind: matches, notes, a write-off, exceptions and explanations of items. */
async function decide(bench: PeriodBench): Promise<void> {
  const { client } = bench;
  await bench.import(bank, { name: 'october.csv' });
  await client.match.saveRule({
    ...on,
    title: 'Fees',
    conditions: [{ field: 'description', is: 'contains', value: 'fee' }],
    action: { do: 'categorize', category: 'fee' },
  });
  await bench.match();
  await client.periods.open(october);
  const lines = new Map(
    (await client.bank.lines(on)).rows.map(({ id, amount_in_cents }) => [amount_in_cents, id]),
  );
  // A person undoes the match, so that the next run only suggests it.
  const [found] = (await client.match.list({ ...on, filter: { line: lines.get(3000)! } })).rows;
  await client.match.undo({ ...on, ids: [found!.id], reason: 'Not this one.' });
  await bench.match();
  const { rows: suggested } = await client.match.list({ ...on, filter: { status: ['suggested'] } });
  await client.match.decline({ ...on, ids: suggested.map(({ id }) => id), reason: 'Another customer.' });
  const made = await client.match.make({
    ...on,
    lines: [{ id: lines.get(5100)! }],
    transactions: [{ id: 20 }],
    adjustments: [{ category: 'fx', amount_in_cents: 200, reason: 'The rate.' }],
    reason: 'Globex, by phone.',
  });
  await client.comments.add({
    ...on,
    subjects: [{ kind: 'match', id: String(made.id) }],
    text: 'Asked Globex.',
  });
  await client.comments.add({
    ...on,
    subjects: [{ kind: 'line', id: String(lines.get(7700)!) }],
    text: 'Ask the bank.',
  });
  await client.comments.add({ ...on, subjects: [{ kind: 'payment', id: '40' }], text: 'Due in November.' });
  await client.match.writeOff({
    ...on,
    lines: [lines.get(1200)!],
    category: 'interest',
    reason: 'Interest.',
  });
  await client.exceptions.accept({ ...on, ids: [1], reason: 'Agreed with the customer.' });
  await client.comments.add({ ...on, subjects: [{ kind: 'exception', id: '2' }], text: 'Looked at.' });
  await client.exceptions.assign({ ...on, ids: [2], assigned: 'Cy' });
  await client.periods.explain({
    ...october,
    items: [`line:${lines.get(7700)}`],
    category: 'unknown',
    owner: 'Cy',
  });
  await client.periods.explain({ ...october, items: ['payment:40'], explanation: 'Paid in November.' });
}

async function writePack(bench: PeriodBench, name: string): Promise<string> {
  const path = join(bench.outputs, name);
  const { job } = await bench.client.packs.write({ ...october, path });
  expect((await bench.waitForJob(job)).error).toBeNull();
  return path;
}

async function readDecisions(path: string) {
  const file = 'data/decisions.json';
  const text = await withOpenBag(path, [file], (bag) => readBagText(bag, file, 10_000_000));
  return packDecisionsSchema.parse(JSON.parse(text));
}

/** Returns the decisions without ids and paths that differ between two sites or packs. */
const toPortable = ({ made_at: _made, imports, items, matches, ...rest }: PackDecisions) => ({
  ...rest,
  matches: matches.map(({ key, ...match }) => ({ ...match, byHand: key === null })),
  imports: imports.map(({ path: _path, ...source }) => source),
  items: items.map(({ key, ...item }) => ({ ...item, key: item.line === null ? key : 'line' })),
});

const countStates = ({ parts }: DecisionDifference) =>
  Object.fromEntries(
    parts.map(({ part, same, missing, different, not_stored }) => [
      part,
      [same, missing, different, not_stored],
    ]),
  );
const compare = (bench: PeriodBench, path: string) => bench.client.packs.compareDecisions({ ...on, path });
const restore = (bench: PeriodBench, path: string, { fingerprint }: DecisionDifference) =>
  bench.client.packs.restoreDecisions({ ...on, path, fingerprint, reason: 'The disk failed.' });

it('restores all decisions into empty books, and nothing when repeated', async () => {
  const first = await createSite();
  await decide(first);
  const path = await writePack(first, 'first.zip');
  const written = await readDecisions(path);
  expect(written.matches.map(({ status, rule }) => `${status} ${rule}`).toSorted()).toEqual([
    'confirmed gateway-id',
    'confirmed manual',
    'confirmed user-rule',
    'confirmed write-off',
    'declined amount-date',
  ]);
  expect(countStates(await compare(first, path))).toEqual({
    imports: [1, 0, 0, 0],
    rules: [1, 0, 0, 0],
    matches: [written.matches.length, 0, 0, 0],
    exceptions: [2, 0, 0, 0],
    items: [2, 0, 0, 0],
    comments: [4, 0, 0, 0],
  });

  const second = await createSite();
  // Gives the lines other ids than in the first site.
  await second.import(standardCsv([['2026-11-02', '1.00', 'LATER']]), {
    name: 'later.csv',
    account: 'Other',
  });
  const shown = await compare(second, path);
  expect(countStates(shown)).toEqual({
    imports: [0, 1, 0, 0],
    rules: [0, 1, 0, 0],
    matches: [0, written.matches.length, 0, 0],
    exceptions: [0, 2, 0, 0],
    items: [0, 2, 0, 0],
    comments: [0, 4, 0, 0],
  });
  expect((await second.client.bank.lines(on)).rows).toHaveLength(1);
  const done = await restore(second, path, shown);
  expect(done.restored).toBe(shown.missing);
  expect(countStates(done.difference)).toEqual(countStates(await compare(first, path)));
  const again = await readDecisions(await writePack(second, 'second.zip'));
  expect(again.items.map(({ key }) => key)).not.toEqual(written.items.map(({ key }) => key));
  expect(toPortable(again)).toEqual(toPortable(written));
  expect(await second.client.audit.verify(on)).toMatchObject({ ok: true });
  const { rows } = await second.client.audit.list({ ...on, filter: { action: 'match.restore' } });
  expect(rows[0]).toMatchObject({ user: 'ada', reason: 'The disk failed.', detail: { pack: '2026-10' } });

  const entries = async () => (await second.client.audit.verify(on)).entries;
  const before = await entries();
  expect(await restore(second, path, done.difference)).toMatchObject({ restored: 0, saved_as: null });
  expect(await entries()).toBe(before);
  // A run reproduces the restored matches and leaves them unchanged.
  const groups = async () =>
    (await second.client.match.list(on)).rows.map(({ id, status, rule }) => ({ id, status, rule }));
  const restored = await groups();
  await second.match();
  expect(countStates(await compare(second, path))).toEqual(countStates(done.difference));
  expect(await groups()).toEqual(restored);
  // Restoring the backup undoes all restored decisions.
  const from = { name: String(done.saved_as) };
  const { fingerprint: back } = await second.client.backups.compare({ ...on, from });
  const { check } = await second.client.backups.restore({
    ...on,
    from,
    fingerprint: back,
    reason: 'Not needed.',
  });
  if (check !== null) await second.waitForJob(check);
  expect((await second.client.match.list(on)).rows).toEqual([]);
});

it('keeps decisions that differ, and gives the reason for each decision that is not restored', async () => {
  const first = await createSite();
  await decide(first);
  const path = await writePack(first, 'first.zip');
  const second = await createSite();
  second.removeStatements(1);
  inBooks(second, (books) => books.exec("UPDATE exception SET evidence = 'other' WHERE key = 'first'"));
  await second.import(bank, { name: 'october.csv' });
  const { client } = second;
  await client.periods.open(october);
  const line = (await client.bank.lines(on)).rows.find(({ amount_in_cents }) => amount_in_cents === 5100)!;
  await client.match.writeOff({ ...on, lines: [line.id], category: 'loan', reason: 'A loan.' });
  await client.periods.explain({ ...october, items: ['payment:40'], explanation: 'A mistake.' });
  const shown = await compare(second, path);
  const reason = shown.parts.flatMap(({ items }) => items.flatMap(({ reason: each }) => each ?? []));
  expect(reason).toEqual(
    expect.arrayContaining([
      'Payment 10 is not stored on this site.',
      'The line booked on 2026-10-06 in “Main”, 51.00 USD belongs to another match on this site.',
      'The match of this comment on this site differs from the match in the pack.',
      'The exception’s supporting records differ from the accepted ones.',
      'ada explained the item differently on this site.',
    ]),
  );
  const done = await restore(second, path, shown);
  expect(done.difference.missing).toBe(0);
  const countConflicts = (difference: DecisionDifference) =>
    difference.parts.map(({ different, not_stored }) => [different, not_stored]);
  expect(countConflicts(done.difference)).toEqual(countConflicts(shown));
  const [loan] = (await client.match.list({ ...on, filter: { line: line.id } })).rows;
  expect(loan).toMatchObject({ status: 'confirmed', adjustments: [{ category: 'loan' }] });
});

it('writes all decisions or none, and resumes after a failure', async () => {
  const first = await createSite();
  await decide(first);
  const path = await writePack(first, 'first.zip');
  const second = await createSite();
  // The last write fails, as on a full disk.
  inBooks(second, (books) =>
    books.exec(
      "CREATE TRIGGER full BEFORE INSERT ON item_explanation BEGIN SELECT RAISE(ABORT, 'full'); END",
    ),
  );
  await expect(restore(second, path, await compare(second, path))).rejects.toThrow();
  inBooks(second, (books) => books.exec('DROP TRIGGER full'));
  const remaining = await compare(second, path);
  expect(countStates(remaining)).toMatchObject({
    imports: [1, 0, 0, 0],
    rules: [0, 1, 0, 0],
    items: [0, 2, 0, 0],
  });
  expect((await second.client.match.list(on)).rows).toEqual([]);
  expect((await second.client.audit.list({ ...on, filter: { action: 'match' } })).rows).toEqual([]);
  const { difference } = await restore(second, path, remaining);
  expect(countStates(difference)).toEqual(countStates(await compare(first, path)));
});

it('rejects a changed pack, a pack of another site, and a restore into a closed period', async () => {
  const first = await createSite();
  await decide(first);
  const path = await writePack(first, 'first.zip');
  const bytes = readFileSync(path);
  bytes[bytes.indexOf('TRANSFER GLOBEX')] = 'x'.charCodeAt(0);
  const changed = join(first.home, 'changed.zip');
  writeFileSync(changed, bytes);
  await expect(compare(first, changed)).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('data/sources/1-october.csv'),
  });
  const csv = join(first.home, 'no.zip');
  writeFileSync(csv, bank);
  await expect(compare(first, csv)).rejects.toMatchObject({ code: 'validation' });

  const second = await createSite();
  const shown = await compare(second, path);
  await second.import(standardCsv([['2026-11-02', '1.00', 'LATER']]), {
    name: 'later.csv',
    account: 'Other',
  });
  await second.client.comments.add({ ...on, subjects: [{ kind: 'exception', id: '1' }], text: 'Meanwhile.' });
  await second.client.exceptions.assign({ ...on, ids: [2], assigned: 'Dee' });
  await expect(restore(second, path, shown)).rejects.toMatchObject({
    code: 'conflict',
    message: /changed after the comparison/,
  });
  await second.client.periods.open(october);
  expect((await second.sign('2026-10')).error).toBeNull();
  const locked = await compare(second, path);
  expect(locked.locked).toBe(true);
  await expect(restore(second, path, locked)).rejects.toMatchObject({
    code: 'period_locked',
    data: { hint: expect.stringContaining('reopen 2026-10') },
  });
  await second.client.sites.update({ ...on, base_url: 'https://globex.example.com' });
  await expect(compare(second, path)).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringContaining('The pack is from acme at https://acme.example.com'),
  });
});
