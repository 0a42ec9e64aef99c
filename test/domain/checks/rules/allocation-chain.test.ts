import { describe, expect, test } from 'vitest';
import { allocations, findingsOf, messages, subscription, utcTimeOn } from '../record-builders.ts';

const rule = 'allocation-chain';
const check = (component: ReturnType<typeof allocations>) =>
  findingsOf(rule, subscription([], { components: [component] }));
const [may, june] = [utcTimeOn('2026-05-01'), utcTimeOn('2026-06-01')];

describe('allocation-chain', () => {
  test('reports a previous quantity that was not in effect', () => {
    const findings = check(
      allocations([
        { timestamp: may, quantity: 5 },
        { timestamp: june, previous_quantity: 4, quantity: 6 },
      ]),
    );
    expect(messages(findings)).toEqual([
      'The allocation of Seats (component 31) on 2026-06-01 12:00 UTC says it replaced 4, but the previous allocation, on 2026-05-01 12:00 UTC, set 5.',
    ]);
    expect(findings[0]?.rows).toHaveLength(2);
    expect(findings[0]?.key).toBe(`allocation-chain/subscription 7/component 31/${june}.0`);
  });

  test('compares quantities as numbers', () => {
    const rows = [
      { timestamp: may, quantity: '2.50' },
      { timestamp: june, previous_quantity: '2.5', quantity: 3 },
    ];
    expect(check(allocations(rows))).toEqual([]);
  });

  test('accepts any previous quantity of the first allocation', () => {
    expect(check(allocations([{ timestamp: may, previous_quantity: 9, quantity: 10 }]))).toEqual([]);
  });

  test('orders allocations of one second by their quantities', () => {
    const rows = [
      { timestamp: may, quantity: 2 },
      { timestamp: june, ordinal: 0, previous_quantity: 3, quantity: 4 },
      { timestamp: june, ordinal: 1, previous_quantity: 2, quantity: 3 },
    ];
    expect(check(allocations(rows))).toEqual([]);
  });

  test('ignores incomplete histories', () => {
    const rows = [
      { timestamp: may, quantity: 5 },
      { timestamp: june, previous_quantity: 4, quantity: 6 },
    ];
    expect(check(allocations(rows, { complete: false }))).toEqual([]);
  });
});
