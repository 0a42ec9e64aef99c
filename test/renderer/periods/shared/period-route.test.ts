import { expect, it } from 'vitest';
import {
  formatPeriodRoute,
  getPeriodParentRoute,
  type PeriodRoute,
  parsePeriodRoute,
} from '../../../../src/renderer/periods/shared/period-route.ts';

const routes: readonly (readonly [string, PeriodRoute])[] = [
  ['2026-10', { period: '2026-10', part: 'workpaper', figure: null }],
  ['2026-10-items', { period: '2026-10', part: 'items', figure: null }],
  ['2026-10-checklist', { period: '2026-10', part: 'checklist', figure: null }],
  ['2026-10-report', { period: '2026-10', part: 'report', figure: null }],
  [
    '2026-10-USD-S2.net-payouts',
    { period: '2026-10', part: 'workpaper', figure: { currency: 'USD', id: 'S2.net-payouts' } },
  ],
];

it.each(routes)('the route item %s can be parsed and formatted', (item, route) => {
  expect(parsePeriodRoute(item)).toEqual(route);
  expect(formatPeriodRoute(route)).toBe(item);
});

it.each([null, '', '17', '2026', '2026-10-nothing', '2026-10-USD-'])(
  'the route item %s opens the list of periods',
  (item) => {
    expect(parsePeriodRoute(item)).toBeNull();
    expect(getPeriodParentRoute(item)).toBeNull();
  },
);

it('closing a figure returns to its workpaper, closing a period to the list of periods', () => {
  expect(getPeriodParentRoute('2026-10-USD-S1.charges')).toBe('2026-10');
  expect(getPeriodParentRoute('2026-10-changes')).toBeNull();
});
