import { join } from 'node:path';
import { isContractProcedure } from '@orpc/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addException,
  addExceptionEntry,
  findException,
  setExceptionStatus,
} from '../../../src/backend/store/checks/exception.ts';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { openSqlite } from '../../../src/backend/store/sqlite/connection.ts';
import {
  type BackendClient,
  backendContract,
  type ErrorValue,
  getProcedureKind,
  toContractError,
} from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';

/**
 * Effect of every command of the contract on signed records. Add new commands here and to the test of their effect.
 * - `refused`: would change signed records, so it fails with `period_locked`.
 * - `allowed`: works and counts in the open period. Signed records stay unchanged.
 * - `signOff`: part of the sign-off, which has its own tests.
 * - `testedSeparately`: refused or without effect, as a separate test in this file or in `general-ledger` shows.
 * - `unrelated`: cannot affect signed records.
 */
type CommandEffect = 'refused' | 'allowed' | 'signOff' | 'testedSeparately' | 'unrelated';
const commandEffects: Record<string, CommandEffect> = {
  'sites.add': 'unrelated',
  'sites.test': 'unrelated',
  'sites.endpoints': 'unrelated',
  // The site's currency is part of every figure.
  'sites.update': 'refused',
  'sites.replaceKey': 'unrelated',
  'sites.setSharedKey': 'unrelated',
  // Moves the complete site folder, including the closed figures.
  'sites.remove': 'unrelated',
  'statements.fetchPdf': 'unrelated',
  // No figure contains quantities. The next sync detects their effect on statements.
  'allocations.track': 'unrelated',
  'allocations.draft': 'unrelated',
  'allocations.redraft': 'unrelated',
  'allocations.recheck': 'unrelated',
  'allocations.discard': 'unrelated',
  'allocations.send': 'unrelated',
  'allocations.pause': 'unrelated',
  'allocations.resume': 'unrelated',
  'allocations.cancel': 'unrelated',
  'allocations.decide': 'unrelated',
  'allocations.look': 'unrelated',
  'allocations.report': 'unrelated',
  // Writes only the cache. Differences from the signed figures become changes since sign-off.
  'sync.start': 'allowed',
  // Only adds stored records to the search index.
  'search.catchUp': 'unrelated',
  // Announces the next sync and changes no stored record.
  'sync.schedule': 'unrelated',
  'replay.plan': 'unrelated',
  'replay.discardPlan': 'unrelated',
  'replay.run': 'unrelated',
  'replay.pause': 'unrelated',
  'replay.resume': 'unrelated',
  'replay.cancel': 'unrelated',
  'replay.retryFailures': 'unrelated',
  'incidents.add': 'unrelated',
  'incidents.update': 'unrelated',
  'incidents.acknowledge': 'unrelated',
  'incidents.resolve': 'unrelated',
  'incidents.reopen': 'unrelated',
  'missingWebhooks.readEvents': 'unrelated',
  'alerts.saveSettings': 'unrelated',
  'alerts.test': 'unrelated',
  'alerts.takeDesktop': 'unrelated',
  'alerts.saveDesktopResult': 'unrelated',
  'check.start': 'allowed',
  // Works on a copy.
  'check.recompute': 'unrelated',
  'check.switch': 'allowed',
  'exceptions.assign': 'allowed',
  'comments.add': 'allowed',
  'exceptions.accept': 'refused',
  'exceptions.reopen': 'refused',
  // PDFs are not rows of a period. The archive keeps them until the end of their retention.
  'archive.retain': 'unrelated',
  'archive.hold': 'unrelated',
  'archive.release': 'unrelated',
  'archive.delete': 'unrelated',
  'archive.plan': 'unrelated',
  'archive.discard': 'unrelated',
  'archive.export': 'unrelated',
  'archive.fetch': 'unrelated',
  'archive.check': 'unrelated',
  'archive.repair': 'unrelated',
  'bank.saveAccount': 'refused',
  'bank.removeAccount': 'unrelated',
  'bank.upload': 'unrelated',
  'bank.plan': 'unrelated',
  'bank.planRows': 'unrelated',
  'bank.import': 'allowed',
  'bank.removeImport': 'refused',
  'bank.addStatement': 'allowed',
  'bank.removeStatement': 'refused',
  'bank.saveProfile': 'unrelated',
  'bank.removeProfile': 'unrelated',
  'ledger.plan': 'unrelated',
  'ledger.import': 'testedSeparately',
  'ledger.removeImport': 'testedSeparately',
  'ledger.mapAccounts': 'testedSeparately',
  'journal.propose': 'testedSeparately',
  'journal.add': 'testedSeparately',
  'journal.approve': 'testedSeparately',
  'journal.discard': 'testedSeparately',
  // Formats approved entries as a file.
  'journal.export': 'unrelated',
  'match.run': 'allowed',
  'match.undoRun': 'refused',
  'match.confirm': 'allowed',
  'match.decline': 'allowed',
  'match.undo': 'refused',
  'match.acceptRule': 'allowed',
  'match.make': 'allowed',
  'match.split': 'refused',
  'match.writeOff': 'allowed',
  // Categories are suggestions for later decisions.
  'match.addCategory': 'unrelated',
  'match.removeCategory': 'unrelated',
  'match.saveRule': 'allowed',
  'match.removeRule': 'allowed',
  'match.orderRules': 'allowed',
  'periods.open': 'signOff',
  'periods.submit': 'signOff',
  'periods.review': 'signOff',
  'periods.importReview': 'signOff',
  'periods.close': 'signOff',
  'periods.reopen': 'signOff',
  'periods.comment': 'signOff',
  'periods.answerComment': 'signOff',
  'periods.clearComment': 'signOff',
  'periods.explainFlux': 'signOff',
  'periods.explain': 'refused',
  'periods.addChecklistStep': 'refused',
  'periods.changeChecklistStep': 'refused',
  'periods.removeChecklistStep': 'refused',
  'periods.compare': 'signOff',
  'workpapers.saveSettings': 'allowed',
  'reports.write': 'unrelated',
  'packs.write': 'unrelated',
  'packs.compareDecisions': 'unrelated',
  // Writes a review file and changes no books.
  'packs.review': 'unrelated',
  'packs.restoreDecisions': 'testedSeparately',
  'backups.make': 'unrelated',
  'backups.restore': 'testedSeparately',
  'jobs.watch': 'unrelated',
  'jobs.cancel': 'unrelated',
  'changes.watch': 'unrelated',
  // People are recorded once. Signed sign-offs contain their keys.
  'audit.timeStamp': 'unrelated',
  'people.add': 'unrelated',
  'people.setDefault': 'unrelated',
  'settings.set': 'unrelated',
};

