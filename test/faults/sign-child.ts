import { openChild, SITE } from './child.ts';

/** Signs off and closes October: `sign-child.ts <home>`. Steps that an earlier attempt finished are skipped. */
const [home = ''] = process.argv.slice(2);
const child = openChild(home, {}, { now: () => Date.UTC(2026, 10, 3, 12) });
const { periods } = child.client;
const on = { site: SITE, period: '2026-10' };
const state = () =>
  child.books((books) => books.prepare<[], string>('SELECT state FROM period').pluck().get() ?? 'none');
// Opening the databases recovers what the last attempt left unfinished.
await child.client.comments.add({ site: SITE, subjects: [{ kind: 'line', id: '1' }], text: 'Looked at.' });
child.begun();
if (state() === 'none') await periods.open({ ...on, by: 'Ada' });
if (state() === 'open') await periods.submit({ ...on, by: 'Ada', comment: 'As far as is known.' });
if (state() === 'submitted') await periods.review({ ...on, by: 'Bo', verdict: 'approve' });
if (state() === 'reviewed') await child.done((await periods.close({ ...on, by: 'Bo' })).job);
await child.end();
