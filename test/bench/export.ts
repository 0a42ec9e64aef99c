import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBackendReader } from '../../src/backend/open-backend-reader.ts';
import { openBackendWriter } from '../../src/backend/open-backend-writer.ts';
import { type ArchiveExport, createBackendClient } from '../../src/contract/index.ts';
import { SITE } from '../backend/bank/bank-bench.ts';
import { createMemoryShell } from '../backend/memory-shell.ts';
import { createArchivedSite } from './archived-site.ts';
import { measureCpu, reportMeasurement } from './measure.ts';
import { BACKEND_THREAD_FLAGS, runChild, verifyZip } from './run-child.ts';
import { waitForJob } from './wait-for-job.ts';

/**
 * Exports many PDFs to a ZIP file and verifies it with `unzip -t`. Compares the time with hashing and copying the same
 * bytes, and the peak memory with the idle app. `node test/bench/export.ts [PDFs] [bytes each]`. The limits are for 70000
 * of 2000 bytes (more entries than a ZIP file allows without ZIP64) and 1100 of 4194304 (more than 4 GiB).
 */
const [, , first = '5000', second = '60000', home = ''] = process.argv;
const COUNT = Number(first);
const BYTES = Number(second);

interface ExportResult {
  readonly idle: number;
  readonly peak: number;
  readonly cpu: number;
  readonly done: ArchiveExport;
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
  try {
    createArchivedSite(join(folder, 'home'), COUNT, BYTES);
    const { idle, peak, cpu, done } = runChild<ExportResult>(
      import.meta.url,
      [first, second, join(folder, 'home')],
      BACKEND_THREAD_FLAGS,
    );
    const zip = done.target.path;
    const what = `${COUNT} PDFs of ${BYTES} bytes to ZIP`;
    const { problems = -1, files = 0 } = done.result ?? {};
    reportMeasurement(
      `export, ${what}: files in the bag, and those with a problem when checked`,
      'files',
      files,
      problems,
      1,
      0,
    );
    reportMeasurement(
      `export, ${what}: size of the ZIP file beside 4 GiB`,
      'bytes',
      statSync(zip).size,
      2 ** 32,
      1,
      0,
    );
    reportMeasurement(`export, ${what}: memory of the writer beside that at rest`, 'MB', peak, idle, 1, 0);
    verifyZip(zip);
    rmSync(zip);
    const plain = await measureCpu(() => copyPlainly(join(folder, 'home')));
    reportMeasurement(
      `export, ${what}: all of it beside hashing and copying the same bytes`,
      'ms',
      cpu,
      plain,
      1,
      0,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Hashes the same bytes into one file, as simply as possible, and reads and hashes them again. */
async function copyPlainly(homeFolder: string): Promise<void> {
  const target = join(homeFolder, 'plain');
  const file = openSync(target, 'w');
  for (const path of findArchivedFiles(homeFolder)) {
    const bytes = readFileSync(path);
    createHash('sha256').update(bytes).digest('hex');
    writeSync(file, bytes);
  }
  fsyncSync(file);
  closeSync(file);
  const hash = createHash('sha256');
  for await (const piece of createReadStream(target, { highWaterMark: 256 * 1024 })) hash.update(piece);
  rmSync(target);
}

function findArchivedFiles(homeFolder: string): string[] {
  return readdirSync(join(homeFolder, 'sites', SITE, 'archive'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.pdf'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Plans, writes and verifies the export with the writer in a separate process. */
async function run(): Promise<void> {
  const writer = openBackendWriter({ home, version: '0.0.0', shell: createMemoryShell(), log: () => {} });
  const client = createBackendClient({ reader: writer.link, writer: writer.link });
  const idle = process.memoryUsage.rss() / 2 ** 20;
  const began = process.cpuUsage();
  const { export: id } = await client.archive.plan({
    site: SITE,
    selection: { filter: {} },
    target: { kind: 'zip', path: join(home, '..', 'all.zip') },
  });
  const { job } = await client.archive.export({ site: SITE, export: id });
  await waitForJob(client, job);
  const { user, system } = process.cpuUsage(began);
  await writer.close();
  const reader = openBackendReader({ home, version: '0.0.0', shell: createMemoryShell(), log: () => {} });
  const done = await createBackendClient({ reader: reader.link, writer: reader.link }).archive.get({
    site: SITE,
    export: id,
  });
  await reader.close();
  const said: ExportResult = {
    idle,
    peak: process.resourceUsage().maxRSS / 1024,
    cpu: (user + system) / 1000,
    done,
  };
  process.stdout.write(JSON.stringify(said));
}

if (home === '') await measure();
else await run();
