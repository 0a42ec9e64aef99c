import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CanonicalJson,
  canonicalJson,
  findFieldDifferences,
  findLastClosedPeriod,
  findPeriodClosingError,
  findPeriodOpeningError,
  findPeriodReopeningError,
  isPeriodOver,
  isPeriodTransitionError,
  isSamePersonName,
  listAllowedPeriodTransitions,
  type PeriodStatus,
  type PeriodTransition,
  transitionPeriod,
} from '../../../src/domain/periods/index.ts';

const anyJson = fc.letrec<{ value: CanonicalJson }>((anyKey) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.string({ unit: 'binary' }),
    fc.array(anyKey('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), anyKey('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe('canonical JSON', () => {
  it('is the same for any order of keys', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reverseKeys(JSON.parse(text) as CanonicalJson))).toBe(text);
      }),
    );
  });

  it('rejects values that have more than one JSON notation', () => {
    expect(() => canonicalJson(0.5)).toThrow(RangeError);
    expect(canonicalJson(-0)).toBe('0');
  });
});

/** Returns the value with its keys in reverse order. */
function reverseKeys(value: CanonicalJson): CanonicalJson {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as CanonicalJson[]).map(reverseKeys);
  return Object.fromEntries(
    Object.entries(value as Record<string, CanonicalJson>)
      .reverse()
      .map(([name, each]) => [name, reverseKeys(each)]),
  );
}

describe('a period', () => {
  it('moves forward, and back only by rejection or reopening', () => {
    const all: [PeriodStatus, PeriodTransition[]][] = [
      ['open', ['submit']],
      ['submitted', ['approve', 'reject']],
      ['reviewed', ['reject', 'close']],
      ['closed', ['reopen']],
    ];
    for (const [state, transitions] of all) expect(listAllowedPeriodTransitions(state)).toEqual(transitions);
    const refusal = transitionPeriod('2026-10', 'open', 'close');
    expect(isPeriodTransitionError(refusal) && [refusal.message, refusal.hint]).toEqual([
      '2026-10 is open.',
      'Submit it for review first.',
    ]);
  });

  it('is closed after the previous one and reopened before it', () => {
    const closed = { period: '2026-10', state: 'closed' } as const;
    const open = { period: '2026-11', state: 'open' } as const;
    expect(findLastClosedPeriod([open, closed])).toBe('2026-10');
    expect(findPeriodOpeningError([closed], '2026-09')?.message).toContain('is before 2026-10');
    expect(findPeriodOpeningError([closed], '2026-12')).toBeNull();
    expect(findPeriodClosingError([closed, open], '2026-12')?.message).toContain(
      '2026-11 must be closed before',
    );
    expect(findPeriodClosingError([closed], '2026-12')?.message).toContain('2026-11 must be closed before');
    expect(findPeriodClosingError([closed, open], '2026-11')).toBeNull();
    expect(findPeriodReopeningError([closed, { ...open, state: 'closed' }], '2026-10')?.hint).toBe(
      'Reopen 2026-11 first.',
    );
  });

  it('has ended on the day after its last day', () => {
    expect([isPeriodOver('2026-10', '2026-10-31'), isPeriodOver('2026-10', '2026-11-01')]).toEqual([
      false,
      true,
    ]);
  });
});

it('different spellings of a name are one person, different names are two', () => {
  expect(isSamePersonName('Ada Byron', ' BYRON, ada')).toBe(true);
  expect(isSamePersonName('José Núñez', 'Jose Nunez')).toBe(true);
  expect(isSamePersonName('Ada Byron', 'Ada Lovelace')).toBe(false);
});

describe('two versions of a row', () => {
  it('are compared by field, including nested rows', () => {
    const before = {
      id: 1,
      cents: 5,
      parts: [
        { id: 7, cents: 1 },
        { id: 8, cents: 2 },
      ],
      gone: null,
    };
    const after = { id: 1, cents: 6, parts: [{ id: 8, cents: 3 }], gone: null };
    expect(findFieldDifferences(before, after)).toEqual([
      { field: 'cents', before: 5, after: 6 },
      { field: 'parts 7 id', before: 7, after: null },
      { field: 'parts 7 cents', before: 1, after: null },
      { field: 'parts 8 cents', before: 2, after: 3 },
    ]);
    expect(findFieldDifferences(before, before)).toEqual([]);
    expect(findFieldDifferences(null, { id: 1 })).toEqual([{ field: 'id', before: null, after: 1 }]);
  });

  it('differ only if their values are not equal', () => {
    const row = fc.dictionary(fc.string(), anyJson, { maxKeys: 4, noNullPrototype: true });
    const fullRow = (fields: Record<string, CanonicalJson>) =>
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    fc.assert(
      fc.property(row, row, (one, other) => {
        expect(findFieldDifferences(one, one)).toEqual([]);
        const isSame = canonicalJson(fullRow(one)) === canonicalJson(fullRow(other));
        expect(findFieldDifferences(one, other).length === 0).toBe(isSame);
      }),
      { numRuns: 500 },
    );
  });
});
