import { writeXlsx } from 'hucre/xlsx';

/** A bank line with the fields that every format supports. */
export interface SampleLine {
  readonly date: string;
  readonly cents: number;
  readonly text: string;
  readonly reference: string;
}

const toCompactDate = (date: string) => date.replaceAll('-', '');
export const decimal = (cents: number, mark = '.'): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}${mark}${digits.slice(-2)}`;
};
const sum = (lines: readonly SampleLine[]) => lines.reduce((total, { cents }) => total + cents, 0);
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const quoteCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

export const standardCsv = (lines: readonly SampleLine[]): string =>
  [
    'date,amount,currency,description,reference',
    ...lines.map(({ date, cents, text, reference }) =>
      [date, decimal(cents), 'EUR', quoteCell(text), quoteCell(reference)].join(','),
    ),
  ].join('\n');

/** Writes a CSV with semicolons, decimal commas, day-first dates, debit and credit columns and a balance, newest first. */
export function europeanCsv(lines: readonly SampleLine[]): string {
  let balance = 100_000;
  const rows = lines.map(({ date, cents, text, reference }) => {
    balance += cents;
    const day = date.split('-').reverse().join('.');
    const sides = cents < 0 ? [decimal(-cents, ','), ''] : ['', decimal(cents, ',')];
    return [day, quoteCell(text), quoteCell(reference), ...sides, decimal(balance, ',')].join(';');
  });
  return ['Buchungstag;Verwendungszweck;Kundenreferenz;Soll;Haben;Saldo', ...rows.reverse()].join('\r\n');
}

export const ofx = (lines: readonly SampleLine[]): string =>
  `OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nENCODING:UTF-8\r\n\r\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${lines
    .map(
      ({ date, cents, text, reference }, at) =>
        `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${toCompactDate(date)}235959[-5:EST]<TRNAMT>${decimal(cents)}<FITID>${at}<REFNUM>${xml(reference)}<MEMO>${xml(text)}</STMTTRN>\r\n`,
    )
    .join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

export function camt(lines: readonly SampleLine[]): string {
  const side = (cents: number) =>
    `<Amt Ccy="EUR">${decimal(Math.abs(cents))}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, cents: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${side(cents)}<Dt><Dt>2026-10-01</Dt></Dt></Bal>`;
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>${balance('OPBD', 500)}${balance('CLBD', 500 + sum(lines))}${lines
    .map(
      ({ date, cents, text, reference }) =>
        `<Ntry>${side(cents)}<Sts>BOOK</Sts><BookgDt><Dt>${date}</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>${xml(reference)}</EndToEndId></Refs><RmtInf><Ustrd>${xml(text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
    )
    .join('')}</Stmt></BkToCstmrStmt></Document>`;
}

export function mt940(lines: readonly SampleLine[]): string {
  const balance = (tag: string, cents: number) =>
    `:${tag}:${cents < 0 ? 'D' : 'C'}261001EUR${decimal(Math.abs(cents), ',')}`;
  return [
    ':20:STATEMENT',
    ':25:DE1',
    ':28C:1/1',
    balance('60F', 500),
    ...lines.flatMap(({ date, cents, text, reference }) => [
      `:61:${toCompactDate(date).slice(2)}${toCompactDate(date).slice(4)}${cents < 0 ? 'D' : 'C'}${decimal(Math.abs(cents), ',')}NTRF${reference}`,
      `:86:${text}`,
    ]),
    balance('62F', 500 + sum(lines)),
    '-',
  ].join('\r\n');
}

export const qif = (lines: readonly SampleLine[]): string =>
  `!Type:Bank\n${lines.map(({ date, cents, text, reference }) => `D${date}\nT${decimal(cents)}\nM${text}\nN${reference}\n^\n`).join('')}`;

export const xlsx = (lines: readonly SampleLine[]): Promise<Uint8Array> =>
  writeXlsx({
    sheets: [
      {
        name: 'Lines',
        rows: [
          ['date', 'amount', 'currency', 'description', 'reference'],
          ...lines.map(({ date, cents, text, reference }) => [
            new Date(`${date}T00:00:00Z`),
            cents / 100,
            'EUR',
            text,
            reference,
          ]),
        ],
      },
    ],
  });
