import { readdirSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { readCsvRecords } from '../../../src/domain/bankfiles/table/csv-records.ts';
import { splitLines } from '../../../src/domain/bankfiles/text/text-lines.ts';
import { fixture, readCompleteFile } from './read-complete-file.ts';
import * as write from './sample-writers.ts';

/** Files are read in chunks. The result must not depend on the chunk boundaries. */

const files = readdirSync(new URL('./files/', import.meta.url));
const longFiles = Array.from({ length: 4000 }, (_, at) => ({
  date: `2026-10-${String((at % 28) + 1).padStart(2, '0')}`,
  cents: (at % 700) * 100 + 1,
  text: `plan ${at} & é`,
  reference: `R${at}`,
}));

describe('chunks of a file', () => {
  it.each(files)('of any size give the same result for %s', async (name) => {
    const whole = await readCompleteFile(fixture(name), {}, 1 << 20);
    for (const size of [1, 2, 3, 7, 64, 201]) {
      expect(await readCompleteFile(fixture(name), {}, size)).toEqual(whole);
    }
  });

  it.each([
    ['CSV', () => write.standardCsv(longFiles)],
    ['OFX', () => write.ofx(longFiles)],
    ['CAMT', () => write.camt(longFiles)],
    ['MT940', () => write.mt940(longFiles)],
    ['QIF', () => write.qif(longFiles)],
  ] as const)('of any size give the same result for a long %s file', async (_, text) => {
    const bytes = Buffer.from(text());
    const whole = await readCompleteFile(bytes, {}, bytes.length);
    expect(whole.lines).toHaveLength(longFiles.length);
    expect(await readCompleteFile(bytes, {}, 997)).toEqual(whole);
  });

  it('may end within a CSV record longer than the buffer', () => {
    const cell = (at: number) => (at % 97 === 0 ? 'x'.repeat(3000) : `a "${at}",\r\n b`);
    const rows = Array.from({ length: 4000 }, (_, at) => [
      `${at}`,
      cell(at),
      at === 2000 ? 'y'.repeat(400_000) : '',
    ]);
    const text = rows
      .map(([number, quoted = '', plain]) => `${number},"${quoted.replaceAll('"', '""')}",${plain}`)
      .join('\r\n');
    const chunks = text.match(/.{1,1000}/gs) ?? [];
    const read = [...readCsvRecords(chunks, ',')];
    expect(read.map(({ cells }) => cells)).toEqual(parse(text));
    expect(read.map(({ raw }) => raw).join('\r\n')).toBe(text);
    expect(read[1]?.location).toBe('line 2');
    expect(read[2]?.location).toBe('line 4');
  });

  it('may split a two-character line end', () => {
    const text = 'a\r\nb\rc\n\nd\r\n';
    for (const chunks of [[text], [...text], ['a\r', '\nb', '\rc\n\nd\r\n', '']]) {
      expect([...splitLines(chunks)]).toEqual(['a', 'b', 'c', '', 'd', '']);
    }
  });
});
