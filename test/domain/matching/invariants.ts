import type { MatchGroup, MatchInput } from '../../../src/domain/matching/index.ts';

/** Returns a sentence for each broken invariant of the matches. */
export function findBrokenInvariants(input: MatchInput, groups: readonly MatchGroup[]): string[] {
  const lines = new Map([...input.lines].map((row) => [row.id, row]));
  const payments = new Map([...input.payments].map((row) => [row.id, row]));
  const broken: string[] = [];
  const claimed = { line: new Map<number, number>(), payment: new Map<number, number>() };
  for (const { of, id, amount_in_cents } of input.claims ?? []) {
    claimed[of].set(id, (claimed[of].get(id) ?? 0) + amount_in_cents);
  }
  for (const group of groups) {
    const sum = (rows: readonly { allocated_in_cents: number }[]): number =>
      rows.reduce((total, row) => total + row.allocated_in_cents, 0);
    const adjustments = group.adjustments.reduce((total, row) => total + row.amount_in_cents, 0);
    const left = sum(group.lines) - sum(group.payments) - adjustments - group.difference_in_cents;
    const nothing =
      group.status === 'ambiguous' && group.payments.length === 0 && group.adjustments.length === 0;
    if (left !== 0 && !nothing) broken.push(`${group.key} does not add up to its difference`);
    if (group.status === 'confirmed' && group.difference_in_cents !== 0)
      broken.push(`${group.key} is confirmed with a difference`);
    for (const [side, shares, rows] of [
      ['line', group.lines, lines],
      ['payment', group.payments, payments],
    ] as const) {
      for (const { id, allocated_in_cents } of shares) {
        const row = rows.get(id);
        if (row === undefined || row.currency !== group.currency)
          broken.push(`${group.key} mixes currencies`);
        if (!Number.isSafeInteger(allocated_in_cents)) broken.push(`${group.key} has a fraction of a cent`);
        const all = (group.status === 'confirmed' ? (claimed[side].get(id) ?? 0) : 0) + allocated_in_cents;
        if (group.status === 'confirmed') claimed[side].set(id, all);
        const amount = row?.amount_in_cents ?? 0;
        if (Math.abs(all) > Math.abs(amount) || all * amount < 0)
          broken.push(`${group.key} claims too much of ${side} ${id}`);
      }
    }
  }
  return broken;
}
