import { describe, expect, test } from 'vitest';
import { allocations, found, messages, on, subscription } from '../build.ts';

const rule = 'allocation-chain';
const check = (component: ReturnType<typeof allocations>) =>
  found(rule, subscription([], { components: [component] }));
const [may, june] = [on('2026-05-01'), on('2026-06-01')];

describe('allocation-chain', () => {
  test('an allocation replaces another quantity than was in effect', () => {
    const findings = check(
      allocations([
        { timestamp: may, quantity: 5 },
        { timestamp: june, previous_quantity: 4, quantity: 6 },
      ]),
    );
    expect(messages(findings)).toEqual([
      'The allocation of Seats (component 31) on 2026-06-01 12:00 UTC says it replaced 4, but the one before it, on 2026-05-01 12:00 UTC, had set 5.',
    ]);
    expect(findings[0]?.rows).toHaveLength(2);
    expect(findings[0]?.key).toBe(`allocation-chain/subscription 7/component 31/${june}.0`);
  });

  test('quantities are compared as numbers', () => {
    const rows = [
      { timestamp: may, quantity: '2.50' },
      { timestamp: june, previous_quantity: '2.5', quantity: 3 },
    ];
    expect(check(allocations(rows))).toEqual([]);
  });

  test('the first one held may replace anything', () => {
    expect(check(allocations([{ timestamp: may, previous_quantity: 9, quantity: 10 }]))).toEqual([]);
  });

  test('those of one second are taken in the order in which they follow on each other', () => {
    const rows = [
      { timestamp: may, quantity: 2 },
      { timestamp: june, ordinal: 0, previous_quantity: 3, quantity: 4 },
      { timestamp: june, ordinal: 1, previous_quantity: 2, quantity: 3 },
    ];
    expect(check(allocations(rows))).toEqual([]);
  });

  test('a history not read to its end may lack the one between', () => {
    const rows = [
      { timestamp: may, quantity: 5 },
      { timestamp: june, previous_quantity: 4, quantity: 6 },
    ];
    expect(check(allocations(rows, { complete: false }))).toEqual([]);
  });
});
