import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { openChild, SITE } from './child.ts';

/**
 * Imports files and matches them: `bank-child.ts <home> <file>...`. Steps that an earlier attempt finished have no
 * effect.
 */
const [home = '', ...files] = process.argv.slice(2);
const child = openChild(home);
const { client } = child;
child.begun();
for (const file of files) {
  const data = readFileSync(file).toString('base64');
  const { upload } = await client.bank.upload({ site: SITE, name: basename(file), data });
  const plan = await client.bank.plan({ site: SITE, upload, profile: 'standard', account: { name: 'Main' } });
  if (plan.blocker === null)
    await child.done((await client.bank.import({ site: SITE, plan: plan.plan })).job);
}
await child.done((await client.match.run({ site: SITE })).job);
await child.end();
