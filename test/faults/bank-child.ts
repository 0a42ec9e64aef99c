import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { openWriter } from '../../src/backend/openWriter.ts';
import { createClient } from '../../src/contract/index.ts';
import { memoryShell } from '../backend/shell.ts';

/** What the child says to the test that started it. */
export interface BankMessage {
  said: 'begun' | 'imported' | 'done';
}

/**
 * Imports files and matches them, in a process of its own, so that it can be killed: `bank-child.ts <home> <file>...`. What an earlier
 * attempt finished is a no-op.
 */
const [home = '', ...files] = process.argv.slice(2);
const site = 'acme';
const say = (said: BankMessage['said']) => process.send?.({ said } satisfies BankMessage);
const writer = openWriter({ home, version: '0.0.0', shell: memoryShell(new Map()), log: () => {} });
const client = createClient({ reader: writer.link, writer: writer.link });

async function ended(job: string): Promise<void> {
  for await (const now of await client.jobs.watch({ site, job })) {
    if (now.error !== null) throw new Error(now.error.message);
  }
}

say('begun');
for (const file of files) {
  const data = readFileSync(file).toString('base64');
  const { upload } = await client.bank.upload({ site, name: basename(file), data });
  const plan = await client.bank.plan({ site, upload, profile: 'standard', account: { name: 'Main' } });
  if (plan.hindrance === null) await ended((await client.bank.import({ site, plan: plan.plan })).job);
  say('imported');
}
await ended((await client.match.run({ site })).job);
say('done');
await writer.close();
process.exit(0);
