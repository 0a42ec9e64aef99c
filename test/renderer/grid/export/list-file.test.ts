import { readXlsx } from 'hucre';
import { expect, test } from 'vitest';
import { parseCsvRecords } from '../../../../src/domain/csv/csv-records.ts';
import type { CopyableCell } from '../../../../src/renderer/grid/columns/column-layout.ts';
import {
  formatListCsv,
  formatListXlsx,
  type ListContent,
} from '../../../../src/renderer/grid/export/list-file.ts';

const rows: readonly (readonly CopyableCell[])[] = [
  [{ text: 'Brûlerie "Kaffa", SARL' }, { exact: '-1204.50' }, { text: '2026-09-30' }, { exact: '4711' }],
  [{ text: '=HYPERLINK("http://x")' }, { exact: '' }, { text: '' }, { exact: '12345678901234567890' }],
  [{ text: '-Nord' }, { exact: '7.00' }, { text: '2026-10-01' }, { exact: '12' }],
];

function createList(batches: readonly (readonly (readonly CopyableCell[])[])[] = [rows]): ListContent {
  return {
    title: 'Bank lines: Girokonto',
    facts: [
      ['Filter', 'Status: open, matched'],
      ['Sorted by', 'Amount, descending'],
    ],
    columns: ['Payee', 'Amount', 'Value date', 'Id'],
    batches: (async function* () {
      yield* batches;
    })(),
  };
}

async function toText(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<string> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of pieces) parts.push(piece);
  return await new Blob(parts).text();
}

test('a CSV file states the filter, then contains the visible columns and all rows', async () => {
  const records = [...parseCsvRecords(await toText(formatListCsv(createList())))];
  expect(records.map(({ cells }) => cells)).toEqual([
    ['Bank lines: Girokonto'],
    ['Filter', 'Status: open, matched'],
    ['Sorted by', 'Amount, descending'],
    ['Payee', 'Amount', 'Value date', 'Id'],
    ['Brûlerie "Kaffa", SARL', '-1204.50', '2026-09-30', '4711'],
    [`'=HYPERLINK("http://x")`, '', '', '12345678901234567890'],
    ["'-Nord", '7.00', '2026-10-01', '12'],
  ]);
});

test('a long CSV file is written in pieces as its rows are read', async () => {
  let read = 0;
  const batches = async function* () {
    for (; read < 300; read++) yield Array.from({ length: 100 }, () => rows[0] ?? []);
  };
  const pieces = formatListCsv({ ...createList(), batches: batches() });
  const { value } = await pieces.next();
  expect(value?.length).toBeGreaterThan(200_000);
  expect(read).toBeLessThan(100);
  await pieces.return(undefined);
});

test('an XLSX file has typed amounts and dates, and text that is never a formula', async () => {
  const bytes = await new Response(await formatListXlsx(createList())).bytes();
  const [sheet] = (await readXlsx(bytes)).sheets;
  expect(sheet?.name).toBe('Bank lines  Girokonto');
  expect(sheet?.rows.slice(4)).toEqual([
    ['Payee', 'Amount', 'Value date', 'Id'],
    ['Brûlerie "Kaffa", SARL', -1204.5, new Date('2026-09-30T00:00:00Z'), 4711],
    ['=HYPERLINK("http://x")', null, null, '12345678901234567890'],
    ['-Nord', 7, new Date('2026-10-01T00:00:00Z'), 12],
  ]);
  const formulas = [...(sheet?.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined);
  expect(formulas).toEqual([]);
});

test('an empty list exports its head', async () => {
  const csv = await toText(formatListCsv(createList([])));
  expect(csv.endsWith('Payee,Amount,Value date,Id\r\n')).toBe(true);
  const bytes = await new Response(await formatListXlsx(createList([]))).bytes();
  expect((await readXlsx(bytes)).sheets[0]?.rows).toHaveLength(5);
});
