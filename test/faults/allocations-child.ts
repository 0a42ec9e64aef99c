import { join } from 'node:path';
import { openWriter } from '../../src/backend/openWriter.ts';
import { listDrafts } from '../../src/backend/store/allocationDraftList.ts';
import { openStore } from '../../src/backend/store/open.ts';
import { createClient } from '../../src/contract/index.ts';
import { memoryShell } from '../backend/shell.ts';

/** What the child says to the test that started it. */
export interface Message {
  said: 'begun';
}

/**
 * Sends the draft of a site in a process of its own, so that it can be killed, or goes on with it:
 * `allocations-child.ts <home> <url> <key>`.
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
  { pacing: { scale: 0.001 }, waits: 0.004 },
);
const client = createClient({ reader: writer.link, writer: writer.link });

function drafted() {
  const books = openStore(join(home, 'sites', site, 'books.db'), 'books', { readonly: true });
  const [draft] = listDrafts(books, site, 1);
  books.close();
  if (draft === undefined) throw new Error('There is no draft.');
  return draft;
}

async function run(): Promise<string> {
  const { draft, sha256, state } = drafted();
  if (state === 'done') return state;
  const begun =
    state === 'draft'
      ? await client.allocations.send({ site, draft, sha256, stop_after: 1000 })
      : await client.allocations.resume({ site, draft });
  for await (const _ of await client.jobs.watch({ site, job: begun.job ?? '' }));
  return drafted().state;
}

await client.sites.update({ site, base_url: url });
process.send?.({ said: 'begun' } satisfies Message);
const state = await run();
await writer.close();
if (state !== 'done') process.stderr.write(JSON.stringify(drafted()));
process.exit(state === 'done' ? 0 : 1);
