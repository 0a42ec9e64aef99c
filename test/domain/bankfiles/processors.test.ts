import { describe, expect, it } from 'vitest';
import { builtInBankProfiles, validateProfile } from '../../../src/domain/bankfiles/index.ts';
import { type CompleteFile, listProblemSummaries, readFixture, readText } from './read-complete-file.ts';

/** Returns kind, gross, fee, net, currency, payout id and gateway id of each line. */
const listBridgeFields = (file: CompleteFile) =>
  file.lines.map((line) =>
    [
      line.kind,
      line.amount_in_cents,
      line.fee_in_cents,
      line.net_in_cents,
      line.currency ?? '-',
      line.payout_id ?? '-',
      line.gateway_transaction_id ?? '-',
    ].join(' '),
  );

describe('payout reports', () => {
  it('reads the Stripe payout reconciliation', async () => {
    const file = await readFixture('stripe-payout.csv');
    expect(file.profile?.name).toBe('stripe-report');
    expect(listBridgeFields(file)).toEqual([
      'payment 4900 172 4728 USD po_1Nx ch_1',
      'payment 10755 395 10360 USD po_1Nx ch_2',
      'refund -1900 0 -1900 USD po_1Nx ch_0',
      'chargeback -4900 1500 -6400 USD po_1Nx ch_9',
      'fee -210 0 -210 USD po_1Nx -',
      'payout -6578 0 -6578 USD po_1Nx po_1Nx',
      'payment 5000 180 4820 JPY po_2Nx ch_7',
      'payout -4900 0 -4900 JPY po_2Nx po_2Nx',
    ]);
    expect(file.lines[1]?.foreign).toEqual({ amount_in_cents: 9900, currency: 'EUR', rate: null });
    expect(file.payouts[0]).toEqual({
      payout_id: 'po_1Nx',
      currency: 'USD',
      paid_on: '2026-10-05',
      last_on: '2026-10-05',
      stated_in_cents: 6578,
      gross_in_cents: 8645,
      fee_in_cents: 2067,
      net_in_cents: 6578,
      lines: 5,
    });
    expect(listProblemSummaries(file)).toEqual([
      'balance - payout po_2Nx: The payout is 4,900 JPY, but its 1 lines add up to 4,820 JPY net: 80 JPY is unexplained.',
    ]);
  });

  it('reads the Stripe balance history, with disputes as adjustments', async () => {
    const file = await readFixture('stripe-balance.csv');
    expect(listBridgeFields(file)).toEqual([
      'payment 14900 462 14438 USD po_a ch_a',
      'chargeback -4900 1500 -6400 USD po_a dp_b',
      'payout -8038 0 -8038 USD po_a po_a',
    ]);
    expect(file.problems).toEqual([]);
  });

  it('reads PayPal activity with negative fees, skips pending rows and verifies balances', async () => {
    const file = await readFixture('paypal-activity.csv');
    expect(listBridgeFields(file)).toEqual([
      'payment 115000 3470 111530 USD - 5TY89012ABCD3456E',
      'refund -5000 -145 -4855 USD - 7WX23456IJKL7890M',
      'payout -300000 0 -300000 USD 8YZ34567MNOP8901Q 8YZ34567MNOP8901Q',
      'fee -2000 0 -2000 USD - 9AB34567MNOP8901Q',
    ]);
    expect(listProblemSummaries(file)).toEqual([
      'skipped 2 line 3: No money has moved. The status is “Pending”.',
    ]);
  });

  it('reads German PayPal activity and the settlement report in minor units', async () => {
    expect(listBridgeFields(await readFixture('paypal-german.csv'))).toEqual([
      'payment 4900 172 4728 EUR - 5TY1',
      'payout -100000 0 -100000 EUR 8YZ1 8YZ1',
    ]);
    expect(listBridgeFields(await readFixture('paypal-stl.csv'))).toEqual([
      'payment 4900 172 4728 USD - 1AB',
      'refund -4900 0 -4900 USD - 2AB',
    ]);
  });

  it('reads Adyen reports with gross and net in different currencies and derives the fees', async () => {
    const file = await readFixture('adyen-settlement.csv');
    expect(listBridgeFields(file)).toEqual([
      'payment 4599 89 4510 EUR 118 PSP1',
      'refund -500 10 -510 EUR 118 PSP1',
      'chargeback -2000 1500 -3500 EUR 118 PSP2',
      'payment 10000 200 9800 EUR 118 PSP3',
      'fee -300 0 -300 EUR 118 -',
      'payout -10000 0 -10000 EUR 118 -',
    ]);
    expect(file.lines[3]?.foreign).toEqual({ amount_in_cents: 10800, currency: 'USD', rate: '0.925926' });
    expect(file.payouts[0]).toMatchObject({ stated_in_cents: 10000, net_in_cents: 10000, lines: 5 });
    expect(file.problems).toEqual([]);
  });

  it('reads Square, Braintree, Authorize.net and GoCardless', async () => {
    expect(listBridgeFields(await readFixture('square.csv'))).toEqual([
      'payment 4900 172 4728 - DEP1 PAY1',
      'refund -4900 -172 -4728 - DEP1 PAY2',
    ]);
    const braintree = await readFixture('braintree.csv');
    expect(listBridgeFields(braintree)).toEqual([
      'payment 4900 0 4900 USD 2026-10-15_main bt1',
      'refund -1900 0 -1900 USD 2026-10-16_main bt2',
      'payment 10791 0 10791 USD 2026-10-16_main bt4',
    ]);
    expect(braintree.lines[2]?.foreign).toEqual({ amount_in_cents: 9900, currency: 'EUR', rate: '1.09' });
    expect(listProblemSummaries(braintree)).toEqual([
      'skipped 3 line 4: No money has moved. The status is “voided”.',
    ]);
    expect(listBridgeFields(await readFixture('authorizenet.txt'))).toEqual([
      'payment 4900 0 4900 USD 8841 60100001',
      'refund -1900 0 -1900 USD 8842 60100002',
    ]);
    const goCardless = await readFixture('gocardless.csv');
    expect(listBridgeFields(goCardless)).toEqual([
      'payment 3000 50 2950 GBP PO001 PM001',
      'refund -1000 0 -1000 GBP PO001 RF001',
    ]);
    expect(goCardless.payouts[0]?.paid_on).toBe('2026-10-10');
  });
});

