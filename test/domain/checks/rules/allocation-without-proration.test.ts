import { describe, expect, test } from 'vitest';
import {
  allocations,
  charge,
  credit,
  findingsOf,
  messages,
  payment,
  statement,
  subscription,
  utcTimeOn,
} from '../record-builders.ts';

const rule = 'allocation-without-proration';
const changed = utcTimeOn('2026-04-10');
const seat = { kind: 'quantity_based_component', memo: 'Seats: 5 seats' };
const march = statement({ id: 3, lines: [charge(4500, seat), payment(4500)] });
const upgrade = {
  timestamp: changed,
  previous_quantity: 5,
  quantity: 6,
  proration_upgrade_scheme: 'prorate-delay-capture',
};
const downgrade = {
  timestamp: changed,
  previous_quantity: 5,
  quantity: 3,
  proration_downgrade_scheme: 'prorate',
};

const check = (
  change: Parameters<typeof allocations>[0][number],
  lines: Parameters<typeof statement>[0]['lines'] = [],
  statements = [march],
) => {
  const april = statement({ id: 4, lines, closes: null });
  return findingsOf(rule, subscription([...statements, april], { components: [allocations([change])] }));
};

describe('allocation-without-proration', () => {
  test('reports a prorated upgrade without a charge', () => {
    expect(messages(check(upgrade))).toEqual([
      'The quantity of Seats (component 31) changed from 5 to 6 on 2026-04-10 12:00 UTC under prorate-delay-capture, but the statements show no charge for it.',
    ]);
  });

  test('reports a prorated downgrade without a credit', () => {
    expect(messages(check(downgrade))[0]).toMatch(
      /from 5 to 3 .* under prorate, but the statements show no credit for it/,
    );
  });

  test('accepts a charge or credit at the same time', () => {
    expect(check(upgrade, [charge(600, { ...seat, created_at: changed + 1000 })])).toEqual([]);
    expect(check(downgrade, [credit(-600, { ...seat, created_at: changed })])).toEqual([]);
  });

  test('ignores charges of another day or for the plan', () => {
    expect(check(upgrade, [charge(600, { ...seat, created_at: utcTimeOn('2026-04-20') })])).toHaveLength(1);
    expect(check(upgrade, [charge(600, { kind: 'baseline', created_at: changed })])).toHaveLength(1);
  });

  test('considers only the component’s own transactions if they name it', () => {
    const own = statement({ id: 3, lines: [charge(4500, { ...seat, component_id: 31 }), payment(4500)] });
    expect(
      check(upgrade, [charge(600, { ...seat, component_id: 32, created_at: changed })], [own]),
    ).toHaveLength(1);
    expect(check(upgrade, [charge(600, { ...seat, component_id: 31, created_at: changed })], [own])).toEqual(
      [],
    );
  });

  test('ignores changes without a prorating scheme', () => {
    expect(check({ ...upgrade, proration_upgrade_scheme: null })).toEqual([]);
    expect(check({ ...upgrade, proration_upgrade_scheme: 'no-prorate' })).toEqual([]);
    expect(check({ ...upgrade, quantity: 5 })).toEqual([]);
    expect(
      check({ ...upgrade, proration_upgrade_scheme: null, proration_downgrade_scheme: 'prorate' }),
    ).toEqual([]);
  });

  test('ignores free components, trials and the last day of a period', () => {
    const free = statement({ id: 3, lines: [charge(4900, { kind: 'baseline' }), payment(4900)] });
    expect(check(upgrade, [], [free])).toEqual([]);
    const trial = statement({ id: 3, lines: [charge(0, { kind: 'trial' })] });
    expect(check(upgrade, [charge(5400, { ...seat, created_at: utcTimeOn('2026-04-30') })], [trial])).toEqual(
      [],
    );
    expect(check({ ...upgrade, timestamp: utcTimeOn('2026-04-30', 20) })).toEqual([]);
  });
});
