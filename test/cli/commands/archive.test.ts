import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  ArchiveFile,
  ArchiveHold,
  ArchiveSummary,
  DeletionPreview,
} from '../../../src/contract/index.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../../backend/writer-test-site.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';

/** A site whose statement PDFs are all past retention. */
let bench: WriterTestSite;
const at = () => ({ home: bench.home, key: bench.sandbox.apiKey });
beforeAll(async () => {
  bench = await openWriterTestSite({ subscriptions: 4, months: 3, now: '2012-06-15T12:00:00Z' });
  await bench.sync({ only: ['statements'] });
  await bench.sync({ only: ['pdf'] });
  await bench.writer.close();
});
afterAll(async () => {
  await bench.reopen();
  await bench.close();
});

const archive = <Document>(args: readonly string[], code = 0) =>
  runForDocument<Document>(['archive', ...args, '--site', SITE], at(), code);
const files = async (...args: string[]) =>
  (await archive<{ rows: ArchiveFile[] }>(['files', '--all', ...args])).rows;

test('archive retention is shown, and changed with a reason', async () => {
  expect(await archive(['retention'])).toMatchObject({ retention_years: 7 });
  await runForError(['archive', 'retention', '--years', '10', '--site', SITE], at(), 2);
  expect(await archive(['retention', '--years', '10', '--reason', 'The law'])).toMatchObject({
    retention_years: 10,
    on_hold: 0,
  });
  expect(await archive<ArchiveSummary>(['status'])).toMatchObject({ retention_years: 10, deleted: 0 });
});

test('holds are placed by statement and by subscription, listed and released', async () => {
  const [first, second] = (await files()) as [ArchiveFile, ArchiveFile];
  const list = join(bench.home, 'list.csv');
  writeFileSync(list, `statement,customer\n${first.statement},Ada\n`);
  expect(
    await archive([
      'hold',
      '--ids-file',
      list,
      '--subscription',
      String(second.subscription),
      '--reason',
      'Claim',
    ]),
  ).toEqual({ placed: 2 });
  const { rows } = await archive<{ rows: ArchiveHold[] }>(['holds']);
  expect(rows.map(({ reason }) => reason)).toEqual(['Claim', 'Claim']);
  expect((await files('--on-hold')).map(({ statement }) => statement)).toContain(first.statement);
  const shown = await runInProcess(['archive', 'holds', '--site', SITE], at());
  expect(shown.stdout).toContain(`statement ${first.statement}`);
  await archive(['release', ...rows.map(({ hold }) => String(hold)), '--reason', 'Settled']);
  expect((await archive<{ rows: ArchiveHold[] }>(['holds'])).rows).toEqual([]);
  expect((await archive<{ rows: ArchiveHold[] }>(['holds', '--released'])).rows).toHaveLength(2);
});

test('a deletion shows a preview first and requires confirmation with a reason', async () => {
  const [gone, stored] = (await files('--past-retention')) as [ArchiveFile, ArchiveFile];
  await archive(['hold', String(stored.statement), '--reason', 'Claim']);
  const both = ['delete', String(gone.statement), String(stored.statement)];
  expect(await archive<DeletionPreview>([...both, '--confirm', '--reason', 'Old'], 1)).toMatchObject({
    deleted: false,
    refused: [{ statement: stored.statement, reason: 'On hold: Claim' }],
  });
  const one = ['delete', String(gone.statement)];
  expect(await archive(one)).toMatchObject({ deleted: false, statements: 1, refused: [] });
  expect((await files()).map(({ statement }) => statement)).toContain(gone.statement);
  await runForError(['archive', ...one, '--confirm', '--site', SITE], at(), 2);
  expect(await archive([...one, '--confirm', '--reason', 'Old'])).toMatchObject({
    deleted: true,
    statements: 1,
  });
  expect((await files()).map(({ statement }) => statement)).not.toContain(gone.statement);
});

test('saves any version of a PDF by its number', async () => {
  const [{ statement, versions }] = (await files()) as [ArchiveFile];
  const [first] = versions as [ArchiveFile['versions'][number]];
  const output = join(bench.outputs, 'first.pdf');
  const pdf = ['statements', 'pdf', String(statement), '--site', SITE, '--pdf-version'];
  expect(await runForDocument([...pdf, String(first.version), '-o', output], at())).toMatchObject({
    sha256: first.sha256,
  });
  expect(readFileSync(output)).toHaveLength(first.bytes);
  await runForError([...pdf, '99', '-o', output], at(), 2);
});

test('a full archive check reads every file again', async () => {
  const summary = await archive<ArchiveSummary>(['check', '--full']);
  expect(summary).toMatchObject({ wrong: [], lost: 0, checked: summary.files });
});
