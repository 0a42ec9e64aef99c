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
import { connect } from '../../../src/backend/store/sqlite/connection.ts';
import {
  type Client,
  contract,
  type ErrorValue,
  getProcedureKind,
  toContractError,
} from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/bench.ts';

/**
 * Every command of the contract, and what it does with what is signed. A command that is new is to be put here, and shown.
 * - `refused`: it would change what is signed, so it answers `period_locked`.
 * - `lands`: it works, and what it does counts in the open period; what is signed stays as it is.
 * - `own`: it is the sign-off itself, of which the other tests are.
 * - `elsewhere`: it is refused, which is shown with the rest of what it does.
 * - `apart`: nothing that is signed is within its reach.
 */
type Does = 'refused' | 'lands' | 'own' | 'elsewhere' | 'apart';
const commands: Record<string, Does> = {
  'sites.add': 'apart',
  'sites.test': 'apart',
  // Its currency is part of every figure.
  'sites.update': 'refused',
  'sites.replaceKey': 'apart',
  // Sets the whole folder aside, the seals with it.
  'sites.remove': 'apart',
  'statements.fetchPdf': 'apart',
  // Quantities are in no figure; what they lead to in the statements is noticed by the next sync.
  'allocations.track': 'apart',
  'allocations.draft': 'apart',
  'allocations.redraft': 'apart',
  'allocations.recheck': 'apart',
  'allocations.discard': 'apart',
  'allocations.send': 'apart',
  'allocations.pause': 'apart',
  'allocations.resume': 'apart',
  'allocations.cancel': 'apart',
  'allocations.decide': 'apart',
  'allocations.look': 'apart',
  'allocations.report': 'apart',
  // Writes the cache alone; what is otherwise than signed is noted as drift, as after a match below.
  'sync.start': 'lands',
  // How far what is held is found by its words.
  'search.catchUp': 'apart',
  // Announces when the next one begins; changes nothing that is held.
  'sync.schedule': 'apart',
  'replay.plan': 'apart',
  'replay.discardPlan': 'apart',
  'replay.run': 'apart',
  'replay.pause': 'apart',
  'replay.resume': 'apart',
  'replay.cancel': 'apart',
  'replay.retryFailures': 'apart',
  'check.start': 'lands',
  'check.switch': 'lands',
  'exceptions.assign': 'lands',
  'exceptions.comment': 'lands',
  'exceptions.accept': 'refused',
  'exceptions.reopen': 'refused',
  // PDFs are no rows; those within their retention are kept by the archive.
  'archive.retain': 'apart',
  'archive.hold': 'apart',
  'archive.release': 'apart',
  'archive.delete': 'apart',
  'archive.plan': 'apart',
  'archive.discard': 'apart',
  'archive.export': 'apart',
  'archive.fetch': 'apart',
  'archive.check': 'apart',
  'archive.repair': 'apart',
  'bank.saveAccount': 'refused',
  'bank.removeAccount': 'apart',
  'bank.upload': 'apart',
  'bank.plan': 'apart',
  'bank.planRows': 'apart',
  'bank.import': 'lands',
  'bank.removeImport': 'refused',
  'bank.saveProfile': 'apart',
  'bank.removeProfile': 'apart',
  'match.run': 'lands',
  'match.undoRun': 'refused',
  'match.confirm': 'lands',
  'match.decline': 'lands',
  'match.undo': 'refused',
  'match.acceptRule': 'lands',
  'match.make': 'lands',
  'match.split': 'refused',
  'match.writeOff': 'lands',
  'match.note': 'lands',
  'match.saveRule': 'lands',
  'match.removeRule': 'lands',
  'match.orderRules': 'lands',
  'periods.open': 'own',
  'periods.submit': 'own',
  'periods.review': 'own',
  'periods.close': 'own',
  'periods.reopen': 'own',
  'periods.note': 'own',
  'periods.explain': 'refused',
  'periods.compare': 'own',
  'workpapers.saveSettings': 'lands',
  'reports.write': 'apart',
  'packs.write': 'apart',
  'packs.compareDecisions': 'apart',
  'packs.restoreDecisions': 'elsewhere',
  'backups.make': 'apart',
  'backups.restore': 'elsewhere',
  'jobs.watch': 'apart',
  'jobs.cancel': 'apart',
  'changes.watch': 'apart',
  'settings.set': 'apart',
};

let bench: PeriodBench;
let client: Client;
const october = { site: SITE, period: '2026-10' };
const on = { site: SITE };
const reason = 'A test tries it.';
const books = () => join(bench.home, 'sites', SITE, 'books.db');

