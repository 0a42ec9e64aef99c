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

const rule = 'text-agrees';
const lines = [
  charge(4000, { memo: 'Basic Plan (10/24/2016 - 11/24/2016)' }),
  charge(250, { memo: 'MA Tax (6.25%)', kind: 'tax' }),
  payment(4250, { memo: 'Amelia Example - Basic Plan: Renewal payment' }),
];
/** Statement text recorded from the service. */
const text = `
--------
 Summary
--------
 ID......: 3
Billing Date......: 10/24/2016
Starting Balance..:  $0.00
Current Charges...: $42.50
Payments..........: $42.50
Ending Balance....:  $0.00
Balance Paid......: 10/24/2016 04:21PM EDT
### Current Charges and Adjustments
Date/Time     Type   Detail                                              Charges
............  .....  ...............................................  ..........
04:21PM EDT   Recur  Basic Plan (10/24/2016 - 11/24/2016)                 $40.00
04:21PM EDT   Tax    MA Tax (6.25%)                                        $2.50
                                                             Totals:      $42.50
04:21PM EDT   CCPay  Amelia Example - Basic Plan: Renewal payment         $42.50
`;
const check = (text_view: string, more: Partial<Parameters<typeof statement>[0]> = {}) =>
  findingsOf(rule, subscription([statement({ id: 3, lines, text_view, ...more })]));

describe('text-agrees', () => {
  test('compares balances', () => {
    expect(check(text)).toEqual([]);
    expect(messages(check(text.replace('Ending Balance....:  $0.00', 'Ending Balance....: $10.00')))).toEqual(
      ['Statement 3: the closing balance is 0.00, but its text shows 10.00, a difference of 10.00.'],
    );
    expect(
      messages(check(text.replace('Starting Balance..:  $0.00', 'Starting Balance..:  $3.00')))[0],
    ).toMatch(/the opening balance is 0\.00/);
  });

  test('compares totals', () => {
    expect(
      messages(check(text.replace('Current Charges...: $42.50', 'Current Charges...: $41.50')))[0],
    ).toMatch(/the total of charges is 42\.50/);
    expect(
      messages(check(text.replace('Payments..........: $42.50', 'Payments..........: $0.50')))[0],
    ).toMatch(/the total of payments is 42\.50/);
  });

  test('compares line amounts', () => {
    expect(messages(check(text.replace(/(11\/24\/2016\) +)\$40\.00/, '$1$$49.00')))).toEqual([
      'Statement 3: the amount of transaction 300 is 40.00, but its text shows 49.00, a difference of 9.00.',
    ]);
  });

  test('allows totals with or without tax, credits and failed payments', () => {
    expect(check(text.replace('Current Charges...: $42.50', 'Current Charges...: $40.00'))).toEqual([]);
    const withFailed = [...lines, failed(4250, { memo: 'Renewal payment (declined)' })];
    expect(
      check(`${text}\nRenewal payment (declined)  $0.00\nPayments: $85.00`, { lines: withFailed }),
    ).toEqual([]);
  });

  test('reads other currencies, separators and signs', () => {
    const large = [charge(123_450, { memo: 'Annual plan' })];
    const of = (view: string) => check(view, { lines: large, closes: 123_450, settled_at: null });
    for (const view of [
      'Closing balance: 1.234,50 €',
      'NEW BALANCE  USD 1,234.50',
      'Ending balance\n£1,234.50',
      "Ending balance: CHF 1'234.50",
    ]) {
      expect(of(view), view).toEqual([]);
      expect(of(view.replace('50', '51')), view).toHaveLength(1);
    }
    expect(check('Ending balance: ($5.00)', { lines: [payment(500)], closes: -500 })).toEqual([]);
  });

  test('ignores figures in an unknown form', () => {
    for (const view of [
      '',
      'Thank you for your business',
      'Balance due 99.00',
      'Total: 12.34',
      'Ending balance on 10/24/2016',
      'Ending balance: see below',
    ]) {
      expect(check(view), view).toEqual([]);
    }
  });

  test('accepts a text with the computed figure of a wrong statement', () => {
    const wrong = subscription([statement({ id: 3, lines, text_view: text, closes: 700 })]);
    expect(listRulesWithFindings(wrong)).toEqual(['statement-foots']);
  });

  test('ignores the closing balance of open statements', () => {
    expect(check('Ending balance: $9.99', { closed_at: null, closes: 0 })).toEqual([]);
  });
});
