import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackendClient } from '../../src/contract/index.ts';

/** Waits until a job has ended. Throws its error. */
export async function waitForJob(client: BackendClient, site: string, job: string): Promise<void> {
  for await (const state of await client.jobs.watch({ site, job })) {
    if (state.error) throw new Error(state.error.message);
  }
}

/** Imports a file into an account. An account named Stripe is a processor's. */
export async function importFile(
  client: BackendClient,
  site: string,
  file: { name: string; text: string },
  account: string,
) {
  const data = Buffer.from(file.text).toString('base64');
  const { upload } = await client.bank.upload({ site, name: file.name, data });
  const kind = account === 'Stripe' ? 'processor' : 'bank';
  const { plan } = await client.bank.plan({ site, upload, account: { name: account, kind } });
  await waitForJob(client, site, (await client.bank.import({ site, plan })).job);
}

/** Imports the demo site's bank file and payout report, and matches their lines. */
export async function matchDemoFiles(client: BackendClient, home: string): Promise<void> {
  const site = 'demo';
  for (const [name, account] of [
    ['bank-2026-10.csv', 'Checking'],
    ['payouts-2026-10.csv', 'Stripe'],
  ] as const) {
    const text = readFileSync(join(home, 'demo', name), 'utf8');
    await importFile(client, site, { name, text }, account);
  }
  await waitForJob(client, site, (await client.match.run({ site })).job);
}
