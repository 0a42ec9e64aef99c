import { join } from 'node:path';
import { openWriter } from '../../src/backend/openWriter.ts';
import { openStore } from '../../src/backend/store/open.ts';
import { listReplays } from '../../src/backend/store/replayList.ts';
import { createClient } from '../../src/contract/index.ts';
import { memoryShell } from '../backend/shell.ts';

/** What the child says to the test that started it. */
export interface Message {
  said: 'begun';
}

/**
 * Replays all failed webhooks of a site in a process of its own, so that it can be killed: syncs where that was never done,
 * goes on with a replay that was interrupted, else plans and begins one. `replay-child.ts <home> <url> <key>`.
 */
const [home = '', url = '', key = ''] = process.argv.slice(2);
const site = 'acme';
const writer = openWriter(
  {
    home,
    version: '0.0.0',
    shell: memoryShell(new Map([[site, key]])),
    log: (record) => void process.stderr.write(`${JSON.stringify(record)}\n`),
  },
  { pacing: { scale: 0.001 }, waits: 0.01 },
);
const client = createClient({ reader: writer.link, writer: writer.link });

async function ended(job: string): Promise<string> {
  let state = '';
  for await (const now of await client.jobs.watch({ site, job })) state = now.state;
  return state;
}

async function prepare(): Promise<void> {
  try {
    await client.sites.add({ title: site, site, base_url: url, api_key: key });
    const { job } = await client.sync.start({ site, only: ['webhooks'] });
    await ended(job);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'conflict')) throw error;
    await client.sites.update({ site, base_url: url });
  }
}

/** The site's last replay; none before the first. */
function last() {
  const books = openStore(join(home, 'sites', site, 'books.db'), 'books', { readonly: true });
  const [replay] = listReplays(books, site);
  books.close();
  return replay;
}

/** Goes on with the replay that was interrupted, begins one where there was none; one that was done stays so. */
async function run(): Promise<string> {
  const before = last();
  if (before?.state === 'done') return 'done';
  if (before) return ended((await client.replay.resume({ site, job: before.job })).job);
  const { plan } = await client.replay.plan({ site, selection: { filter: { status: 'failed' } } });
  return ended((await client.replay.run({ site, plan, batch_size: 7 })).job);
}

await prepare();
process.send?.({ said: 'begun' } satisfies Message);
const state = await run();
await writer.close();
if (state !== 'done') process.stderr.write(JSON.stringify(last()));
process.exit(state === 'done' ? 0 : 1);
