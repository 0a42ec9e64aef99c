import { addCents, type Cents } from '../ledger/index.ts';
import type { WorkpaperSchedule, WorkpaperScheduleLine } from './schedule-builder.ts';

/** Largest amount of a schedule, in cents of a currency, that is passed as immaterial. */
export interface MaterialityThreshold {
  readonly schedule: string;
  readonly currency: string;
  readonly amount_in_cents: Cents;
}

/** Comparison of a schedule's open amounts with its threshold. */
export interface MaterialityTest {
  readonly threshold_in_cents: Cents;
  /** Absolute differences plus the absolute amounts of the unexplained items, so that opposite amounts do not offset. */
  readonly tested_in_cents: Cents;
  /** Number of tested unexplained items, including those brought forward. */
  readonly tested_count: number;
  /** True if there are open amounts and they do not exceed the threshold in total. */
  readonly passed: boolean;
}

/** Unexplained items of a schedule: their number, the sum of their absolute amounts, and the ids of their lines. */
export interface UnexplainedTotal {
  readonly count: number;
  readonly absolute_in_cents: Cents;
  readonly figures: ReadonlySet<string>;
}

/** Returns a schedule's threshold, or null if it has none. An account's schedule, for example `S3-2`, uses that of S3. */
export function findMaterialityThreshold(
  thresholds: readonly MaterialityThreshold[],
  schedule: string,
  currency: string,
): Cents | null {
  const find = (id: string) =>
    thresholds.find((each) => each.schedule === id && each.currency === currency)?.amount_in_cents;
  return find(schedule) ?? find(schedule.replace(/-\d+$/, '')) ?? null;
}

/** Returns the lowest threshold of each currency, which decides whether changes since sign-off are material. */
export function findLowestThresholds(
  thresholds: readonly MaterialityThreshold[],
): ReadonlyMap<string, Cents> {
  const lowest = new Map<string, Cents>();
  for (const { currency, amount_in_cents } of thresholds)
    lowest.set(currency, Math.min(lowest.get(currency) ?? amount_in_cents, amount_in_cents));
  return lowest;
}

/** Returns an error message if two thresholds are for the same schedule and currency; otherwise null. */
export function findThresholdsError(thresholds: readonly MaterialityThreshold[]): string | null {
  const known = new Set<string>();
  for (const { schedule, currency } of thresholds) {
    if (known.has(`${schedule} ${currency}`))
      return `The threshold of ${schedule} in ${currency} is given twice.`;
    known.add(`${schedule} ${currency}`);
  }
  return null;
}

/** Returns the schedule with its materiality test. If it passes, exceptions have the tick mark `imm` instead of `E`. */
export function testMateriality<Schedule extends Pick<WorkpaperSchedule, 'lines' | 'difference_in_cents'>>(
  schedule: Schedule,
  threshold: Cents | null,
  unexplained: UnexplainedTotal,
): Schedule & { readonly materiality: MaterialityTest | null } {
  if (threshold === null) return { ...schedule, materiality: null };
  const tested_in_cents = addCents(schedule.difference_in_cents, unexplained.absolute_in_cents);
  const isOpen = schedule.difference_in_cents !== 0 || unexplained.count > 0;
  const passed = isOpen && tested_in_cents <= threshold;
  const isTested = ({ id, role, amount_in_cents, unexplained: own }: WorkpaperScheduleLine) =>
    (role === 'difference' && amount_in_cents !== 0) || (own?.count ?? 0) > 0 || unexplained.figures.has(id);
  return {
    ...schedule,
    lines: schedule.lines.map((line) => (passed && isTested(line) ? markAsImmaterial(line) : line)),
    materiality: {
      threshold_in_cents: threshold,
      tested_in_cents,
      tested_count: unexplained.count,
      passed,
    },
  };
}

const markAsImmaterial = (line: WorkpaperScheduleLine): WorkpaperScheduleLine => ({
  ...line,
  ticks: [...line.ticks.filter((tick) => tick !== 'E'), 'imm'],
});
