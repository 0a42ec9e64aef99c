/** Steps of a month-end close that precede work on the workpaper, in order. */
export type MonthEndStep = 'import' | 'match' | 'open';

/** State that determines the next steps of a month-end close. */
interface MonthEndState {
  /** Number of imported bank and processor lines, or undefined while loading. */
  readonly lineCount: number | undefined;
  /** True if a new matching run would find more matches. */
  readonly isMatchingStale: boolean;
  /** True if a period has been opened but not closed. */
  readonly hasOpenPeriod: boolean;
  /** True if there is a due month that has not been opened yet. */
  readonly hasDueMonth: boolean;
}

/** Returns the next steps of a month-end close. The list is empty if no month is open or due. */
export function listMonthEndSteps({
  lineCount,
  isMatchingStale,
  hasOpenPeriod,
  hasDueMonth,
}: MonthEndState): readonly MonthEndStep[] {
  if (!hasOpenPeriod && !hasDueMonth) return [];
  return [
    ...(lineCount === 0 ? (['import'] as const) : isMatchingStale ? (['match'] as const) : []),
    ...(hasOpenPeriod ? [] : (['open'] as const)),
  ];
}
