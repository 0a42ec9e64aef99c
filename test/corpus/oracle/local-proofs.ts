import { removeAnswered } from './identified-lines.ts';
import type { LineOptions, Option } from './options.ts';
import { COST, MARGIN } from './rules.ts';

/** Smallest change of cost if a payment becomes free for the other lines. */
interface FreedPayment {
  /** Line that would save most, and the change with and without that line. */
  readonly line: number;
  readonly change: number;
  readonly changeOfOthers: number;
}

/** Repeats the search for local proofs without the lines and payments that have one. */
export function findAllLocalProofs(lines: readonly LineOptions[]): ReadonlyMap<number, Option> {
  const proofs = new Map<number, Option>();
  for (;;) {
    const more = findLocalProofs(removeAnswered(lines, proofs));
    if (more.size === 0) return proofs;
    for (const [line, option] of more) proofs.set(line, option);
  }
}

/**
 * Finds answers that are forced regardless of the other lines' answers. Giving a line another answer changes its own cost. In
 * addition, each payment that the line leaves becomes unpaid or saves a competitor from being a stranger, and each
 * payment that it takes saves at most the cost of being unpaid. If the sum exceeds the margin for all other answers, no
 * consistent assignment contains one.
 */
function findLocalProofs(lines: readonly LineOptions[]): ReadonlyMap<number, Option> {
  const freed = listFreedPayments(lines);
  const proofs = new Map<number, Option>();
  for (const each of lines) {
    const [option] = each.options.toSorted(
      (a, b) => a.cost - b.cost || b.payments.length - a.payments.length,
    );
    if (option !== undefined && option.kind !== 'part' && isForced(each, option, freed)) {
      proofs.set(each.line.id, option);
    }
  }
  return proofs;
}

function isForced(
  { line, options, strangerCost }: LineOptions,
  option: Option,
  freed: ReadonlyMap<number, FreedPayment>,
): boolean {
  const costOfLeaving = (at: number): number => {
    const payment = freed.get(at);
    if (payment === undefined) return COST.unpaid;
    return payment.line === line.id ? payment.changeOfOthers : payment.change;
  };
  const answers = [
    ...options.filter((other) => other !== option),
    { payments: [] as readonly number[], cost: strangerCost },
  ];
  return answers.every(({ payments, cost }) => {
    const left = option.payments.filter((at) => !payments.includes(at));
    const taken = payments.filter((at) => !option.payments.includes(at));
    const leaving = left.reduce((sum, at) => sum + costOfLeaving(at), 0);
    return cost - option.cost - taken.length * COST.unpaid + leaving > MARGIN;
  });
}

/** Computes for each payment what its competitors can save. */
function listFreedPayments(lines: readonly LineOptions[]): ReadonlyMap<number, FreedPayment> {
  const savings = new Map<number, Map<number, number>>();
  const parts = new Map<number, number>();
  for (const { line, options, strangerCost } of lines) {
    for (const { payments, cost, kind } of options) {
      const change = cost - strangerCost - (payments.length - 1) * COST.unpaid;
      for (const at of payments) {
        if (kind === 'part') parts.set(at, (parts.get(at) ?? 0) + Math.min(0, change));
        const known = savings.get(at) ?? new Map<number, number>();
        savings.set(at, known.set(line.id, Math.min(known.get(line.id) ?? COST.unpaid, change)));
      }
    }
  }
  return new Map([...savings].map(([at, changes]) => [at, selectLargest(changes, parts.get(at) ?? 0)]));
}

/** Several lines can pay parts of one payment, so their savings add up. */
function selectLargest(changes: ReadonlyMap<number, number>, parts: number): FreedPayment {
  const [first, second] = [...changes].sort(([, a], [, b]) => a - b);
  const limit = (change: number | undefined): number => Math.min(COST.unpaid, change ?? COST.unpaid) + parts;
  return { line: first?.[0] ?? -1, change: limit(first?.[1]), changeOfOthers: limit(second?.[1]) };
}
