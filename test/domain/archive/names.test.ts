import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DEFAULT_TEMPLATE,
  type NamedStatement,
  readTemplate,
  spelling,
} from '../../../src/domain/archive/index.ts';

const statement: NamedStatement = {
  id: 80169751,
  subscription_id: 15100102,
  opened: '2026-09-05',
  closed: '2026-10-05',
  settled: null,
  customer: 'Aïcha Müller',
  organization: 'Müller & Söhne',
};

function pathOf(template: string, changes: Partial<NamedStatement> = {}): string {
  const read = readTemplate(template);
  if (typeof read === 'string') throw new Error(read);
  return read.partsOf({ ...statement, ...changes }).join('/');
}

describe('a name', () => {
  test.each([
    [DEFAULT_TEMPLATE, '2026/2026-10/2026-10-05_Aïcha Müller_15100102_80169751.pdf'],
    ['{organization}/{closed:YYYYMMDD} {id}', 'Müller & Söhne/20261005 80169751.pdf'],
    ['{id}', '80169751.pdf'],
    ['{id}.pdf', '80169751.pdf'],
  ])('by %s', (template, path) => {
    expect(pathOf(template)).toBe(path);
  });

  test('always ends with the id, so that no two statements share one', () => {
    expect(pathOf('{customer}')).toBe('Aïcha Müller_80169751.pdf');
    expect(pathOf('{id}_{customer}')).toBe('80169751_Aïcha Müller_80169751.pdf');
    expect(pathOf('{closed:DD}{id}')).toBe('0580169751_80169751.pdf');
  });

  test('a statement that is not closed is undated', () => {
    expect(pathOf(DEFAULT_TEMPLATE, { closed: null })).toBe(
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
  ])('of the customer %j is safe', (customer, shown) => {
    expect(pathOf('{customer}_{id}', { customer, organization: null })).toBe(`${shown}_80169751.pdf`);
  });
});

test('folders that differ in case only are spelt alike, as they are one where case is not told apart', () => {
  const spell = spelling();
  expect(
    ['ACME/Straße/a_1.pdf', 'Acme/STRASSE/b_2.pdf', 'acme/other/c_3.pdf', 'other/acme/d_4.pdf'].map(spell),
  ).toEqual(['ACME/Straße/a_1.pdf', 'ACME/Straße/b_2.pdf', 'ACME/other/c_3.pdf', 'other/acme/d_4.pdf']);
});

describe('a template is refused with what is wrong', () => {
  test.each([
    ['', 'cannot be empty'],
    ['{name}', 'There is no field {name}. The fields are: {id}, {subscription}'],
    ['{closed:MMM}', 'the formats of a date are YYYY, MM'],
    ['{customer:YYYY}', 'only a date has a format'],
    ['/abs/{id}', 'Each folder of a name template needs a name'],
    ['../{id}', '“..” leads nowhere'],
    ['{id', 'stands between “{” and “}”'],
    ['a/'.repeat(20), 'at most 7 folders'],
  ])('%j', (template, sentence) => {
    expect(readTemplate(template)).toContain(sentence);
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

describe('laws', () => {
  test('any customer name gives parts that are safe on every system', () => {
    fc.assert(
      fc.property(template, anyName, anyName, (text, customer, organization) => {
        const read = readTemplate(text);
        if (typeof read === 'string') return;
        for (const part of read.partsOf({ ...statement, customer, organization })) {
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

  test('statements of different ids never share a path, not even where case is not told apart', () => {
    const id = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(template, id, id, anyName, anyName, (text, one, other, customer, organization) => {
        fc.pre(one !== other);
        const read = readTemplate(text);
        if (typeof read === 'string') return;
        const first = read.partsOf({ ...statement, id: one, customer, organization });
        const second = read.partsOf({
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
