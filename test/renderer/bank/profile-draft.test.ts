import { expect, test } from 'vitest';
import {
  headerOf,
  headersOf,
  labelled,
  nameOf,
  withHeader,
} from '../../../src/renderer/bank/profile-draft.ts';

const profile = {
  name: 'detected',
  label: 'Detected',
  source: 'bank',
  recognised_by: ['Tag', 'Betrag', 'Wofür'],
  columns: { booked_on: ['Tag'], amount: ['Betrag', 'Umsatz'] },
};

test('a column is chosen, changed and taken away; the rest of the profile stays', () => {
  expect(headersOf(profile)).toEqual(['Tag', 'Betrag', 'Wofür', 'Umsatz']);
  expect([headerOf(profile, 'amount'), headerOf(profile, 'description')]).toEqual(['Betrag', '']);
  const named = withHeader(profile, 'description', 'Wofür');
  expect(named).toEqual({ ...profile, columns: { ...profile.columns, description: ['Wofür'] } });
  expect(withHeader(named, 'description', '')).toEqual(profile);
});

test('a profile of positions, or of another shape, has no headers', () => {
  expect(headersOf({ positions: { booked_on: 1 } })).toEqual([]);
  expect(headersOf({ columns: null, recognised_by: 'Tag' })).toEqual([]);
});

test.each([
  ['Hausbank, CSV', 'hausbank-csv'],
  ['  Crédit Agricole ', 'credit-agricole'],
  ['—', ''],
  ['x'.repeat(80), 'x'.repeat(60)],
])('%s is kept as %s', (label, name) => {
  expect(nameOf(label)).toBe(name);
  expect(labelled(profile, label)).toMatchObject({ name, label: label.trim() });
});
