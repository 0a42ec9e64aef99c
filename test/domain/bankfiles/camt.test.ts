import { describe, expect, it } from 'vitest';
import { listLineSummaries, listProblemSummaries, readFixture, readText } from './read-complete-file.ts';

const entry = (amount: string, inside = '', side = 'CRDT') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-10-02</Dt></BookgDt>${inside}</Ntry>\n`;
const report = (version: string, root: string, part: string, inside: string) =>
  `<?xml version="1.0"?>\n<ns:Document xmlns:ns="urn:iso:std:iso:20022:tech:xsd:${version}">${`<${root}><${part}><Id>1</Id><Acct><Id><Othr><Id>77-1</Id></Othr></Id></Acct>\n${inside}</${part}></${root}>`.replace(/<(\/?)(?=[A-Z])/g, '<$1ns:')}</ns:Document>`;

describe('CAMT', () => {
  it('splits 053 batches whose details add up and reports the others', async () => {
    const file = await readFixture('camt053-batches.xml');
    expect(file.dialect).toBe('camt.053.001.02, UTF-8');
    expect(listLineSummaries(file)).toEqual([
      '2026-10-02 | 4900 | EUR | INV-1 | Invoice 1',
      '2026-10-02 | 4900 | EUR | INV-2 | ',
      '2026-10-02 | 5200 | EUR | RF18539007547034 | ',
      '2026-10-05 | 10000 | EUR | - | one two',
      '2026-10-06 | 10000 | EUR | - | ',
      '2026-10-09 | -4900 | EUR | INV-2 | ',
      '2026-10-12 | 2450 | EUR | - | ',
    ]);
    expect(file.lines[0]).toMatchObject({
      counterparty: 'Anna',
      bank_id: 'BATCH-1',
      extra: { batch: 'COLL-2026-10' },
    });
    expect(file.lines[4]?.foreign).toEqual({ amount_in_cents: 10800, currency: 'USD', rate: '1.08' });
    expect(file.lines[5]?.kind).toBe('chargeback');
    expect(file.statements).toMatchObject([
      {
        account: 'DE89370400440532013000',
        bank: 'COBADEFFXXX',
        number: '210',
        opening: { amount_in_cents: 100000, date: '2026-10-01' },
        closing: { amount_in_cents: 132550, date: '2026-10-31' },
      },
    ]);
    expect(listProblemSummaries(file)).toEqual([
      'doubtful 4 line 17: The amounts of the 2 details do not add up to 100.00 EUR. The entry was read as one line.',
      'skipped 8 line 25: The entry is pending. The bank has not booked it.',
    ]);
  });

  it('reads version 08 with namespace prefixes, status codes, parties, detail amounts and deducted bank charges', async () => {
    const details = ['60.00', '42.00']
      .map(
        (amount, at) =>
          `<TxDtls><Refs><EndToEndId>E${at}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Pty><Nm>P${at}</Nm></Pty></Dbtr></RltdPties></TxDtls>`,
      )
      .join('');
    const charges = '<Chrgs><Rcrd><Amt Ccy="EUR">2.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></Rcrd></Chrgs>';
    const text = report(
      'camt.053.001.08',
      'BkToCstmrStmt',
      'Stmt',
      entry('100.00', `${charges}<NtryDtls>${details}</NtryDtls>`).replace(
        '<Sts>BOOK</Sts>',
        '<Sts><Cd>BOOK</Cd></Sts>',
      ),
    );
    const file = await readText(text);
    expect(file.dialect).toBe('camt.053.001.08, UTF-8');
    expect(
      file.lines.map(({ amount_in_cents, kind, counterparty }) => [amount_in_cents, kind, counterparty]),
    ).toEqual([
      [6000, 'entry', 'P0'],
      [4200, 'entry', 'P1'],
      [-200, 'fee', null],
    ]);
    expect(file.statements[0]?.account).toBe('77-1');
    expect(file.problems).toEqual([]);
  });

  it('recognizes the messages 052 and 054', async () => {
    const intraday = await readText(
      report('camt.052.001.06', 'BkToCstmrAcctRpt', 'Rpt', entry('1.00', '', 'DBIT')),
    );
    expect([intraday.dialect, listLineSummaries(intraday)]).toEqual([
      'camt.052.001.06, UTF-8',
      ['2026-10-02 | -100 | EUR | - | '],
    ]);
    const notice = await readText(
      report('camt.054.001.02', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', entry('1.00')),
    );
    expect(notice.dialect).toBe('camt.054.001.02, UTF-8');
    expect(listProblemSummaries(notice)[0]).toContain('Import only one of the two');
  });

  it('reports invalid entries and sums that disagree', async () => {
    const summary =
      '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries><TtlCdtNtries><Sum>9.00</Sum></TtlCdtNtries></TxsSummry>\n';
    const balances = ['OPBD 1.00', 'CLBD 3.00']
      .map((each) => each.split(' '))
      .map(
        ([code, amount]) =>
          `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-10-01</Dt></Dt></Bal>`,
      )
      .join('');
    const sums = await readText(
      report('camt.053.001.02', 'BkToCstmrStmt', 'Stmt', balances + summary + entry('1.00')),
    );
    expect(listProblemSummaries(sums)).toEqual([
      'balance - line 3: The statement gives its number of entries as 2, but contains 1.',
      'balance - line 3: The statement gives the sum of its credits as 9.00 EUR, but they add up to 1.00 EUR.',
      'balance - line 2: The opening balance 1.00 EUR and lines of 1.00 EUR give 2.00 EUR, but the closing balance is 3.00 EUR: 1.00 EUR is unexplained.',
    ]);
    const bad =
      entry('1,00') +
      entry('2.00', '', 'UP') +
      entry('3.00').replace('2026-10-02', '2026-02-30') +
      entry('4.00');
    const file = await readText(report('camt.053.001.02', 'BkToCstmrStmt', 'Stmt', bad));
    expect(listLineSummaries(file)).toEqual(['2026-10-02 | 400 | EUR | - | ']);
    expect(listProblemSummaries(file)).toEqual([
      'failed 1 line 3: The entry has an invalid amount: “1,00” is not an amount with a decimal point.',
      'failed 2 line 4: The entry is marked neither as credit nor as debit (CdtDbtInd).',
      'failed 3 line 5: The entry has no readable booking date.',
    ]);
  });

  it('keeps the complete entries of a malformed file and reports the line', async () => {
    const whole = report('camt.053.001.02', 'BkToCstmrStmt', 'Stmt', entry('1.00') + entry('2.00'));
    const file = await readText(whole.slice(0, whole.indexOf('2.00')));
    expect(listLineSummaries(file)).toEqual(['2026-10-02 | 100 | EUR | - | ']);
    expect(listProblemSummaries(file)[0]).toMatch(
      /^refused - line 4: The file is incomplete or is not well-formed XML/,
    );
  });
});