let bench: PeriodBench;
let client: BackendClient;
const october = { site: SITE, period: '2026-10' };
const atSite = { site: SITE };
const reason = 'A test tries it.';
const books = () => join(bench.home, 'sites', SITE, 'books.db');

/** Closes October with a match, two outstanding lines, an outstanding payment, an accepted exception and an open one. */
beforeAll(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements(
    { id: 7, on: '2026-10-05', cents: 1900 },
    { id: 8, on: '2026-10-30', cents: 4900 },
    { id: 5, on: '2026-10-12', cents: 3100 },
  );
  await bench.import(
    standardCsv([
      ['2026-10-06', '19.00', 'CARD', 'ch_x70'],
      ['2026-10-09', '3.00', 'NOBODY KNOWS'],
      ['2026-10-13', '31.00', 'UNLIKELY'],
      ['2026-10-14', '-0.50', 'FEE'],
    ]),
  );
  const upload = await client.bank.upload({ ...atSite, name: 'october.pdf', data: 'JVBERi0=' });
  const balances = { opening_in_cents: 0, closing_in_cents: 5250 };
  const days = { from: '2026-10-01', to: '2026-10-31' };
  await client.bank.addStatement({ ...atSite, account: 1, ...days, ...balances, upload: upload.upload });
  await bench.match();
  // Confirmed and undone by a person, so that it is outstanding and later runs only suggest it.
  const { rows } = await client.match.list({ ...atSite, filter: { line: 3 } });
  const ids = rows.map(({ id }) => id);
  await client.match.confirm({ ...atSite, ids });
  await client.match.undo({ ...atSite, ids, reason });
  const db = openStore(books(), 'books');
  for (const key of ['one', 'two']) {
    const id = addException(db, getExceptionByKey(key), 1);
    addExceptionEntry(db, id, { at: 1, user: null, action: 'found', text: 'Found by a test.', job: null });
  }
  setExceptionStatus(db, findException(db, 1)!, { status: 'accepted', accepted_evidence: 'e' }, 1);
  closeStore(db);
  await client.periods.open(october);
  expect((await bench.sign('2026-10')).state).toBe('done');
  await client.periods.open({ site: SITE, period: '2026-11' });
});
afterAll(() => bench.close());

