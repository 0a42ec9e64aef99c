import { openWriter } from '../../src/backend/openWriter.ts';
import { createClient } from '../../src/contract/index.ts';
import { memoryShell } from '../backend/shell.ts';

/** What the child says to the test that started it. */
export interface Message {
  said: 'begun';
}

/** Syncs a site in a process of its own, so that it can be killed: `kill-child.ts <home> <url> <key>`. */
const [home = '', url = '', key = ''] = process.argv.slice(2);
const site = 'acme';
const writer = openWriter({
  home,
  version: '0.0.0',
  shell: memoryShell(new Map([[site, key]])),
  log: () => {},
});
const client = createClient({ reader: writer.link, writer: writer.link });
try {
  await client.sites.add({ title: site, site, base_url: url, api_key: key });
} catch (error) {
  // It is there already.
  if (!(error instanceof Error && 'code' in error && error.code === 'conflict')) throw error;
}
const { job } = await client.sync.start({ site });
process.send?.({ said: 'begun' } satisfies Message);
let state = '';
for await (const now of await client.jobs.watch({ site, job })) state = now.state;
await writer.close();
process.exit(state === 'done' ? 0 : 1);
