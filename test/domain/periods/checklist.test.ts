import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addWorkingDays, countDaysBetween } from '../../../src/domain/ledger/index.ts';
import {
  type ChecklistAccount,
  type ChecklistFacts,
  listChecklistSteps,
  type StoredChecklistStep,
} from '../../../src/domain/periods/index.ts';

const account: ChecklistAccount = {
  ...{ id: 4, name: 'Giro', currency: 'EUR', qualification: null, balances: 'both' },
  schedule: { id: 'S3-4', difference_in_cents: 0, unexplained: 0, passed: false },
};

/** Facts of a period in which everything is done. */
const allDone: ChecklistFacts = {
  last: '2026-05-31',
  qualifications: [],
  exceptions: { open: 0, accepted: 2 },
  proposals: 0,
  accounts: [account],
  ledger_files: 1,
  journal: { entries: 3, unposted: 0 },
  flux: { previous: '2026-04', unexplained: 0 },
  statements: { total: 4, confirmed: 4 },
  submitted: { name: 'Ada', at: '2026-06-08T09:00:00Z' },
  is_changed: false,
  reviewed: { name: 'Bo', at: '2026-06-09T09:00:00Z' },
  closed: { name: 'Bo', at: '2026-06-10T09:00:00Z' },
};

const find = (facts: Partial<ChecklistFacts>, step: string) =>
  listChecklistSteps({ ...allDone, ...facts }, []).find((each) => each.step === step);
const qualified = (kind: string) => ({ qualifications: [{ kind, message: `About ${kind}.` }] });
const withAccount = (changed: Partial<ChecklistAccount>) => ({ accounts: [{ ...account, ...changed }] });
const schedule = (changed: object) => withAccount({ schedule: { ...account.schedule!, ...changed } });

it('lists every step as done, in order and with a reason, if every fact says so', () => {
  const steps = listChecklistSteps(allDone, []);
  expect(steps.map(({ step }) => step)).toEqual([
    ...['sync', 'exceptions', 'bank-files', 'matching', 'reconcile:4-EUR', 'ledger', 'journal', 'flux'],
    ...['certify', 'submit', 'review', 'close'],
  ]);
  for (const { step, state, reason } of steps)
    expect([step, state, reason]).toEqual([step, 'done', expect.stringMatching(/^[A-Z0-9].*\.$/)]);
});

describe('a step that is not done', () => {
  it.each<[step: string, state: string, facts: Partial<ChecklistFacts>, reason: string]>([
    ['sync', 'open', qualified('sync'), 'About sync.'],
    ['exceptions', 'open', { exceptions: { open: 1, accepted: 0 } }, '1 exception is open.'],
    ['exceptions', 'unknown', qualified('check'), 'About check.'],
    [
      'exceptions',
      'open',
      { ...qualified('check'), exceptions: { open: 3, accepted: 0 } },
      '3 exceptions are open.',
    ],
    ['bank-files', 'open', qualified('bank'), 'About bank.'],
    ['bank-files', 'open', withAccount({ qualification: 'Days are missing.' }), 'Days are missing.'],
    ['bank-files', 'unknown', withAccount({ qualification: 'No balance.', balances: 'none' }), 'No balance.'],
    ['bank-files', 'unknown', withAccount({ balances: 'none' }), 'No bank statement states a balance'],
    ['matching', 'unknown', qualified('bank'), 'About bank.'],
    ['matching', 'open', qualified('match'), 'About match.'],
    ['matching', 'open', qualified('unexplained'), 'About unexplained.'],
    ['matching', 'open', { proposals: 1 }, '1 suggested match is not decided.'],
    [
      'reconcile:4-EUR',
      'open',
      schedule({ difference_in_cents: -1250 }),
      'S3-4 shows a difference of -12.50 EUR.',
    ],
    ['reconcile:4-EUR', 'open', schedule({ unexplained: 2 }), 'S3-4 contains 2 unexplained items.'],
    [
      'reconcile:4-EUR',
      'unknown',
      withAccount({ qualification: 'One balance.', balances: 'one' }),
      'One balance.',
    ],
    ['reconcile:4-EUR', 'unknown', withAccount({ schedule: null }), 'The workpaper has no schedule'],
    ['ledger', 'open', { ledger_files: 0 }, 'No imported ledger file'],
    ['ledger', 'open', qualified('ledger'), 'About ledger.'],
    ['journal', 'open', { journal: { entries: 3, unposted: 1 } }, '1 journal entry is not posted.'],
    ['journal', 'unknown', { journal: { entries: 0, unposted: 0 } }, 'No journal entry has been added'],
    [
      'flux',
      'open',
      { flux: { previous: '2026-04', unexplained: 2 } },
      'The flux of 2 figures against 2026-04',
    ],
    ['flux', 'unknown', { flux: { previous: '2026-04', unexplained: null } }, 'No record of 2026-04'],
    ['certify', 'open', { statements: { total: 4, confirmed: 1 } }, '1 of 4 statements are confirmed.'],
    ['submit', 'open', { submitted: null }, 'The figures have not been submitted.'],
    ['submit', 'open', { is_changed: true }, 'The figures have changed'],
    ['review', 'open', { reviewed: null }, 'The figures have not been approved.'],
    ['close', 'open', { closed: null }, 'The period has not been closed.'],
  ])('%s is %s with %j', (step, state, facts, reason) => {
    expect(find(facts, step)).toMatchObject({ state, reason: expect.stringContaining(reason) });
  });
});

