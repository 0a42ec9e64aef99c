import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  computeDeferredCents,
  findServicePeriods,
  parseServicePeriod,
  rollForwardCharge,
} from '../../../src/domain/deferred-revenue/index.ts';
import { addDays } from '../../../src/domain/ledger/index.ts';

describe('service period of a memo', () => {
  test.each([
    ['Basic Plan (10/24/2016 - 11/24/2016)', '2016-10-24', '2016-11-24'],
    ['Pro Annual (1/5/2026 – 1/5/2027)', '2026-01-05', '2027-01-05'],
    ['Pro (2026-03-01 - 2026-04-01), 2 seats', '2026-03-01', '2026-04-01'],
    // Days first, because there is no 24th month.
    ['Plan (24/10/2016 - 24/11/2016)', '2016-10-24', '2016-11-24'],
  ])('%s', (memo, from, until) => {
    expect(parseServicePeriod(memo)).toEqual({ from, until });
  });

  test.each([
    null,
    '',
    'Onboarding session',
    'Plan (11/24/2016 - 10/24/2016)',
    'Plan (13/32/2016 - 14/32/2016)',
    'Two plans (10/24/2016 - 11/24/2016) and (11/24/2016 - 12/24/2016)',
    'Call 10/24/2016',
  ])('is unknown in %s', (memo) => {
    expect(parseServicePeriod(memo)).toBeNull();
  });
});

test('undated components and coupons have the period of the base charge, other charges have none', () => {
  const month = { from: '2026-10-05', until: '2026-11-05' };
  const of = (transaction_type: string, kind: string | null, memo: string) => ({
    transaction_type,
    kind,
    memo,
  });
  expect(
    findServicePeriods([
      of('charge', 'baseline', 'Basic (10/05/2026 - 11/05/2026)'),
      of('charge', 'quantity_based_component', 'Users: 18 users'),
      of('charge', 'on_off_component', 'Support, prorated (10/20/2026 - 11/05/2026)'),
      of('adjustment', 'coupon', 'Coupon: TEN'),
      of('charge', 'one_time', 'Onboarding session'),
      of('charge', 'metered_component', 'Messages: 200'),
      of('charge', 'tax', 'MA Tax (6.25%)'),
    ]),
  ).toEqual([month, month, { from: '2026-10-20', until: '2026-11-05' }, month, null, null, null]);
});

const charge = fc.record({
  cents: fc.integer({ min: -10_000_000, max: 10_000_000 }),
  start: fc.integer({ min: 0, max: 400 }),
  days: fc.integer({ min: 0, max: 800 }),
});

test('the months of a service add up to its amount, and each roll-forward foots', () => {
  fc.assert(
    fc.property(charge, ({ cents, start, days }) => {
      const from = addDays('2026-01-01', start);
      const service = { from, until: addDays(from, days) };
      let recognized = 0;
      let deferred = 0;
      for (let month = 0; month < 40; month++) {
        const before = addDays('2026-01-01', month * 31 - 1);
        const last = addDays(before, 31);
        const isBilledBefore = month > 0;
        const of = rollForwardCharge({ cents, service, isBilledBefore }, { before, last });
        expect(of.opening).toBe(deferred);
        expect(of.opening + of.billed - of.recognized).toBe(of.closing);
        expect(Math.sign(of.recognized) * Math.sign(cents)).toBeGreaterThanOrEqual(0);
        recognized += of.recognized;
        deferred = of.closing;
      }
      expect([recognized, deferred]).toEqual([cents, 0]);
    }),
  );
});

test('an annual price is spread by day', () => {
  const year = { from: '2026-10-24', until: '2027-10-24' };
  expect(computeDeferredCents(365_000, year, '2026-10-23')).toBe(365_000);
  expect(computeDeferredCents(365_000, year, '2026-10-31')).toBe(357_000);
  expect(computeDeferredCents(365_000, year, '2027-10-23')).toBe(0);
  expect(computeDeferredCents(Number.MAX_SAFE_INTEGER, year, '2027-10-22')).toBe(
    Math.round(Number.MAX_SAFE_INTEGER / 365),
  );
});
