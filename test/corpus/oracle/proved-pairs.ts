import type { LineOptions, Option } from './options.ts';

/**
 * Finds lines whose exact id and complete name both support one answer. Another answer would need at least four
 * errors, more than the other lines can save: no other line may have an identity for the same payment.
 */
export function findProvedPairs(lines: readonly LineOptions[]): ReadonlyMap<number, Option> {
  const claims = new Map<number, number>();
  for (const { options, strangerCost } of lines) {
    if (strangerCost < 2) continue;
    const payments = new Set(options.filter(({ cost }) => cost <= 1).flatMap((option) => option.payments));
    for (const at of payments) claims.set(at, (claims.get(at) ?? 0) + 1);
  }
  const proved = new Map<number, Option>();
  for (const { line, options } of lines) {
    const supported = options.filter((option) => option.proved);
    const [option] = supported;
    if (supported.length !== 1 || option === undefined) continue;
    if (option.payments.some((at) => claims.get(at) !== 1)) continue;
    proved.set(line.id, option);
  }
  return proved;
}
