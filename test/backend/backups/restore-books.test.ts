import {
  appendFileSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  migrateStore,
  type SchemaMigration,
  schemaMigrations,
  sqliteApplicationIds,
} from '../../../src/backend/store/migrations/migrate.ts';
import { openSqlite, type WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import { lockFile } from '../../../src/backend/store/sqlite/file-lock.ts';
import type { BooksDifference } from '../../../src/contract/index.ts';
import { type BankBench, openBankBench, SITE, standardCsv } from '../bank/bank-bench.ts';

const site = SITE;
let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
  bench.replacePayments([
    { id: 70_000_001, amount: 1900, on: '2026-10-01', gateway: 'ch_1f70000001' },
    { id: 70_000_002, amount: 4900, on: '2026-10-02', gateway: 'ch_1f70000002' },
  ]);
});
afterEach(() => bench.close());

const october = standardCsv([['2026-10-02', '19.00', 'CARD PAYMENT', 'ch_1f70000001']]);
const later = standardCsv([['2026-10-03', '49.00', 'CARD PAYMENT', 'ch_1f70000002']]);
const folder = () => join(bench.home, 'sites', site);
const books = () => join(folder(), 'books.db');

/** Creates books and a backup, then an import, a match and a note that the backup does not have. Returns its name. */
async function createBackupAndChanges(): Promise<string> {
  await bench.import(october, { name: 'october.csv' });
  await bench.match();
  const { name } = await bench.client.backups.make({ site });
  await bench.import(later, { name: 'later.csv' });
  await bench.match();
  await bench.client.comments.add({
    site,
    subjects: [{ kind: 'match', id: '1' }],
    text: 'Looked at with Ada.',
  });
  return name;
}

const counts = ({ parts }: BooksDifference) =>
  Object.fromEntries(
    parts
      .filter(({ lost, restored: back, changed }) => lost !== 0 || back !== 0 || changed !== 0)
      .map(({ part, lost, restored: back, changed }) => [part, [lost, back, changed]]),
  );
const compare = (name: string) => bench.client.backups.compare({ site, from: { name } });
const restore = (name: string, { fingerprint }: BooksDifference, reason = 'Wrong file.') =>
  bench.client.backups.restore({ site, from: { name }, fingerprint, reason });
const groups = async () => (await bench.client.match.list({ site })).total?.count;

it('shows the differences, restores a backup completely, and preserves the replaced books as a backup', async () => {
  const name = await createBackupAndChanges();
  const difference = await compare(name);
  expect(difference).toMatchObject({ books: 'intact', same: false, audit_problem: null });
  expect(counts(difference)).toMatchObject({ matches: [1, 0, 0], imports: [1, 0, 0], notes: [1, 0, 0] });
  expect(difference.parts.find(({ part }) => part === 'imports')?.items).toMatchObject([
    { change: 'lost', text: 'later.csv, 1 lines', user: 'ada' },
  ]);
  expect(difference.parts.find(({ part }) => part === 'matches')?.items).toMatchObject([
    { change: 'lost', amount_in_cents: 4900, currency: 'USD' },
  ]);
  expect(await groups()).toBe(2);

  const { saved_as, check } = await restore(name, difference);
  expect(check).not.toBeNull();
  await bench.waitForJob(check!);
  expect(await groups()).toBe(1);
  expect(await bench.client.audit.verify({ site })).toMatchObject({ ok: true });
  const { rows } = await bench.client.audit.list({ site, filter: { action: 'backups.restore' } });
  expect(rows).toMatchObject([
    {
      user: 'ada',
      subject: name,
      reason: 'Wrong file.',
      detail: { saved_as, difference: { matches: { lost: 1 } } },
    },
  ]);

  const back = await compare(saved_as);
  expect(counts(back)).toMatchObject({
    matches: [0, 1, 0],
    imports: [0, 1, 0],
    notes: [0, 1, 0],
    audit: [1, expect.any(Number), 0],
  });
  await bench.waitForJob((await restore(saved_as, back)).check!);
  expect(await groups()).toBe(2);
  await bench.reopen();
  expect(await bench.client.audit.verify({ site })).toMatchObject({ ok: true });
  const subject = { kind: 'match', id: '1' } as const;
  expect(await bench.client.comments.list({ site, subject })).toMatchObject([
    { text: 'Looked at with Ada.' },
  ]);
});

