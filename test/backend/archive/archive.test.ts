import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { getPdfPath } from '../../../src/backend/archive/pdf-files.ts';
import type { StoredPdf } from '../../../src/backend/store/archive/statement-pdf.ts';
import { prepareSql } from '../../../src/backend/store/sqlite/connection.ts';
import { listSyncProblems, listSyncRuns } from '../../../src/backend/store/sync/sync-status.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

let bench: WriterTestSite;
afterEach(() => bench.close());

const folder = () => join(bench.home, 'sites', SITE);
const listPdfFiles = () =>
  prepareSql<StoredPdf>(bench.cache(), 'SELECT * FROM pdf ORDER BY statement_id, version').all();
const incoming = () => {
  const path = join(folder(), 'archive', 'incoming');
  return existsSync(path) ? readdirSync(path) : [];
};

test('the PDFs of closed statements are archived under their checksums, with one request each', async () => {
  bench = await openWriterTestSite({ subscriptions: 8, months: 3 });
  await bench.sync({ only: ['statements'] });
  bench.sandbox.requests.reset();
  expect(await bench.sync({ only: ['pdf'] })).toMatchObject({ state: 'done' });
  const closed = [...bench.sandbox.truth.statements()].filter(({ closed_at }) => closed_at !== null);
  const stored = listPdfFiles();
  expect(stored.map(({ statement_id }) => statement_id)).toEqual(closed.map(({ id }) => id));
  for (const { sha256, bytes } of stored) {
    const content = readFileSync(getPdfPath(folder(), sha256));
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    expect(content.length).toBe(bytes);
    expect(statSync(getPdfPath(folder(), sha256)).mode & 0o777).toBe(0o600);
  }
  expect(bench.sandbox.requests.byKind).toEqual({ pdf: closed.length });
  expect(listSyncRuns(bench.cache(), 1)[0]).toMatchObject({
    complete: true,
    requests: { total: closed.length, minimum: closed.length },
    rows: { pdf: closed.length },
  });
  expect(incoming()).toEqual([]);

  bench.sandbox.requests.reset();
  await bench.sync({ only: ['pdf'] });
  expect(bench.sandbox.requests.total).toBe(0);
});

test('a PDF is downloaded on request and stored, and downloaded again if it is missing', async () => {
  bench = await openWriterTestSite({ subscriptions: 4, months: 2 });
  await bench.sync({ only: ['statements'] });
  const closed = [...bench.sandbox.truth.statements()].find(({ closed_at }) => closed_at !== null);
  const id = closed?.['id'] as number;
  bench.sandbox.requests.reset();
  const first = await bench.client.statements.fetchPdf({ site: SITE, id });
  expect(first).toMatchObject({
    stored: true,
    file: { name: `statement-${id}.pdf`, type: 'application/pdf' },
  });
  const again = await bench.client.statements.fetchPdf({ site: SITE, id });
  expect(again).toEqual(first);
  expect(bench.sandbox.requests.total).toBe(1);
  const [stored] = listPdfFiles();
  rmSync(getPdfPath(folder(), stored?.sha256 ?? ''));
  await bench.client.statements.fetchPdf({ site: SITE, id });
  expect(existsSync(getPdfPath(folder(), stored?.sha256 ?? ''))).toBe(true);
  await expect(bench.client.statements.fetchPdf({ site: SITE, id: 1 })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a truncated PDF, a web page or a failed response is not stored, and is retried later', async () => {
  bench = await openWriterTestSite({ subscriptions: 6, months: 3 });
  await bench.sync({ only: ['statements'] });
  bench.sandbox.setFaults({
    half_rate: 0.1,
    short_rate: 0.1,
    html_rate: 0.1,
    error_rate: 0.1,
    only: ['pdf'],
  });
  await bench.sync({ only: ['pdf'] });
  expect(incoming()).toEqual([]);
  for (const { sha256 } of listPdfFiles()) {
    expect(readFileSync(getPdfPath(folder(), sha256)).subarray(-1024).includes('%%EOF')).toBe(true);
  }
  bench.sandbox.setFaults({});
  await bench.sync({ only: ['pdf'] });
  const closed = [...bench.sandbox.truth.statements()].filter(({ closed_at }) => closed_at !== null);
  expect(listPdfFiles()).toHaveLength(closed.length);
  expect(listSyncProblems(bench.cache(), { limit: 10 }).rows).toEqual([]);
});

test('a changed rendering becomes a new version, and nothing is overwritten', async () => {
  bench = await openWriterTestSite({ subscriptions: 6, months: 3 });
  await bench.sync({ only: ['statements'] });
  const open = [...bench.sandbox.truth.statements()].find(({ closed_at }) => closed_at === null);
  const id = open?.['id'] as number;
  await bench.client.statements.fetchPdf({ site: SITE, id });
  bench.sandbox.advance({ months: 1 });
  await bench.sync({ only: ['webhooks', 'statements'] });
  await bench.client.statements.fetchPdf({ site: SITE, id });
  const versions = listPdfFiles().filter(({ statement_id }) => statement_id === id);
  expect(versions.map(({ version }) => version)).toEqual([1, 2]);
  for (const { sha256 } of versions) expect(existsSync(getPdfPath(folder(), sha256))).toBe(true);
});
