import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBagText, withOpenBag } from '../../../src/backend/bagit/bag-reader.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import type { BackendClient, ClosedFigures, PeriodReport } from '../../../src/contract/index.ts';
import { type CanonicalJson, canonicalJson } from '../../../src/domain/periods/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from './period-bench.ts';

const atSite = { site: SITE };
const october = { site: SITE, period: '2026-10' };

let bench: PeriodBench;
let client: BackendClient;

beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements({ id: 7, on: '2026-10-05', cents: 1900 }, { id: 8, on: '2026-10-12', cents: 4900 });
  await bench.import(
    standardCsv([
      ['2026-10-06', '19.00', 'CARD', 'ch_x70'],
      ['2026-10-09', '3.00', 'NOBODY KNOWS'],
    ]),
  );
  await bench.match();
  await client.periods.open(october);
  await bench.sign('2026-10');
});
afterEach(() => bench.close());

/** Changes the books without the app's constraints, like another program or a damaged disk. */
function tamperWithBooks(work: (books: WritableDb) => void): void {
  const books = openStore(join(bench.home, 'sites', SITE, 'books.db'), 'books') as WritableDb;
  for (const name of [
    'closed_figures_chunk_no_update',
    'closed_figures_item_no_update',
    'closed_figures_no_update',
  ])
    books.exec(`DROP TRIGGER IF EXISTS ${name}`);
  work(books);
  closeStore(books);
}

type Chunk = { id: number; content: Buffer };
const readChunk = (books: WritableDb, kind: string) =>
  books.prepare<[string], Chunk>('SELECT id, content FROM closed_figures_chunk WHERE kind = ?').get(kind)!;

/** Changes the stored content of a chunk and, if `deep`, also its stored digest. */
function changeChunkText(
  books: WritableDb,
  kind: string,
  from: string,
  to: string,
  withDigest = false,
): string {
  const { id, content } = readChunk(books, kind);
  const before = inflateRawSync(content).toString();
  expect(before).toContain(from);
  const text = before.replace(from, to);
  books.prepare('UPDATE closed_figures_chunk SET content = ? WHERE id = ?').run(deflateRawSync(text), id);
  const sha256 = hash('sha256', text, 'hex');
  if (withDigest) books.prepare('UPDATE closed_figures_chunk SET sha256 = ? WHERE id = ?').run(sha256, id);
  return sha256;
}

/** Changes the closed figures and stores a digest that matches. */
function changeClosedFigures(
  books: WritableDb,
  change: (content: Omit<ClosedFigures, 'sha256'>) => void,
): void {
  const content = JSON.parse(
    books.prepare<[], string>('SELECT content FROM closed_figures').pluck().get()!,
  ) as Omit<ClosedFigures, 'sha256'>;
  change(content);
  const text = canonicalJson(content as unknown as CanonicalJson);
  books.prepare('UPDATE closed_figures SET content = ?, sha256 = ?').run(text, hash('sha256', text, 'hex'));
}

/** Returns what the window, the command line, the report and the evidence pack show about the damage. */
async function getReportedDamage() {
  const { qualifications } = await client.workpapers.get(october);
  const inWindow = qualifications.filter(({ kind }) => kind === 'damaged').map(({ message }) => message);
  const { remarks } = await client.periods.get(october);
  expect(remarks.map(({ message }) => message)).toEqual(inWindow);
  const { job } = await client.periods.compare(atSite);
  const { summary } = await bench.waitForJob(job);
  for (const message of inWindow) expect(summary).toContain(message);
  expect(summary?.includes('Damaged')).toBe(inWindow.length > 0);
  const path = join(bench.outputs, 'report.json');
  await client.reports.write({ ...october, format: 'json', path, replace: true });
  const report = JSON.parse(readFileSync(path, 'utf8')) as PeriodReport;
  expect(report.workpaper.qualifications).toEqual(qualifications);
  const csv = join(bench.outputs, 'report.csv');
  await client.reports.write({ ...october, format: 'csv', path: csv, replace: true });
  for (const message of inWindow) expect(readFileSync(csv, 'utf8')).toContain(message);
  const zip = join(bench.outputs, 'pack.zip');
  await bench.waitForJob((await client.packs.write({ ...october, path: zip, replace: true })).job);
  const [pack] = await client.packs.list(atSite);
  expect(pack?.not_as_signed).toEqual(inWindow);
  const packInfo = await withOpenBag(zip, ['data/pack.json'], (bag) =>
    readBagText(bag, 'data/pack.json', 1_000_000),
  );
  const about = JSON.parse(packInfo) as typeof report.workpaper;
  expect(about.qualifications).toEqual(qualifications);
  return { messages: inWindow, report };
}

it('reports nothing while the closed figures are intact', async () => {
  const { messages, report } = await getReportedDamage();
  expect(messages).toEqual([]);
  expect(report.outstanding.map(({ key }) => key)).toEqual(['line:2', 'payment:80']);
});

