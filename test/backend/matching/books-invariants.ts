import { expect } from 'vitest';
import { verifyAuditLog } from '../../../src/backend/store/audit-log/verify-audit-log.ts';
import type { ReadableDb } from '../../../src/backend/store/sqlite/connection.ts';

interface ClaimRow {
  id: number;
  amount_in_cents: number;
  claimed_in_cents: number;
  suggested: number;
  ambiguous: number;
}

/** Asserts the invariants of the books that every operation must preserve. */
export function expectInvariants(books: ReadableDb): void {
  for (const [table, column] of [
    ['bank_line', 'line_id'],
    ['match_payment', 'transaction_id'],
  ] as const) {
    const rows = books
      .prepare<[], ClaimRow & { claims: number; suggests: number; doubts: number }>(
        `SELECT t.id, amount_in_cents, claimed_in_cents, suggested, ambiguous,
           (SELECT coalesce(sum(allocated_in_cents), 0) FROM match_item WHERE ${column} = t.id AND claim_state >= 3) AS claims,
           (SELECT count(*) FROM match_item WHERE ${column} = t.id AND claim_state = 2) AS suggests,
           (SELECT count(*) FROM match_item WHERE ${column} = t.id AND claim_state = 1) AS doubts
         FROM ${table} AS t`,
      )
      .all();
    for (const row of rows) {
      const where = `${table} ${row.id}`;
      expect([where, row.claims, row.suggests, row.doubts]).toEqual([
        where,
        row.claimed_in_cents,
        row.suggested,
        row.ambiguous,
      ]);
      // The matched amount never exceeds the amount and never has the opposite sign.
      expect(Math.abs(row.claims), where).toBeLessThanOrEqual(Math.abs(row.amount_in_cents));
      expect(row.claims * row.amount_in_cents, where).toBeGreaterThanOrEqual(0);
    }
  }
  const groups = books
    .prepare<
      [],
      {
        id: number;
        status: string;
        lines_in_cents: number;
        transactions_in_cents: number;
        adjustments_in_cents: number;
        lines: number;
        transactions: number;
        adjustments: number;
        standings: string;
        currencies: number;
      }
    >(
      `SELECT g.id, status, lines_in_cents, transactions_in_cents, adjustments_in_cents,
         coalesce(sum(allocated_in_cents) FILTER (WHERE line_id IS NOT NULL), 0) AS lines,
         coalesce(sum(allocated_in_cents) FILTER (WHERE transaction_id IS NOT NULL), 0) AS transactions,
         coalesce(sum(allocated_in_cents) FILTER (WHERE category IS NOT NULL), 0) AS adjustments,
         group_concat(DISTINCT claim_state) AS standings,
         count(DISTINCT coalesce(l.currency, p.currency)) AS currencies
       FROM match_group AS g JOIN match_item ON group_id = g.id
         LEFT JOIN bank_line AS l ON l.id = line_id LEFT JOIN match_payment AS p ON p.id = transaction_id
       GROUP BY g.id`,
    )
    .all();
  const expectedClaimStates: Record<string, string[]> = {
    confirmed: ['3', '4'],
    suggested: ['2'],
    ambiguous: ['1'],
    declined: ['0'],
    undone: ['0'],
  };
  for (const group of groups) {
    const where = `match ${group.id} (${group.status})`;
    expect([where, group.lines, group.transactions, group.adjustments]).toEqual([
      where,
      group.lines_in_cents,
      group.transactions_in_cents,
      group.adjustments_in_cents,
    ]);
    if (group.status === 'confirmed') {
      expect([where, group.lines - group.transactions - group.adjustments]).toEqual([where, 0]);
    }
    expect(expectedClaimStates[group.status], where).toContain(group.standings);
    expect(group.currencies, where).toBe(1);
  }
  expect(verifyAuditLog(books)).toMatchObject({ ok: true });
  expect(books.pragma('foreign_key_check')).toEqual([]);
}
