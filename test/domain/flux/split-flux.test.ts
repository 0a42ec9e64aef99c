import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FLUX_PARTS,
  type FluxRow,
  FluxRowList,
  type FluxRowNature,
  NO_FLUX,
  type SubscriptionFlux,
  splitFlux,
  sumFluxParts,
  toFluxItem,
} from '../../../src/domain/flux/index.ts';

const row = (nature: FluxRowNature, cents: number, fields: Partial<FluxRow> = {}): FluxRow => ({
  ...{ nature, cents, day: '2026-05-04', item: nature, quantity: nature === 'recurring' ? 1 : null },
  ...fields,
});
const split = (
  previous: FluxRow[],
  current: FluxRow[],
  fields: Partial<SubscriptionFlux> = {},
): Partial<Record<string, number>> => {
  const parts = splitFlux({
    ...{ previous, current, lifetime: 'continuing', failed: { previous: 0, current: 0 } },
    isBilledInOneMonth: false,
    ...fields,
  });
  return Object.fromEntries(Object.entries(parts).filter(([, cents]) => cents !== 0));
};

describe('a flux is split into', () => {
  it.each<[string, Partial<Record<string, number>>, Partial<Record<string, number>>]>([
    ['a new subscription', split([], [row('recurring', 3900)], { lifetime: 'new' }), { new: 3900 }],
    ['a lost subscription', split([row('recurring', 3900)], [], { lifetime: 'lost' }), { lost: -3900 }],
    ['another price', split([row('recurring', 3900)], [row('recurring', 4500)]), { price: 600 }],
    [
      'another quantity at the earlier price, and another price of the new quantity',
      split([row('component', 1000, { quantity: 4 })], [row('component', 1950, { quantity: 6 })]),
      { quantity: 500, price: 450 },
    ],
    [
      'a quantity that does not divide the amount, without a lost cent',
      split([row('component', 1000, { quantity: 3 })], [row('component', 667, { quantity: 2 })]),
      { quantity: -333 },
    ],
    ['an added component', split([], [row('component', 1200, { quantity: 2 })]), { quantity: 1200 }],
    ['a removed component', split([row('component', 1200, { quantity: 2 })], []), { quantity: -1200 }],
    ['a discount', split([], [row('discount', -700)]), { price: -700 }],
    ['a proration', split([row('proration', 250)], [row('proration', -80)]), { proration: -330 }],
    [
      'a plan with a component and a tax, billed in one month only',
      split(
        [],
        [row('recurring', 900), row('component', 300, { quantity: 2 }), row('other', 96), row('refund', -5)],
        { isBilledInOneMonth: true },
      ),
      { timing: 1296, refunds: -5 },
    ],
    [
      'a payment before the first statement is closed, which is not new',
      split([row('payment', 5000)], [], { lifetime: 'new' }),
      { timing: -5000 },
    ],
    [
      'a late payment of a lost subscription',
      split([], [row('payment', 800)], { lifetime: 'lost' }),
      { timing: 800 },
    ],
    ['an annual charge', split([row('recurring', 99_000)], []), { timing: -99_000 }],
    [
      'a second statement in the month',
      split(
        [row('recurring', 3900)],
        [row('recurring', 3900), row('recurring', 3900, { day: '2026-05-30' })],
      ),
      { timing: 3900 },
    ],
    [
      'refunds, also of a lost subscription',
      split([row('refund', -500)], [], { lifetime: 'lost' }),
      { refunds: 500 },
    ],
    [
      'failed payments, as far as they explain the difference',
      split([row('payment', 5000)], [row('payment', 1000)], { failed: { previous: 0, current: 3000 } }),
      { failed: -3000, other: -1000 },
    ],
    [
      'a payment that failed in the previous month, with the sign of the figure',
      split([], [row('payment', -5000)], { failed: { previous: 9000, current: 0 } }),
      { failed: -5000 },
    ],
    ['a payment in one month only', split([], [row('payment', 5000)]), { timing: 5000 }],
    ['a tax, whose cause is unknown', split([row('other', 40)], [row('other', 55)]), { other: 15 }],
    [
      'a component without a stated quantity',
      split([row('component', 900)], [row('component', 950, { quantity: 2 })]),
      { other: 50 },
    ],
  ])('%s', (_, parts, expected) => expect(parts).toEqual(expected));

  const rows = fc.array(
    fc.record({
      cents: fc.integer({ min: -90_000, max: 90_000 }),
      day: fc.option(fc.constantFrom('2026-05-01', '2026-05-02', '2026-05-31')),
      nature: fc.constantFrom<FluxRowNature>(
        ...(['recurring', 'component', 'discount', 'proration', 'payment', 'refund', 'other'] as const),
      ),
      item: fc.constantFrom('Plan', 'Seats'),
      quantity: fc.option(fc.integer({ min: 0, max: 40 })),
    }),
    { maxLength: 9 },
  );
  const flux = fc.record({
    previous: rows,
    current: rows,
    lifetime: fc.constantFrom('new' as const, 'lost' as const, 'continuing' as const, 'unknown' as const),
    isBilledInOneMonth: fc.boolean(),
    failed: fc.record({ previous: fc.nat({ max: 50_000 }), current: fc.nat({ max: 50_000 }) }),
  });

  it('parts that add up to the difference, in any order of the rows', () => {
    const sum = (some: readonly FluxRow[]) => some.reduce((all, { cents }) => all + cents, 0);
    fc.assert(
      fc.property(flux, (generated) => {
        const parts = splitFlux(generated);
        expect(Object.keys(parts).toSorted()).toEqual([...FLUX_PARTS].toSorted());
        expect(Object.values(parts).every(Number.isSafeInteger)).toBe(true);
        expect(sumFluxParts(parts)).toBe(sum(generated.current) - sum(generated.previous));
        const reversed = {
          ...generated,
          previous: generated.previous.toReversed(),
          current: generated.current.toReversed(),
        };
        if (generated.previous.every(({ nature }) => nature !== 'component'))
          expect(splitFlux(reversed)).toEqual(parts);
      }),
    );
  });

  it('the same parts if rows that are not compared one by one are added up', () => {
    const addUp = (some: readonly FluxRow[]) => {
      const list = new FluxRowList();
      for (const each of some) list.add(each);
      return list.rows;
    };
    fc.assert(
      fc.property(flux, (generated) => {
        const { previous, current } = generated;
        const added = { ...generated, previous: addUp(previous), current: addUp(current) };
        expect(splitFlux(added)).toEqual(splitFlux(generated));
      }),
      { numRuns: 500 },
    );
    expect(
      addUp(Array.from({ length: 5000 }, (_, at) => row('payment', at % 3 === 0 ? -70 : 90))),
    ).toHaveLength(2);
  });

  it('nothing if both months have the same rows and no payment failed', () => {
    fc.assert(
      fc.property(rows, (same) => {
        const failed = { previous: 0, current: 0 };
        const facts = { lifetime: 'continuing' as const, isBilledInOneMonth: false, failed };
        expect(splitFlux({ previous: same, current: same, ...facts })).toEqual(NO_FLUX);
      }),
    );
  });
});

