import { deflateRawSync } from 'node:zlib';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { type CompleteFile, readCompleteFile } from './read-complete-file.ts';

/** Malicious files must be rejected with a reason or read in linear time. */

const CAMT = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>';

async function measureTime(bytes: Uint8Array | string): Promise<CompleteFile> {
  const given = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const before = process.threadCpuUsage();
  const file = await readCompleteFile(given);
  const { user } = process.threadCpuUsage(before);
  if (user > 1_500_000) throw new Error(`took ${user / 1000} ms`);
  return file;
}

describe('XML bank files', () => {
  it.each([
    [
      'a document type',
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>${CAMT}<Stmt><Id>&a;</Id></Stmt>`,
      /DOCTYPE/,
    ],
    ['an internal entity', `${CAMT}<Stmt><Id>&secret;</Id></Stmt>`, /well-formed/],
    ['an external entity', `<!DOCTYPE x SYSTEM "file:///etc/passwd">${CAMT}`, /DOCTYPE/],
    ['unlimited nesting', CAMT + '<a>'.repeat(200_000), /levels of nested elements/],
    [
      'an element with thousands of attributes',
      `${CAMT}<a ${Array.from({ length: 5000 }, (_, at) => `b${at}="1"`).join(' ')}>`,
      /attributes/,
    ],
    ['a document type in OFX', '<?xml version="1.0"?><!DOCTYPE x><OFX>', /declaration/],
    ['an entity declaration in OFX', '<OFX><!ENTITY a "b"><STMTTRN>', /declaration/],
    [
      'unlimited nesting in OFX',
      `<OFX>${'<AA>'.repeat(100_000)}${'</AA>'.repeat(100_000)}`,
      /levels of nested elements/,
    ],
  ])('with %s are rejected', async (_, text, reason) => {
    const file = await measureTime(text);
    expect(file.problems.find(({ effect }) => effect === 'refused')?.reason).toMatch(reason);
    expect(file.lines).toEqual([]);
  });
});

describe('bank files that are slow to parse naively', () => {
  const many = 30_000;
  it.each([
    ['opening quotes', 'Date,Amount\n', '"'],
    ['opening quotes on separate lines', 'Date,Amount\n', '"a\n'],
    ['delimiters', 'Date,Amount\n2026-10-01', ','],
    ['unclosed tags', '<OFX><STMTTRN>', '<'],
    ['tags without line breaks', '<OFX>', '<STMTTRN><MEMO>a'],
    ['unclosed CDATA sections', '<OFX><STMTTRN><MEMO>', '<![CDATA['],
    ['comments', '<OFX>', '<!---->'],
    ['ampersands', '<OFX><STMTTRN><MEMO>', '&amp'],
    ['braces', '{1:F01}', '{2:'],
    ['SEPA keys', ':20:a\n:25:b\n:61:2610010C1,00NTRF\n:86:166?20', 'EREF+'],
    ['slashes', ':20:a\n:25:b\n:61:2610011001C1,00NTRF\n:86:/TRTP/', '/REMI'],
    ['slashes without keys', ':20:a\n:25:b\n:61:2610011001C1,00NTRF\n:86:/TRTP/x/REMI/y', '/'],
    ['fields', ':20:a\n:25:b\n', ':86:\n'],
    ['records', '!Type:Bank\n', '^\nD\n'],
    ['spaces', 'Date,Amount\n2026-10-01,', ' '],
    ['digits', 'Date,Amount\n2026-10-01,', '1'],
  ])('are read in linear time: %s', async (_, begin, again) => {
    await measureTime(begin + again.repeat(many));
  });
});

it('rejects an endless file before reading it', async () => {
  const file = await measureTime(Buffer.alloc(64_000_001, 'Date,Amount\n'));
  expect(file.problems.map(({ reason }) => reason)).toEqual([
    'The file is larger than 64 MB. Export shorter periods from the bank.',
  ]);
});

describe('XLSX workbooks', () => {
  /** Builds a ZIP archive with one file. `claimedSize` is the uncompressed size stated in its directory. */
  function buildZip(name: string, content: Uint8Array, claimedSize = content.length): Buffer {
    const packed = deflateRawSync(content);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(claimedSize, 22);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(claimedSize, 24);
    entry.writeUInt16LE(name.length, 28);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(1, 8);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(46 + name.length, 12);
    end.writeUInt32LE(30 + name.length + packed.length, 16);
    return Buffer.concat([head, Buffer.from(name), packed, entry, Buffer.from(name), end]);
  }

  it.each([
    [
      'their directory claims gigabytes of data',
      buildZip('[Content_Types].xml', Buffer.alloc(10), 4_000_000_000),
    ],
    ['their directory claims no data', buildZip('[Content_Types].xml', Buffer.alloc(20_000_000), 0)],
    [
      'their directory claims less data than they contain',
      buildZip('[Content_Types].xml', Buffer.alloc(20_000_000), 100),
    ],
    ['they contain no workbook', buildZip('hello.txt', Buffer.from('hello'))],
  ])('are rejected if %s', async (_, bytes) => {
    const file = await measureTime(bytes);
    expect(file.problems.map(({ effect }) => effect)).toEqual(['refused']);
  });

  it('use no memory for a distant cell', async () => {
    const sheet = await writeXlsx({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Date', 'Amount'],
            ['2026-10-01', 5],
          ],
          cells: new Map([['60000,16383', { value: 'x' }]]),
        },
      ],
    });
    expect((await measureTime(sheet)).lines).toHaveLength(1);
  });
});
