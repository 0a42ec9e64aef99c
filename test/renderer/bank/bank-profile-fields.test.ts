import { expect, test } from 'vitest';
import {
  getAvailableHeaders,
  getMappedHeader,
  mapHeaderToField,
  renameBankProfile,
  suggestProfileName,
} from '../../../src/renderer/bank/bank-profile-fields.ts';

const profile = {
  name: 'detected',
  label: 'Detected',
  source: 'bank',
  recognized_by: ['Tag', 'Betrag', 'Wofür'],
  columns: { booked_on: ['Tag'], amount: ['Betrag', 'Umsatz'] },
};

test('maps, remaps and clears a column and keeps the other fields', () => {
  expect(getAvailableHeaders(profile)).toEqual(['Tag', 'Betrag', 'Wofür', 'Umsatz']);
  expect([getMappedHeader(profile, 'amount'), getMappedHeader(profile, 'description')]).toEqual([
    'Betrag',
    '',
  ]);
  const named = mapHeaderToField(profile, 'description', 'Wofür');
  expect(named).toEqual({ ...profile, columns: { ...profile.columns, description: ['Wofür'] } });
  expect(mapHeaderToField(named, 'description', '')).toEqual(profile);
});

test('a profile with column positions or an unknown shape has no headers', () => {
  expect(getAvailableHeaders({ positions: { booked_on: 1 } })).toEqual([]);
  expect(getAvailableHeaders({ columns: null, recognized_by: 'Tag' })).toEqual([]);
});

test.each([
  ['Hausbank, CSV', 'hausbank-csv'],
  ['  Crédit Agricole ', 'credit-agricole'],
  ['—', ''],
  ['x'.repeat(80), 'x'.repeat(60)],
])('the profile label %s is saved under the name %s', (label, name) => {
  expect(suggestProfileName(label)).toBe(name);
  expect(renameBankProfile(profile, label)).toMatchObject({ name, label: label.trim() });
});