it('changes nothing if the books have changed since the comparison or are in use', async () => {
  const name = await createBackupAndChanges();
  const difference = await compare(name);
  await bench.client.comments.add({ site, subjects: [{ kind: 'match', id: '1' }], text: 'One more.' });
  await expect(restore(name, difference)).rejects.toMatchObject({
    code: 'conflict',
    message: /not as they were/,
  });
  const now = await compare(name);
  const lock = lockFile(join(folder(), 'writer.lock'));
  await expect(restore(name, now)).rejects.toMatchObject({ code: 'conflict', message: /being worked on/ });
  lock?.release();
  const other = openSqlite(books());
  other.exec('BEGIN IMMEDIATE');
  await expect(restore(name, now)).rejects.toMatchObject({ code: 'conflict' });
  other.exec('ROLLBACK');
  other.close();
  expect(await groups()).toBe(2);
  expect((await bench.client.audit.list({ site, filter: { action: 'backups' } })).rows).toEqual([]);
  expect(readdirSync(join(folder(), 'backups')).filter((each) => each.endsWith('.new'))).toEqual([]);
  await restore(name, now);
  expect(await groups()).toBe(1);
});

it('replaces damaged books, preserves them and shows how many entries they had', async () => {
  const name = await createBackupAndChanges();
  await bench.reopen();
  await bench.client.comments.add({
    site,
    subjects: [{ kind: 'match', id: '1' }],
    text: 'After the last copy.',
  });
  await bench.reopen();
  const file = openSync(books(), 'r+');
  writeSync(file, Buffer.alloc(8192, 0x5a), 0, 8192, 4096);
  const damaged = readFileSync(books());
  await bench.reopen();
  await expect(
    bench.client.comments.add({ site, subjects: [{ kind: 'match', id: '1' }], text: 'Does not go.' }),
  ).rejects.toMatchObject({
    code: 'corrupt',
  });
  expect((await bench.client.backups.list({ site })).problem).toContain('damaged');

  const difference = await compare(name);
  expect(difference).toMatchObject({
    books: 'damaged',
    damage: expect.any(String),
    anchor: { entries: expect.any(Number) },
  });
  const [newest] = (await bench.client.backups.list({ site })).copies;
  const best = await compare(newest!.name);
  const { saved_as } = await restore(newest!.name, best, 'The disk failed.');
  expect(readFileSync(join(folder(), saved_as))).toEqual(damaged);
  expect(await groups()).toBe(2);
  expect((await bench.client.backups.list({ site })).problem).toBeNull();
  expect(await bench.client.audit.verify({ site })).toMatchObject({ ok: true });
});