const getExceptionByKey = (key: string) => ({
  key,
  rule: 'statement-foots',
  severity: 'error' as const,
  across: false,
  subject: { subscription_id: 7, statement_id: 7 },
  dated_on: '2026-10-05',
  dated_at: Date.UTC(2026, 9, 5),
  expected_in_cents: 1,
  actual_in_cents: 2,
  difference_in_cents: 1,
  message: 'It does not foot.',
  arithmetic: [],
  rows: [],
  members: [],
  links: { subscription: new Set([7]), statement: new Set([7]), webhook: new Set<number>() },
  evidence: 'e',
});

async function getError(call: () => Promise<unknown>): Promise<ErrorValue> {
  try {
    await call();
  } catch (error) {
    return toContractError(error);
  }
  throw new Error('It was not refused.');
}

/** Asserts that every signed row is unchanged. */
async function expectUnchanged() {
  const job = await bench.waitForJob((await client.periods.compare(atSite)).job);
  expect([job.state, job.error]).toEqual(['done', null]);
  const { rows } = await client.periods.signOffChanges({
    ...atSite,
    filter: { change: ['changed', 'removed'], ended: true },
  });
  expect(rows.map(({ text }) => text)).toEqual([]);
}

it('classifies every command of the contract by its effect on signed records', () => {
  const all = Object.entries(backendContract).flatMap(([noun, procedures]) =>
    Object.entries(procedures)
      .filter(([name, each]) => isContractProcedure(each) && getProcedureKind([noun, name]) !== 'query')
      .map(([name]) => `${noun}.${name}`),
  );
  expect(Object.keys(commandEffects).sort()).toEqual(all.sort());
  const testedCommands = [...Object.keys(refused), ...Object.keys(allowedCommands), 'sync.start'];
  const expectedCommands = Object.keys(commandEffects).filter((name) =>
    ['refused', 'allowed'].includes(commandEffects[name]!),
  );
  expect(testedCommands.sort()).toEqual(expectedCommands.sort());
});

