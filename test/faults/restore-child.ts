import { join } from 'node:path';
import { compareBackup } from '../../src/backend/backups/compare-backup.ts';
import { openChild, SITE } from './child.ts';

/** Restores the named copy of the books: `restore-child.ts <home> <name>`. */
const [home = '', name = ''] = process.argv.slice(2);
const child = openChild(home);
const from = { name };
const { fingerprint } = compareBackup(join(home, 'sites', SITE), SITE, from);
child.begun();
const { check } = await child.client.backups.restore({
  site: SITE,
  from,
  fingerprint,
  reason: 'Tried out.',
});
if (check !== null) await child.done(check);
await child.end();
