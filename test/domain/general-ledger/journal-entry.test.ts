import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createDatevSettings,
  findJournalEntryError,
  formatEntryNumber,
  formatJournal,
  getLineCents,
  type JournalEntryContent,
  journalFormats,
  matchPostedEntries,
  proposeEntries,
  reverseLines,
  splitIntoTransfers,
  toJournalLine,
} from '../../../src/domain/general-ledger/index.ts';

const amounts = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1, maxLength: 6 });

/** Balanced lines: the given amounts and a last line that balances them. */
const balanced = amounts.map((cents) => {
  const values = cents.filter((each) => each !== 0);
  const rest = 0 - values.reduce((all, each) => all + each, 0);
  return [...values, ...(rest === 0 ? [] : [rest])].map((each, at) => toJournalLine(`4${at}00`, each));
});

const entry = (fields: Partial<JournalEntryContent> = {}): JournalEntryContent => ({
  number: 'T2026-03-0001',
  dated_on: '2026-03-31',
  currency: 'EUR',
  memo: 'Processor fees',
  lines: [toJournalLine('6855', 1234), toJournalLine('1360', -1234)],
  ...fields,
});

describe('journal entries', () => {
  test('balance exactly or have an error', () => {
    fc.assert(
      fc.property(balanced, fc.integer({ min: 1, max: 99 }), (lines, extra) => {
        if (lines.length < 2) return;
        expect(findJournalEntryError(lines)).toBeNull();
        expect(findJournalEntryError(reverseLines(lines))).toBeNull();
        const [first, ...rest] = lines;
        const changed = toJournalLine('9', getLineCents(first!) + extra);
        if (getLineCents(changed) !== 0)
          expect(findJournalEntryError([changed, ...rest])).toContain('does not balance');
      }),
    );
    expect(findJournalEntryError([toJournalLine('1', 5)])).toContain('two lines');
    expect(findJournalEntryError([toJournalLine('1', 0), toJournalLine('2', 0)])).toContain('Line 1');
  });

  test('split into transfers that add up to each account’s lines', () => {
    fc.assert(
      fc.property(balanced, (lines) => {
        const sums = new Map<string, number>();
        const add = (account: string, cents: number) => sums.set(account, (sums.get(account) ?? 0) + cents);
        for (const { debit_account, credit_account, amount_in_cents } of splitIntoTransfers(lines)) {
          expect(amount_in_cents).toBeGreaterThan(0);
          add(debit_account, amount_in_cents);
          add(credit_account, 0 - amount_in_cents);
        }
        expect([...sums].sort()).toEqual(lines.map((line) => [line.account, getLineCents(line)]).sort());
      }),
    );
  });

  test.each(journalFormats)('are exported for %s with their number, accounts and amounts', (format) => {
    const text = [...formatJournal(format, [entry()], createDatevSettings('2026-03'))].join('');
    for (const part of ['T2026-03-0001', '6855', '1360', format === 'datev' ? '12,34' : '12.34'])
      expect(text).toContain(part);
  });

  test('in DATEV’s format have one row per transfer and as many fields as columns', () => {
    const lines = [toJournalLine('6855', 300), toJournalLine('6300', 700), toJournalLine('1360', -1000)];
    const [head, columns, ...rows] = [
      ...formatJournal('datev', [entry({ lines, memo: 'Gebühr; "Q1"' })], createDatevSettings('2026-03')),
    ];
    expect(head?.split(';').slice(0, 5)).toEqual(['"EXTF"', '700', '21', '"Buchungsstapel"', '13']);
    expect(head?.trim().split(';')).toHaveLength(31);
    expect(rows).toEqual([
      '3,00;"S";"EUR";;;"";6855;1360;"";3103;"T2026-03-0001";"";;"T2026-03-0001 Gebühr; ""Q1"""\r\n',
      '7,00;"S";"EUR";;;"";6300;1360;"";3103;"T2026-03-0001";"";;"T2026-03-0001 Gebühr; ""Q1"""\r\n',
    ]);
    expect(columns?.split(';')).toHaveLength(14);
  });
});

describe('posted entries', () => {
  const posted = (id: number, account: string, amount_in_cents: number, text = '') => ({
    ...{ id, account, amount_in_cents, text, dated_on: '2026-03-31', currency: 'EUR' },
  });

  test('are found by their number, even if the system posts one line in parts', () => {
    const lines = [
      posted(1, '6855', 1000, 'JE 9 T2026-03-0001 Processor fees'),
      posted(2, '6855', 234, 'T2026-03-0001'),
      posted(3, '1360', -1234, 'T2026-03-0001'),
      posted(4, '1360', -1234, 'T2026-03-00012'),
    ];
    expect([...matchPostedEntries([entry()], lines)]).toEqual([['T2026-03-0001', [1, 2, 3]]]);
  });

  test('are not found if the posted amount differs', () => {
    const lines = [posted(1, '6855', 1200, 'T2026-03-0001'), posted(2, '1360', -1200, 'T2026-03-0001')];
    expect(matchPostedEntries([entry()], lines).size).toBe(0);
  });

  test('without a number are found by date, account and amount only if this is unique', () => {
    const lines = [posted(1, '6855', 1234), posted(2, '1360', -1234), posted(3, '1200', 1234)];
    expect([...matchPostedEntries([entry()], lines)]).toEqual([['T2026-03-0001', [1, 2]]]);
    const twin = entry({ number: formatEntryNumber('2026-03', 2) });
    expect(matchPostedEntries([entry(), twin], lines).size).toBe(0);
    expect(matchPostedEntries([entry()], [...lines, posted(5, '6855', 1234)]).size).toBe(0);
  });
});

describe('proposals', () => {
  const figure = (id: string, amount_in_cents: number, parts: [string, number][] = []) => ({
    ...{ id, amount_in_cents },
    parts: parts.map(([label, cents]) => ({ label, amount_in_cents: cents })),
  });

  test('book fees per processor, and payouts in transit with a reversal', () => {
    const lines = [
      figure('S2.fees', -900, [
        ['Alpha', -600],
        ['Beta', -300],
      ]),
      figure('S3.transit', -5000),
    ];
    expect(proposeEntries([{ lines }])).toEqual([
      expect.objectContaining({
        source: 'S2.fees Alpha',
        debit: 'fees',
        credit: 'clearing',
        amount_in_cents: 600,
      }),
      expect.objectContaining({ source: 'S2.fees Beta', amount_in_cents: 300 }),
      expect.objectContaining({ debit: 'in-transit', amount_in_cents: 5000, isReversing: true }),
    ]);
  });

  test('book only what the ledger lacks', () => {
    const lines = [
      figure('S2.fees', -900),
      figure('S4.fees', 900),
      figure('S4.fees-ledger', 650),
      figure('S4.fees-entries', 50),
      figure('S4.revenue', 100),
      figure('S4.revenue-ledger', 100),
    ];
    expect(proposeEntries([{ lines }]).map(({ amount_in_cents }) => amount_in_cents)).toEqual([200]);
  });
});
