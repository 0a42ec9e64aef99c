import { expect, test } from 'vitest';
import {
  availableHeaders,
  fieldHeader,
  profileNameFrom,
  withHeader,
  withLabel,
} from '../../../src/renderer/bank/profile-draft.ts';

const profile = {
  name: 'detected',
  label: 'Detected',
  source: 'bank',
  recognized_by: ['Tag', 'Betrag', 'Wofür'],
  columns: { booked_on: ['Tag'], amount: ['Betrag', 'Umsatz'] },
};

test('maps, remaps and clears a column and keeps the other fields', () => {
  expect(availableHeaders(profile)).toEqual(['Tag', 'Betrag', 'Wofür', 'Umsatz']);
  expect([fieldHeader(profile, 'amount'), fieldHeader(profile, 'description')]).toEqual(['Betrag', '']);
  const named = withHeader(profile, 'description', 'Wofür');
  expect(named).toEqual({ ...profile, columns: { ...profile.columns, description: ['Wofür'] } });
  expect(withHeader(named, 'description', '')).toEqual(profile);
});

test('a profile with column positions or an unknown shape has no headers', () => {
  expect(availableHeaders({ positions: { booked_on: 1 } })).toEqual([]);
  expect(availableHeaders({ columns: null, recognized_by: 'Tag' })).toEqual([]);
});

test.each([
  ['Hausbank, CSV', 'hausbank-csv'],
  ['  Crédit Agricole ', 'credit-agricole'],
  ['—', ''],
  ['x'.repeat(80), 'x'.repeat(60)],
])('the profile label %s is saved under the name %s', (label, name) => {
  expect(profileNameFrom(label)).toBe(name);
  expect(withLabel(profile, label)).toMatchObject({ name, label: label.trim() });
});