/** October is closed: a match, two lines and a payment outstanding, an exception accepted and one open. */
beforeAll(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.statements(
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
  await bench.match();
  // Taken back by a person, so that it is outstanding, and later runs only suggest it.
  const { rows } = await client.match.list({ ...on, filter: { line: 3 } });
  await client.match.undo({ ...on, ids: rows.map(({ id }) => id), reason });
  const db = openStore(books(), 'books');
  for (const key of ['one', 'two']) {
    const id = addException(db, exceptionOf(key), 1);
    addExceptionEntry(db, id, { at: 1, user: null, action: 'found', text: 'Found by a test.', job: null });
  }
  setExceptionStatus(db, findException(db, 1)!, { status: 'accepted', accepted_evidence: 'e' }, 1);
  closeStore(db);
  await client.periods.open(october);
  expect((await bench.sign('2026-10')).state).toBe('done');
  await client.periods.open({ site: SITE, period: '2026-11' });
});
afterAll(() => bench.close());

const exceptionOf = (key: string) => ({
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
  links: { subscription: new Set([7]), statement: new Set([7]), webhook: new Set<number>() },
  evidence: 'e',
});

async function failure(call: () => Promise<unknown>): Promise<ErrorValue> {
  try {
    await call();
  } catch (error) {
    return toContractError(error);
  }
  throw new Error('It was not refused.');
}

/** Every sealed row is what it was. */
async function expectAsSigned() {
  const job = await bench.ended((await client.periods.compare(on)).job);
  expect([job.state, job.error]).toEqual(['done', null]);
  const { rows } = await client.periods.signOffChanges({
    ...on,
    filter: { change: ['changed', 'removed'], ended: true },
  });
  expect(rows.map(({ text }) => text)).toEqual([]);
}

it('classifies every command of the contract by its effect on signed records', () => {
  const all = Object.entries(contract).flatMap(([noun, procedures]) =>
    Object.entries(procedures)
      .filter(([name, each]) => isContractProcedure(each) && getProcedureKind([noun, name]) !== 'query')
      .map(([name]) => `${noun}.${name}`),
  );
  expect(Object.keys(commands).sort()).toEqual(all.sort());
  const shown = [...Object.keys(refused), ...Object.keys(landing), 'sync.start'];
  const wanted = Object.keys(commands).filter((name) => ['refused', 'lands'].includes(commands[name]!));
  expect(shown.sort()).toEqual(wanted.sort());
});

const refused: Record<string, () => Promise<unknown>> = {
  'sites.update': () => client.sites.update({ ...on, currency: 'EUR' }),
  'exceptions.accept': () => client.exceptions.accept({ ...on, ids: [2], reason }),
  'exceptions.reopen': () => client.exceptions.reopen({ ...on, ids: [1], reason }),
  'bank.saveAccount': () => client.bank.saveAccount({ ...on, id: 1, name: 'Main', kind: 'processor' }),
  'bank.removeImport': () => client.bank.removeImport({ ...on, id: 1, reason }),
  'match.undoRun': () => client.match.undoRun({ ...on, id: 1, reason }),
  'match.undo': () => client.match.undo({ ...on, ids: [1], reason }),
  'match.split': () =>
    client.match.split({
      ...on,
      id: 1,
      reason,
      parts: [{ lines: [{ id: 1 }] }, { transactions: [{ id: 70 }] }],
    }),
  'periods.explain': () => client.periods.explain({ ...october, items: ['line:2'], owner: 'Cy' }),
};

