import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type BackendClient, reportTableNames } from '../../../src/contract/index.ts';
import { standardCsv } from '../../backend/bank/bank-bench.ts';
import { createTestAuthority } from '../../backend/time-stamps/time-stamp-authority.ts';
import { SITE, type WriterTestSite } from '../../backend/writer-test-site.ts';
import { type ShownAnswers, showAnswers } from './shown-answers.ts';

/**
 * Shows every query while each command runs. An answer that changes must have been invalidated by a change event
 * that the query subscribes to. New queries and commands must be added to this file.
 */
const onSite = { site: SITE };
const reason = 'A test does it.';
const feeRule = {
  title: 'Fees',
  conditions: [{ field: 'text' as const, is: 'contains' as const, value: 'FEE' }],
  action: { do: 'categorize' as const, category: 'fee' },
};

const gap = { from: '2026-10-01T00:00:00Z', to: '2026-10-03T00:00:00Z' };

/** Queries without change events: they read files on request, or state outside the home directory. */
const queriesWithoutEvents = [
  ...['app.about', 'app.doctor', 'archive.browse', 'match.verify', 'packs.verify'],
  ...[
    'replay.report',
    'incidents.report',
    'missingWebhooks.export',
    'reports.file',
    'bank.source',
    'comments.file',
  ],
];
/**
 * Commands that change nothing, and commands that pause, resume, cancel or retry a job and emit the same events as the
 * job.
 */
const skippedCommands = [
  ...[
    'check.recompute',
    'sites.test',
    'sites.endpoints',
    'bank.planRows',
    'jobs.watch',
    'packs.compareDecisions',
  ],
  ...['replay.pause', 'replay.resume', 'replay.cancel', 'replay.retryFailures', 'jobs.cancel'],
  ...['allocations.pause', 'allocations.resume', 'allocations.cancel', 'allocations.redraft'],
  ...['allocations.decide', 'allocations.look', 'packs.restoreDecisions'],
];

let bench: WriterTestSite;
let client: BackendClient;
let answers: ShownAnswers;
let show: ShownAnswers['show'];
let expectEvents: ShownAnswers['expectEvents'];

beforeAll(async () => {
  answers = await showAnswers();
  ({ bench, client, show, expectEvents } = answers);
});
afterAll(() => answers.close());

async function awaitJob(started: Promise<{ job: string | null }>): Promise<string> {
  const { job } = await started;
  if (job === null) return '';
  expect(await bench.waitForJob(job)).toMatchObject({ state: 'done' });
  return job;
}

it('a sync invalidates every query whose answer it changes', async () => {
  await show(['sites.list', 'settings.all', 'jobs.list', 'people.list'], {});
  await show([
    'sites.get',
    'sites.sharedKey',
    'jobs.list',
    'sync.status',
    'sync.runs',
    'sync.problems',
    'audit.list',
  ]);
  await show(['audit.verify', 'backups.list', 'search.unsearched', 'check.rules', 'check.summary']);
  await show(['check.months', 'exceptions.list', 'exceptions.assignees', 'periods.list']);
  await show(['webhooks.list', 'webhooks.facets', 'webhooks.outages', 'webhooks.errors']);
  await show(['statements.list', 'statements.facets', 'subscriptions.list', 'allocations.components']);
  await show(['allocations.drafts', 'replay.plans', 'replay.list', 'incidents.list']);
  await show([
    'archive.summary',
    'archive.names',
    'archive.exports',
    'archive.files',
    'archive.holds',
    'packs.list',
  ]);
  await show([
    'bank.accounts',
    'bank.offered',
    'ledger.offered',
    'bank.profiles',
    'bank.imports',
    'bank.lines',
    'bank.statements',
  ]);
  await show(['match.summary', 'match.passes', 'match.runs', 'match.list', 'match.payments']);
  await show([
    'match.categories',
    'match.rules',
    'match.proposedRules',
    'match.payouts',
    'periods.signOffChanges',
  ]);
  await show(['workpapers.settings', 'ledger.accounts', 'ledger.imports', 'ledger.lines', 'journal.list']);
  await show('match.tryRule', { ...onSite, ...feeRule });
  await show('missingWebhooks.list', { ...onSite, range: gap });
  await show('webhooks.list', { ...onSite, filter: { search: 'payment_success' } });
  await show('statements.list', { ...onSite, filter: { search: 'invoice' } });
  await show('search.find', { ...onSite, text: 'payment' });
  await show('statements.find', { ...onSite, words: 'statement' });
  const pages = { ...onSite, every: 100 };
  await show(['webhooks.marks', 'statements.marks', 'subscriptions.marks', 'exceptions.marks'], pages);
  await show(['allocations.componentMarks', 'bank.lineMarks', 'match.marks', 'match.paymentMarks'], pages);
  await show('webhooks.timeline', { ...onSite, buckets: 10 });
  for (const id of [1, 2]) {
    await show(['bank.getImport', 'bank.importRows', 'bank.getLine', 'exceptions.get'], { ...onSite, id });
    await show(['match.get', 'match.getRun', 'match.getPayout'], { ...onSite, id });
    await show('match.trail', { ...onSite, from: { kind: 'match', id } });
  }
  await expectEvents(async () => {
    const job = await awaitJob(client.sync.start(onSite));
    await show(['sync.run', 'jobs.get'], { ...onSite, job });
  });
  const { due } = await client.periods.list(onSite);
  const period = { ...onSite, period: due! };
  await show(['periods.get', 'periods.closedFigures', 'periods.signed', 'periods.broughtForward'], period);
  await show(['workpapers.get', 'workpapers.items', 'packs.plan', 'check.summary'], period);
  await show('workpapers.flux', period);
  await show('workpapers.fluxRows', { ...period, currency: 'USD', figure: 'S1.charges' });
  for (const table of reportTableNames) await show('reports.table', { ...period, table });
  await show('workpapers.rows', { ...period, currency: 'USD', figure: 'billing.payments' });
});

