import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getDamagedPdfFolder, getPdfPath, getRegisterPath } from '../../../src/backend/archive/pdf-files.ts';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import type { Backend } from '../../../src/backend/shared/backend-start-options.ts';
import type { StoredPdf } from '../../../src/backend/store/archive/statement-pdf.ts';
import { prepareSql } from '../../../src/backend/store/sqlite/connection.ts';
import { type BackendClient, createBackendClient } from '../../../src/contract/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { FAST_TUNING, openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

/** Documents past every retention. */
let bench: WriterTestSite;
let reader: Backend;
let client: BackendClient;
beforeAll(async () => {
  bench = await openWriterTestSite({ subscriptions: 6, months: 3, now: '2012-06-15T12:00:00Z' });
  await bench.sync({ only: ['statements'] });
  await bench.sync({ only: ['pdf'] });
  reader = openBackendReader({
    home: bench.home,
    version: '0.0.0',
    shell: createMemoryShell(bench.keys),
    log: () => {},
  });
  client = createBackendClient({
    reader: reader.link,
    writer: { call: (...call) => bench.writer.link.call(...call) },
  });
});
afterAll(async () => {
  await reader.close();
  await bench.close();
});

const folder = () => join(bench.home, 'sites', SITE);
const pdfs = () =>
  prepareSql<StoredPdf>(bench.cache(), 'SELECT * FROM pdf ORDER BY statement_id, version').all();
const listArchivedFiles = async (only?: 'past_retention' | 'on_hold' | 'damaged') =>
  (await client.archive.files({ site: SITE, limit: 1000, ...(only ? { only } : {}) })).rows;

/** Opens the databases without the cache, as after its loss. */
async function loseCache(): Promise<void> {
  await bench.reopen();
  await bench.writer.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder(), `cache.db${suffix}`), { force: true });
  await bench.reopen();
}

test('a lost cache recovers every version and its dates from the register', async () => {
  // The statement was rendered while it was open and again after it was closed.
  const open = [...bench.sandbox.truth.statements()].find(({ closed_at }) => closed_at === null);
  await bench.client.statements.fetchPdf({ site: SITE, id: open?.['id'] as number });
  const first = pdfs().find(({ statement_id }) => statement_id === open?.['id']) as StoredPdf;
  bench.sandbox.advance({ months: 1 });
  await bench.sync({ only: ['webhooks', 'statements'] });
  await bench.sync({ only: ['pdf'] });
  const before = pdfs();
  expect(before.some(({ version }) => version > 1)).toBe(true);

  await loseCache();
  // A line truncated by a crash is skipped and does not damage later lines.
  appendFileSync(getRegisterPath(folder()), '\n{"statement_id":1,"vers');
  await bench.sync({ only: ['statements'] });
  expect(pdfs()).toEqual(before);
  bench.sandbox.requests.reset();
  await bench.sync({ only: ['pdf'] });
  expect(bench.sandbox.requests.total).toBe(0);
  expect(await client.statements.pdf({ site: SITE, id: first.statement_id, version: 1 })).toMatchObject({
    stored: true,
    sha256: first.sha256,
    file: { name: `statement-${first.statement_id}-version-1.pdf` },
  });
  expect(await client.statements.pdf({ site: SITE, id: first.statement_id, version: 9 })).toEqual({
    stored: false,
  });
  const file = (await listArchivedFiles()).find(({ statement }) => statement === first.statement_id);
  expect(file?.versions[0]).toMatchObject({
    version: 1,
    sha256: first.sha256,
    fetched_at: new Date(first.fetched_at).toISOString(),
  });
});

test('an archive without a register gets one, and missing files are reported', async () => {
  const before = pdfs();
  rmSync(getRegisterPath(folder()));
  await bench.reopen();
  await client.archive.names({ site: SITE });
  await bench.client.archive.retain({ site: SITE, years: 7, reason: 'As is the practice.' });
  expect(existsSync(getRegisterPath(folder()))).toBe(true);
  const lost = before.at(-1) as StoredPdf;
  rmSync(getPdfPath(folder(), lost.sha256));
  await loseCache();
  await bench.sync({ only: ['statements'] });
  expect(pdfs()).toEqual(before);
  expect((await listArchivedFiles('damaged')).map(({ statement }) => statement)).toEqual([lost.statement_id]);
  const mending = await client.archive.repair({ site: SITE });
  expect(await bench.waitForJob(mending.job)).toMatchObject({ state: 'done' });
  expect(existsSync(getPdfPath(folder(), lost.sha256))).toBe(true);
});

