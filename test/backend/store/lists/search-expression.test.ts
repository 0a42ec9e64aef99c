import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildAllTextsQuery,
  buildAnyTextQuery,
  toFullTextExpression,
} from '../../../../src/backend/store/lists/search-expression.ts';
import { openSqlite } from '../../../../src/backend/store/sqlite/connection.ts';

const expression = (text: string) => toFullTextExpression(text, ['a', 'b']);

describe('search expression', () => {
  it.each([
    ['anna', '{a b} : ("anna")'],
    ['anna larsson', '{a b} : ("anna" AND "larsson")'],
    ['"anna larsson" 503', '{a b} : ("anna larsson" AND "503")'],
    ['"never closed', '{a b} : ("never closed")'],
    ['bob@example.com', '{a b} : ("bob@example.com")'],
    ['lars*', '{a b} : ("lars"*)'],
    ['la*', '{a b} : ("la")'],
    ['"lars*"', '{a b} : ("lars")'],
    ['a OR b NOT c', '{a b} : ("a" AND "OR" AND "b" AND "NOT" AND "c")'],
    ['col : (x', '{a b} : ("col" AND "(x")'],
    ['x\u0000y', '{a b} : ("x y")'],
    ['1 2 3 4 5 6 7 8 9', '{a b} : ("1" AND "2" AND "3" AND "4" AND "5" AND "6" AND "7" AND "8")'],
  ])('quotes each word of %j', (text, sought) => {
    expect(expression(text)).toBe(sought);
  });

  it.each(['', '  ', '!?', '""', '* - "'])('is null for %j', (text) => {
    expect(expression(text)).toBeNull();
  });

  it('is valid for any input', () => {
    const db = openSqlite(':memory:');
    db.exec(`CREATE VIRTUAL TABLE t USING fts5 (a, b, content = '', tokenize = "unicode61 tokenchars '_'")`);
    const find = db.prepare('SELECT rowid FROM t WHERE t MATCH ?');
    const typed = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('"', '*', '(', ')', ':', '^', '-', '+', ' ', 'a', "'", '{', 'NEAR'),
      }),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const sought = expression(text.slice(0, 200));
        if (sought !== null) expect(find.all(sought)).toEqual([]);
      }),
      { numRuns: 500 },
    );
    db.close();
  });

  it('filters by another column only if the full-text index contains it', () => {
    expect(buildAnyTextQuery('event', ['a_b', 'c"d'])).toBe('event : ("a_b" OR "c""d")');
    expect(buildAnyTextQuery('event', ['a', '!'])).toBeNull();
    expect(buildAnyTextQuery('event', [])).toBeNull();
    expect(buildAllTextsQuery('error', ['Bad', 'Gateway'])).toBe('error : ("Bad" AND "Gateway")');
    expect(buildAllTextsQuery('error', [])).toBeNull();
  });
});