it('changing settings, a site or its key invalidates the affected queries', async () => {
  await expectEvents(() => client.settings.set({ key: 'theme', value: 'dark' }));
  await expectEvents(() => client.people.add({ name: 'Ada Byron' }));
  await expectEvents(() => client.people.add({ name: 'Bo Diddley' }));
  await expectEvents(() => client.people.setDefault({ name: 'Bo Diddley' }));
  await expectEvents(() => client.sites.update({ ...onSite, title: 'Acme Inc.', currency: 'EUR' }));
  await expectEvents(() => client.sites.update({ ...onSite, currency: 'USD' }));
  const { apiKey: api_key, url: base_url } = bench.sandbox;
  await expectEvents(() => client.sites.replaceKey({ ...onSite, api_key }));
  const shared_key = bench.sandbox.sharedKey;
  await expectEvents(() => client.sites.setSharedKey({ ...onSite, shared_key }));
  await expectEvents(() =>
    client.sites.add({
      title: 'Second',
      site: 'second',
      base_url: base_url.replace('127.0.0.1', 'localhost'),
      api_key,
    }),
  );
  await expectEvents(() => client.sites.remove({ site: 'second' }));
});

it('archive commands invalidate the affected queries', async () => {
  const sort = { by: 'closed_at', direction: 'asc' } as const;
  const { rows } = await client.statements.list({ ...onSite, filter: { state: ['paid'] }, sort, limit: 20 });
  const [{ id, subscription_id }] = rows as [(typeof rows)[number]];
  await show(['statements.get', 'statements.pdf'], { ...onSite, id });
  await show('transactions.list', { ...onSite, statement_id: id });
  await show('archive.deletable', { ...onSite, statements: [id] });
  await show(['subscriptions.get', 'subscriptions.activity'], { ...onSite, subscription_id });
  const target = { kind: 'zip', path: join(bench.outputs, 'all.zip') } as const;
  const planned = async () => {
    const planned = await client.archive.plan({ ...onSite, selection: { filter: {} }, target });
    await show('archive.get', { ...onSite, export: planned.export });
    return planned;
  };
  await expectEvents(() => client.statements.fetchPdf({ ...onSite, id }));
  await expectEvents(() => awaitJob(client.archive.fetch({ ...onSite, filter: { subscription_id } })));
  await expectEvents(() => client.search.catchUp({ ...onSite, of: 'statements' }));
  await expectEvents(() => client.archive.retain({ ...onSite, years: 1, reason }));
  await expectEvents(() => client.archive.hold({ ...onSite, statements: [id], reason }));
  await expectEvents(() => client.archive.release({ ...onSite, holds: [1], reason }));
  await expectEvents(async () => client.archive.discard({ ...onSite, export: (await planned()).export }));
  await expectEvents(async () =>
    awaitJob(client.archive.export({ ...onSite, export: (await planned()).export })),
  );
  await expectEvents(() => awaitJob(client.archive.check({ ...onSite, all: true })));
  await expectEvents(() => awaitJob(client.archive.repair(onSite)));
  await expectEvents(async () => {
    const { list } = await client.archive.deletable({ ...onSite, statements: [id] });
    await client.archive.delete({ ...onSite, statements: [id], list, reason });
  });
});

