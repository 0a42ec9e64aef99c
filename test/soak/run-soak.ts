import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackendClient } from '../../src/contract/index.ts';
import { startHost } from '../../src/host/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { SITE, standardCsv } from '../backend/bank/bank-bench.ts';
import { waitForJob } from '../bench/wait-for-job.ts';
import type { SoakSample } from './growth.ts';

/**
 * Simulates days of use on the app's backend threads with a sandbox over HTTP: sync, import, match, browse, close and
 * reopen. Returns a sample per day and the differences to a recomputation of all stored results.
 */
export async function runSoak(days: number, onDay: (sample: SoakSample) => void = () => undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-soak-'));
  const sandbox = await startSandbox({ subscriptions: 40, months: 3 });
  const home = join(folder, 'home');
  const open = () => startHost({ home, version: '0.0.0', fallbackKey: sandbox.apiKey });
  const samples: SoakSample[] = [];
  let host = await open();
  try {
    await host.client.sites.add({
      title: 'Acme',
      site: SITE,
      base_url: sandbox.url,
      api_key: sandbox.apiKey,
    });
    for (let day = 1; day <= days; day++) {
      await simulateDay(host.client, sandbox, day);
      const sample = takeSample(home, day);
      samples.push(sample);
      onDay(sample);
      await host.close();
      host = await open();
    }
    return { samples, ...(await recompute(host.client)) };
  } finally {
    await host.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function simulateDay(client: BackendClient, sandbox: Sandbox, day: number): Promise<void> {
  sandbox.advance({ days: 1 });
  await waitForJob(client, (await client.sync.start({ site: SITE, only: ['webhooks', 'statements'] })).job);
  const date = new Date(Date.UTC(2026, 10, day)).toISOString().slice(0, 10);
  const lines = [5, 7, 11].map((units) => [date, `${units * day}.00`, `CARD ${day}-${units}`] as const);
  const data = Buffer.from(standardCsv(lines)).toString('base64');
  const { upload } = await client.bank.upload({ site: SITE, name: `${date}.csv`, data });
  const { plan } = await client.bank.plan({
    site: SITE,
    upload,
    profile: 'standard',
    account: { name: 'Main' },
  });
  await waitForJob(client, (await client.bank.import({ site: SITE, plan })).job);
  await waitForJob(client, (await client.match.run({ site: SITE })).job);
  for (let page = 0; page < 20; page++) await client.webhooks.list({ site: SITE, limit: 100 });
}

function takeSample(home: string, day: number): SoakSample {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const bytes = (ending: string) =>
    files
      .filter((file) => file.endsWith(ending))
      .reduce((sum, file) => sum + (statSync(join(home, file), { throwIfNoEntry: false })?.size ?? 0), 0);
  const { rss, heapUsed: heap } = process.memoryUsage();
  const descriptors = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0;
  return { day, rss, heap, descriptors, wal: bytes('-wal'), log: bytes('.log'), databases: bytes('.db') };
}

async function recompute(client: BackendClient) {
  for await (const { result } of await client.check.recompute({ site: SITE })) {
    if (result !== null) return { ok: result.ok, differences: result.differences };
  }
  throw new Error('The recomputation ended without a result.');
}
