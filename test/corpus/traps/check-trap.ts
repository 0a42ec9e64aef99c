import { runMatching } from '../../../src/domain/matching/index.ts';
import { describeLabel, judge } from '../report/judge.ts';
import type { TrapCase } from './trap-builder.ts';

/** Runs the matcher on a variant of a trap and returns a sentence for each forbidden result. */
export function checkTrap({ world, never, must }: TrapCase): string[] {
  const { accounts, payments, lines, payouts } = world;
  const { outcomes, wrong } = judge(world, runMatching({ accounts, payments, lines, payouts }).groups());
  const faults = wrong.map(
    ({ line, confirmed, truth, pass }) =>
      `variant ${world.seed}: line ${line} is confirmed with ${confirmed} (${pass}), but the true answer is ${truth}`,
  );
  for (const [n, label] of world.labels.entries()) {
    const confirmed = outcomes[n] === 'right';
    const where = `variant ${world.seed}: line ${label.line}`;
    if (never.has(label.line) && confirmed) faults.push(`${where} is confirmed without proof`);
    if (must.has(label.line) && !confirmed && outcomes[n] !== 'wrong') {
      faults.push(`${where} is not confirmed with ${describeLabel(label)}`);
    }
  }
  return faults;
}
