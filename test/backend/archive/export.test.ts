import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { getPdfPath } from '../../../src/backend/archive/pdf-files.ts';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import type { Backend } from '../../../src/backend/shared/backend-start-options.ts';
import {
  type ArchiveExport,
  type BackendClient,
  type ContractInputs,
  createBackendClient,
} from '../../../src/contract/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

let bench: WriterTestSite;
let reader: Backend;
let client: BackendClient;
beforeAll(async () => {
  bench = await openWriterTestSite({ subscriptions: 8, months: 4 });
  await bench.sync({ only: ['statements'] });
  await bench.sync({ only: ['pdf'] });
  reader = openBackendReader({
    home: bench.home,
    version: '0.0.0',
    shell: createMemoryShell(bench.keys),
    log: () => {},
  });
  client = createBackendClient({ reader: reader.link, writer: bench.writer.link });
});
afterAll(async () => {
  await reader.close();
  await bench.close();
});

function targetFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Plan = ContractInputs['archive']['plan'];
const planExport = (input: Partial<Plan> & Pick<Plan, 'target'>) =>
  client.archive.plan({ site: SITE, selection: { filter: {} }, ...input });

async function runExport({ export: id }: ArchiveExport): Promise<ArchiveExport> {
  const { job } = await client.archive.export({ site: SITE, export: id });
  const { state, error } = await bench.waitForJob(job);
  expect({ state, error }).toEqual({ state: 'done', error: null });
  return client.archive.get({ site: SITE, export: id });
}

const closed = () => [...bench.sandbox.truth.statements()].filter(({ closed_at }) => closed_at !== null);

test('an export contains the unchanged PDFs and an index of all selected statements', async () => {
  const folder = targetFolder();
  const planned = await planExport({ target: { kind: 'folder', path: folder } });
  const all = [...bench.sandbox.truth.statements()];
  expect(planned).toMatchObject({ state: 'planned', count: all.length, not_stored: 0 });
  expect(readdirSync(folder)).toEqual([]);

  const done = await runExport(planned);
  expect(done).toMatchObject({
    state: 'done',
    result: { written: closed().length, damaged: [], problems: 0 },
  });
  const index = parse<Record<string, string>>(readFileSync(join(folder, 'data/index.csv')), {
    columns: true,
  });
  expect(index.map(({ statement }) => Number(statement)).sort()).toEqual(all.map(({ id }) => id).sort());
  for (const row of index) {
    if (row['note'] !== '') expect(row).toMatchObject({ state: 'open', note: 'still open', file: '' });
    else {
      const bytes = readFileSync(join(folder, 'data', row['file'] ?? ''));
      expect(
        bytes.equals(readFileSync(getPdfPath(join(bench.home, 'sites', SITE), row['sha256'] ?? ''))),
      ).toBe(true);
    }
  }
  expect(JSON.parse(readFileSync(join(folder, 'data/index.json'), 'utf8'))).toHaveLength(all.length);
  const { ok, checksum } = await client.packs.verify({ path: folder });
  expect({ ok, checksum }).toEqual({ ok: true, checksum: done.result?.checksum });
});

test('an export plan fixes its statements and file names and is recorded in the audit log', async () => {
  const folder = targetFolder();
  const [one, two] = closed().map(({ id }) => id) as [number, number];
  const planned = await planExport({
    selection: { ids: [two, one, two, 1] },
    target: { kind: 'folder', path: folder },
    template: '{organization}/{closed:YYYY-MM}',
  });
  expect(planned).toMatchObject({
    count: 2,
    description: '3 selected statements',
    template: '{organization}/{closed:YYYY-MM}_{id}',
  });
  await runExport(planned);
  const entries = await client.audit.list({ site: SITE, filter: { subject: planned.export } });
  expect(entries.rows.map(({ action }) => action)).toEqual(['archive.export', 'archive.plan']);
});

