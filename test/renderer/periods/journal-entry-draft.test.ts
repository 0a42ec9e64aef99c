import { expect, it } from 'vitest';
import {
  type JournalEntryDraft,
  parseJournalEntry,
} from '../../../src/renderer/periods/ledger/journal-entry-draft.ts';

const draft = (changed: Partial<JournalEntryDraft>): JournalEntryDraft => ({
  ...{ memo: 'Reclass fees', datedOn: '', reversesOn: '', isMonthly: false, until: '' },
  lines: [
    { key: 0, account: '6855', debit: '1,012.50', credit: '' },
    { key: 1, account: '1360', debit: '', credit: '1012.50' },
    { key: 2, account: '', debit: '', credit: '' },
  ],
  ...changed,
});
const lines = (...typed: [account: string, debit: string, credit: string][]) => ({
  lines: typed.map(([account, debit, credit], key) => ({ key, account, debit, credit })),
});

it('parses amounts into cents and ignores empty lines', () => {
  expect(parseJournalEntry(draft({ reversesOn: '2026-11-01', isMonthly: true, until: '2027-03' }))).toEqual({
    reason: null,
    entry: {
      memo: 'Reclass fees',
      lines: [
        { account: '6855', debit_in_cents: 101_250 },
        { account: '1360', credit_in_cents: 101_250 },
      ],
      reverses_on: '2026-11-01',
      repeats: 'monthly',
      repeats_until: '2027-03',
    },
  });
});

it.each([
  ['memo', { memo: ' ' }],
  ['YYYY-MM-DD', { datedOn: '31.10.2026' }],
  ['YYYY-MM-DD', { reversesOn: '2026-13-01' }],
  ['YYYY-MM.', { isMonthly: true, until: '2027' }],
  ['Line 1', lines()],
  ['Line 1', lines(['', '5.00', ''], ['1360', '', '5.00'])],
  ['Line 2', lines(['6855', '5.00', ''], ['1360', '5.00', '5.00'])],
  ['Line 2', lines(['6855', '5.00', ''], ['1360', '', '-5.00'])],
  ['Line 1', lines(['6855', 'five', ''], ['1360', '', '5.00'])],
  ['differ', lines(['6855', '5.00', ''], ['1360', '', '5.01'])],
])('names what is missing: %s', (named, changed) => {
  expect(parseJournalEntry(draft(changed)).reason).toContain(named);
});
