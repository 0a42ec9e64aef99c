import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBagText, withOpenBag } from '../../../src/backend/bagit/bag-reader.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type {
  EvidencePackResult,
  PackVerification,
} from '../../../src/contract/evidence-packs/evidence-packs.ts';
import { packDecisionsSchema } from '../../../src/contract/evidence-packs/pack-decisions.ts';
import type { DecisionDifference } from '../../../src/contract/evidence-packs/pack-restore.ts';
import {
  type PeriodReport,
  periodReportSchema,
  type ReportFile,
} from '../../../src/contract/periods/reports.ts';
import type { Workpaper } from '../../../src/contract/periods/workpapers.ts';
import { addSite, insertPayments, standardCsv } from '../../backend/bank/bank-bench.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import { type CommandEnvironment, cleanUpAfterFile, temporaryFolder } from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;
let outputs: string;
const file = (name: string) => join(outputs, name);
const document = <Document>(code: number, ...args: string[]): Promise<Document> =>
  runForDocument<Document>(args, at, code);

const october = standardCsv([
  ['2026-10-02', '19.00', 'CARD PAYMENT', 'ch_1f70000001'],
  ['2026-10-05', '49.00', 'TRANSFER'],
  ['2026-10-09', '1000000.01', '=HYPERLINK("x") 株式会社'],
  ['2026-10-28', '-2.00', 'ACCOUNT FEE'],
]);

beforeAll(() => {
  outputs = temporaryFolder(afterwards);
  at = { home: temporaryFolder(afterwards) };
  addSite(at.home);
  const cache = openStore(join(at.home, 'sites', 'acme', 'cache.db'), 'cache');
  insertPayments(cache, [
    { id: 70_000_001, statement: 9001, amount: 1900, on: '2026-10-01', gateway: 'ch_1f70000001' },
    { id: 70_000_002, statement: 9002, amount: 4900, on: '2026-10-03' },
    { id: 70_000_003, statement: 9003, amount: 7700, on: '2026-10-30' },
  ]);
  closeStore(cache);
  writeFileSync(file('october.csv'), october);
});