test('a plan can be discarded, but not an export that was started', async () => {
  const planned = await planExport({ target: { kind: 'folder', path: targetFolder() } });
  const discard = () => client.archive.discard({ site: SITE, export: planned.export });
  await discard();
  const left = await client.archive.exports({ site: SITE });
  expect(left.map((each) => each.export)).not.toContain(planned.export);
  await expect(discard()).rejects.toMatchObject({ code: 'conflict' });
  const done = await runExport(await planExport({ target: { kind: 'folder', path: targetFolder() } }));
  await expect(client.archive.discard({ site: SITE, export: done.export })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('a repeated export writes only new and changed files', async () => {
  const folder = targetFolder();
  const target = { kind: 'folder' as const, path: folder };
  const [first, ...rest] = closed().map(({ id }) => id) as [number, ...number[]];
  await runExport(await planExport({ selection: { ids: rest.slice(0, 3) }, target }));
  const [pdf] = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('.pdf'),
  );
  const path = join(pdf?.parentPath ?? '', pdf?.name ?? '');
  const before = statSync(path);
  const again = await runExport(
    await planExport({ selection: { ids: [first, ...rest.slice(0, 2)] }, target }),
  );
  expect(again.result).toMatchObject({ written: 1, unchanged: 2, from_earlier_exports: 1, problems: 0 });
  expect(statSync(path).ino).toBe(before.ino);
});

test('merged volumes contain every page and an outline by customer', async () => {
  const folder = targetFolder();
  await runExport(await planExport({ target: { kind: 'folder', path: folder }, merged: true }));
  const volume = await PDFDocument.load(readFileSync(join(folder, 'data/volumes/statements-0001.pdf')));
  expect(volume.getPageCount()).toBe(closed().length);
  const outline = volume.catalog.lookup(PDFName.of('Outlines'));
  expect(String(outline)).toContain('/First');
});

test('an existing ZIP file is replaced only if requested', async () => {
  const path = join(targetFolder(), 'october.zip');
  const { result } = await runExport(await planExport({ target: { kind: 'zip', path } }));
  expect(result).toMatchObject({ written: closed().length, problems: 0 });
  await expect(planExport({ target: { kind: 'zip', path } })).rejects.toMatchObject({ code: 'conflict' });
  await runExport(await planExport({ target: { kind: 'zip', path }, replace: true }));
});

test.each([
  [
    'template',
    { target: { kind: 'folder' as const, path: join(tmpdir(), 'x') }, template: '{nobody}' },
    'Unknown field {nobody}',
  ],
  ['target path', { target: { kind: 'folder' as const, path: 'here' } }, 'must be an absolute path'],
])('an invalid %s is rejected with the reason', async (_, input, sentence) => {
  await expect(planExport(input)).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringContaining(sentence),
  });
});

test('file names can be previewed before an export is planned', async () => {
  const names = await client.archive.names({ site: SITE, template: '{customer}', limit: 2 });
  expect(names.template).toBe('{customer}_{id}');
  for (const { id, name } of names.names) expect(name).toMatch(new RegExp(`^.+_${id}\\.pdf$`));
});

test('damaged and missing files are found, left out of an export, and repaired without losing the old bytes', async () => {
  const folder = join(bench.home, 'sites', SITE);
  const files = readdirSync(join(folder, 'archive'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.pdf'))
    .map((entry) => join(entry.parentPath, entry.name));
  const [damaged, missing] = files as [string, string];
  writeFileSync(damaged, 'not what it was');
  rmSync(missing);

  const { job } = await client.archive.check({ site: SITE, all: true });
  expect(await bench.waitForJob(job)).toMatchObject({
    summary: expect.stringContaining('1 damaged, 1 missing'),
  });
  const { wrong } = await client.archive.summary({ site: SITE });
  expect(wrong.map(({ state }) => state).sort()).toEqual(['damaged', 'missing']);

  const { result } = await runExport(await planExport({ target: { kind: 'folder', path: targetFolder() } }));
  expect(result).toMatchObject({ problems: 0 });
  expect(result?.damaged).toHaveLength(2);

  const mending = await client.archive.repair({ site: SITE });
  expect(await bench.waitForJob(mending.job)).toMatchObject({ state: 'done' });
  expect((await client.archive.summary({ site: SITE })).wrong).toEqual([]);
  const aside = readdirSync(join(folder, 'archive', 'damaged'));
  expect(readFileSync(join(folder, 'archive', 'damaged', aside[0] ?? ''), 'utf8')).toBe('not what it was');
  expect(existsSync(missing)).toBe(true);

  // After further damage, both damaged copies are stored.
  writeFileSync(damaged, 'not what it was, again');
  await bench.waitForJob((await client.archive.check({ site: SITE, all: true })).job);
  await bench.waitForJob((await client.archive.repair({ site: SITE })).job);
  const keptFiles = readdirSync(join(folder, 'archive', 'damaged')).map((name) =>
    readFileSync(join(folder, 'archive', 'damaged', name), 'utf8'),
  );
  expect(keptFiles.sort()).toEqual(['not what it was', 'not what it was, again']);
});

test('a check reads each file that was not checked for thirty days once', async () => {
  const again = await client.archive.check({ site: SITE });
  expect(await bench.waitForJob(again.job)).toMatchObject({
    summary: '0 files checked, all unchanged.',
  });
});
