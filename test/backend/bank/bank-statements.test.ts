import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { BankStatement, Schedule } from '../../../src/contract/index.ts';
import { type BankBench, openBankBench, SITE, standardCsv } from './bank-bench.ts';

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
});
afterEach(() => bench.close());

interface Mt940Statement {
  readonly number: string;
  readonly opening: readonly [day: string, cents: number];
  readonly closing: readonly [day: string, cents: number];
  readonly lines?: readonly (readonly [day: string, cents: number])[];
}

const amount = (cents: number) => (Math.abs(cents) / 100).toFixed(2).replace('.', ',');
const mark = (cents: number) => (cents < 0 ? 'D' : 'C');
/** Formats a statement as MT940. Days are written as YYMMDD. */
const toMt940 = ({ number, opening, closing, lines = [] }: Mt940Statement): string =>
  [
    ':20:STARTUMSE',
    ':25:DE89370400440532013000',
    `:28C:${number}/1`,
    `:60F:${mark(opening[1])}${opening[0]}USD${amount(opening[1])}`,
    ...lines.flatMap(([day, cents], at) => [
      `:61:${day}${day.slice(2)}${mark(cents)}${amount(cents)}NTRFREF${number}${at}`,
      ':86:TRANSFER',
    ]),
    `:62F:${mark(closing[1])}${closing[0]}USD${amount(closing[1])}`,
    '-',
  ].join('\r\n');

const first = toMt940({
  number: '7',
  opening: ['260930', 100_000],
  lines: [
    ['261002', 5_000],
    ['261009', -2_000],
  ],
  closing: ['261015', 103_000],
});
const second = toMt940({
  number: '8',
  opening: ['261015', 103_000],
  lines: [['261020', 700]],
  closing: ['261031', 103_700],
});

async function importFile(text: string, name: string) {
  const { plan } = await bench.import(text, { name });
  expect(plan.blocker).toBeNull();
}

async function upload(text: string, name: string): Promise<string> {
  const data = Buffer.from(text).toString('base64');
  return (await bench.client.bank.upload({ site: SITE, name, data })).upload;
}

const listStatements = () => bench.client.bank.statements({ site: SITE });
const summarize = ({ number, from, to, gap_in_cents, difference_in_cents }: BankStatement) => [
  number,
  from,
  to,
  gap_in_cents,
  difference_in_cents,
];

async function readSchedule(id: string): Promise<{ schedule: Schedule; amounts: Record<string, number> }> {
  const { sections } = await bench.client.workpapers.get({ site: SITE, period: '2026-10' });
  const schedule = sections[0]!.schedules.find((each) => each.id === id)!;
  const amounts = schedule.lines.map((line) => [line.id.split('.')[1]!, line.amount_in_cents]);
  return { schedule, amounts: Object.fromEntries(amounts) };
}

it('reconciles an account to its bank statements and shows the summary in S3', async () => {
  await importFile(second, 'second.sta');
  await importFile(first, 'first.sta');
  expect((await listStatements()).map(summarize)).toEqual([
    ['7/1', '2026-10-01', '2026-10-15', null, 0],
    ['8/1', '2026-10-16', '2026-10-31', 0, 0],
  ]);
  const { schedule, amounts } = await readSchedule('S3-1');
  expect(schedule).toMatchObject({ title: 'Main', difference_in_cents: 0 });
  expect(amounts).toMatchObject({
    opening: 100_000,
    received: 5_700,
    paid: -2_000,
    computed: 103_700,
    closing: 103_700,
    difference: 0,
    unmatched: -5_700,
    books: 98_000,
  });
  expect((await readSchedule('S3')).amounts).toMatchObject({
    'opening-balances': 100_000,
    'balances-computed': 103_700,
    'closing-balances': 103_700,
    'balance-difference': 0,
  });
  const query = { site: SITE, period: '2026-10', currency: 'USD', figure: 'S3-1.opening' };
  const { rows } = await bench.client.workpapers.rows(query);
  expect(rows).toMatchObject([
    { kind: 'bank_statement', text: 'Main, statement 7/1 of 2026-10-01 to 2026-10-15: first.sta' },
  ]);
});

