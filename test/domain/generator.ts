import fc from 'fast-check';
import type { Draft, Happening, Life, Month, Style } from './checks/life.ts';
import { simulateLife } from './checks/simulation.ts';

/** Generators of valid subscription lives, which must give no findings. */

const cents = fc.integer({ min: 1, max: 40_000 });

const happening: fc.Arbitrary<Happening> = fc
  .record({ day: fc.integer({ min: 2, max: 26 }), amount: cents, by: fc.integer({ min: -4, max: 6 }) })
  .chain(({ day, amount, by }) =>
    fc.oneof(
      fc.constant<Happening>({ day, does: 'one_time', amount }),
      fc.constant<Happening>({ day, does: 'credit', amount }),
      fc.constantFrom<Happening>(
        { day, does: 'adjustment', amount },
        { day, does: 'adjustment', amount: -amount },
      ),
      fc.constant<Happening>({ day, does: 'refund' }),
      fc.constant<Happening>({ day, does: 'info' }),
      fc
        .constantFrom('prorate-attempt-capture', 'prorate-delay-capture', 'no-prorate', 'prorate')
        .map((scheme): Happening => ({ day, does: 'seats', by, scheme })),
    ),
  );

const month: fc.Arbitrary<Month> = fc.record({
  happens: fc.array(happening, { maxLength: 4 }),
  declined: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
  lateAfter: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
  pause: fc.integer({ min: 0, max: 60 }).map((draw) => (draw > 52 ? draw - 45 : null)),
});

const style: fc.Arbitrary<Style> = fc.record({
  running: fc.boolean(),
  creditsNegative: fc.boolean(),
  newestFirst: fc.boolean(),
  eventsName: fc.boolean(),
  webhooksName: fc.boolean(),
  text: fc.boolean(),
});

/** The service's usual style, with everything that can be compared. */
export const plainStyle: Style = {
  running: true,
  creditsNegative: true,
  newestFirst: false,
  eventsName: true,
  webhooksName: true,
  text: true,
};

export const anyLife: fc.Arbitrary<Life> = fc.record({
  id: fc.integer({ min: 1, max: 1_000_000 }),
  price: fc.constantFrom(0, 1900, 2900, 4900, 9900, 19_901),
  tax: fc.constantFrom(0, 6, 19),
  discount: fc.constantFrom(0, 0, 0, 1000, 5000),
  seats: fc.integer({ min: 0, max: 12 }),
  trial: fc.boolean(),
  months: fc.array(month, { minLength: 0, maxLength: 14 }),
  end: fc.constantFrom('running', 'running', 'canceled'),
  style,
});

/** Returns an ordinary customer's life to plant an error in. Amounts depend on the id. */
export function ordinaryLife(id: number, months = 8, more: Partial<Life> = {}): Life {
  const every = (n: number): boolean => (id + n) % 3 === 0;
  return {
    id,
    price: 4900 + (id % 7) * 1000,
    tax: id % 2 === 0 ? 6 : 0,
    discount: id % 5 === 0 ? 1000 : 0,
    seats: 3,
    trial: false,
    months: Array.from({ length: months }, (_, n) => ({
      happens: every(n) ? [{ day: 9, does: 'seats', by: 2, scheme: 'prorate-delay-capture' }] : [],
      declined: n % 4 === 2,
      lateAfter: 4,
      pause: null,
    })),
    end: 'running',
    style: plainStyle,
    ...more,
  };
}

export function ordinary(id: number, months = 8, more: Partial<Life> = {}): Draft {
  return simulateLife(ordinaryLife(id, months, more)).draft;
}
