import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createFolderCaseUnifier,
  DEFAULT_EXPORT_NAME_TEMPLATE,
  parseExportNameTemplate,
  type StatementNameFields,
} from '../../../src/domain/archive/index.ts';

const statement: StatementNameFields = {
  id: 80169751,
  subscription_id: 15100102,
  opened: '2026-09-05',
  closed: '2026-10-05',
  settled: null,
  customer: 'Aïcha Müller',
  organization: 'Müller & Söhne',
};

function buildPath(template: string, changes: Partial<StatementNameFields> = {}): string {
  const read = parseExportNameTemplate(template);
  if (typeof read === 'string') throw new Error(read);
  return read.toPathParts({ ...statement, ...changes }).join('/');
}

describe('an exported file name', () => {
  test.each([
    [DEFAULT_EXPORT_NAME_TEMPLATE, '2026/2026-10/2026-10-05_Aïcha Müller_15100102_80169751.pdf'],
    ['{organization}/{closed:YYYYMMDD} {id}', 'Müller & Söhne/20261005 80169751.pdf'],
    ['{id}', '80169751.pdf'],
    ['{id}.pdf', '80169751.pdf'],
  ])('is built from %s', (template, path) => {
    expect(buildPath(template)).toBe(path);
  });

  test('always ends with the id', () => {
    expect(buildPath('{customer}')).toBe('Aïcha Müller_80169751.pdf');
    expect(buildPath('{id}_{customer}')).toBe('80169751_Aïcha Müller_80169751.pdf');
    expect(buildPath('{closed:DD}{id}')).toBe('0580169751_80169751.pdf');
  });

  test('has no date if the statement is not closed', () => {
    expect(buildPath(DEFAULT_EXPORT_NAME_TEMPLATE, { closed: null })).toBe(
      'undated/undated/undated_Aïcha Müller_15100102_80169751.pdf',
    );
  });

  test.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['CON', '_CON'],
    ['a\u202Efdp.exe', 'afdp.exe'],
    ['  Ltd. ', 'Ltd'],
    ['\u0000\n', 'unnamed'],
    ['x'.repeat(500), 'x'.repeat(107)],
    ['aux .pdf', '_aux .pdf'],
    ['a\u200B \u2060 b\uFEFF', 'a b'],
    ['\u2066Ltd\u2069 \u200F', 'Ltd'],
    ['\u0301\u0302Ltd', 'Ltd'],
    [`Z${'\u0335\u0327'.repeat(9)}algo`, 'Z\u0335\u0335\u0335\u0335algo'],
    ['\u2800\u3164\u034F\uFE0F', 'unnamed'],
    ['क्षत्रिय', 'क्षत्रिय'],
    ['e\u0301tude', 'étude'],
  ])('is valid for the customer %j', (customer, shown) => {
    expect(buildPath('{customer}_{id}', { customer, organization: null })).toBe(`${shown}_80169751.pdf`);
  });
});

test('folder names that differ only in case are written the same way', () => {
  const spell = createFolderCaseUnifier();
  expect(
    ['ACME/Straße/a_1.pdf', 'Acme/STRASSE/b_2.pdf', 'acme/other/c_3.pdf', 'other/acme/d_4.pdf'].map(spell),
  ).toEqual(['ACME/Straße/a_1.pdf', 'ACME/Straße/b_2.pdf', 'ACME/other/c_3.pdf', 'other/acme/d_4.pdf']);
});

describe('an invalid template is rejected with the reason', () => {
  test.each([
    ['', 'is empty'],
    ['{name}', 'Unknown field {name}. Use {id}, {subscription}'],
    ['{closed:MMM}', 'has an unknown date format. Use YYYY, MM'],
    ['{customer:YYYY}', 'cannot have a format'],
    ['/abs/{id}', 'has an empty folder name'],
    ['../{id}', 'must not start or end with “/” or contain “..”'],
    ['{id', 'has an unmatched brace'],
    ['a/'.repeat(20), 'too many folders. Use at most 7.'],
  ])('rejects the template %j', (template, sentence) => {
    expect(parseExportNameTemplate(template)).toContain(sentence);
  });
});

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '..',
    '.',
    'NUL',
    'com1.txt',
    'aux .pdf',
    '/',
    '\\\\server\\share',
    'C:',
    '~',
    '\u202E',
    '👨‍👩‍👧‍👦'.repeat(30),
  ),
  fc.string({
    unit: fc.constantFrom(
      ...[
        'a',
        'B',
        'ß',
        'é',
        'e\u0301',
        '.',
        ' ',
        '~',
        '-',
        '_',
        '/',
        '\\',
        ':',
        '\0',
        '\n',
        '\u202E',
        '\u2066',
        '\u200B',
      ],
      ...[
        '\u200D',
        '\uFEFF',
        '\u00AD',
        '\u034F',
        '\uFE0F',
        '\u0335',
        '\u0301',
        '\u2800',
        '\u3164',
        '\uD800',
        'क',
        '\u094D',
      ],
      ...['con', 'NUL', 'lpt1', '.pdf', '😀'],
    ),
    maxLength: 80,
  }),
);
const template = fc
  .array(
    fc.constantFrom(
      '{id}',
      '{customer}',
      '{organization}',
      '{closed:YYYY}',
      '{subscription}',
      '/',
      '_',
      ' ',
      'a',
      '.',
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));
const isReserved = /^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i;

describe('properties', () => {
  test('any customer name produces a path that is valid on every system', () => {
    fc.assert(
      fc.property(template, anyName, anyName, (text, customer, organization) => {
        const read = parseExportNameTemplate(text);
        if (typeof read === 'string') return;
        for (const part of read.toPathParts({ ...statement, customer, organization })) {
          expect(part).toMatch(/^[^<>:"/\\|?*\p{C}\p{Default_Ignorable_Code_Point}]+$/u);
          expect(part).not.toMatch(/^\p{M}|\p{M}{5}|[^\S ]| {2}/u);
          expect(part).not.toMatch(/^[\s.]|[\s.]$/u);
          expect(part).not.toMatch(isReserved);
          expect(part.normalize('NFC')).toBe(part);
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(120);
          expect(part).not.toBe('');
        }
      }),
      { numRuns: Number(process.env['TIEOUT_FUZZ_RUNS'] ?? 1000) },
    );
  });

  test('statements never share a path, even ignoring case', () => {
    const id = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(template, id, id, anyName, anyName, (text, one, other, customer, organization) => {
        fc.pre(one !== other);
        const read = parseExportNameTemplate(text);
        if (typeof read === 'string') return;
        const first = read.toPathParts({ ...statement, id: one, customer, organization });
        const second = read.toPathParts({
          ...statement,
          id: other,
          customer: organization,
          organization: customer,
        });
        expect(first.join('/').toLowerCase()).not.toBe(second.join('/').toLowerCase());
      }),
    );
  });
});