const refused: Record<string, () => Promise<unknown>> = {
  'sites.update': () => client.sites.update({ ...atSite, currency: 'EUR' }),
  'exceptions.accept': () => client.exceptions.accept({ ...atSite, ids: [2], reason }),
  'exceptions.reopen': () => client.exceptions.reopen({ ...atSite, ids: [1], reason }),
  'bank.saveAccount': () => client.bank.saveAccount({ ...atSite, id: 1, name: 'Main', kind: 'processor' }),
  'bank.removeImport': () => client.bank.removeImport({ ...atSite, id: 1, reason }),
  'bank.removeStatement': () => client.bank.removeStatement({ ...atSite, id: 1, reason }),
  'match.undoRun': () => client.match.undoRun({ ...atSite, id: 1, reason }),
  'match.undo': () => client.match.undo({ ...atSite, ids: [1], reason }),
  'match.split': () =>
    client.match.split({
      ...atSite,
      id: 1,
      reason,
      parts: [{ lines: [{ id: 1 }] }, { transactions: [{ id: 70 }] }],
    }),
  'periods.explain': () => client.periods.explain({ ...october, items: ['line:2'], owner: 'Cy' }),
  'periods.addChecklistStep': () => client.periods.addChecklistStep({ ...october, title: 'Late' }),
  'periods.changeChecklistStep': () =>
    client.periods.changeChecklistStep({ ...october, step: 'sync', owner: 'Cy' }),
  'periods.removeChecklistStep': () => client.periods.removeChecklistStep({ ...october, step: 'own:1' }),
};

describe('signed records are not changed by', () => {
  it.each(Object.keys(refused))('%s, whose error names the record, the period and a hint', async (name) => {
    expect(await getError(refused[name]!)).toMatchObject({
      code: 'period_locked',
      message: expect.stringContaining('2026-10'),
      hint: expect.stringContaining('reopen 2026-10'),
      detail: { period: '2026-10' },
    });
  });

  it.each([
    ["UPDATE match_group SET status = 'undone' WHERE id = 1", 'match 1'],
    ['UPDATE match_group SET score = 1 WHERE id = 1', 'match 1'],
    ['UPDATE match_item SET claim_state = 0 WHERE group_id = 1', 'match 1'],
    ['DELETE FROM match_item WHERE group_id = 1', 'match 1'],
    ["INSERT INTO match_item VALUES (1, 9, NULL, NULL, 0, 3, 'fee', NULL)", 'match 1'],
    ['UPDATE bank_line SET removed = 1 WHERE id = 2', 'line 2'],
    ["UPDATE bank_line SET booked_on = '2026-11-01' WHERE id = 2", 'line 2'],
    ['DELETE FROM bank_line WHERE id = 2', 'line 2'],
    ['UPDATE match_payment SET amount_in_cents = 4901 WHERE id = 80', 'payment 80'],
    ['UPDATE match_payment SET removed = 1 WHERE id = 80', 'payment 80'],
    ['DELETE FROM match_payment WHERE id = 80', 'payment 80'],
    ["UPDATE bank_account SET kind = 'ledger'", 'account 1'],
    ["INSERT INTO exception_entry VALUES (2, 9, 0, 'ada', 'accepted', NULL, NULL)", 'exception 2'],
    [
      "INSERT INTO item_explanation VALUES ('line:2', 1, 0, 'ada', '2026-10', NULL, NULL, NULL, NULL)",
      'item line:2',
    ],
    ["INSERT INTO checklist_step VALUES (1, 'sync', NULL, 'Cy', NULL, NULL, NULL, 0)", 'step sync'],
    [
      "INSERT INTO item_explanation VALUES ('line:2', 1, 0, 'ada', '2026-09', NULL, NULL, NULL, NULL)",
      'item line:2',
    ],
  ])('%s', (sql, what) => {
    const db = openStore(books(), 'books');
    expect(() => db.exec(sql)).toThrow(`period_locked: ${what}`);
    closeStore(db);
  });

  it.each([
    'DELETE FROM period',
    "UPDATE period SET last_on = '2026-10-30'",
    'DELETE FROM period_entry',
    "UPDATE period_entry SET name = 'Cy'",
    "UPDATE closed_figures SET figures = ''",
    'DELETE FROM closed_figures',
    "UPDATE closed_figures_chunk SET sha256 = ''",
    'DELETE FROM closed_figures_chunk',
    'UPDATE closed_figures_item SET amount_in_cents = 0',
    'DELETE FROM closed_figures_item',
  ])('%s', (sql) => {
    const db = openStore(books(), 'books');
    expect(() => db.exec(sql)).toThrow();
    closeStore(db);
  });
});