it('rejects a file that is damaged, of another site, of a newer version or no backup', async () => {
  const name = await createBackupAndChanges();
  const { copies } = await bench.client.backups.list({ site });
  expect(copies[0]).toMatchObject({ name, reason: 'manual', problem: null, entries: expect.any(Number) });
  const made = join(folder(), 'backups', name);
  const spoilt = join(bench.home, 'spoilt.db');
  copyFileSync(made, spoilt);
  const file = openSync(spoilt, 'r+');
  writeSync(file, Buffer.alloc(4096, 1), 0, 4096, statSync(spoilt).size - 4096);
  const newer = join(bench.home, 'newer.db');
  copyFileSync(made, newer);
  const future = openSqlite(newer);
  future.pragma('user_version = 999');
  future.close();
  const text = join(bench.home, 'text.db');
  writeFileSync(text, 'no database, but long enough to be looked at as one');
  const foreign = join(bench.home, 'foreign.db');
  copyFileSync(made, foreign);
  const other = openSqlite(foreign);
  for (const trigger of ['no_update', 'chain_insert']) other.exec(`DROP TRIGGER audit_${trigger}`);
  other.exec("UPDATE audit SET action = 'sites.add', subject = 'globex' WHERE seq = 1");
  other.close();
  const unkept = join(bench.home, 'unkept.db');
  copyFileSync(made, unkept);
  const without = openSqlite(unkept);
  without.exec('DROP TRIGGER audit_no_update');
  without.close();
  for (const [path, code] of [
    [unkept, 'corrupt'],
    [spoilt, 'corrupt'],
    [newer, 'storage'],
    [text, 'corrupt'],
    [foreign, 'validation'],
    [join(bench.home, 'none.db'), 'not_found'],
  ] as const) {
    await expect(bench.client.backups.compare({ site, from: { path } }), path).rejects.toMatchObject({
      code,
    });
  }
  await expect(compare('../books.db')).rejects.toMatchObject({ code: 'not_found' });
  appendFileSync(join(folder(), 'backups', 'books-20260101T000000000Z.db'), 'cut off');
  const listed = (await bench.client.backups.list({ site })).copies.at(-1);
  expect(listed).toMatchObject({ reason: 'start', problem: 'It is damaged.' });
});

it('copies the books to a file, and overwrites an existing one only on request', async () => {
  await createBackupAndChanges();
  const path = join(bench.outputs, 'my books.db');
  const copy = await bench.client.backups.make({ site, path });
  expect(copy).toMatchObject({ name: path, problem: null });
  await expect(bench.client.backups.make({ site, path })).rejects.toMatchObject({ code: 'conflict' });
  await bench.client.backups.make({ site, path, replace: true });
  const difference = await bench.client.backups.compare({ site, from: { path } });
  expect(difference.same).toBe(true);
  await expect(
    bench.client.backups.make({ site, path: join(bench.outputs, 'no', 'folder', 'books.db') }),
  ).rejects.toMatchObject({ code: 'storage' });
});

it('leaves the books unchanged if their folder is not writable', async () => {
  await createBackupAndChanges();
  const copies = join(folder(), 'backups');
  renameSync(copies, `${copies}-away`);
  writeFileSync(copies, 'in the way');
  await expect(bench.client.backups.make({ site })).rejects.toMatchObject({ code: 'storage' });
  const [name] = readdirSync(`${copies}-away`);
  const path = join(`${copies}-away`, name!);
  await expect(bench.client.backups.compare({ site, from: { path } })).rejects.toMatchObject({
    code: 'storage',
  });
  expect(await groups()).toBe(2);
  rmSync(copies);
  renameSync(`${copies}-away`, copies);
  expect((await bench.client.backups.make({ site })).problem).toBeNull();
});

it('upgrades a backup of an earlier version when it is restored', async () => {
  await createBackupAndChanges();
  const path = join(bench.home, 'old.db');
  const old = openSqlite(path) as WritableDb;
  old.pragma(`application_id = ${sqliteApplicationIds.books}`);
  migrateStore(old, 'books');
  old.exec("INSERT INTO rule_switch VALUES ('period-gap', 1, 'ada', 'Noise.')");
  old.close();
  const before = readFileSync(path);
  const later = schemaMigrations.books as SchemaMigration[];
  later.push({ up: (db) => db.exec('CREATE INDEX rule_switch_at ON rule_switch (at)') });
  try {
    const difference = await bench.client.backups.compare({ site, from: { path } });
    expect(counts(difference)).toMatchObject({ matches: [2, 0, 0], rules: [1, 1, 0] });
    expect(difference.copy.version).toBe(1);
    const { fingerprint } = difference;
    await bench.client.backups.restore({
      site,
      from: { path },
      fingerprint,
      reason: 'From long ago.',
    });
    expect(readFileSync(path)).toEqual(before);
    const rules = await bench.client.check.rules({ site });
    expect(rules.find(({ rule }) => rule === 'period-gap')).toMatchObject({ enabled: false });
    expect(await bench.client.audit.verify({ site })).toMatchObject({ ok: true, entries: 1 });
  } finally {
    later.pop();
  }
});
