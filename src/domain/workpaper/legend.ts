/** A tick mark and what it means. */
export interface TickMeaning {
  readonly mark: string;
  readonly meaning: string;
  readonly usual: boolean;
}

const usual: readonly (readonly [mark: string, meaning: string])[] = [
  ['F', 'Footed: the column was added up'],
  ['CF', 'Cross-footed: the same figure from other records'],
  ['R', 'Recomputed from the rows behind it'],
  ['A', 'Agreed to the statements of the billing service'],
  ['B', 'Agreed to the bank’s files'],
  ['P', 'Agreed to the processors’ payout reports'],
  ['✓', 'Traced to support: matched row by row'],
  ['E', 'Exception: see the findings and open items'],
  ['imm', 'Immaterial, passed'],
  ['N/A', 'Not tested; the reason stands beside it'],
  ['/S2', 'To schedule S2'],
  ['S1/', 'From schedule S1'],
  ['/S3', 'To schedule S3'],
  ['S2/', 'From schedule S2'],
];

/** The marks the app sets by itself, and what they mean where nobody worded it otherwise. */
export const usualLegend: readonly TickMeaning[] = usual.map(([mark, meaning]) => ({
  mark,
  meaning,
  usual: true,
}));

/** What is wrong with a legend, in a sentence; null where nothing is. Each mark stands once, and every usual one is there. */
export function legendFault(legend: readonly TickMeaning[]): string | null {
  const marks = new Set<string>();
  for (const { mark } of legend) {
    if (marks.has(mark)) return `The mark ${mark} stands twice in the legend.`;
    marks.add(mark);
  }
  const missing = usualLegend.find(({ mark }) => !marks.has(mark));
  return missing === undefined
    ? null
    : `The mark ${missing.mark} is set by the app and must stay in the legend.`;
}
