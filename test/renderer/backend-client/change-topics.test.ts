import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../../../src/contract/index.ts';
import { standardCsv } from '../../backend/bank/bench.ts';
import { SITE, type Workbench } from '../../backend/workbench.ts';
import { type ShownAnswers, showAnswers } from './shown-answers.ts';

/**
 * A window that shows an answer of every query, while every command does its work: whatever is answered otherwise afterwards was
 * told, by a topic that the query listens to. A query or a command that is new is to be put here.
 */
const on = { site: SITE };
const reason = 'A test does it.';
const fees = {
  title: 'Fees',
  conditions: [{ field: 'text' as const, is: 'contains' as const, value: 'FEE' }],
  action: { do: 'categorize' as const, category: 'fee' },
};

/** Files, which are asked for when somebody wants them, and what lies outside of the home. */
const unfollowed = [
  ...['app.about', 'app.doctor', 'archive.browse', 'archive.verify', 'packs.verify'],
  ...['replay.report', 'reports.file', 'bank.source'],
];
/** Commands that change nothing, and those done to a job under way or after one that went wrong, which tell as its other ways do. */
const undone = [
  ...['sites.test', 'bank.planRows', 'jobs.watch', 'packs.compareDecisions'],
  ...['replay.pause', 'replay.resume', 'replay.cancel', 'replay.retryFailures', 'jobs.cancel'],
  ...['allocations.pause', 'allocations.resume', 'allocations.cancel', 'allocations.redraft'],
  ...['allocations.decide', 'allocations.look', 'packs.restoreDecisions'],
];

let bench: Workbench;
let client: Client;
let answers: ShownAnswers;
let show: ShownAnswers['show'];
let tells: ShownAnswers['tells'];

beforeAll(async () => {
  answers = await showAnswers();
  ({ bench, client, show, tells } = answers);
});
afterAll(() => answers.close());

async function done(started: Promise<{ job: string | null }>): Promise<string> {
  const { job } = await started;
  if (job === null) return '';
  expect(await bench.ended(job)).toMatchObject({ state: 'done' });
  return job;
}

it('a sync', async () => {
  await show(['sites.list', 'settings.all', 'jobs.list'], {});
  await show(['sites.get', 'jobs.list', 'sync.status', 'sync.runs', 'sync.problems', 'audit.list']);
  await show(['audit.verify', 'backups.list', 'search.unsearched', 'check.rules', 'check.summary']);
  await show(['check.months', 'exceptions.list', 'exceptions.assignees', 'periods.list']);
  await show(['webhooks.list', 'webhooks.facets', 'webhooks.outages', 'webhooks.errors']);
  await show(['statements.list', 'statements.facets', 'subscriptions.list', 'allocations.components']);
  await show(['allocations.drafts', 'replay.plans', 'replay.list', 'archive.summary']);
  await show(['archive.names', 'archive.exports', 'archive.files', 'archive.holds', 'packs.list']);
  await show(['bank.accounts', 'bank.offered', 'bank.profiles', 'bank.imports', 'bank.lines']);
  await show(['match.summary', 'match.passes', 'match.runs', 'match.list', 'match.payments']);
  await show(['match.categories', 'match.rules', 'match.payouts', 'periods.signOffChanges']);
  await show('workpapers.settings');
  await show('match.tryRule', { ...on, ...fees });
  await show('webhooks.list', { ...on, filter: { search: 'payment_success' } });
  await show('statements.list', { ...on, filter: { search: 'invoice' } });
  await show('statements.find', { ...on, words: 'statement' });
  const pages = { ...on, every: 100 };
  await show(['webhooks.marks', 'statements.marks', 'subscriptions.marks', 'exceptions.marks'], pages);
  await show(['allocations.componentMarks', 'bank.lineMarks', 'match.marks', 'match.paymentMarks'], pages);
  await show('webhooks.timeline', { ...on, buckets: 10 });
  for (const id of [1, 2]) {
    await show(['bank.getImport', 'bank.importRows', 'bank.getLine', 'exceptions.get'], { ...on, id });
    await show(['match.get', 'match.getRun', 'match.getPayout'], { ...on, id });
  }
  await tells(async () => {
    const job = await done(client.sync.start(on));
    await show(['sync.run', 'jobs.get'], { ...on, job });
  });
  const { due } = await client.periods.list(on);
  const period = { ...on, period: due! };
  await show(['periods.get', 'periods.closedFigures', 'periods.signed', 'periods.broughtForward'], period);
  await show(['workpapers.get', 'workpapers.items', 'packs.plan', 'check.summary'], period);
  await show('workpapers.rows', { ...period, currency: 'USD', figure: 'billing.payments' });
});