const allowedCommands: Record<string, () => Promise<void>> = {
  'bank.addStatement': async () => {
    const { upload } = await client.bank.upload({ ...atSite, name: 'november.pdf', data: 'JVBERi0=' });
    const days = { from: '2026-11-01', to: '2026-11-30' };
    const balances = { opening_in_cents: 5250, closing_in_cents: 5250 };
    const added = await client.bank.addStatement({ ...atSite, account: 1, ...days, ...balances, upload });
    expect(added).toMatchObject({ gap_in_cents: 0, days_between: 0, account: { name: 'Main' } });
  },
  'bank.import': async () => {
    const { job } = await bench.import(
      standardCsv([
        ['2026-10-20', '8.00', 'LATE'],
        ['2026-11-02', '49.00', 'CARD', 'ch_x80'],
      ]),
      { name: 'late.csv' },
    );
    expect(job?.state).toBe('done');
    const { rows } = await client.periods.signOffChanges(atSite);
    expect(rows.map(({ text, posted_in }) => [text, posted_in])).toEqual([
      ['Line 5 of 8.00 is dated in 2026-10 but arrived after the period was closed.', '2026-11'],
    ]);
  },
  'match.make': async () => {
    const made = await client.match.make({
      ...atSite,
      lines: [{ id: 3 }],
      transactions: [{ id: 50 }],
      reason,
    });
    expect(clearedDays().get(made.id)).toBe('2026-11-01');
    await client.match.undo({ ...atSite, ids: [made.id], reason });
  },
  'match.saveRule': async () => {
    await client.match.saveRule({
      ...atSite,
      title: 'Fees',
      conditions: [{ field: 'text', is: 'contains', value: 'fee' }],
      action: { do: 'categorize', category: 'fee' },
    });
  },
  'match.orderRules': async () => {
    await client.match.orderRules({ ...atSite, ids: [1] });
  },
  'match.run': async () => {
    await bench.match();
    expect((await client.match.get({ ...atSite, id: 1 })).status).toBe('confirmed');
    const days = clearedDays();
    expect(days.get(1)).toBe('2026-10-06');
    // Items outstanding from October that are matched now are cleared in November: the fee, and the lines of November's
    // file.
    expect([...days.values()].sort()).toEqual(['2026-10-06', '2026-11-01', '2026-11-02']);
  },
  'match.removeRule': async () => {
    await client.match.removeRule({ ...atSite, id: 1 });
  },
  'match.writeOff': async () => {
    const [made] = await client.match.writeOff({ ...atSite, lines: [2], category: 'interest', reason });
    expect(clearedDays().get(made!.id)).toBe('2026-11-01');
  },
  'match.confirm': () => decideOctoberMatch('confirm', 'confirmed'),
  'match.decline': () => decideOctoberMatch('decline', 'declined'),
  'match.acceptRule': async () => {
    const { rows } = await client.match.list({ ...atSite, filter: { status: ['suggested'] } });
    expect(await client.match.acceptRule({ ...atSite, rule: rows[0]!.rule })).toEqual({
      confirmed: 1,
      left: 0,
    });
  },
  'exceptions.assign': async () => {
    await client.exceptions.assign({ ...atSite, ids: [2], assigned: 'Cy' });
  },
  'comments.add': async () => {
    await client.comments.add({
      ...atSite,
      subjects: [{ kind: 'exception', id: '2' }],
      text: 'An addition.',
    });
  },
  'check.switch': async () => {
    const { job } = await client.check.switch({ ...atSite, rule: 'statement-foots', off: true, reason });
    if (job !== null) await bench.waitForJob(job);
    expect((await client.exceptions.get({ ...atSite, id: 2 })).status).toBe('open');
    expect((await client.exceptions.get({ ...atSite, id: 1 })).status).toBe('accepted');
  },
  'check.start': async () => {
    await bench.waitForJob((await client.check.start(atSite)).job);
  },
  'workpapers.saveSettings': async () => {
    const settings = await client.workpapers.settings(atSite);
    const before = (await client.periods.signed(october)).json;
    await client.workpapers.saveSettings({ ...atSite, settings: { ...settings, transit_days: 9 } });
    expect((await client.periods.signed(october)).json).toBe(before);
  },
};

