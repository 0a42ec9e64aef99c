import { listReplays } from '../../src/backend/store/replay/replay-list.ts';
import { openChild, SITE } from './child.ts';

/**
 * Delivers all webhooks of a synced site to an endpoint from the local copy: resumes an interrupted delivery, or plans and
 * starts a new one. There is no service. `delivery-child.ts <home> <endpoint> <shared key>`.
 */
const [home = '', endpoint = '', sharedKey = ''] = process.argv.slice(2);
const child = openChild(home, { sharedKey }, { delayScale: 0.01 });
const { client } = child;
const [last] = child.books((books) => listReplays(books, SITE));
child.begun();
if (last === undefined) {
  const { plan, count } = await client.replay.plan({
    site: SITE,
    selection: { filter: {} },
    include_accepted: true,
    endpoint,
  });
  const confirm = { host: new URL(endpoint).host, count };
  await child.done((await client.replay.run({ site: SITE, plan, confirm })).job);
} else if (last.state !== 'done') {
  await child.done((await client.replay.resume({ site: SITE, job: last.job })).job);
}
await child.end();
