import { describe, expect, test } from 'vitest';
import {
  charge,
  failed,
  findingsOf,
  listRulesWithFindings,
  messages,
  payment,
  statement,
  subscription,
} from '../record-builders.ts';

const from = (starting_balance_in_cents: number, ending_balance_in_cents: number) => ({
  starting_balance_in_cents,
  ending_balance_in_cents,
});
const check = (
  lines: Parameters<typeof statement>[0]['lines'],
  more: Partial<Parameters<typeof statement>[0]> = {},
) => findingsOf('running-balances', subscription([statement({ id: 3, ...(lines && { lines }), ...more })]));

describe('running-balances', () => {
  test('requires each transaction to start where the previous one ended', () => {
    const lines = [
      charge(4000, from(0, 4000)),
      charge(250, from(4100, 4350)),
      payment(4350 - 100, from(4350, 100)),
    ];
    const [finding] = check(lines);
    expect(finding?.message).toMatch(
      /^Transaction 301 on statement 3 should start at 40\.00, where the previous one ended, but starts at 41\.00/,
    );
    expect(finding).toMatchObject({
      expected_in_cents: 4000,
      actual_in_cents: 4100,
      key: 'running-balances/statement 3',
    });
  });

  test('requires each transaction to change the balance by its amount', () => {
    const lines = [charge(4000, from(0, 4100)), payment(4000, from(4000, 0))];
    expect(messages(check(lines))).toEqual([
      'Transaction 300 on statement 3 should change the balance by 40.00, but its balances differ by 41.00. There is 1 further break.',
    ]);
  });

  test('accepts continuous balances with failed payments and missing balances', () => {
    expect(
      check([charge(4000, from(0, 4000)), failed(4000, from(4000, 4000)), payment(4000, from(4000, 0))]),
    ).toEqual([]);
    expect(check([charge(4000, from(0, 4000)), charge(250), payment(4250, from(4250, 0))])).toEqual([]);
    expect(check([charge(4000), payment(4000)])).toEqual([]);
  });

  test('accepts any order of transactions with continuous balances', () => {
    const same = { created_at: Date.UTC(2026, 2, 9) };
    const lines = [
      payment(4250, { ...from(4250, 0), ...same }),
      charge(250, { ...from(4000, 4250), ...same }),
      charge(4000, { ...from(0, 4000), ...same }),
    ];
    expect(check(lines)).toEqual([]);
  });

  test('reports a last balance that differs from the closing balance', () => {
    const lines = [charge(4000, from(0, 4000)), payment(4000, from(4000, -5))];
    expect(messages(check(lines))[0]).toMatch(
      /should change the balance by -40\.00, but its balances differ by -40\.05/,
    );
  });

  test('checks open statements', () => {
    expect(
      check([charge(4000, from(0, 4000)), charge(900, from(4001, 4901))], { closed_at: null, closes: null }),
    ).toHaveLength(1);
  });

  test('leaves a single wrong figure to statement-foots', () => {
    const lines = [charge(3900, from(0, 4000)), payment(4000, from(4000, 0))];
    expect(listRulesWithFindings(subscription([statement({ id: 3, lines })]))).toEqual(['statement-foots']);
  });
});
