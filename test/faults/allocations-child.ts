import { listAllocationDrafts } from '../../src/backend/store/allocations/allocation-draft-list.ts';
import { openChild, SITE } from './child.ts';

/** Sends or resumes the draft of a site; a finished draft stays as it is: `allocations-child.ts <home> <url> <key>`. */
const [home = '', url = '', key = ''] = process.argv.slice(2);
const child = openChild(home, { url, key }, { pacing: { delayScale: 0.001 }, delayScale: 0.004 });
const { client } = child;

function drafted() {
  const [draft] = child.books((books) => listAllocationDrafts(books, SITE, 1));
  if (draft === undefined) throw new Error('There is no draft.');
  return draft;
}

await client.sites.update({ site: SITE, base_url: url });
child.begun();
const { draft, sha256, state } = drafted();
if (state !== 'done') {
  const sent =
    state === 'draft'
      ? await client.allocations.send({ site: SITE, draft, sha256, stop_after: 1000 })
      : await client.allocations.resume({ site: SITE, draft });
  await child.done(sent.job ?? '');
}
if (drafted().state !== 'done') throw new Error(JSON.stringify(drafted()));
await child.end();
