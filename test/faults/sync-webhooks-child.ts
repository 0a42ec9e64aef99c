import { openChild, SITE } from './child.ts';

/** Syncs the webhook log of a site once. `sync-webhooks-child.ts <home> <url> <key>`. */
const [home = '', url = '', key = ''] = process.argv.slice(2);
const child = openChild(home, { url, key }, { pacing: { delayScale: 0.001 } });
await child.connected();
child.begun();
await child.done((await child.client.sync.start({ site: SITE, only: ['webhooks'] })).job);
await child.end();
