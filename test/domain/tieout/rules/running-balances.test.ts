import { describe, expect, test } from 'vitest';
import { charge, failed, found, messages, payment, rulesFinding, statement, subscription } from '../build.ts';

const from = (starting_balance_in_cents: number, ending_balance_in_cents: number) => ({
  starting_balance_in_cents,
  ending_balance_in_cents,
});
const check = (
  lines: Parameters<typeof statement>[0]['lines'],
  more: Partial<Parameters<typeof statement>[0]> = {},
) => found('running-balances', subscription([statement({ id: 3, ...(lines && { lines }), ...more })]));

describe('running-balances', () => {
  test('each transaction begins where the one before ended', () => {
    const lines = [
      charge(4000, from(0, 4000)),
      charge(250, from(4100, 4350)),
      payment(4350 - 100, from(4350, 100)),
    ];
    const [finding] = check(lines);
    expect(finding?.message).toMatch(
      /^Transaction 301 on statement 3 should begin at 40\.00, where the one before it ended, but begins at 41\.00/,
    );
    expect(finding).toMatchObject({
      expected_in_cents: 4000,
      actual_in_cents: 4100,
      key: 'running-balances/statement 3',
    });
  });

  test('each moves the balance by its own amount', () => {
    const lines = [charge(4000, from(0, 4100)), payment(4000, from(4000, 0))];
    expect(messages(check(lines))).toEqual([
      'Transaction 300 on statement 3 should move the balance by 40.00, but its balances move by 41.00, and 1 further break follows from it or stands beside it.',
    ]);
  });

  test('balances that run on are in order, also with failed payments and where some are not sent', () => {
    expect(
      check([charge(4000, from(0, 4000)), failed(4000, from(4000, 4000)), payment(4000, from(4000, 0))]),
    ).toEqual([]);
    expect(check([charge(4000, from(0, 4000)), charge(250), payment(4250, from(4250, 0))])).toEqual([]);
    expect(check([charge(4000), payment(4000)])).toEqual([]);
  });

  test('the order is that in which they run on: newest first, or several in one second, breaks nothing', () => {
    const same = { created_at: Date.UTC(2026, 2, 9) };
    const lines = [
      payment(4250, { ...from(4250, 0), ...same }),
      charge(250, { ...from(4000, 4250), ...same }),
      charge(4000, { ...from(0, 4000), ...same }),
    ];
    expect(check(lines)).toEqual([]);
  });

  test('a balance that ends elsewhere than the statement closes', () => {
    const lines = [charge(4000, from(0, 4000)), payment(4000, from(4000, -5))];
    expect(messages(check(lines))[0]).toMatch(
      /should move the balance by -40\.00, but its balances move by -40\.05/,
    );
  });

  test('an open statement is looked at too', () => {
    expect(
      check([charge(4000, from(0, 4000)), charge(900, from(4001, 4901))], { closed_at: null, closes: null }),
    ).toHaveLength(1);
  });

  test('where the statement does not foot by one wrong figure, the statement’s own rule tells of it', () => {
    const lines = [charge(3900, from(0, 4000)), payment(4000, from(4000, 0))];
    expect(rulesFinding(subscription([statement({ id: 3, lines })]))).toEqual(['statement-foots']);
  });
});
