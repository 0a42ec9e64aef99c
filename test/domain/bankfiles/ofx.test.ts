import { describe, expect, it } from 'vitest';
import { listLineSummaries, listProblemSummaries, readFixture, readText } from './read-complete-file.ts';

const statement = (transactions: string, after = '') =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>${transactions}</BANKTRANLIST>${after}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

describe('OFX', () => {
  it('reads 1.0.2 with unclosed elements, decimal commas, repeated ids and dates near midnight', async () => {
    const file = await readFixture('ofx-102-sgml.ofx');
    expect(file.dialect).toBe('OFX 1.0.2 (SGML), UTF-8');
    expect(listLineSummaries(file)).toEqual([
      '2026-10-02 | 134800 | USD | - | STRIPE TRANSFER ST-A1B2C3 & CO',
      '2026-10-15 | -2500 | USD | - | MONTHLY FEE',
      '2026-10-16 | -12050 | USD | 1204 | SMITH & SONS',
      '2026-10-16 | -400 | USD | - | COFFEE',
      '2026-10-16 | -400 | USD | - | COFFEE',
    ]);
    expect(file.lines.map(({ bank_id }) => bank_id).slice(3)).toEqual(['202610160002', '202610160002']);
    expect(file.lines[1]?.kind).toBe('fee');
    expect(file.statements).toMatchObject([
      {
        account: '5544332211',
        bank: '111000614',
        currency: 'USD',
        closing: { amount_in_cents: 219450, date: '2026-10-31' },
      },
    ]);
    expect(file.problems).toEqual([]);
  });

  it('reads 2.1.1 with CDATA, a payee, a foreign currency, an invalid date and a pending transaction', async () => {
    const file = await readFixture('ofx-211-xml.ofx');
    expect(file.dialect).toBe('OFX 2.1.1 (XML), UTF-8');
    expect(listLineSummaries(file)).toEqual([
      '2026-10-03 | -5990 | EUR | - | Café Zürich lunch <3 & more',
      '2026-10-04 | 2000 | EUR | - | Refund',
    ]);
    expect(file.lines[1]?.extra).toMatchObject({ 'ORIGCURRENCY.CURSYM': 'USD' });
    expect(listProblemSummaries(file)).toEqual([
      'failed 3 line 20: “2026-99-04” is not a date.',
      'skipped 4 line 24: The transaction is pending. The bank has not booked it.',
    ]);
  });

  it('reads the declared Windows-1252 and a file on one line', async () => {
    const text = statement(
      '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261001<TRNAMT>1.00<FITID>a<NAME>Zürich</STMTTRN>',
    ).replaceAll('\n', ' ');
    const file = await readText(Buffer.from(text, 'latin1'));
    expect(file.dialect).toBe('OFX 1.0.2 (SGML), Windows-1252');
    expect(listLineSummaries(file)).toEqual(['2026-10-01 | 100 | USD | - | Zürich']);
  });

  it('distinguishes empty elements from tags in text', async () => {
    const file = await readText(
      statement(
        '<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20261001<TRNAMT>-1.00<MEMO>\n<NAME>a < b\n<FITID>x</STMTTRN><STMTTRN><TRNTYPE>DEBIT</TRNTYPE><MEMO></MEMO><DTPOSTED>20261002</DTPOSTED><TRNAMT>-2.00</TRNAMT><FITID>y</FITID></STMTTRN>',
      ),
    );
    expect(file.lines.map(({ bank_id, description }) => [bank_id, description])).toEqual([
      ['x', 'a < b'],
      ['y', 'DEBIT'],
    ]);
  });

  it('reports problems with their location', async () => {
    const bad = statement(
      '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261001<FITID>a</STMTTRN>\n<STMTTRN><TRNTYPE>CREDIT<TRNAMT>1<FITID>b</STMTTRN>\n<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261001<TRNAMT>1,234<FITID>c</STMTTRN>\n<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20261001<TRNAMT>5.00</STMTTRN>\n<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261001<TRNAMT>5.00<FITID>e<CORRECTFITID>d<CORRECTACTION>REPLACE</STMTTRN>',
    );
    expect(listProblemSummaries(await readText(bad))).toEqual([
      'failed 1 line 5: The transaction has no amount (TRNAMT).',
      'failed 2 line 6: The transaction has no date (DTPOSTED).',
      'failed 3 line 7: The amount “1,234” has more than the 2 decimals of its currency.',
      'doubtful 4 line 8: The transaction type is DEBIT, but the amount is positive. The sign was not changed.',
      'doubtful 4 line 8: The transaction has no FITID, the bank’s own id.',
      'doubtful 5 line 9: The bank marks it as replacing d.',
    ]);
  });

  it('keeps complete transactions of an incomplete file and reports its end', async () => {
    const whole = statement(
      '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261001<TRNAMT>1.00<FITID>a</STMTTRN>\n<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261002<TRNAMT>2',
    );
    const file = await readText(whole.slice(0, whole.indexOf('</BANKTRANLIST')));
    expect(file.lines.map(({ bank_id }) => bank_id)).toEqual(['a', null]);
    expect(listProblemSummaries(file)).toContain(
      'refused - line 6: The file ends inside <STMTTRN>. It may be incomplete.',
    );
  });

  it('reads cash transactions of a broker and counts trades', async () => {
    const trade =
      '<BUYMF><INVBUY><INVTRAN><FITID>T1<DTTRADE>20261001<MEMO>YOU BOUGHT</INVTRAN><UNITS>+5<TOTAL>-50.00</INVBUY></BUYMF>';
    const money =
      '<INVBANKTRAN><STMTTRN><TRNTYPE>DEP<DTPOSTED>20261002<TRNAMT>+00000000000050.0100<FITID>T2<NAME>DEPOSIT<CURRENCY><CURRATE>1.00<CURSYM>AUD</CURRENCY></STMTTRN><SUBACCTFUND>CASH</INVBANKTRAN>';
    const file = await readText(
      `<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF></CURDEF><INVACCTFROM><BROKERID>b<ACCTID>7</INVACCTFROM><INVTRANLIST>${trade}${money}</INVTRANLIST><LEDGERBAL><BALAMT></BALAMT><DTASOF></DTASOF></LEDGERBAL></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>`,
    );
    expect(listLineSummaries(file)).toEqual(['2026-10-02 | 5001 | AUD | - | DEPOSIT']);
    expect(listProblemSummaries(file)).toEqual([
      'skipped - the file: 1 investment transactions were skipped because they move no money of this account.',
    ]);
  });
});
