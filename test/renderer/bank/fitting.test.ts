import { expect, test } from 'vitest';
import { fittingAccount, sourceOf } from '../../../src/renderer/bank/fitting.ts';

const accounts = [
  { id: 3, kind: 'ledger' },
  { id: 4, kind: 'bank' },
  { id: 5, kind: 'bank' },
] as const;

test('a bank’s file goes into the first bank account, a processor’s never into one', () => {
  expect(fittingAccount(accounts, 'bank')).toBe('4');
  expect(fittingAccount(accounts, 'processor')).toBe('new');
  expect(fittingAccount([], 'bank')).toBe('new');
});

test('whose report a file is, is said by the profile it was read by', () => {
  expect(sourceOf({ profile: { name: 'stripe', source: 'processor' } })).toBe('processor');
  expect(sourceOf({ profile: { name: 'odd', source: 7 } })).toBeNull();
  expect(sourceOf({ profile: null })).toBeNull();
});
