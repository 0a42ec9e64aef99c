import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readXlsx } from 'hucre';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ReportSource } from '../../../src/backend/period-report/report-source.ts';
import { renderReportXlsx } from '../../../src/backend/period-report/report-xlsx.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { computeWorkpaper } from '../../../src/backend/workpaper/workpaper.ts';
import { createStores, randomSite } from '../workpaper/random-site.ts';

const noRows = () => [];

async function randomReport(): Promise<ReportSource> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-xlsx-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const templates = { books: join(folder, 'b.db'), cache: join(folder, 'c.db') };
  for (const kind of ['books', 'cache'] as const) closeStore(openStore(templates[kind], kind));
  const [generated] = fc
    .sample(randomSite, { numRuns: 30, seed: 17 })
    .toSorted((a, b) => b.groups.length + b.statements.length - a.groups.length - a.statements.length);
  const site = await createStores(generated!, templates, folder);
  onTestFinished(site.close);
  const workpaper = computeWorkpaper(site, '2026-10', { now: 0, version: 'test' });
  return {
    workpaper,
    checklist: noRows,
    figure_comments: noRows,
    flux: noRows,
    bank_statements: noRows,
    ledger_imports: noRows,
    journal: noRows,
    outstanding: noRows,
    customers: noRows,
    deferred: noRows,
    adjustments: noRows,
    exceptions: noRows,
    matches: noRows,
    ipe_figures: noRows,
    ipe_sources: noRows,
    ipe_requests: noRows,
    changes: noRows,
    audit: noRows,
  };
}

/**
 * Returns the report with every total and difference wrong, so that only a spreadsheet that recalculates its formulas
 * shows correct ones.
 */
function withWrongTotals(source: ReportSource): ReportSource {
  const workpaper = structuredClone(source.workpaper);
  for (const { schedules } of workpaper.sections)
    for (const { lines } of schedules)
      for (const line of lines) if (line.sum !== null) line.amount_in_cents = 987_654_321;
  return { ...source, workpaper };
}

const amounts = ({ workpaper }: ReportSource) =>
  workpaper.sections.flatMap(({ currency, schedules }) =>
    schedules.flatMap(({ id, lines }) =>
      lines.map((line) => [`${id} ${currency}`, line.id, line.amount_in_cents] as const),
    ),
  );

/** Setting that makes LibreOffice recalculate every formula when it opens a workbook. */
const RECALCULATE_ALWAYS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>`;

describe('the workbook', () => {
  test('contains every figure and a formula for every total', async () => {
    const source = await randomReport();
    const { sheets } = await readXlsx(await renderReportXlsx(source));
    const cellOf = (sheet: string, figure: string) =>
      sheets.find(({ name }) => name === sheet)?.rows.find((row) => row[0] === figure)?.[2];
    for (const [sheet, figure, cents] of amounts(source))
      expect([figure, cellOf(sheet, figure)]).toEqual([figure, cents / 100]);
  });

  /** Long test, run with `TIEOUT_LONG=1`. Requires LibreOffice (`apt-get install libreoffice-calc-nogui`). */
  test.runIf(process.env['TIEOUT_LONG'] === '1')(
    'has the same totals when LibreOffice computes its formulas',
    async () => {
      expect(spawnSync('soffice', ['--version']).error, 'LibreOffice is not installed').toBeUndefined();
      const source = await randomReport();
      const folder = mkdtempSync(join(tmpdir(), 'tieout-office-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(join(folder, 'report.xlsx'), await renderReportXlsx(withWrongTotals(source)));
      const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1';
      const settings = join(folder, 'profile', 'user');
      mkdirSync(settings, { recursive: true });
      writeFileSync(join(settings, 'registrymodifications.xcu'), RECALCULATE_ALWAYS);
      const home = `-env:UserInstallation=file://${join(folder, 'profile')}`;
      execFileSync('soffice', [
        home,
        '--headless',
        '--convert-to',
        filter,
        '--outdir',
        folder,
        join(folder, 'report.xlsx'),
      ]);
      const files = new Map(
        readdirSync(folder)
          .filter((name) => name.endsWith('.csv'))
          .map((name) => [
            name.slice('report-'.length, -4),
            parse(readFileSync(join(folder, name)), { relax_column_count: true }) as string[][],
          ]),
      );
      for (const [sheet, figure, cents] of amounts(source)) {
        const shown = files
          .get(sheet)
          ?.find(([id]) => id === figure)?.[2]
          ?.replaceAll(',', '');
        expect([sheet, figure, Math.round(Number(shown) * 100) + 0]).toEqual([sheet, figure, cents]);
      }
    },
  );
});