describe('column profiles', () => {
  it('are valid, unique and JSON-safe if built in', () => {
    const names = builtInBankProfiles.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const profile of builtInBankProfiles) {
      expect(validateProfile(JSON.parse(JSON.stringify(profile)))).toEqual({ profile });
    }
  });

  it('are validated field by field', () => {
    const { name, ...withoutName } = builtInBankProfiles[0]!;
    expect(name).toBe('standard');
    expect(validateProfile(withoutName)).toMatchObject({ faults: [expect.stringContaining('name')] });
    expect(validateProfile({ ...builtInBankProfiles[0], encoding: 'klingon' })).toMatchObject({
      faults: [expect.stringContaining('encoding')],
    });
    expect(validateProfile({ ...builtInBankProfiles[0], columns: {} })).toMatchObject({
      faults: [expect.stringContaining('booked_on')],
    });
    expect(validateProfile({ ...builtInBankProfiles[0], run: 'x' })).toHaveProperty('faults');
    expect(validateProfile('standard')).toHaveProperty('faults');
  });

  it('support header line, encoding, inverted signs, kinds and column positions', async () => {
    const own = {
      name: 'card',
      label: 'Company card',
      source: 'bank' as const,
      recognized_by: [],
      columns: { booked_on: ['when'], amount: ['charge'], description: ['what'], kind: ['sort'] },
      header_line: 3,
      encoding: 'iso-8859-15',
      date_order: 'mdy' as const,
      decimal_mark: '.' as const,
      delimiter: '|' as const,
      currency: 'GBP',
      negated: true,
      kinds: { 'fee*': 'fee' as const },
    };
    expect(validateProfile(own)).toEqual({ profile: own });
    const text =
      'Card 77\n\nWhen|What|Charge|Sort\n02/03/2026|Caf\xe9 \xa4|5.00|Sale\n02/04/2026|x|-1.00|Fee for late\n';
    const file = await readText(Buffer.from(text, 'latin1'), { profile: own });
    expect(
      file.lines.map(({ booked_on, amount_in_cents, currency, description, kind }) => [
        booked_on,
        amount_in_cents,
        currency,
        description,
        kind,
      ]),
    ).toEqual([
      ['2026-02-03', -500, 'GBP', 'Café €', 'entry'],
      ['2026-02-04', 100, 'GBP', 'x', 'fee'],
    ]);
    const numbered = { ...own, columns: {}, positions: { booked_on: 1, amount: 3 }, header_line: 0 };
    const bare = await readText('02/03/2026|a|5.00\n', { profile: numbered });
    expect(bare.lines[0]).toMatchObject({
      booked_on: '2026-02-03',
      amount_in_cents: -500,
      extra: { 'column 2': 'a' },
    });
  });

  it('returned by the reader give the same result for the same file', async () => {
    for (const name of [
      'standard.csv',
      'german-1252.csv',
      'stripe-payout.csv',
      'adyen-settlement.csv',
      'bank-of-america.csv',
    ]) {
      const first = await readFixture(name);
      const checked = validateProfile(JSON.parse(JSON.stringify({ ...first.profile, name: 'saved' })));
      expect(checked).toHaveProperty('profile');
      if (!('profile' in checked)) continue;
      const second = await readFixture(name, { profile: checked.profile });
      expect(second.lines).toEqual(first.lines);
      expect(second.problems).toEqual(first.problems);
    }
  });
});