it('the settings, a site and its key', async () => {
  await tells(() => client.settings.set({ key: 'theme', value: 'dark' }));
  await tells(() => client.sites.update({ ...on, title: 'Acme Inc.', currency: 'EUR' }));
  await tells(() => client.sites.update({ ...on, currency: 'USD' }));
  const { apiKey: api_key, url: base_url } = bench.sandbox;
  await tells(() => client.sites.replaceKey({ ...on, api_key }));
  await tells(() => client.sites.add({ title: 'Second', site: 'second', base_url, api_key }));
  await tells(() => client.sites.remove({ site: 'second' }));
});

it('the archive', async () => {
  const sort = { by: 'closed_at', direction: 'asc' } as const;
  const { rows } = await client.statements.list({ ...on, filter: { state: ['paid'] }, sort, limit: 20 });
  const [{ id, subscription_id }] = rows as [(typeof rows)[number]];
  await show(['statements.get', 'statements.pdf'], { ...on, id });
  await show('transactions.list', { ...on, statement_id: id });
  await show('archive.deletable', { ...on, statements: [id] });
  await show(['subscriptions.get', 'subscriptions.activity'], { ...on, subscription_id });
  const target = { kind: 'zip', path: join(bench.home, 'all.zip') } as const;
  const planned = async () => {
    const planned = await client.archive.plan({ ...on, selection: { filter: {} }, target });
    await show('archive.get', { ...on, export: planned.export });
    return planned;
  };
  await tells(() => client.statements.fetchPdf({ ...on, id }));
  await tells(() => done(client.archive.fetch({ ...on, filter: { subscription_id } })));
  await tells(() => client.search.catchUp({ ...on, of: 'statements' }));
  await tells(() => client.archive.retain({ ...on, years: 1, reason }));
  await tells(() => client.archive.hold({ ...on, statements: [id], reason }));
  await tells(() => client.archive.release({ ...on, holds: [1], reason }));
  await tells(async () => client.archive.discard({ ...on, export: (await planned()).export }));
  await tells(async () => done(client.archive.export({ ...on, export: (await planned()).export })));
  await tells(() => done(client.archive.check({ ...on, all: true })));
  await tells(() => done(client.archive.repair(on)));
  await tells(async () => {
    const { list } = await client.archive.deletable({ ...on, statements: [id] });
    await client.archive.delete({ ...on, statements: [id], list, reason });
  });
});

it('quantities', async () => {
  const [component] = (await client.allocations.components(on)).rows;
  const { subscription_id, component_id } = component!;
  await show('allocations.list', { ...on, subscription_id, component_id });
  const changes = [{ subscription_id, component_id, quantity: '7' }];
  const drafted = async () => {
    const { draft } = await client.allocations.draft({ ...on, from: { changes } });
    await show(['allocations.getDraft', 'allocations.changes'], { ...on, draft });
    await show('allocations.getChange', { ...on, draft, ordinal: 0 });
    return { ...on, draft };
  };
  await tells(() => client.allocations.track({ ...on, subscription_id, component_id }));
  await tells(async () => client.allocations.discard(await drafted()));
  const one = await drafted();
  await tells(async () => bench.ended((await client.allocations.recheck(one)).id));
  await tells(async () => {
    const { sha256 } = await client.allocations.getDraft(one);
    const { job } = await client.allocations.send({ ...one, sha256 });
    await bench.ended(job!);
  });
  await tells(() => client.allocations.report({ ...one, format: 'csv' }));
});

