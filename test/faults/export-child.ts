import { openChild, SITE } from './child.ts';

/** Writes a planned export: `export-child.ts <home> <export>`. */
const [home = '', id = ''] = process.argv.slice(2);
const child = openChild(home);
const { job } = await child.client.archive.export({ site: SITE, export: id });
child.begun();
await child.done(job);
await child.end();