it('allocation commands invalidate the affected queries', async () => {
  const [component] = (await client.allocations.components(onSite)).rows;
  const { subscription_id, component_id } = component!;
  await show('allocations.list', { ...onSite, subscription_id, component_id });
  const changes = [{ subscription_id, component_id, quantity: '7' }];
  const createDraft = async () => {
    const { draft } = await client.allocations.draft({ ...onSite, from: { changes } });
    await show(['allocations.getDraft', 'allocations.changes'], { ...onSite, draft });
    await show('allocations.getChange', { ...onSite, draft, ordinal: 0 });
    return { ...onSite, draft };
  };
  await expectEvents(() => client.allocations.track({ ...onSite, subscription_id, component_id }));
  await expectEvents(async () => client.allocations.discard(await createDraft()));
  const draft = await createDraft();
  await expectEvents(async () => bench.waitForJob((await client.allocations.recheck(draft)).id));
  await expectEvents(async () => {
    const { sha256 } = await client.allocations.getDraft(draft);
    const { job } = await client.allocations.send({ ...draft, sha256 });
    await bench.waitForJob(job!);
  });
  await expectEvents(() => client.allocations.report({ ...draft, format: 'csv' }));
});

it('a replay invalidates the affected queries', async () => {
  const { rows } = await client.webhooks.list({ ...onSite, filter: { status: 'failed' }, limit: 30 });
  const ids = rows.map(({ id }) => id);
  await show('webhooks.get', { ...onSite, id: ids[0] });
  const incident = { ...onSite, id: 1 };
  await show('incidents.get', incident);
  await expectEvents(() => client.incidents.acknowledge({ ...incident, owner: 'Ada Byron' }));
  await expectEvents(() => client.incidents.update({ ...incident, note: 'The certificate expired.' }));
  await expectEvents(() => client.incidents.resolve({ ...incident, reason }));
  await expectEvents(() => client.incidents.reopen({ ...incident, reason }));
  await expectEvents(() => client.incidents.add({ ...onSite, from: { ids } }));
  await show('missingWebhooks.list', { ...onSite, range: gap });
  await expectEvents(() => client.missingWebhooks.readEvents({ ...onSite, range: gap }));
  await show(['alerts.list', 'alerts.settings'], onSite);
  await expectEvents(() => client.alerts.saveSettings({ ...onSite, desktop: true }));
  await expectEvents(() => client.alerts.test(onSite));
  await expectEvents(async () => {
    const taken = await client.alerts.takeDesktop(onSite);
    const { id: alert, attempt } = taken!;
    await client.alerts.saveDesktopResult({ ...onSite, alert, attempt, error: null });
  });
  const planned = async () => {
    const { plan } = await client.replay.plan({ ...onSite, selection: { ids } });
    await show('replay.planItems', { ...onSite, plan });
    return plan;
  };
  await expectEvents(async () => client.replay.discardPlan({ ...onSite, plan: await planned() }));
  const plan = await planned();
  await expectEvents(async () => {
    const { job } = await client.replay.run({ ...onSite, plan });
    await show(['replay.get', 'replay.items', 'replay.errors'], { ...onSite, job });
    await show('replay.itemMarks', { ...onSite, job, every: 10 });
    await bench.waitForJob(job);
  });
});