it('a replay', async () => {
  const { rows } = await client.webhooks.list({ ...on, filter: { status: 'failed' }, limit: 30 });
  const ids = rows.map(({ id }) => id);
  await show('webhooks.get', { ...on, id: ids[0] });
  const planned = async () => {
    const { plan } = await client.replay.plan({ ...on, selection: { ids } });
    await show('replay.planItems', { ...on, plan });
    return plan;
  };
  await tells(async () => client.replay.discardPlan({ ...on, plan: await planned() }));
  const plan = await planned();
  await tells(async () => {
    const { job } = await client.replay.run({ ...on, plan });
    await show(['replay.get', 'replay.items', 'replay.errors'], { ...on, job });
    await show('replay.itemMarks', { ...on, job, every: 10 });
    await bench.ended(job);
  });
});

it('checks and exceptions', async () => {
  await tells(() => done(client.check.start(on)));
  for (const off of [true, false]) {
    await tells(() => done(client.check.switch({ ...on, rule: 'statement-foots', off, reason })));
  }
  const { rows } = await client.exceptions.list({ ...on, filter: { status: ['open'] } });
  const ids = [rows[0]!.id];
  await show('exceptions.get', { ...on, id: ids[0] });
  await tells(() => client.exceptions.assign({ ...on, ids, assigned: 'Cy' }));
  await tells(() => client.exceptions.comment({ ...on, ids, text: 'Seen.' }));
  await tells(() => client.exceptions.accept({ ...on, ids, reason }));
  await tells(() => client.exceptions.reopen({ ...on, ids, reason }));
});

async function bringIn(rows: Parameters<typeof standardCsv>[0], name: string): Promise<string> {
  const data = Buffer.from(standardCsv(rows)).toString('base64');
  const { upload } = await client.bank.upload({ ...on, name, data });
  const { plan } = await client.bank.plan({ ...on, upload, account: { name: 'Main' } });
  return done(client.bank.import({ ...on, plan }));
}

it('the bank and matching', async () => {
  await tells(() => client.bank.saveAccount({ ...on, name: 'Main', kind: 'bank' }));
  await tells(() => client.bank.saveAccount({ ...on, name: 'Other', kind: 'bank' }));
  await tells(() => client.bank.removeAccount({ ...on, id: 2 }));
  const { profile } = (await client.bank.profiles(on))[0]!;
  await tells(() => client.bank.saveProfile({ ...on, profile: { ...profile, name: 'mine' } }));
  await tells(() => client.bank.removeProfile({ ...on, name: 'mine' }));
  await tells(() => done(client.match.run(on)));
  const { due } = await client.periods.list(on);
  const { rows } = await client.match.payments(on);
  const paid = rows.filter(({ paid_on, amount_in_cents }) => paid_on.startsWith(due!) && amount_in_cents > 0);
  expect(paid.length).toBeGreaterThan(1);
  await show('match.getPayment', { ...on, id: paid[0]!.id });
  const lines = paid.map(
    ({ paid_on, amount_in_cents, gateway_transaction_id }) =>
      [paid_on, (amount_in_cents / 100).toFixed(2), 'CARD', gateway_transaction_id ?? ''] as const,
  );
  await tells(() =>
    bringIn(
      [...lines, [`${due}-14`, '-0.50', 'FEE'], [`${due}-15`, '3.33', 'WHO'], [`${due}-15`, '7.77', 'WHOM']],
      'a.csv',
    ),
  );
  await tells(() => bringIn([[`${due}-16`, '9.99', 'SECOND']], 'b.csv'));
  await tells(() => done(client.match.run({ ...on, dry_run: true })));
  await tells(() => done(client.match.run(on)));
  await tells(() => done(client.bank.removeImport({ ...on, id: 2, reason })));
  const run = (await client.match.runs(on)).rows[0]!.id;
  await tells(() => done(client.match.undoRun({ ...on, id: run, reason })));
  await tells(() => client.match.saveRule({ ...on, ...fees }));
  await tells(() => client.match.orderRules({ ...on, ids: [1] }));
  await tells(() => done(client.match.run(on)));
  await tells(() => client.match.removeRule({ ...on, id: 1 }));
});