it('shows a missing bank statement as a difference, and the days that none covers', async () => {
  await importFile(first, 'first.sta');
  await importFile(
    toMt940({
      number: '9',
      opening: ['261019', 104_500],
      lines: [['261020', 700]],
      closing: ['261029', 105_200],
    }),
    'third.sta',
  );
  expect((await listStatements()).at(-1)).toMatchObject({
    gap_in_cents: 1_500,
    missing_numbers: 1,
    days_between: 4,
  });
  const { schedule, amounts } = await readSchedule('S3-1');
  expect(amounts).toMatchObject({ computed: 103_700, closing: 105_200, difference: 1_500 });
  expect(schedule.difference_in_cents).toBe(1_500);
  const { qualifications, explained } = await bench.client.workpapers.get({ site: SITE, period: '2026-10' });
  expect(explained).toBe(false);
  expect(qualifications.map(({ message }) => message)).toContain(
    'No bank statement of “Main” (USD) covers 2026-10-16 to 2026-10-19, 2026-10-30 to 2026-10-31.',
  );
});

it('imports a bank statement without lines, which proves that nothing was booked', async () => {
  await importFile(first, 'first.sta');
  const empty = { number: '8', opening: ['261015', 103_000], closing: ['261031', 103_000] } as const;
  await importFile(toMt940(empty), 'empty.sta');
  expect((await listStatements()).at(-1)).toMatchObject({ closing_in_cents: 103_000, lines_in_cents: 0 });
  const again = await bench.plan(`${toMt940(empty)}\r\n`, { name: 'again.sta' });
  expect(again.blocker).toBe('The file contains no readable line.');
  const { qualifications } = await bench.client.workpapers.get({ site: SITE, period: '2026-10' });
  expect(qualifications.filter(({ kind }) => kind === 'balance')).toEqual([]);
});

it('enters a bank statement with its source file, once, and removes it with a reason', async () => {
  await bench.import(standardCsv([['2026-10-02', '50.00', 'TRANSFER']]));
  const before = await bench.client.workpapers.get({ site: SITE, period: '2026-10' });
  expect(before.qualifications).toContainEqual({
    kind: 'balance',
    message: expect.stringMatching(/^No bank statement states a balance of/),
  });
  const scan = await upload('%PDF-1.7 scan', 'october.pdf');
  const entered = {
    ...{ site: SITE, account: 1, from: '2026-10-01', to: '2026-10-31', upload: scan },
    ...{ opening_in_cents: 1_000, closing_in_cents: 6_000 },
  };
  const { id, source } = await bench.client.bank.addStatement(entered);
  const stored = join(bench.home, 'sites', SITE, 'sources', source.sha256.slice(0, 2), source.sha256);
  expect(readFileSync(stored, 'utf8')).toBe('%PDF-1.7 scan');
  expect((await readSchedule('S3-1')).amounts).toMatchObject({
    opening: 1_000,
    closing: 6_000,
    difference: 0,
  });
  const repeated = { ...entered, upload: await upload('other', 'again.pdf') };
  await expect(bench.client.bank.addStatement(repeated)).rejects.toThrow('is already stored');
  await expect(bench.client.bank.addStatement({ ...repeated, from: '2026-11-01' })).rejects.toThrow(
    'before it begins',
  );
  await bench.client.bank.removeStatement({ site: SITE, id, reason: 'Wrong account.' });
  expect(await listStatements()).toEqual([]);
  const { rows } = await bench.client.audit.list({ site: SITE });
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['bank.add-statement', 'bank.remove-statement']),
  );
});

it('removes the statements of an import with it, and refuses to remove one alone', async () => {
  await importFile(first, 'first.sta');
  const [statement] = await listStatements();
  await expect(
    bench.client.bank.removeStatement({ site: SITE, id: statement!.id, reason: 'x' }),
  ).rejects.toThrow('is part of import 1');
  const { job } = await bench.client.bank.removeImport({ site: SITE, id: 1, reason: 'x' });
  await bench.waitForJob(job);
  expect(await listStatements()).toEqual([]);
});
