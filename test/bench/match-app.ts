import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMatching } from '../../src/domain/matching/index.ts';
import { openInProcessHost } from '../../src/host/in-process-host.ts';
import { SITE } from '../backend/bank/bank-bench.ts';
import { createLabeledData } from './labeled-bank-data.ts';
import { createLabeledHome, importBankLines, writeBankFile } from './labeled-home.ts';
import { measureTime, reportMeasurement } from './measure.ts';
import { runChild } from './run-child.ts';
import { waitForJob } from './wait-for-job.ts';

/**
 * Imports and matches with the writer and reader in one process, like the command line, and databases on disk. Prints the
 * peak memory and the time for writing the matches compared with finding them. `node test/bench/match-app.ts [payments]`.
 */
const [, , first = '100000', home = ''] = process.argv;
const PAYMENTS = Number(first);
/** Steps that run in separate processes on the same books. */
const STEPS = ['import', 'dry', 'run', 'again', 'line'] as const;
const NEW_LINE = {
  booked_on: '2025-07-01',
  amount_in_cents: 123_457,
  currency: 'USD',
  description: 'ONE MORE TRANSFER',
  counterparty: null,
  reference: null,
};
type Step = (typeof STEPS)[number];

/** Report of a step: memory in MB before and at its peak, CPU time in ms. */
interface MatchAppResult {
  readonly idle: number;
  readonly peak: number;
  readonly cpu: number;
}

function measure(): void {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-match-'));
  try {
    const lines = createLabeledHome(folder, PAYMENTS);
    const what = `${PAYMENTS} payments and ${lines} lines`;
    const cpu = new Map<Step, number>();
    for (const name of STEPS) {
      const said = runChild<MatchAppResult>(import.meta.url, [name, folder]);
      reportMeasurement(
        `app, ${name}, ${what}: memory of writer and reader`,
        'MB',
        said.peak,
        said.idle,
        1,
        0,
      );
      cpu.set(name, said.cpu);
    }
    const [dry = 0, run = 0, again = 0, line = 0] = (['dry', 'run', 'again', 'line'] as const).map((name) =>
      cpu.get(name),
    );
    const data = createLabeledData({ payments: PAYMENTS });
    const [engine] = measureTime(() => [...runMatching(data).groups()].length);
    reportMeasurement(`app, ${what}: complete run, of the engine alone`, 'ms', run, engine, 1, 0);
    reportMeasurement(`app, ${what}: matching one new line`, 'ms', line, run, 1, 0);
    reportMeasurement(`app, ${what}: writing the matches, beside finding them`, 'ms', run - dry, dry, 1, 0);
    reportMeasurement(
      `app, ${what}: matching again, where nothing changed, beside the first time`,
      'ms',
      again,
      run,
      1,
      0,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function step(name: Step, folder: string): Promise<void> {
  const host = openInProcessHost({ home: folder, version: '0.0.0', fallbackKey: 'key', logLevel: 'error' });
  const { client } = host;
  await client.match.summary({ site: SITE });
  await client.jobs.list({ site: SITE });
  if (name === 'line') {
    writeBankFile(folder, [NEW_LINE]);
    await importBankLines(client, folder);
  }
  const idle = process.memoryUsage.rss() / 2 ** 20;
  const before = process.cpuUsage();
  if (name === 'import') {
    await importBankLines(client, folder);
  } else {
    await waitForJob(client, (await client.match.run({ site: SITE, dry_run: name === 'dry' })).job);
  }
  const { user, system } = process.cpuUsage(before);
  await client.match.list({ site: SITE, limit: 200 });
  const said: MatchAppResult = {
    idle,
    peak: process.resourceUsage().maxRSS / 1024,
    cpu: (user + system) / 1000,
  };
  await host.close();
  process.stdout.write(JSON.stringify(said));
}

if ((STEPS as readonly string[]).includes(first)) await step(first as Step, home);
else measure();
