/** Steps of a month-end close before work on the workpaper can start, in order. */
export type MonthEndStep = 'import' | 'match' | 'open';

/** Input of `monthEndSteps`. */
export interface MonthEndState {
  /** Number of imported bank and processor lines. Undefined while it loads. */
  readonly lineCount: number | undefined;
  /** True if a matching run would find more matches. */
  readonly isMatchingStale: boolean;
  /** True if a period is open and not yet closed. */
  readonly hasOpenPeriod: boolean;
  /** True if a month is due and has not been opened yet. */
  readonly hasDueMonth: boolean;
}

/** Returns the next steps of a month-end close. The list is empty if no month is open or due. */
export function monthEndSteps({
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
