import type { ContractOutputs, PeriodDetail } from '../../contract/index.ts';

/** Steps of a month-end close that precede work on the workpaper, in order. */
export type MonthEndStep = 'import' | 'match' | 'open';

/** State of a month that determines the next steps of its close. */
interface MonthEndState {
  /** True if bank or processor lines of the month have been imported. Undefined while loading. */
  readonly hasLines: boolean | undefined;
  /** True if a new matching run would find more matches. */
  readonly isMatchingStale: boolean;
  /** Status of the month's period, or null if it has not been opened. */
  readonly status: PeriodDetail['state'] | null;
}

/** Returns the next steps of a month-end close. The list is empty if the period is closed. */
export function listMonthEndSteps({
  hasLines,
  isMatchingStale,
  status,
}: MonthEndState): readonly MonthEndStep[] {
  if (status === 'closed') return [];
  return [
    ...(hasLines === false ? (['import'] as const) : []),
    ...(isMatchingStale ? (['match'] as const) : []),
    ...(status === null ? (['open'] as const) : []),
  ];
}

/** Returns the month that the overview helps to close: the working month, or the oldest open month if all are shown. */
export function findMonthToClose(
  { periods, months, due }: Pick<ContractOutputs['periods']['list'], 'periods' | 'months' | 'due'>,
  workingMonth: string | null,
): string | null {
  const month = workingMonth ?? periods.findLast(({ state }) => state !== 'closed')?.period ?? due;
  const isKnown =
    periods.some(({ period }) => period === month) || (month !== null && months.includes(month));
  return isKnown ? month : null;
}