describe('signed records are not changed by', () => {
  it.each(Object.keys(refused))('%s, whose error names the record, the period and a hint', async (name) => {
    expect(await failure(refused[name]!)).toMatchObject({
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

const landing: Record<string, () => Promise<void>> = {
  'bank.import': async () => {
    const { job } = await bench.import(
      standardCsv([
        ['2026-10-20', '8.00', 'LATE'],
        ['2026-11-02', '49.00', 'CARD', 'ch_x80'],
      ]),
      { name: 'late.csv' },
    );
    expect(job?.state).toBe('done');
    const { rows } = await client.periods.signOffChanges(on);
    expect(rows.map(({ text, posted_in }) => [text, posted_in])).toEqual([
      ['Line 5 of 8.00 is dated in 2026-10 but arrived after the period was closed.', '2026-11'],
    ]);
  },
  'match.make': async () => {
    const made = await client.match.make({ ...on, lines: [{ id: 3 }], transactions: [{ id: 50 }], reason });
    expect(clearedDays().get(made.id)).toBe('2026-11-01');
    await client.match.undo({ ...on, ids: [made.id], reason });
  },
  'match.saveRule': async () => {
    await client.match.saveRule({
      ...on,
      title: 'Fees',
      conditions: [{ field: 'text', is: 'contains', value: 'fee' }],
      action: { do: 'categorize', category: 'fee' },
    });
  },
  'match.orderRules': async () => {
    await client.match.orderRules({ ...on, ids: [1] });
  },
  'match.run': async () => {
    await bench.match();
    expect((await client.match.get({ ...on, id: 1 })).status).toBe('confirmed');
    const days = clearedDays();
    expect(days.get(1)).toBe('2026-10-06');
    // What is outstanding of October and is matched now is cleared in November: the fee, and what came with November’s file.
    expect([...days.values()].sort()).toEqual(['2026-10-06', '2026-11-01', '2026-11-02']);
  },
  'match.removeRule': async () => {
    await client.match.removeRule({ ...on, id: 1 });
  },
  'match.writeOff': async () => {
    const [made] = await client.match.writeOff({ ...on, lines: [2], category: 'interest', reason });
    expect(clearedDays().get(made!.id)).toBe('2026-11-01');
  },
  'match.confirm': () => deciding('confirm', 'confirmed'),
  'match.decline': () => deciding('decline', 'declined'),
  'match.acceptRule': async () => {
    const { rows } = await client.match.list({ ...on, filter: { status: ['suggested'] } });
    expect(await client.match.acceptRule({ ...on, rule: rows[0]!.rule })).toEqual({ confirmed: 1, left: 0 });
  },
  'match.note': async () => {
    await client.match.note({ ...on, on: { group: 1 }, text: 'An addition, with its author and date.' });
  },
  'exceptions.assign': async () => {
    await client.exceptions.assign({ ...on, ids: [2], assigned: 'Cy' });
  },
  'exceptions.comment': async () => {
    await client.exceptions.comment({ ...on, ids: [2], text: 'An addition.' });
  },
  'check.switch': async () => {
    const { job } = await client.check.switch({ ...on, rule: 'statement-foots', off: true, reason });
    if (job !== null) await bench.ended(job);
    expect((await client.exceptions.get({ ...on, id: 2 })).status).toBe('open');
    expect((await client.exceptions.get({ ...on, id: 1 })).status).toBe('accepted');
  },
  'check.start': async () => {
    await bench.ended((await client.check.start(on)).job);
  },
  'workpapers.saveSettings': async () => {
    const settings = await client.workpapers.settings(on);
    const before = (await client.periods.signed(october)).json;
    await client.workpapers.saveSettings({ ...on, settings: { ...settings, transit_days: 9 } });
    expect((await client.periods.signed(october)).json).toBe(before);
  },
};

describe('signed records stay unchanged after', () => {
  it.each(Object.keys(landing))('%s', async (name) => {
    await landing[name]!();
    await expectAsSigned();
  });
});

describe('an exception', () => {
  it('that is found after the closing is late and is decided in the open period', async () => {
    const db = openStore(books(), 'books');
    const id = addException(db, { ...exceptionOf('three'), dated_on: '2026-10-07' }, 2);
    addExceptionEntry(db, id, { at: 2, user: null, action: 'found', text: 'Found by a test.', job: null });
    closeStore(db);
    await bench.match();
    const { rows } = await client.periods.signOffChanges({ ...on, filter: { kind: ['exception'] } });
    expect(rows).toMatchObject([{ row: id, change: 'added', posted_in: '2026-11', amount_in_cents: 0 }]);
    expect(await client.exceptions.accept({ ...on, ids: [id], reason })).toMatchObject([
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
        ...on,
        filter: { kind: ['exception'], change: ['removed', 'changed'] },
      });
    };
    expect((await change('closed', 'closed', 3)).rows).toMatchObject([{ row: 2, change: 'removed' }]);
    expect((await change('open', 'found', 4)).rows).toEqual([]);
    expect(await failure(() => client.exceptions.accept({ ...on, ids: [2], reason }))).toMatchObject({
      code: 'period_locked',
    });
  });
});

it('finds each row that was changed outside the app', async () => {
  const db = connect(books());
  db.exec(
    'DROP TRIGGER bank_line_locked; UPDATE bank_line SET description = upper(description) || 1 WHERE id = 2',
  );
  db.close();
  await bench.ended((await client.periods.compare(on)).job);
  const { rows } = await client.periods.signOffChanges({ ...on, filter: { change: ['changed'] } });
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

/** A proposal over what is outstanding of October: deciding about it is November's. */
async function deciding(verb: 'confirm' | 'decline', status: string) {
  const { rows } = await client.match.list({ ...on, filter: { status: ['suggested'] } });
  expect(rows.length).toBe(1);
  for (const { id } of rows) {
    const [group] = await client.match[verb]({ ...on, ids: [id] });
    expect(group?.status).toBe(status);
    if (status === 'confirmed') expect((clearedDays().get(id) ?? '') >= '2026-11-01').toBe(true);
    await client.match.undo({ ...on, ids: [id], reason });
    await bench.match();
  }
}