it('checks and exception decisions invalidate the affected queries', async () => {
  await expectEvents(() => awaitJob(client.check.start(onSite)));
  for (const off of [true, false]) {
    await expectEvents(() =>
      awaitJob(client.check.switch({ ...onSite, rule: 'statement-foots', off, reason })),
    );
  }
  const { rows } = await client.exceptions.list({ ...onSite, filter: { status: ['open'] } });
  const ids = [rows[0]!.id];
  await show('exceptions.get', { ...onSite, id: ids[0] });
  await expectEvents(() => client.exceptions.assign({ ...onSite, ids, assigned: 'Cy' }));
  const subject = { kind: 'exception', id: String(ids[0]) } as const;
  await show('comments.list', { ...onSite, subject });
  await expectEvents(() => client.comments.add({ ...onSite, subjects: [subject], text: 'Seen.' }));
  await expectEvents(() => client.exceptions.accept({ ...onSite, ids, reason }));
  await expectEvents(() => client.exceptions.reopen({ ...onSite, ids, reason }));
});

async function importLines(rows: Parameters<typeof standardCsv>[0], name: string): Promise<string> {
  const data = Buffer.from(standardCsv(rows)).toString('base64');
  const { upload } = await client.bank.upload({ ...onSite, name, data });
  const { plan } = await client.bank.plan({ ...onSite, upload, account: { name: 'Main' } });
  return awaitJob(client.bank.import({ ...onSite, plan }));
}

it('bank imports and matching invalidate the affected queries', async () => {
  await expectEvents(() => client.bank.saveAccount({ ...onSite, name: 'Main', kind: 'bank' }));
  await expectEvents(() => client.bank.saveAccount({ ...onSite, name: 'Other', kind: 'bank' }));
  await expectEvents(() => client.bank.removeAccount({ ...onSite, id: 2 }));
  const { profile } = (await client.bank.profiles(onSite))[0]!;
  await expectEvents(() => client.bank.saveProfile({ ...onSite, profile: { ...profile, name: 'mine' } }));
  await expectEvents(() => client.bank.removeProfile({ ...onSite, name: 'mine' }));
  await expectEvents(() => awaitJob(client.match.run(onSite)));
  const { due } = await client.periods.list(onSite);
  const { rows } = await client.match.payments(onSite);
  const paid = rows.filter(({ paid_on, amount_in_cents }) => paid_on.startsWith(due!) && amount_in_cents > 0);
  expect(paid.length).toBeGreaterThan(1);
  await show('match.getPayment', { ...onSite, id: paid[0]!.id });
  const lines = paid.map(
    ({ paid_on, amount_in_cents, gateway_transaction_id }) =>
      [paid_on, (amount_in_cents / 100).toFixed(2), 'CARD', gateway_transaction_id ?? ''] as const,
  );
  await expectEvents(() =>
    importLines(
      [...lines, [`${due}-14`, '-0.50', 'FEE'], [`${due}-15`, '3.33', 'WHO'], [`${due}-15`, '7.77', 'WHOM']],
      'a.csv',
    ),
  );
  await expectEvents(() => importLines([[`${due}-16`, '9.99', 'SECOND']], 'b.csv'));
  const { upload } = await client.bank.upload({ ...onSite, name: 'statement.pdf', data: 'JVBERi0=' });
  const days = { from: `${due}-01`, to: `${due}-28` };
  const balances = { opening_in_cents: 100, closing_in_cents: 4200 };
  await expectEvents(() => client.bank.addStatement({ ...onSite, account: 1, ...days, ...balances, upload }));
  const statements = await client.bank.statements(onSite);
  await expectEvents(() => client.bank.removeStatement({ ...onSite, id: statements[0]!.id, reason }));
  await expectEvents(() => awaitJob(client.match.run({ ...onSite, dry_run: true })));
  await expectEvents(() => awaitJob(client.match.run(onSite)));
  await expectEvents(() => awaitJob(client.bank.removeImport({ ...onSite, id: 2, reason })));
  const run = (await client.match.runs(onSite)).rows[0]!.id;
  await expectEvents(() => awaitJob(client.match.undoRun({ ...onSite, id: run, reason })));
  await show('audit.facets');
  await show('audit.get', { ...onSite, seq: 1 });
  await expectEvents(() => client.match.addCategory({ ...onSite, category: 'wages' }));
  await expectEvents(() => client.match.removeCategory({ ...onSite, category: 'wages' }));
  await expectEvents(() => client.match.saveRule({ ...onSite, ...feeRule }));
  await expectEvents(() => client.match.orderRules({ ...onSite, ids: [1] }));
  await expectEvents(() => awaitJob(client.match.run(onSite)));
  await expectEvents(() => client.match.removeRule({ ...onSite, id: 1 }));
});

