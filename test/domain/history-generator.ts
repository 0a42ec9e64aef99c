import fc from 'fast-check';
import { simulateLife } from './checks/simulate-life.ts';
import type { DraftRecord, LifeEvent, Month, RecordStyle, SimulatedLife } from './checks/simulated-life.ts';

/** Generators of valid subscription histories, which must produce no findings. */

const cents = fc.integer({ min: 1, max: 40_000 });

const anyLifeEvent: fc.Arbitrary<LifeEvent> = fc
  .record({ day: fc.integer({ min: 2, max: 26 }), amount: cents, by: fc.integer({ min: -4, max: 6 }) })
  .chain(({ day, amount, by }) =>
    fc.oneof(
      fc.constant<LifeEvent>({ day, does: 'one_time', amount }),
      fc.constant<LifeEvent>({ day, does: 'credit', amount }),
      fc.constantFrom<LifeEvent>(
        { day, does: 'adjustment', amount },
        { day, does: 'adjustment', amount: -amount },
      ),
      fc.constant<LifeEvent>({ day, does: 'refund' }),
      fc.constant<LifeEvent>({ day, does: 'info' }),
      fc
        .constantFrom('prorate-attempt-capture', 'prorate-delay-capture', 'no-prorate', 'prorate')
        .map((scheme): LifeEvent => ({ day, does: 'seats', by, scheme })),
    ),
  );

const anyMonth: fc.Arbitrary<Month> = fc.record({
  lifeEvents: fc.array(anyLifeEvent, { maxLength: 4 }),
  declined: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
  lateAfter: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
  pause: fc.integer({ min: 0, max: 60 }).map((draw) => (draw > 52 ? draw - 45 : null)),
});

const anyStyle: fc.Arbitrary<RecordStyle> = fc.record({
  running: fc.boolean(),
  creditsNegative: fc.boolean(),
  newestFirst: fc.boolean(),
  eventsName: fc.boolean(),
  webhooksName: fc.boolean(),
  text: fc.boolean(),
});

/** The service’s usual record style, with every field that can be compared. */
export const plainStyle: RecordStyle = {
  running: true,
  creditsNegative: true,
  newestFirst: false,
  eventsName: true,
  webhooksName: true,
  text: true,
};

export const anyLife: fc.Arbitrary<SimulatedLife> = fc.record({
  id: fc.integer({ min: 1, max: 1_000_000 }),
  price: fc.constantFrom(0, 1900, 2900, 4900, 9900, 19_901),
  tax: fc.constantFrom(0, 6, 19),
  discount: fc.constantFrom(0, 0, 0, 1000, 5000),
  seats: fc.integer({ min: 0, max: 12 }),
  trial: fc.boolean(),
  months: fc.array(anyMonth, { minLength: 0, maxLength: 14 }),
  end: fc.constantFrom('running', 'running', 'canceled'),
  style: anyStyle,
});

/** Returns an ordinary subscription history in which an error can be planted. Amounts depend on the id. */
export function ordinaryLife(id: number, months = 8, more: Partial<SimulatedLife> = {}): SimulatedLife {
  const every = (n: number): boolean => (id + n) % 3 === 0;
  return {
    id,
    price: 4900 + (id % 7) * 1000,
    tax: id % 2 === 0 ? 6 : 0,
    discount: id % 5 === 0 ? 1000 : 0,
    seats: 3,
    trial: false,
    months: Array.from({ length: months }, (_, n) => ({
      lifeEvents: every(n) ? [{ day: 9, does: 'seats', by: 2, scheme: 'prorate-delay-capture' }] : [],
      declined: n % 4 === 2,
      lateAfter: 4,
      pause: null,
    })),
    end: 'running',
    style: plainStyle,
    ...more,
  };
}

export function ordinary(id: number, months = 8, more: Partial<SimulatedLife> = {}): DraftRecord {
  return simulateLife(ordinaryLife(id, months, more)).draft;
}