describe('signed records stay unchanged after', () => {
  it.each(Object.keys(allowedCommands))('%s', async (name) => {
    await allowedCommands[name]!();
    await expectUnchanged();
  });
});

describe('an exception', () => {
  it('that is found after the closing is late and is decided in the open period', async () => {
    const db = openStore(books(), 'books');
    const id = addException(db, { ...getExceptionByKey('three'), dated_on: '2026-10-07' }, 2);
    addExceptionEntry(db, id, { at: 2, user: null, action: 'found', text: 'Found by a test.', job: null });
    closeStore(db);
    await bench.match();
    const { rows } = await client.periods.signOffChanges({ ...atSite, filter: { kind: ['exception'] } });
    expect(rows).toMatchObject([{ row: id, change: 'added', posted_in: '2026-11', amount_in_cents: 0 }]);
    expect(await client.exceptions.accept({ ...atSite, ids: [id], reason })).toMatchObject([
      { status: 'accepted' },
    ]);
  });

  it('that a check closes is a change since sign-off until it is found again', async () => {
    const change = async (status: 'open' | 'closed', what: 'found' | 'closed', at: number) => {
      const db = openStore(books(), 'books');
      setExceptionStatus(db, findException(db, 2)!, { status, accepted_evidence: null }, at);
      addExceptionEntry(db, 2, { at, user: null, action: what, text: 'By a test.', job: null });
      closeStore(db);
      await bench.match();
      return client.periods.signOffChanges({
        ...atSite,
        filter: { kind: ['exception'], change: ['removed', 'changed'] },
      });
    };
    expect((await change('closed', 'closed', 3)).rows).toMatchObject([{ row: 2, change: 'removed' }]);
    expect((await change('open', 'found', 4)).rows).toEqual([]);
    expect(await getError(() => client.exceptions.accept({ ...atSite, ids: [2], reason }))).toMatchObject({
      code: 'period_locked',
    });
  });
});

it('finds each row that was changed outside the app', async () => {
  const db = openSqlite(books());
  db.exec(
    'DROP TRIGGER bank_line_locked; UPDATE bank_line SET description = upper(description) || 1 WHERE id = 2',
  );
  db.close();
  await bench.waitForJob((await client.periods.compare(atSite)).job);
  const { rows } = await client.periods.signOffChanges({ ...atSite, filter: { change: ['changed'] } });
  expect(rows).toMatchObject([
    {
      kind: 'line',
      row: 2,
      fields: [{ field: 'description', before: 'NOBODY KNOWS', after: 'NOBODY KNOWS1' }],
    },
  ]);
});

function clearedDays(): Map<number, string> {
  const db = bench.books();
  return new Map(
    db.prepare('SELECT group_id, cleared_on FROM match_cleared').raw().all() as [number, string][],
  );
}

/** Decides about a suggested match of October's outstanding items. The decision counts in November. */
async function decideOctoberMatch(verb: 'confirm' | 'decline', status: string) {
  const { rows } = await client.match.list({ ...atSite, filter: { status: ['suggested'] } });
  expect(rows.length).toBe(1);
  for (const { id } of rows) {
    const [group] = await client.match[verb]({ ...atSite, ids: [id] });
    expect(group?.status).toBe(status);
    if (status === 'confirmed') expect((clearedDays().get(id) ?? '') >= '2026-11-01').toBe(true);
    await client.match.undo({ ...atSite, ids: [id], reason });
    await bench.match();
  }
}