it('ledger files and journal entries invalidate the affected queries', async () => {
  const { due } = await client.periods.list(onSite);
  const on = `${due}-15`;
  const data = Buffer.from(`Account,Date,Debit,Credit\n4000,${on},,5.00\n1200,${on},5.00,\n`).toString(
    'base64',
  );
  const { upload } = await client.bank.upload({ ...onSite, name: 'ledger.csv', data });
  await client.ledger.plan({ ...onSite, upload });
  let id = 0;
  await expectEvents(async () => {
    ({ id } = await client.ledger.import({ ...onSite, upload }));
  });
  const accounts = [{ account: '4000', area: 'revenue' as const }];
  await expectEvents(() => client.ledger.mapAccounts({ ...onSite, accounts }));
  await expectEvents(() => client.journal.propose({ ...onSite, period: due! }));
  const lines = [
    { account: '4000', debit_in_cents: 700 },
    { account: '1200', credit_in_cents: 700 },
  ];
  let entry = 0;
  await expectEvents(async () => {
    ({ id: entry } = await client.journal.add({ ...onSite, period: due!, memo: 'Test', lines }));
  });
  await expectEvents(() => client.journal.approve({ ...onSite, ids: [entry] }));
  await expectEvents(() => client.journal.export({ ...onSite, period: due!, format: 'xero' }));
  await expectEvents(() => client.journal.discard({ ...onSite, ids: [entry], reason }));
  await expectEvents(() => client.ledger.removeImport({ ...onSite, id, reason }));
});

it('match decisions invalidate the affected queries', async () => {
  const findMatch = async (status: 'confirmed' | 'suggested') => {
    const { rows } = await client.match.list({ ...onSite, filter: { status: [status] } });
    const [group] = rows.filter(({ rule }) => rule !== 'rule');
    await show('match.get', { ...onSite, id: group!.id });
    return group!;
  };
  const confirmed = await findMatch('confirmed');
  await expectEvents(() => client.match.undo({ ...onSite, ids: [confirmed.id], reason }));
  await expectEvents(() => awaitJob(client.match.run(onSite)));
  const suggested = await findMatch('suggested');
  await expectEvents(() => client.match.decline({ ...onSite, ids: [suggested.id] }));
  await expectEvents(() => client.match.undo({ ...onSite, ids: [suggested.id], reason }));
  await expectEvents(() => awaitJob(client.match.run(onSite)));
  const suggestedAgain = await findMatch('suggested');
  await expectEvents(() => client.match.confirm({ ...onSite, ids: [suggestedAgain.id] }));
  await expectEvents(() => client.match.acceptRule({ ...onSite, rule: suggestedAgain.rule }));
  const { rows } = await client.bank.lines(onSite);
  const idOf = (text: string) => rows.find(({ description }) => description === text)!.id;
  const line = idOf('WHO');
  await show('bank.getLine', { ...onSite, id: line });
  await expectEvents(() =>
    client.comments.add({ ...onSite, subjects: [{ kind: 'line', id: String(line) }], text: 'Who?' }),
  );
  await expectEvents(() =>
    client.match.writeOff({ ...onSite, lines: [idOf('WHOM')], category: 'interest', reason }),
  );
  const part = (cents: number) => ({
    lines: [{ id: line, allocated_in_cents: cents }],
    adjustments: [{ category: 'interest', amount_in_cents: cents, reason }],
  });
  await expectEvents(async () => {
    const { id } = await client.match.make({ ...onSite, ...part(333) });
    await show('match.get', { ...onSite, id });
  });
  const manualMatch = (await client.match.list({ ...onSite, filter: { line } })).rows[0]!.id;
  await expectEvents(() =>
    client.match.split({ ...onSite, id: manualMatch, parts: [part(100), part(233)], reason }),
  );
});

