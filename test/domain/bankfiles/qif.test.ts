import { describe, expect, it } from 'vitest';
import { listLineSummaries, listProblemSummaries, readFixture, readText } from './read-complete-file.ts';

describe('QIF', () => {
  it('reads Quicken files with apostrophes in dates, an opening balance, splits, lists and an unclosed record', async () => {
    const file = await readFixture('quicken.qif', { currency: 'USD' });
    expect(listLineSummaries(file)).toEqual([
      '2026-10-02 | 134800 | USD | DEP | Stripe Transfer ST-A1B2C3',
      '2026-10-16 | -12050 | USD | 1204 | Smith & Sons',
      '2026-10-18 | -500 | USD | - | No end',
    ]);
    expect(file.statements[0]).toMatchObject({
      account: 'Checking',
      opening: { amount_in_cents: 100000, date: '2026-10-01' },
    });
    expect(listProblemSummaries(file)).toEqual([
      'skipped 1 line 6: The row contains only the opening balance.',
      'doubtful 3 line 19: The splits add up to -120.00 USD, not -120.50 USD.',
      'failed 4 line 29: The amount “abc” is not an amount.',
      'skipped - line 33: 1 records of the list “Cat” are not account lines.',
    ]);
    expect(file.questions).toEqual([]);
  });

  it('asks for date order and decimal mark and uses the answers', async () => {
    const text = '!Type:Bank\nD3/4/26\nT1.200\nPa\n^\nD5/6/26\nT3.400\nPb\n^\n';
    const asked = await readText(text);
    expect(asked.questions.map(({ key }) => key)).toEqual(['date_order', 'decimal_mark']);
    const answered = await readText(text, { answers: { date_order: 'dmy', decimal_mark: ',' } });
    expect(answered.questions).toEqual([]);
    expect(listLineSummaries(answered)).toEqual([
      '2026-04-03 | 120000 | - | - | a',
      '2026-06-05 | 340000 | - | - | b',
    ]);
  });

  it('reads several accounts with their lines and balances', async () => {
    const text =
      '!Account\nNChecking\nTBank\n/3/31/2026\n$75.50\n^\n!Type:Bank\nD3/30/2026\nT-25.00\nPa\n^\n!Account\nNCard\nTCCard\n^\n!Type:CCard\nD3/31/2026\nT-5.00\nPb\n^\n';
    const file = await readText(text);
    expect(file.statements.map(({ account, closing }) => [account, closing])).toEqual([
      ['Checking', { amount_in_cents: 7550, date: '2026-03-31' }],
      ['Card', null],
    ]);
    expect(file.lines.map(({ statement, amount_in_cents }) => [statement, amount_in_cents])).toEqual([
      [0, -2500],
      [1, -500],
    ]);
  });
});
