import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  closingRefusal,
  differences,
  isOver,
  isRefusal,
  isSameName,
  type Json,
  lastClosed,
  moved,
  movesFrom,
  openingRefusal,
  type PeriodMove,
  type PeriodState,
  reopeningRefusal,
} from '../../../src/domain/periods/index.ts';

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe('canonical JSON', () => {
  it('is JSON of the same value, whatever order its names came in', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(turned(JSON.parse(text) as Json))).toBe(text);
      }),
    );
  });

  it('refuses what can be written in two ways', () => {
    expect(() => canonicalJson(0.5)).toThrow(RangeError);
    expect(canonicalJson(-0)).toBe('0');
  });
});

/** The same with its names in the other order. */
function turned(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as Json[]).map(turned);
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>)
      .reverse()
      .map(([name, each]) => [name, turned(each)]),
  );
}

describe('a period', () => {
  it('moves along one way, and back only by a rejection or a reopening', () => {
    const all: [PeriodState, PeriodMove[]][] = [
      ['open', ['submit']],
      ['submitted', ['approve', 'reject']],
      ['reviewed', ['reject', 'close']],
      ['closed', ['reopen']],
    ];
    for (const [state, moves] of all) expect(movesFrom(state)).toEqual(moves);
    const refusal = moved('2026-10', 'open', 'close');
    expect(isRefusal(refusal) && [refusal.message, refusal.hint]).toEqual([
      '2026-10 is open.',
      'It is worked on: submit it for review first.',
    ]);
  });

  it('is closed after the one before it, and reopened before it', () => {
    const closed = { period: '2026-10', state: 'closed' } as const;
    const open = { period: '2026-11', state: 'open' } as const;
    expect(lastClosed([open, closed])).toBe('2026-10');
    expect(openingRefusal([closed], '2026-09')?.message).toContain('lies before 2026-10');
    expect(openingRefusal([closed], '2026-12')).toBeNull();
    expect(closingRefusal([closed, open], '2026-12')?.message).toContain('2026-11 is not closed');
    expect(closingRefusal([closed], '2026-12')?.message).toContain('2026-11 is not closed');
    expect(closingRefusal([closed, open], '2026-11')).toBeNull();
    expect(reopeningRefusal([closed, { ...open, state: 'closed' }], '2026-10')?.hint).toBe(
      'Reopen 2026-11 first.',
    );
  });

  it('is over on the day after its last', () => {
    expect([isOver('2026-10', '2026-10-31'), isOver('2026-10', '2026-11-01')]).toEqual([false, true]);
  });
});

it('one person is known under a name written otherwise, and two are told apart', () => {
  expect(isSameName('Ada Byron', ' BYRON, ada')).toBe(true);
  expect(isSameName('José Núñez', 'Jose Nunez')).toBe(true);
  expect(isSameName('Ada Byron', 'Ada Lovelace')).toBe(false);
});

describe('two states of a row', () => {
  it('differ in fields that are named, also of the rows within', () => {
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
    expect(differences(before, after)).toEqual([
      { field: 'cents', before: 5, after: 6 },
      { field: 'parts 7 id', before: 7, after: null },
      { field: 'parts 7 cents', before: 1, after: null },
      { field: 'parts 8 cents', before: 2, after: 3 },
    ]);
    expect(differences(before, before)).toEqual([]);
    expect(differences(null, { id: 1 })).toEqual([{ field: 'id', before: null, after: 1 }]);
  });

  it('never differ where they are the same, and always where they are not', () => {
    const row = fc.dictionary(fc.string(), json, { maxKeys: 4, noNullPrototype: true });
    const whole = (fields: Record<string, Json>) =>
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    fc.assert(
      fc.property(row, row, (one, other) => {
        expect(differences(one, one)).toEqual([]);
        const isSame = canonicalJson(whole(one)) === canonicalJson(whole(other));
        expect(differences(one, other).length === 0).toBe(isSame);
      }),
      { numRuns: 500 },
    );
  });
});