describe('tieout report and pack', () => {
  test('a month without stored records proves nothing', async () => {
    const { explained, qualifications } = await document<Workpaper>(1, 'report', '--period', '2019-03');
    expect(explained).toBe(false);
    expect(qualifications[0]).toEqual({
      kind: 'empty',
      message: 'No stored record falls in the period, so the figures prove nothing.',
    });
  });

  test('write the same figures in all formats and an evidence pack that passes verification', async () => {
    await document(0, 'bank', 'import', file('october.csv'), '--account', 'Main', '--profile', 'standard');
    await document(0, 'match', 'run');
    const draft = await document<Workpaper>(1, 'report', '--period', '2026-10');
    const figure = (workpaper: Workpaper, id: string) =>
      workpaper.sections[0]?.schedules.flatMap(({ lines }) => lines).find((line) => line.id === id);
    expect(draft.explained).toBe(false);
    // A payment made the day before the as-of date counts as in transit and is explained.
    expect(figure(draft, 'S2.open')).toMatchObject({ amount_in_cents: -7700, unexplained: { count: 0 } });
    expect(figure(draft, 'S3.open')).toMatchObject({
      amount_in_cents: 100_000_001,
      unexplained: { count: 1 },
    });

    const {
      rows: [strange],
    } = await document<{ rows: { id: number }[] }>(0, 'bank', 'lines', '--search', '1000000.01');
    await document(
      0,
      'match',
      'categorize',
      '--lines',
      String(strange?.id),
      '--category',
      'loan',
      '--reason',
      'Bank loan',
    );
    const workpaper = await document<Workpaper>(0, 'report', '--period', '2026-10');
    expect(workpaper.explained).toBe(true);
    expect(workpaper.sections[0]?.schedules.map((each) => [each.id, each.difference_in_cents])).toEqual([
      ['S1', 0],
      ['S2', 0],
      ['S3', 0],
      ['S3-1', 0],
      ['S5', 0],
      ['S6', 0],
    ]);
    expect(figure(workpaper, 'S3.bank')?.amount_in_cents).toBe(100_000_001 + 1900 + 4900);

    const written = async (format: string) =>
      await document<ReportFile>(
        0,
        'report',
        '--period',
        '2026-10',
        '--format',
        format,
        '-o',
        file(`r.${format}`),
      );
    const files = [await written('json'), await written('csv'), await written('xlsx'), await written('pdf')];
    expect(files.map(({ digest }) => digest)).toEqual(Array(4).fill(workpaper.digest));
    expect(files[3]?.pages).toBeGreaterThan(9);
    const report: PeriodReport = periodReportSchema.parse(JSON.parse(readFileSync(file('r.json'), 'utf8')));
    const csv = readFileSync(file('r.csv'), 'utf8');
    for (const { lines } of report.workpaper.sections[0]?.schedules ?? [])
      for (const { id, amount_in_cents } of lines)
        expect(csv).toMatch(new RegExp(`,${id},.*,${amount_in_cents},`));
    expect(report.outstanding.map(({ key, category }) => [key, category])).toEqual([
      ['payment:70000003', 'in transit'],
    ]);
    expect(report.adjustments).toMatchObject([
      { category: 'loan', amount_in_cents: 100_000_001, reason: 'Bank loan' },
    ]);
    const refused = ['report', '--period', '2026-10', '-o', file('r.pdf')];
    await runForError(refused, at, 2);

    const pack = await document<EvidencePackResult>(
      0,
      'pack',
      '--period',
      '2026-10',
      '-o',
      file('evidence.zip'),
    );
    expect(pack).toMatchObject({ digest: workpaper.digest, problems: 0, damaged: [], not_stored: 0 });
    const verdict = await document<PackVerification>(0, 'verify', file('evidence.zip'));
    expect(verdict).toMatchObject({
      ok: true,
      checksum: pack.checksum,
      audit: { ok: true },
      pack: { site: 'acme', period: '2026-10', digest: workpaper.digest },
    });
    const bytes = readFileSync(file('evidence.zip'));
    expect(bytes.includes(october)).toBe(true);
    const decisionsFile = 'data/decisions.json';
    const text = await withOpenBag(file('evidence.zip'), [decisionsFile], (bag) =>
      readBagText(bag, decisionsFile, 1_000_000),
    );
    const kept = packDecisionsSchema.parse(JSON.parse(text));
    expect(kept.matches.filter(({ status }) => status === 'confirmed')).toHaveLength(3);
    expect(kept.imports).toMatchObject([
      { account: 'Main', file: 'october.csv', path: 'data/sources/1-october.csv' },
    ]);

    // The pack’s decisions can be restored. Matches that were removed together with their import are reported as missing.
    const restoring = (code: number, ...more: string[]) =>
      document<{ restored: number; difference: DecisionDifference }>(
        code,
        'restore',
        file('evidence.zip'),
        ...more,
      );
    expect(await restoring(0)).toMatchObject({ restored: 0, difference: { missing: 0, locked: false } });
    await document(0, 'bank', 'remove-import', '1', '--reason', 'A mistake.');
    const shown = await runInProcess(['restore', file('evidence.zip')], at);
    expect(shown).toMatchObject({ code: 1 });
    expect(shown.stdout).toMatch(/Matches +0 +3 +0 +0/);
    expect(shown.stdout).toContain('+ confirmed write-off, 2026-10-09');
    expect(shown.stdout).toContain('Nothing was changed.');
    await runForError(['restore', file('evidence.zip'), '--confirm'], at, 2);
    const missing = await restoring(1);
    const back = await restoring(0, '--confirm', '--reason', 'It was the right one.');
    expect(back.restored).toBe(missing.difference.missing);
    expect(back.difference.missing).toBe(0);
    expect(await document<Workpaper>(0, 'report', '--period', '2026-10')).toMatchObject({ explained: true });
    await restoring(0, '--confirm', '--reason', 'Once more.');

    // Exports for auditors come from the same figures, and existing files are replaced only if requested.
    for (const format of ['gobd', 'ads']) {
      const command = ['export', format, '--period', '2026-10', '-o', file(`${format}.zip`)];
      expect(await document<ReportFile>(0, ...command)).toMatchObject({ format, digest: workpaper.digest });
      await runForError(command, at, 2);
      await document<ReportFile>(0, ...command, '--replace');
    }

    // Verification detects a changed byte and names its file, and detects a changed audit log entry.
    bytes[bytes.indexOf('Bank loan')] = 'b'.charCodeAt(0);
    writeFileSync(file('changed.zip'), bytes);
    const changed = await document<PackVerification>(1, 'verify', file('changed.zip'));
    expect(changed.ok).toBe(false);
    expect(changed.problems.length).toBeGreaterThan(0);
    const damage = await runForError(['restore', file('changed.zip')], at, 5);
    expect(damage).toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining(changed.problems[0]!.path),
    });
  });
});