it('detects a changed list and does not show it as signed', async () => {
  tamperWithBooks((books) => changeChunkText(books, 'list outstanding', '300', '900'));
  const { messages, report } = await getReportedDamage();
  expect(messages).toEqual([
    'Damaged or tampered with: the list of outstanding items of 2026-10 as signed; 2 of its 2 rows were changed and are left out.',
  ]);
  expect(report.outstanding).toEqual([]);
});

it('distinguishes stored lists whose names begin with the name of another list', async () => {
  tamperWithBooks((books) => {
    // Two lists as a later version could store them: one has the name of the other as its beginning.
    const insert = books.prepare(
      `INSERT INTO closed_figures_chunk (closed_figures_id, kind, first_row, count, sha256, content)
        SELECT id, ?, 0, 1, ?, ? FROM closed_figures`,
    );
    const lists = ['audit', 'audit_notes'].map((list) => {
      const text = `${JSON.stringify({ list })}\n`;
      const sha256 = hash('sha256', text, 'hex');
      insert.run(`list ${list}`, sha256, deflateRawSync(text));
      return { list, count: 1, sha256 };
    });
    changeClosedFigures(books, (content) => content.lists.push(...lists));
  });
  const { messages } = await getReportedDamage();
  expect(messages).toEqual([
    'Damaged or tampered with: the closed figures of 2026-10, which differ from the audit log.',
  ]);
  tamperWithBooks((books) => changeChunkText(books, 'list audit_notes', 'notes', 'lists'));
  expect((await getReportedDamage()).messages.slice(1)).toEqual([
    'Damaged or tampered with: the list of audit_notes of 2026-10 as signed; 1 of its 1 rows were changed and are left out.',
  ]);
});

it('detects unreadable bytes', async () => {
  tamperWithBooks((books) => {
    for (const kind of ['list payments', 'statement', 'parts S2.payments USD'])
      books
        .prepare('UPDATE closed_figures_chunk SET content = ? WHERE id = ?')
        .run(Buffer.from('broken'), readChunk(books, kind).id);
  });
  const { messages } = await getReportedDamage();
  expect(messages.map((message) => message.split(';')[0])).toEqual([
    'Damaged or tampered with: the statements of 2026-10 as stored at closing',
    'Damaged or tampered with: the list of payments of 2026-10 as signed',
    'Damaged or tampered with: the rows behind the figures of 2026-10 as signed',
  ]);
  // A later sync reports no change of these rows, because their signed content is unknown.
  bench.addStatements({ id: 7, on: '2026-10-05', cents: 2000 });
  await bench.match();
  const { rows } = await client.periods.signOffChanges({ ...october });
  expect(rows.filter(({ kind }) => kind === 'statement')).toEqual([]);
  expect((await client.workpapers.rows({ ...october, currency: 'USD', figure: 'S2.payments' })).rows).toEqual(
    [],
  );
});

it('verifies the digests up to the audit log', async () => {
  // The digest of the chunk is correct, but that of the list is not.
  let sha256 = '';
  tamperWithBooks((books) => {
    sha256 = changeChunkText(books, 'list outstanding', '300', '900', true);
    books.exec("UPDATE closed_figures_item SET amount_in_cents = 900 WHERE item = 'line:2'");
  });
  expect((await getReportedDamage()).messages).toEqual([
    'Damaged or tampered with: the list of outstanding items of 2026-10 as signed.',
  ]);
  // The digests of the list and of the closed figures are correct, but the audit log contains a different one.
  tamperWithBooks((books) =>
    changeClosedFigures(books, ({ lists }) => {
      const list = lists.find((each) => each.list === 'outstanding')!;
      list.sha256 = sha256;
    }),
  );
  expect((await getReportedDamage()).messages).toEqual([
    'Damaged or tampered with: the closed figures of 2026-10, which differ from the audit log.',
  ]);
});

it('detects changed figures, a changed digest, and changed items brought forward', async () => {
  tamperWithBooks((books) =>
    books.exec(
      `UPDATE closed_figures SET signed = replace(signed, '"amount_in_cents":6800', '"amount_in_cents":6900')`,
    ),
  );
  expect((await getReportedDamage()).messages).toEqual([
    'Damaged or tampered with: the figures of 2026-10, which differ from the signed ones.',
  ]);
  tamperWithBooks((books) =>
    books.exec("UPDATE closed_figures_item SET amount_in_cents = 1 WHERE item = 'line:2'"),
  );
  expect((await getReportedDamage()).messages.at(-1)).toBe(
    'Damaged or tampered with: the items that 2026-10 brings forward, which differ from those outstanding at sign-off.',
  );
  tamperWithBooks((books) =>
    books.exec(`UPDATE closed_figures SET content = replace(content, '"2026-10"', '"2026-09"')`),
  );
  expect((await getReportedDamage()).messages[0]).toBe(
    'Damaged or tampered with: the closed figures of 2026-10.',
  );
  // Unreadable figures are rejected with a message, and are restored by reopening the period.
  tamperWithBooks((books) => books.exec("UPDATE closed_figures SET signed = 'x'"));
  await expect(client.workpapers.get(october)).rejects.toMatchObject({ code: 'corrupt' });
  await client.periods.reopen({ ...october, reason: 'It is damaged.' });
  expect((await client.periods.get(october)).state).toBe('open');
});