it('opening and closing a period, and late rows, invalidate the affected queries', async () => {
  const { due } = await client.periods.list(onSite);
  const period = { ...onSite, period: due! };
  const settings = await client.workpapers.settings(onSite);
  await expectEvents(() =>
    client.workpapers.saveSettings({ ...onSite, settings: { ...settings, transit_days: 8 } }),
  );
  await expectEvents(() => client.periods.open(period));
  await expectEvents(() =>
    client.comments.add({
      site: period.site,
      subjects: [{ kind: 'period', id: period.period }],
      text: 'Begun.',
    }),
  );
  const items = (await client.workpapers.items(period)).rows.slice(0, 1).map(({ key }) => key);
  await show('periods.explained', { ...onSite, items });
  await expectEvents(() => client.periods.explain({ ...period, items, owner: 'Cy' }));
  await show('periods.checklist', period);
  await show('periods.trend', onSite);
  const step = { ...period, step: 'own:1' };
  await expectEvents(() => client.periods.addChecklistStep({ ...period, title: 'Accrue the rent' }));
  await expectEvents(() => client.periods.changeChecklistStep({ ...step, done: true }));
  await expectEvents(() => client.periods.removeChecklistStep(step));
  const figure = { currency: 'USD', figure: 'S1.charges', by: 'Bo Diddley' };
  await expectEvents(() => client.periods.explainFlux({ ...period, ...figure, text: 'More seats.' }));
  const submission = { ...period, by: 'Ada Byron', comment: 'As far as is known.' };
  await expectEvents(() => client.periods.submit(submission));
  await expectEvents(() => client.periods.comment({ ...period, ...figure, text: 'Why so much?' }));
  const comment = (await client.periods.get(period)).history.at(-1)!.seq;
  await expectEvents(() =>
    client.periods.answerComment({ ...period, comment, by: 'Ada Byron', text: 'As billed.' }),
  );
  await expectEvents(() => client.periods.clearComment({ ...period, comment, by: 'Bo Diddley' }));
  const rejection = { by: 'Bo Diddley', verdict: 'reject', comment: 'A line is missing.' } as const;
  await expectEvents(() => client.periods.review({ ...period, ...rejection }));
  await expectEvents(() => client.periods.submit(submission));
  const path = join(bench.outputs, 'submitted.zip');
  await expectEvents(() => awaitJob(client.packs.write({ ...period, path })));
  const output = join(bench.outputs, 'review.json');
  const review = { path, output, by: 'Bo Diddley', verdict: 'approve' } as const;
  await expectEvents(() => client.packs.review(review));
  await expectEvents(() => client.periods.importReview({ ...onSite, review: readFileSync(output, 'utf8') }));
  await expectEvents(() => awaitJob(client.periods.close(period)));
  await expectEvents(() => importLines([[`${due}-20`, '8.00', 'LATE']], 'late.csv'));
  await expectEvents(() => awaitJob(client.periods.compare(onSite)));
  const pathOf = (name: string) => join(bench.outputs, name);
  await expectEvents(() => client.reports.write({ ...period, format: 'csv', path: pathOf('report.csv') }));
  await expectEvents(async () => {
    const job = await awaitJob(client.packs.write({ ...period, path: pathOf('pack.zip') }));
    await show('packs.result', { ...onSite, job });
  });
  await expectEvents(() => client.periods.reopen({ ...period, reason }));
});

it('backing up and restoring the books invalidate the affected queries', async () => {
  const { name } = await client.backups.make(onSite);
  const from = { name };
  await show('backups.compare', { ...onSite, from });
  await expectEvents(() => client.backups.make(onSite));
  await expectEvents(() => client.match.saveRule({ ...onSite, ...feeRule }));
  await expectEvents(async () => {
    const { fingerprint } = await client.backups.compare({ ...onSite, from });
    const { check } = await client.backups.restore({ ...onSite, from, fingerprint, reason });
    if (check !== null) await bench.waitForJob(check);
  });
});

it('a time stamp of the audit log invalidates the affected queries', async () => {
  const authority = createTestAuthority();
  onTestFinished(() => authority.close());
  const address = await authority.serve();
  await expectEvents(() => client.audit.timeStamp({ ...onSite, authority: address }));
});

it('a later sync of all parts invalidates the affected queries', async () => {
  bench.sandbox.advance({ days: 40 });
  await expectEvents(() =>
    client.sync.schedule({ ...onSite, schedule: { every_minutes: 15, next_at: null } }),
  );
  await expectEvents(() => awaitJob(client.sync.start(onSite)));
  await expectEvents(() =>
    awaitJob(client.sync.start({ ...onSite, full: true, only: ['statements', 'pdf'] })),
  );
});

it('the tests of this file cover every query and every command', () => {
  const { queries, commands } = answers.findUncovered();
  expect(queries.sort()).toEqual(queriesWithoutEvents.sort());
  expect(commands.sort()).toEqual(skippedCommands.sort());
});
