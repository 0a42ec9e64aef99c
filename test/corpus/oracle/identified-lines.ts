import type { LineOptions, Option } from './options.ts';
import { COST } from './rules.ts';

export interface SplitLines {
  readonly identified: readonly LineOptions[];
  /** Smallest change of cost if a payment becomes free for the other lines. */
  readonly unpaidCosts: ReadonlyMap<number, number>;
}

/**
 * Separates lines with an identity from anonymous ones, which connect most customers of a world by their equal amounts.
 * If the identified lines leave a payment to the others, that costs at most one error (the payment is unpaid), and at
 * least the difference between the cheapest answer of an anonymous line and declaring that line a stranger.
 */
export function separateIdentifiedLines(lines: readonly LineOptions[]): SplitLines {
  const isAnonymous = ({ strangerCost, options }: LineOptions): boolean =>
    strangerCost <= 1 && options.every(({ payments, kind }) => payments.length === 1 && kind !== 'part');
  const unpaidCosts = new Map<number, number>();
  for (const line of lines) {
    if (!isAnonymous(line)) continue;
    for (const { cost, payments } of line.options) {
      for (const at of payments) {
        unpaidCosts.set(at, Math.min(unpaidCosts.get(at) ?? COST.unpaid, cost - line.strangerCost));
      }
    }
  }
  return { identified: lines.filter((line) => !isAnonymous(line)), unpaidCosts };
}

/** Removes lines with forced answers, and the payments of these answers from the other lines. */
export function removeAnswered(
  lines: readonly LineOptions[],
  answers: ReadonlyMap<number, Option>,
): LineOptions[] {
  const complete = new Map([...answers].filter(([, { kind }]) => kind !== 'part'));
  const taken = new Set([...complete.values()].flatMap(({ payments }) => payments));
  return lines
    .filter(({ line }) => !complete.has(line.id))
    .map((each) => ({
      ...each,
      options: each.options.filter(({ payments }) => !payments.some((at) => taken.has(at))),
    }));
}
