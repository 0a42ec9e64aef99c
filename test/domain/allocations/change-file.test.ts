import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findRepeatedAllocationChanges,
  InvalidChangeFileError,
  parseCsvRecords,
  readAllocationChangeFile,
} from '../../../src/domain/allocations/index.ts';

const readRows = (text: string) => [...readAllocationChangeFile(text)];

test('columns are found by name in any order, and optional ones may be missing or empty', () => {
  expect(
    readRows(
      '\ufeffQuantity;Subscription ID;component;memo;upgrade\r\n8;11;22;"a; ""b""";\r\n\r\n12.0;11;23;;no-prorate\r\n',
    ),
  ).toEqual([
    {
      line: 2,
      raw: '8;11;22;"a; ""b""";',
      change: { subscription_id: 11, component_id: 22, quantity: 8, memo: 'a; "b"' },
      reason: null,
    },
    {
      line: 4,
      raw: '12.0;11;23;;no-prorate',
      change: {
        subscription_id: 11,
        component_id: 23,
        quantity: 12,
        proration_upgrade_scheme: 'no-prorate',
      },
      reason: null,
    },
  ]);
});

test.each([
  ['1,2,', 'quantity is missing.'],
  ['1,2,"1,000"', 'quantity “1,000” is not a whole number of at least 0.'],
  ['1,2,1e3', 'quantity “1e3” is not a whole number of at least 0.'],
  ['1,2,0.75', 'quantity “0.75” is not a whole number of at least 0.'],
  ['1,2,-4', 'quantity “-4” is not a whole number of at least 0.'],
  ['1,2,99999999999999999999', 'is not a whole number'],
  ['1,2,Infinity', 'quantity “Infinity” is not a whole number of at least 0.'],
  ['1,2,٣', 'quantity “٣” is not a whole number of at least 0.'],
  ['1.5,2,3', 'subscription_id “1.5” is not a whole number.'],
  ['0,2,3', 'subscription_id “0” is not a whole number.'],
  ['1,,3', 'component_id is missing.'],
  ['1,2,"3', 'A quotation mark is not closed.'],
])('the row %s is rejected with a reason', (row, reason) => {
  const [read] = readRows(`subscription_id,component_id,quantity\n${row}`);
  expect(read).toMatchObject({ line: 2, raw: row, change: null, reason: expect.stringContaining(reason) });
});

test.each([
  ['5,diagonal,', 'proration_upgrade_scheme “diagonal” is not one of prorate-delay-capture, prorate-attempt'],
  ['5,prorate,', 'proration_upgrade_scheme “prorate” is not one of'],
  ['5,,Prorate', 'proration_downgrade_scheme “Prorate” is not one of prorate, no-prorate.'],
])('the row %s is rejected because of its scheme', (row, reason) => {
  const [read] = readRows(`subscription_id,component_id,quantity,upgrade,downgrade\n1,2,${row}`);
  expect(read).toMatchObject({ change: null, reason: expect.stringContaining(reason) });
});

test('a file without the required columns is rejected', () => {
  expect(() => readRows('')).toThrow(InvalidChangeFileError);
  expect(() => readRows('a,b\n1,2')).toThrow(
    'The header lacks the columns subscription_id, component_id, quantity.',
  );
});

test('any CSV round-trips with its line numbers', () => {
  const cell = fc.string().filter((text) => !text.includes('\r'));
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(table, (rows) => {
      const lines = rows.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','));
      const read = [...parseCsvRecords(`a,b,c,d\n${lines.join('\n')}`)].slice(1);
      expect(read.map(({ cells }) => cells)).toEqual(rows);
      let line = 2;
      for (const [at, record] of read.entries()) {
        expect(record.line).toBe(line);
        line += (lines[at] as string).split('\n').length;
      }
    }),
  );
});

test('no input throws, and every row is read or reported', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 8 }), (cells) => {
      const text = `subscription_id,component_id,quantity\n${cells.join(',')}`;
      for (const { change, reason } of readRows(text))
        expect((change === null) !== (reason === null)).toBe(true);
    }),
  );
});

test('equal rows for one component are sent once, contradictory ones never', () => {
  const change = (component_id: number, quantity: number | string) => ({
    subscription_id: 1,
    component_id,
    quantity,
  });
  const found = findRepeatedAllocationChanges(
    [change(2, 5), change(3, 1), change(2, '5.0'), null, change(3, 2)],
    (at) => `line ${at}`,
  );
  expect([...found].map(([at, { problem }]) => [at, problem])).toEqual([
    [2, 'duplicate'],
    [1, 'contradiction'],
    [4, 'contradiction'],
  ]);
});