describe('the nature of a transaction', () => {
  it.each<[string, string | null, string | null, FluxRowNature, number | null]>([
    ['charge', 'baseline', 'Basic Plan (10/24/2016 - 11/24/2016)', 'recurring', 1],
    ['charge', 'quantity_based_component', 'Timesheet Users: 18 Timesheet Users', 'component', 18],
    ['charge', 'quantity_based_component', 'API calls: 1,250 calls', 'component', 1250],
    [
      'charge',
      'quantity_based_component',
      'Seats: 3 to 5 seats, prorated (1/2/2026 - 2/1/2026)',
      'proration',
      null,
    ],
    ['charge', 'on_off_component', 'Support (1/2/2026 - 2/1/2026)', 'component', 1],
    ['charge', 'metered_component', 'Text messages', 'component', null],
    ['charge', 'one_time', 'Onboarding session', 'other', null],
    ['charge', 'tax', 'MA Tax (6.25%)', 'other', null],
    ['adjustment', 'coupon', 'Coupon: X - Ten percent', 'discount', null],
    ['adjustment', 'prorated', null, 'proration', null],
    [
      'payment',
      'component_proration',
      'Payment for: Prorated component allocation changes.',
      'payment',
      null,
    ],
    ['Refund', null, 'Refund: A', 'refund', null],
    ['mystery', null, null, 'other', null],
  ])('%s, %s, “%s” is %s', (transaction_type, kind, memo, nature, quantity) => {
    expect(toFluxItem({ transaction_type, kind, memo })).toMatchObject({ nature, quantity });
  });

  it('names the item without its quantity and dates', () => {
    const of = (memo: string, kind = 'quantity_based_component') =>
      toFluxItem({ transaction_type: 'charge', kind, memo }).item;
    expect(of('Seats: 3 seats')).toBe(of('Seats: 9 seats'));
    expect(of('Support (1/2/2026 - 2/1/2026)')).toBe(of('Support (2/1/2026 - 3/1/2026)'));
    expect(of('Seats: 3 seats')).not.toBe(of('Desks: 3 desks'));
    expect(of('Basic (1/2/2026 - 2/1/2026)', 'baseline')).toBe(of('Pro (2/1/2026 - 3/1/2026)', 'baseline'));
  });
});