test('a file is retained for the set number of years, or longer until its hold is lifted', async () => {
  const all = await listArchivedFiles();
  const [one, two] = all as [(typeof all)[number], (typeof all)[number]];
  expect(one).toMatchObject({ past_retention: true, hold: null });
  expect(Number(one.kept_until?.slice(0, 4))).toBe(Number(one.date?.slice(0, 4)) + 7);
  await client.archive.retain({ site: SITE, years: null, reason: 'All of it is wanted.' });
  expect((await listArchivedFiles())[0]).toMatchObject({ past_retention: false, kept_until: null });
  expect(await listArchivedFiles('past_retention')).toEqual([]);
  await client.archive.retain({ site: SITE, years: 10, reason: 'As the law has it.' });
  expect(await client.archive.summary({ site: SITE })).toMatchObject({
    retention_years: 10,
    past_retention: all.length,
    on_hold: 0,
    oldest: one.date,
  });

  const stored = { site: SITE, statements: [one.statement], subscriptions: [two.subscription] };
  expect(await client.archive.hold({ ...stored, reason: 'Tax audit' })).toEqual({
    placed: 2,
  });
  expect(await client.archive.hold({ ...stored, reason: 'Tax audit' })).toEqual({ placed: 0 });
  const onHold = await listArchivedFiles('on_hold');
  expect(onHold.map(({ hold }) => hold)).toEqual(onHold.map(() => 'Tax audit'));
  expect(onHold.map(({ statement }) => statement).sort()).toEqual(
    all
      .filter((each) => each.statement === one.statement || each.subscription === two.subscription)
      .map(({ statement }) => statement)
      .sort(),
  );
  expect((await listArchivedFiles('past_retention')).length).toBe(all.length - onHold.length);

  const { rows: holds } = await client.archive.holds({ site: SITE });
  expect(holds).toHaveLength(2);
  const numbers = holds.map(({ hold }) => hold);
  await expect(
    client.archive.release({ site: SITE, holds: [...numbers, 99], reason: 'Over' }),
  ).rejects.toMatchObject({ code: 'not_found' });
  expect((await client.archive.holds({ site: SITE })).rows).toHaveLength(2);
  await client.archive.release({ site: SITE, holds: numbers, reason: 'The audit is over' });
  expect((await client.archive.holds({ site: SITE })).rows).toEqual([]);
  expect((await client.archive.holds({ site: SITE, lifted: true })).rows).toMatchObject([
    { lifted_reason: 'The audit is over' },
    { lifted_reason: 'The audit is over' },
  ]);
});

test('only PDFs past retention and without a hold are deleted, by a list as it was reviewed', async () => {
  const all = await listArchivedFiles();
  const [gone, stored, third] = all as [(typeof all)[number], (typeof all)[number], (typeof all)[number]];
  await client.archive.hold({ site: SITE, statements: [stored.statement], reason: 'A claim is pending' });
  const reviewList = (statements: number[]) => client.archive.deletable({ site: SITE, statements });
  const both = await reviewList([gone.statement, stored.statement, 1]);
  expect(both.refused).toEqual([
    { statement: 1, reason: 'The archive has no PDF of this statement.' },
    { statement: stored.statement, reason: 'On hold: A claim is pending' },
  ]);
  const remove = (statements: number[], list: string) =>
    client.archive.delete({ site: SITE, statements, list, reason: 'Past retention' });
  await expect(remove([stored.statement], (await reviewList([stored.statement])).list)).rejects.toMatchObject(
    {
      code: 'conflict',
      message: expect.stringContaining('A claim is pending'),
    },
  );
  const seen = await reviewList([gone.statement]);
  await expect(remove([gone.statement, third.statement], seen.list)).rejects.toMatchObject({
    code: 'conflict',
  });
  await client.archive.retain({ site: SITE, years: 100, reason: 'Longer' });
  await expect(remove([gone.statement], seen.list)).rejects.toMatchObject({
    message: expect.stringContaining('Retention ends on'),
  });
  await client.archive.retain({ site: SITE, years: 7, reason: 'As before' });
  const files = gone.versions.map(({ sha256 }) => getPdfPath(folder(), sha256));
  for (const file of files) expect(existsSync(file)).toBe(true);

  expect(await remove([gone.statement], seen.list)).toEqual({
    statements: 1,
    versions: gone.versions.length,
    bytes: gone.bytes,
  });
  for (const file of files) expect(existsSync(file)).toBe(false);
  expect((await listArchivedFiles()).map(({ statement }) => statement)).not.toContain(gone.statement);
  expect(await client.archive.summary({ site: SITE })).toMatchObject({ deleted: 1 });
  const entries = await client.audit.list({ site: SITE, filter: { subject: `statement ${gone.statement}` } });
  expect(entries.rows.map(({ action, reason }) => [action, reason])).toContainEqual([
    'archive.delete',
    'Past retention',
  ]);

  // No sync downloads it again, even after the loss of the cache. A manual download adds a further version.
  await bench.sync({ only: ['pdf'] });
  await bench.waitForJob((await client.archive.fetch({ site: SITE })).job);
  await loseCache();
  await bench.sync({ only: ['statements'] });
  await bench.sync({ only: ['pdf'] });
  expect(pdfs().map(({ statement_id }) => statement_id)).not.toContain(gone.statement);
  const id = gone.statement;
  await expect(client.statements.fetchPdf({ site: SITE, id })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Past retention'),
  });
  await client.statements.fetchPdf({ site: SITE, id, again: true });
  const again = pdfs().filter(({ statement_id }) => statement_id === gone.statement);
  expect(again.map(({ version }) => version)).toEqual([gone.versions.length + 1]);
});

