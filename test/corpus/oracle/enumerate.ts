import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import { AssignmentSearch, type Choice } from './assignment-search.ts';
import type { Component } from './components.ts';
import type { Option } from './options.ts';
import { COST, MARGIN } from './rules.ts';

/** Answers by line id that all consistent assignments contain. */
export type ForcedAnswers = ReadonlyMap<number, Option>;

/**
 * Enumerates the assignments of a component and returns the answers that all consistent ones contain. Returns null if
 * the search takes too many steps.
 *
 * `unpaidCosts` contains the smallest possible cost of leaving a payment unpaid, if lines outside the component can
 * take it. A payment that the best assignment leaves unpaid saves the complete cost when it is paid. Both are the worst
 * case for a forced answer, so that the result is true for the world with those lines as well.
 */
export function findForcedAnswers(
  component: Component,
  payments: readonly MatchPayment[],
  unpaidCosts: ReadonlyMap<number, number> = new Map(),
): ForcedAnswers | null {
  const amounts = new Map(component.payments.map((at) => [at, payments[at]?.amount_in_cents ?? 0]));
  const best = new AssignmentSearch(component, amounts, unpaidCosts).findBest();
  if (best === null) return null;
  const paid = new Set(best.choice.flatMap((option) => option?.payments ?? []));
  const worst = new Map(
    component.payments.map((at) => [at, paid.has(at) ? (unpaidCosts.get(at) ?? COST.unpaid) : COST.unpaid]),
  );
  const search = new AssignmentSearch(component, amounts, worst);
  const limit = search.computeCost(best.choice) + MARGIN;
  const forced = new Map<number, Option>();
  // Lines for which a consistent assignment with another answer is known.
  const open = new Set<number>();
  for (const [n, { line }] of search.lines.entries()) {
    const option = best.choice[n] ?? null;
    if (option === null || open.has(n)) continue;
    const other = search.findOther(n, option, limit);
    if (other === undefined) return null;
    if (other === null) forced.set(line.id, option);
    else for (const at of listDifferences(best.choice, other)) open.add(at);
  }
  return forced;
}

const listDifferences = (one: Choice, other: Choice): number[] =>
  one.flatMap((option, n) => (option === other[n] ? [] : [n]));
