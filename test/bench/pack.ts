import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBackendReader } from '../../src/backend/open-backend-reader.ts';
import { openBackendWriter } from '../../src/backend/open-backend-writer.ts';
import { closeStore, openStore } from '../../src/backend/store/database/open-store.ts';
import {
  createBackendClient,
  type EvidencePackResult,
  type PackVerification,
} from '../../src/contract/index.ts';
import { SITE } from '../backend/bank/bank-bench.ts';
import { createMemoryShell } from '../backend/memory-shell.ts';
import { createArchivedSite } from './archived-site.ts';
import { reportMeasurement } from './measure.ts';
import { BACKEND_THREAD_FLAGS, runChild, verifyZip } from './run-child.ts';
import { waitForJob } from './wait-for-job.ts';

/**
 * Writes the evidence pack of a month with many statements, verifies it, and checks it with `unzip -t`. Compares the peak
 * memory with that for a tenth of the statements. `node test/bench/pack.ts [statements] [bytes each]`. The limit is for
 * 20000.
 */
const [, , first = '20000', second = '6000', home = ''] = process.argv;
const COUNT = Number(first);
const BYTES = Number(second);

interface PackMeasurement {
  readonly peak: number;
  readonly cpu: number;
  readonly done: EvidencePackResult;
  readonly verdict: PackVerification;
}

function measure(): void {
  const few = runPack(Math.ceil(COUNT / 10));
  const all = runPack(COUNT);
  const what = `pack of ${COUNT} statements of ${BYTES} bytes`;
  reportMeasurement(`${what}: PDFs in it`, 'files', all.done.statements - all.done.not_stored, COUNT, 1, 0);
  reportMeasurement(
    `${what}: wrong when read again, and by itself`,
    'files',
    all.done.problems,
    all.verdict.wrong,
    1,
    0,
  );
  reportMeasurement(`${what}: memory beside that for a tenth of them`, 'MB', all.peak, few.peak, 1, 0);
  reportMeasurement(
    `${what}: CPU time beside ten times that for a tenth of them`,
    'ms',
    all.cpu,
    10 * few.cpu,
    1,
    0,
  );
}

function runPack(count: number): PackMeasurement {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
  try {
    createArchivedSite(join(folder, 'home'), count, BYTES);
    const said = runChild<PackMeasurement>(
      import.meta.url,
      [String(count), second, join(folder, 'home')],
      BACKEND_THREAD_FLAGS,
    );
    verifyZip(said.done.path);
    if (statSync(said.done.path).size < said.done.bytes)
      throw new Error('the ZIP is smaller than what is in it');
    return said;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The writer in a separate process writes the pack, and the reader verifies it. */
async function run(): Promise<void> {
  const cache = openStore(join(home, 'sites', SITE, 'cache.db'), 'cache');
  const period = String(
    cache.prepare('SELECT max(substr(closed_at_text, 1, 7)) FROM statement').pluck().get(),
  );
  closeStore(cache);
  const start = { home, version: '0.0.0', shell: createMemoryShell(), log: () => {} };
  const writer = openBackendWriter(start);
  const reader = openBackendReader(start);
  const client = createBackendClient({ reader: reader.link, writer: writer.link });
  const began = process.cpuUsage();
  const { job } = await client.packs.write({ site: SITE, period, path: join(home, '..', 'pack.zip') });
  await waitForJob(client, job);
  const done = await client.packs.result({ site: SITE, job });
  const verdict = await client.packs.verify({ path: done.path });
  const { user, system } = process.cpuUsage(began);
  await Promise.all([writer.close(), reader.close()]);
  const said: PackMeasurement = {
    peak: process.resourceUsage().maxRSS / 1024,
    cpu: (user + system) / 1000,
    done,
    verdict,
  };
  process.stdout.write(JSON.stringify(said));
}

if (home === '') measure();
else await run();
