import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../../src/domain/ledger/index.ts';
import { findAccountBalances, linkBankStatements } from '../../../src/domain/workpaper/index.ts';

const OCTOBER = { first: '2026-10-01', last: '2026-10-31' };
const dayAt = (days: number) => addDays('2026-09-01', days);

/** Statements without gaps: each has a length in days and a movement in cents. */
const chain = fc.array(
  fc.record({ length: fc.integer({ min: 1, max: 20 }), cents: fc.integer({ min: -9000, max: 9000 }) }),
  { minLength: 1, maxLength: 12 },
);

function createStatements(parts: readonly { length: number; cents: number }[]) {
  let [day, balance] = [0, 5000];
  return parts.map(({ length, cents }, at) => {
    const from = dayAt(day);
    day += length;
    const opening = balance;
    balance += cents;
    return { id: at + 1, number: String(at + 1), from, to: dayAt(day - 1), opening, closing: balance };
  });
}

describe('bank statements', () => {
  test('that follow each other join, whatever order they are imported in and however often', () => {
    fc.assert(
      fc.property(chain, fc.infiniteStream(fc.nat()), (parts, order) => {
        const statements = createStatements(parts);
        const shuffled = [...statements, ...statements]
          .map((each) => ({ each, key: order.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        const links = linkBankStatements(shuffled);
        expect(links.map(({ statement }) => statement.to)).toEqual(statements.map(({ to }) => to));
        for (const link of links.slice(1))
          expect(link).toMatchObject({ gap: 0, daysBetween: 0, missingNumbers: 0 });
      }),
    );
  });

  test('show a missing statement by its balance, its days and its number', () => {
    fc.assert(
      fc.property(chain, fc.nat(), (parts, pick) => {
        const statements = createStatements(parts);
        fc.pre(statements.length > 2);
        const at = 1 + (pick % (statements.length - 2));
        const missing = parts[at]!;
        const links = linkBankStatements(statements.toSpliced(at, 1));
        expect(links[at]).toMatchObject({
          gap: missing.cents,
          daysBetween: missing.length,
          missingNumbers: 1,
        });
      }),
    );
  });

  test('cover exactly the days from the first to the last, if they join', () => {
    fc.assert(
      fc.property(chain, (parts) => {
        const statements = createStatements(parts);
        const balances = findAccountBalances(linkBankStatements(statements), OCTOBER);
        const last = statements.at(-1)!.to;
        const open = last < OCTOBER.last ? [{ first: addDays(last, 1), last: OCTOBER.last }] : [];
        expect(balances?.uncovered).toEqual(last < OCTOBER.first ? [OCTOBER] : open);
      }),
    );
  });

  test('of weekdays cover the days between them only if the balance proves it', () => {
    const friday = { id: 1, number: null, from: '2026-10-01', to: '2026-10-02', opening: 100, closing: 300 };
    const monday = { id: 2, number: null, from: '2026-10-05', to: '2026-10-31', opening: 300, closing: 250 };
    const uncovered = (opening: number) =>
      findAccountBalances(linkBankStatements([friday, { ...monday, opening }]), OCTOBER)?.uncovered;
    expect(uncovered(300)).toEqual([]);
    expect(uncovered(299)).toEqual([{ first: '2026-10-03', last: '2026-10-04' }]);
  });

  test('with a single balance do not prove a movement', () => {
    const only = { id: 1, number: null, from: '2026-10-01', to: '2026-10-31', opening: null, closing: 300 };
    expect(findAccountBalances(linkBankStatements([only]), OCTOBER)).toMatchObject({
      opening: { day: '2026-10-31', balance: 300 },
      closing: null,
    });
    expect(findAccountBalances([], OCTOBER)).toBeNull();
  });

  test('of the same day continue each other', () => {
    const morning = { id: 1, number: '1', from: '2026-10-05', to: '2026-10-05', opening: 0, closing: 50 };
    const evening = { id: 2, number: '2', from: '2026-10-05', to: '2026-10-05', opening: 50, closing: 80 };
    const balances = findAccountBalances(linkBankStatements([evening, morning]), OCTOBER);
    expect(balances).toMatchObject({
      opening: { day: '2026-10-04', balance: 0 },
      closing: { day: '2026-10-05', balance: 80 },
    });
  });
});