it('passes immaterial amounts of an account, and omits statements that a site does not have', () => {
  expect(
    find(schedule({ difference_in_cents: 5, unexplained: 1, passed: true }), 'reconcile:4-EUR'),
  ).toMatchObject({
    state: 'done',
    reason: expect.stringContaining('immaterial'),
  });
  expect(find({ statements: { total: 0, confirmed: 0 } }, 'certify')).toBeUndefined();
});

it('uses stored owners and due dates, and lists own steps last', () => {
  const none = { title: null, owner: null, due_on: null, done: null };
  const stored: StoredChecklistStep[] = [
    { ...none, step: 'flux', owner: 'Cy' },
    { ...none, step: 'reconcile:4-EUR', due_on: '2026-06-20' },
    { ...none, step: 'own:1', title: 'Accrue rent', done: { name: 'Di', at: '2026-06-03T10:00:00Z' } },
    { ...none, step: 'own:2', title: 'Count stock', owner: 'Ed' },
  ];
  const steps = listChecklistSteps(allDone, stored);
  expect(steps.find(({ step }) => step === 'flux')).toMatchObject({ owner: 'Cy', due_on: '2026-06-05' });
  expect(steps.find(({ step }) => step === 'reconcile:4-EUR')?.due_on).toBe('2026-06-20');
  expect(steps.slice(-2)).toMatchObject([
    { step: 'own:1', kind: 'own', title: 'Accrue rent', state: 'done', reason: 'Done by Di on 2026-06-03.' },
    { step: 'own:2', state: 'open', owner: 'Ed', done: null, due_on: '2026-06-05' },
  ]);
});

it('counts working days without weekends', () => {
  expect(addWorkingDays('2026-05-31', 1)).toBe('2026-06-01');
  expect(addWorkingDays('2026-05-29', 1)).toBe('2026-06-01');
  expect(addWorkingDays('2026-05-30', 6)).toBe('2026-06-08');
  const day = fc
    .integer({ min: -20_000, max: 40_000 })
    .map((offset) => new Date(offset * 86_400_000).toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 60 }), (from, count) => {
      const to = addWorkingDays(from, count);
      const length = countDaysBetween(from, to);
      const days = Array.from({ length }, (_, at) =>
        new Date(Date.parse(`${from}T00:00:00Z`) + (at + 1) * 86_400_000).getUTCDay(),
      );
      const working = days.filter((weekday) => weekday >= 1 && weekday <= 5);
      expect([working.length, days.at(-1)! >= 1 && days.at(-1)! <= 5]).toEqual([count, true]);
    }),
  );
});
