import { readdirSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/domain/bankfiles/mt940/fields.ts';
import { csvRows } from '../../../src/domain/bankfiles/table/csv.ts';
import { fixture, readWhole } from './reading.ts';
import * as write from './writers.ts';

/** A file is read piece by piece; where one piece ends and the next begins must not matter. */

const files = readdirSync(new URL('./files/', import.meta.url));
const many = Array.from({ length: 4000 }, (_, at) => ({
  date: `2026-10-${String((at % 28) + 1).padStart(2, '0')}`,
  cents: (at % 700) * 100 + 1,
  text: `plan ${at} & é`,
  reference: `R${at}`,
}));

describe('pieces of a file', () => {
  it.each(files)('%s is read alike, whatever their size', async (name) => {
    const whole = await readWhole(fixture(name), {}, 1 << 20);
    for (const size of [1, 2, 3, 7, 64, 201]) {
      expect(await readWhole(fixture(name), {}, size)).toEqual(whole);
    }
  });

  it.each([
    ['CSV', () => write.standardCsv(many)],
    ['OFX', () => write.ofx(many)],
    ['CAMT', () => write.camt(many)],
    ['MT940', () => write.mt940(many)],
    ['QIF', () => write.qif(many)],
  ] as const)('a long %s is read alike, be they small or large', async (_, text) => {
    const bytes = Buffer.from(text());
    const whole = await readWhole(bytes, {}, bytes.length);
    expect(whole.lines).toHaveLength(many.length);
    expect(await readWhole(bytes, {}, 997)).toEqual(whole);
  });

  it('may end within a record of a CSV text, and a record may be longer than what is held of it', () => {
    const cell = (at: number) => (at % 97 === 0 ? 'x'.repeat(3000) : `a "${at}",\r\n b`);
    const rows = Array.from({ length: 4000 }, (_, at) => [
      `${at}`,
      cell(at),
      at === 2000 ? 'y'.repeat(400_000) : '',
    ]);
    const text = rows
      .map(([number, quoted = '', plain]) => `${number},"${quoted.replaceAll('"', '""')}",${plain}`)
      .join('\r\n');
    const pieces = text.match(/.{1,1000}/gs) ?? [];
    const read = [...csvRows(pieces, ',')];
    expect(read.map(({ cells }) => cells)).toEqual(parse(text));
    expect(read.map(({ raw }) => raw).join('\r\n')).toBe(text);
    expect(read[1]?.place).toBe('line 2');
    expect(read[2]?.place).toBe('line 4');
  });

  it('may part the two signs that end a line', () => {
    const text = 'a\r\nb\rc\n\nd\r\n';
    for (const pieces of [[text], [...text], ['a\r', '\nb', '\rc\n\nd\r\n', '']]) {
      expect([...linesOf(pieces)]).toEqual(['a', 'b', 'c', '', 'd', '']);
    }
  });
});