test('a deletion interrupted by a crash is completed when the site is opened', async () => {
  const [file] = (await listArchivedFiles()).filter(({ hold }) => hold === null);
  const { statement, versions } = file as NonNullable<typeof file>;
  const [version] = versions as [(typeof versions)[number]];
  await bench.writer.close();
  const books = bench.writableBooks();
  prepareSql(
    books,
    `INSERT INTO archive_deleted (statement_id, version, sha256, bytes, deleted_at, deleted_by, reason)
     VALUES (?, ?, ?, ?, 0, 'anna', 'Past retention')`,
  ).run(statement, version.version, version.sha256, version.bytes);
  prepareSql(books, 'INSERT INTO archive_deletion_due VALUES (?)').run(statement);
  writeFileSync(getPdfPath(folder(), version.sha256), 'damaged');
  mkdirSync(getDamagedPdfFolder(folder()), { recursive: true });
  const aside = [`${version.sha256}.pdf`, `${version.sha256}-2.pdf`].map((name) =>
    join(getDamagedPdfFolder(folder()), name),
  );
  for (const path of aside) writeFileSync(path, 'damaged before');
  await bench.reopen();
  await bench.client.archive.retain({ site: SITE, years: 7, reason: 'Opens the site' });
  expect(pdfs().map(({ statement_id }) => statement_id)).not.toContain(statement);
  expect(existsSync(getPdfPath(folder(), version.sha256))).toBe(false);
  expect(aside.filter((path) => existsSync(path))).toEqual([]);
  expect(readFileSync(getRegisterPath(folder()), 'utf8')).toContain(`{"deleted":${statement}}`);
});

test('the archive is checked automatically, one thirtieth per day', async () => {
  let now = Date.UTC(2030, 0, 1);
  await bench.reopen({ ...FAST_TUNING, now: () => now, archiveCheckDelayMs: 0 });
  const files = new Set(pdfs().map(({ sha256 }) => sha256));
  const share = Math.ceil(files.size / 30);
  const [spoilt] = [...files].sort() as [string];
  writeFileSync(getPdfPath(folder(), spoilt), 'not what it was');
  const read = new Set<string>();
  for (let day = 0; day < 30; day++) {
    const today = now;
    await bench.reopen({ ...FAST_TUNING, now: () => today, archiveCheckDelayMs: 0 });
    await expect
      .poll(async () => (await client.archive.summary({ site: SITE })).daily_check, { interval: 5 })
      .toEqual({ due: 0, granted_at: new Date(today).toISOString() });
    const ofToday = prepareSql<string>(bench.books(), 'SELECT sha256 FROM archive_check WHERE checked_at = ?')
      .pluck()
      .all(today);
    expect(ofToday.length).toBe(share);
    for (const sha256 of ofToday) read.add(sha256);
    now += 86_400_000;
  }
  expect(read).toEqual(files);
  const { wrong } = await client.archive.summary({ site: SITE });
  expect(wrong).toMatchObject([{ sha256: spoilt, state: 'damaged' }]);
});