it('decisions about matches', async () => {
  const by = async (status: 'confirmed' | 'suggested') => {
    const { rows } = await client.match.list({ ...on, filter: { status: [status] } });
    const [group] = rows.filter(({ rule }) => rule !== 'rule');
    await show('match.get', { ...on, id: group!.id });
    return group!;
  };
  const taken = await by('confirmed');
  await tells(() => client.match.undo({ ...on, ids: [taken.id], reason }));
  await tells(() => done(client.match.run(on)));
  const offered = await by('suggested');
  await tells(() => client.match.decline({ ...on, ids: [offered.id] }));
  await tells(() => client.match.undo({ ...on, ids: [offered.id], reason }));
  await tells(() => done(client.match.run(on)));
  const again = await by('suggested');
  await tells(() => client.match.confirm({ ...on, ids: [again.id] }));
  await tells(() => client.match.acceptRule({ ...on, rule: again.rule }));
  const { rows } = await client.bank.lines(on);
  const idOf = (text: string) => rows.find(({ description }) => description === text)!.id;
  const line = idOf('WHO');
  await show('bank.getLine', { ...on, id: line });
  await tells(() => client.match.note({ ...on, on: { line }, text: 'Who?' }));
  await tells(() => client.match.writeOff({ ...on, lines: [idOf('WHOM')], category: 'interest', reason }));
  const part = (cents: number) => ({
    lines: [{ id: line, allocated_in_cents: cents }],
    adjustments: [{ category: 'interest', amount_in_cents: cents, reason }],
  });
  await tells(async () => {
    const { id } = await client.match.make({ ...on, ...part(333) });
    await show('match.get', { ...on, id });
  });
  const made = (await client.match.list({ ...on, filter: { line } })).rows[0]!.id;
  await tells(() => client.match.split({ ...on, id: made, parts: [part(100), part(233)], reason }));
});

it('a period, from its opening to its closing, and what comes late', async () => {
  const { due } = await client.periods.list(on);
  const period = { ...on, period: due! };
  const settings = await client.workpapers.settings(on);
  await tells(() => client.workpapers.saveSettings({ ...on, settings: { ...settings, transit_days: 8 } }));
  await tells(() => client.periods.open(period));
  await tells(() => client.periods.note({ ...period, text: 'Begun.' }));
  const items = (await client.workpapers.items(period)).rows.slice(0, 1).map(({ key }) => key);
  await show('periods.explained', { ...on, items });
  await tells(() => client.periods.explain({ ...period, items, owner: 'Cy' }));
  await tells(() => client.periods.submit({ ...period, by: 'Ada Byron', comment: 'As far as is known.' }));
  await tells(() => client.periods.review({ ...period, by: 'Bo Diddley', verdict: 'approve' }));
  await tells(() => done(client.periods.close(period)));
  await tells(() => bringIn([[`${due}-20`, '8.00', 'LATE']], 'late.csv'));
  await tells(() => done(client.periods.compare(on)));
  const at = (name: string) => join(bench.home, name);
  await tells(() => client.reports.write({ ...period, format: 'csv', path: at('report.csv') }));
  await tells(async () => {
    const job = await done(client.packs.write({ ...period, path: at('pack.zip') }));
    await show('packs.result', { ...on, job });
  });
  await tells(() => client.periods.reopen({ ...period, reason }));
});

it('a copy of the books, and its return', async () => {
  const { name } = await client.backups.make(on);
  const from = { name };
  await show('backups.compare', { ...on, from });
  await tells(() => client.backups.make(on));
  await tells(() => client.match.saveRule({ ...on, ...fees }));
  await tells(async () => {
    const { fingerprint } = await client.backups.compare({ ...on, from });
    const { check } = await client.backups.restore({ ...on, from, fingerprint, reason });
    if (check !== null) await bench.ended(check);
  });
});

it('a later sync, of everything', async () => {
  bench.sandbox.advance({ days: 40 });
  await tells(() => client.sync.schedule({ ...on, schedule: { every_minutes: 15, next_at: null } }));
  await tells(() => done(client.sync.start(on)));
  await tells(() => done(client.sync.start({ ...on, full: true, only: ['statements', 'pdf'] })));
});

it('every query was shown, and every command done', () => {
  const { queries, commands } = answers.missing();
  expect(queries.sort()).toEqual(unfollowed.sort());
  expect(commands.sort()).toEqual(undone.sort());
});
