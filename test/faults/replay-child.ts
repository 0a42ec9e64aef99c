import { listReplays } from '../../src/backend/store/replay/replay-list.ts';
import { openChild, SITE } from './child.ts';

/**
 * Replays all failed webhooks of a site: syncs if necessary, then resumes an interrupted replay or plans and starts a new
 * one. A finished replay stays as it is. `replay-child.ts <home> <url> <key>`.
 */
const [home = '', url = '', key = ''] = process.argv.slice(2);
const child = openChild(home, { url, key }, { pacing: { delayScale: 0.001 }, delayScale: 0.01 });
const { client } = child;

async function replaying(): Promise<string | null> {
  const [last] = child.books((books) => listReplays(books, SITE));
  if (last?.state === 'done') return null;
  if (last) return (await client.replay.resume({ site: SITE, job: last.job })).job;
  const { plan } = await client.replay.plan({ site: SITE, selection: { filter: { status: 'failed' } } });
  return (await client.replay.run({ site: SITE, plan, batch_size: 7 })).job;
}

if (await child.connected()) {
  await child.done((await client.sync.start({ site: SITE, only: ['webhooks'] })).job);
} else {
  await client.sites.update({ site: SITE, base_url: url });
}
child.begun();
const job = await replaying();
if (job !== null) await child.done(job);
await child.end();
