import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { expectAllRowsAccounted, readCompleteFile } from '../domain/bankfiles/read-complete-file.ts';
import { mutateBytes, PROPERTY_TIMEOUT_MS, RUN_OPTIONS } from './mutate-bytes.ts';

/** Random bank files must not cause a crash or a hang, and no row may be lost silently. */

const folder = new URL('../domain/bankfiles/files/', import.meta.url);
const files = readdirSync(folder).map((name) => readFileSync(new URL(name, folder)));
const workbook = await writeXlsx({
  sheets: [
    {
      name: 'A',
      rows: [
        ['date', 'amount', 'currency', 'description', 'reference'],
        ['2026-10-01', 5, 'USD', 'a', 'b'],
      ],
    },
  ],
});

/**
 * Reads the bytes as a bank file within one second of this thread’s CPU time and expects every row to be read or
 * reported.
 */
async function readWithinLimits(bytes: Uint8Array): Promise<void> {
  const before = process.threadCpuUsage();
  const file = await readCompleteFile(bytes);
  const { user, system } = process.threadCpuUsage(before);
  if (user + system > 1_000_000) throw new Error(`took ${(user + system) / 1000} ms`);
  if (file.lines.length === 0) expect(file.problems.length).toBeGreaterThan(0);
  expectAllRowsAccounted(file);
  // Repeats about every fourth read in small chunks, as often as the time limit allows.
  if (bytes.length % 4 === 0)
    expect(await readCompleteFile(bytes, {}, 1 + (bytes.length % 50))).toEqual(file);
}

describe('a random bank file', () => {
  it(
    'with changed bytes has every row read or reported',
    async () => {
      const mutatedFile = fc.constantFrom(...files, Buffer.from(workbook)).chain(mutateBytes);
      await fc.assert(fc.asyncProperty(mutatedFile, readWithinLimits), RUN_OPTIONS);
    },
    PROPERTY_TIMEOUT_MS,
  );

  it(
    'of arbitrary bytes is read or rejected',
    async () => {
      const begin = fc.constantFrom(
        '',
        'Date,Amount\n',
        '<OFX><STMTTRN>',
        '<Document>BkToCstmr',
        ':20:\n:25:\n:61:',
        '!Type:Bank\n',
        'PK\x03\x04',
        '\ufeff',
      );
      const any = fc
        .tuple(begin, fc.uint8Array({ maxLength: 300 }))
        .map(([head, tail]) => Buffer.concat([Buffer.from(head), tail]));
      await fc.assert(fc.asyncProperty(any, readWithinLimits), RUN_OPTIONS);
    },
    PROPERTY_TIMEOUT_MS,
  );

  it(
    'of format keywords in any order is read or reported',
    async () => {
      const words = [
        '<OFX>',
        '<STMTRS>',
        '<STMTTRN>',
        '</STMTTRN>',
        '<TRNAMT>',
        '5.00',
        '<DTPOSTED>20261001',
        '</OFX>',
        '<LEDGERBAL>',
        '<BALAMT>',
        '\n',
        ':20:',
        ':25:',
        ':60F:C261001EUR1,',
        ':61:261001C1,00NTRF',
        ':86:',
        '?20',
        '/REMI/',
        '-}',
        '!Type:Bank',
        'D1/2/26',
        'T5.00',
        '^',
        'Date,Amount',
        '2026-10-01,',
        '"',
        ',',
        ';',
        '\t',
        'Total',
        'Saldo',
        '3,4',
        '-',
        '(',
        '€',
      ];
      const shuffledWords = fc
        .array(fc.constantFrom(...words), { maxLength: 40 })
        .map((each) => Buffer.from(each.join('')));
      await fc.assert(fc.asyncProperty(shuffledWords, readWithinLimits), RUN_OPTIONS);
    },
    PROPERTY_TIMEOUT_MS,
  );
});
