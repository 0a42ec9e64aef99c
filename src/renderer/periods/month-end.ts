/** What a month end needs before its workpaper can be worked through, in order. */
export type MonthEndStep = 'import' | 'match' | 'open';

export interface MonthEndState {
  /** Lines of banks and processors that are held; undefined while that is not known. */
  readonly lines: number | undefined;
  /** Whether a matching run would find more. */
  readonly stale: boolean;
  /** Whether a period is opened and not closed yet. */
  readonly worked: boolean;
  /** Whether a month waits to be opened. */
  readonly due: boolean;
}

/** What to do next towards a closed month; nothing where no month is to be closed. */
export function monthEndSteps({ lines, stale, worked, due }: MonthEndState): readonly MonthEndStep[] {
  if (!worked && !due) return [];
  return [
    ...(lines === 0 ? (['import'] as const) : stale ? (['match'] as const) : []),
    ...(worked ? [] : (['open'] as const)),
  ];
}
