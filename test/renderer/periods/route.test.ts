import { expect, it } from 'vitest';
import { toBackupItem, toBackupSource } from '../../../src/renderer/backups/backup-source.ts';
import {
  formatPeriodRoute,
  type PeriodRoute,
  parsePeriodRoute,
  periodParentRoute,
} from '../../../src/renderer/periods/route.ts';

const places: readonly (readonly [string, PeriodRoute])[] = [
  ['2026-10', { period: '2026-10', part: 'workpaper', figure: null }],
  ['2026-10-items', { period: '2026-10', part: 'items', figure: null }],
  ['2026-10-report', { period: '2026-10', part: 'report', figure: null }],
  [
    '2026-10-USD-S2.net-payouts',
    { period: '2026-10', part: 'workpaper', figure: { currency: 'USD', id: 'S2.net-payouts' } },
  ],
];

it.each(places)('%s leads to a place and back', (item, place) => {
  expect(parsePeriodRoute(item)).toEqual(place);
  expect(formatPeriodRoute(place)).toBe(item);
});

it.each([null, '', '17', '2026', '2026-10-nothing', '2026-10-USD-S9.x', '2026-10-USD-'])(
  '%s names no period: the list is shown',
  (item) => {
    expect(parsePeriodRoute(item)).toBeNull();
    expect(periodParentRoute(item)).toBeNull();
  },
);

it('closing a figure leads to its sheet, closing a period to the list', () => {
  expect(periodParentRoute('2026-10-USD-S1.charges')).toBe('2026-10');
  expect(periodParentRoute('2026-10-changes')).toBeNull();
});

it('a copy elsewhere is named by its path, one of those kept by its name', () => {
  expect(toBackupSource('books-1.db')).toEqual({ name: 'books-1.db' });
  expect(toBackupSource(toBackupItem('/media/stick/books 1.db'))).toEqual({
    path: '/media/stick/books 1.db',
  });
});
