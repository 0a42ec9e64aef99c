export type TickMark = { readonly mark: string; readonly meaning: string; readonly usual: boolean };

const usual: readonly (readonly [mark: string, meaning: string])[] = [
  ['F', 'Footed'],
  ['CF', 'Cross-footed to other records'],
  ['R', 'Recomputed from the underlying rows'],
  ['A', 'Agreed to the billing service’s statements'],
  ['B', 'Agreed to bank files'],
  ['P', 'Agreed to processors’ payout reports'],
  ['G', 'Agreed to the general ledger'],
  ['✓', 'Traced to support, matched row by row'],
  ['E', 'Exception: see findings and outstanding items'],
  ['imm', 'Immaterial, passed'],
  ['N/A', 'Not tested, see the reason given'],
  ['/S2', 'To schedule S2'],
  ['S1/', 'From schedule S1'],
  ['/S3', 'To schedule S3'],
  ['S2/', 'From schedule S2'],
  ['S3/', 'From schedule S3'],
];

/** Tick marks that the app sets, with their default meanings. */
export const DEFAULT_TICK_MARKS: readonly TickMark[] = usual.map(([mark, meaning]) => ({
  mark,
  meaning,
  usual: true,
}));

/** Returns an error message if a tick mark legend repeats a mark or omits a default mark; otherwise null. */
export function findTickMarksError(legend: readonly TickMark[]): string | null {
  const marks = new Set<string>();
  for (const { mark } of legend) {
    if (marks.has(mark)) return `The mark ${mark} is listed twice in the legend.`;
    marks.add(mark);
  }
  const missing = DEFAULT_TICK_MARKS.find(({ mark }) => !marks.has(mark));
  return missing === undefined
    ? null
    : `The mark ${missing.mark} is used by the app and must stay in the legend.`;
}
