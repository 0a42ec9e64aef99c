import { openChild, SITE } from './child.ts';

/** Syncs a site: `sync-child.ts <home> <url> <key>`. */
const [home = '', url = '', key = ''] = process.argv.slice(2);
const child = openChild(home, { url, key });
await child.connected();
const { job } = await child.client.sync.start({ site: SITE });
child.begun();
await child.done(job);
await child.end();
