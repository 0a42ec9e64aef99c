import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInProcessHost } from '../../src/host/in-process-host.ts';
import { addSite, SITE } from '../backend/bank/bank-bench.ts';
import { getBankFilePath, importBankLines, previewBankImport } from './labeled-home.ts';
import { reportMeasurement } from './measure.ts';
import { BACKEND_THREAD_FLAGS, runChild } from './run-child.ts';

/**
 * Imports a bank file with the writer and reader in one process. Peak memory and CPU time per line must not grow with the
 * file. Then previews the same file again, with all lines stored. `node test/bench/bank-import.ts [lines]`.
 */
const [, , first = '300000', home = ''] = process.argv;
const LINES = Number(first);

/** Memory in MB before and at its peak; CPU time in ms. */
interface BankImportResult {
  readonly idle: number;
  readonly peak: number;
  readonly first: number;
  readonly again: number;
}

function measure(): void {
  const few = of(LINES / 3);
  const many = of(LINES);
  const what = `import of ${LINES} bank lines`;
  const third = `${LINES / 3}`;
  reportMeasurement(`${what}: memory of writer and reader, against idle`, 'MB', many.peak, many.idle, 1, 0);
  reportMeasurement(
    `${what}: memory of writer and reader, against ${third}`,
    'MB',
    many.peak,
    few.peak,
    1,
    0,
  );
  reportMeasurement(`${what}: CPU time, against ${third}`, 'ms', many.first, few.first, 1, 0);
  reportMeasurement(
    `${what}: preview of all of them held, against the import`,
    'ms',
    many.again,
    many.first,
    1,
    0,
  );
}

function of(lines: number): BankImportResult {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-import-'));
  try {
    addSite(folder);
    writeFile(getBankFilePath(folder), lines);
    return runChild<BankImportResult>(import.meta.url, ['import', folder], BACKEND_THREAD_FLAGS);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Generates a year of card payments, a third of them without a reference. */
function writeFile(path: string, lines: number): void {
  const out = openSync(path, 'w');
  writeSync(out, 'date,amount,currency,description,reference\n');
  for (let at = 0; at < lines; at += 1000) {
    const rows = Array.from({ length: Math.min(1000, lines - at) }, (_, row) => line(at + row, lines));
    writeSync(out, rows.join(''));
  }
  closeSync(out);
}

function line(at: number, lines: number): string {
  const day = new Date(Date.UTC(2026, 0, 1 + Math.floor((at * 365) / lines))).toISOString().slice(0, 10);
  const amount = (((at * 7919) % 50_000) / 100 + 1).toFixed(2);
  const reference = at % 3 === 0 ? '' : `ch_${8_000_000 + at}`;
  return `${day},${amount},USD,"CARD SETTLEMENT ${at % 1000} CUSTOMER ${(at * 31) % 5000}",${reference}\n`;
}

async function imported(folder: string): Promise<void> {
  const host = openInProcessHost({ home: folder, version: '0.0.0', fallbackKey: 'key', logLevel: 'error' });
  const { client } = host;
  await client.match.summary({ site: SITE });
  await client.jobs.list({ site: SITE });
  const idle = process.memoryUsage.rss() / 2 ** 20;
  const before = process.cpuUsage();
  await importBankLines(client, folder);
  const between = process.cpuUsage();
  const { rows } = await previewBankImport(client, folder);
  if (rows.new !== 0 || rows.duplicate === 0) throw new Error('What was imported is not held.');
  const after = process.cpuUsage(between);
  const said: BankImportResult = {
    idle,
    peak: process.resourceUsage().maxRSS / 1024,
    first: (between.user - before.user + between.system - before.system) / 1000,
    again: (after.user + after.system) / 1000,
  };
  await host.close();
  process.stdout.write(JSON.stringify(said));
}

if (first === 'import') await imported(home);
else measure();
