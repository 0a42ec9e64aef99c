import { expect, test } from 'vitest';
import {
  getFieldHeader,
  listAvailableHeaders,
  mapFieldToHeader,
  setProfileLabel,
  suggestProfileName,
} from '../../../src/renderer/bank/profile-draft.ts';

const profile = {
  name: 'detected',
  label: 'Detected',
  source: 'bank',
  recognized_by: ['Tag', 'Betrag', 'Wofür'],
  columns: { booked_on: ['Tag'], amount: ['Betrag', 'Umsatz'] },
};

test('maps, remaps and clears a column and keeps the other fields', () => {
  expect(listAvailableHeaders(profile)).toEqual(['Tag', 'Betrag', 'Wofür', 'Umsatz']);
  expect([getFieldHeader(profile, 'amount'), getFieldHeader(profile, 'description')]).toEqual(['Betrag', '']);
  const named = mapFieldToHeader(profile, 'description', 'Wofür');
  expect(named).toEqual({ ...profile, columns: { ...profile.columns, description: ['Wofür'] } });
  expect(mapFieldToHeader(named, 'description', '')).toEqual(profile);
});

test('a profile with column positions or an unknown shape has no headers', () => {
  expect(listAvailableHeaders({ positions: { booked_on: 1 } })).toEqual([]);
  expect(listAvailableHeaders({ columns: null, recognized_by: 'Tag' })).toEqual([]);
});

test.each([
  ['Hausbank, CSV', 'hausbank-csv'],
  ['  Crédit Agricole ', 'credit-agricole'],
  ['—', ''],
  ['x'.repeat(80), 'x'.repeat(60)],
])('the profile label %s is saved under the name %s', (label, name) => {
  expect(suggestProfileName(label)).toBe(name);
  expect(setProfileLabel(profile, label)).toMatchObject({ name, label: label.trim() });
});
