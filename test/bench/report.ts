import type { Measurement } from './measure.ts';
import type { QualityBar } from './quality-bars.ts';

type ReportedMeasure = Pick<Measurement, 'name' | 'value' | 'ratio'> & { readonly baseline: number | null };

/** Result of one quality bar: its worst measure. */
export interface BarResult {
  readonly bar: QualityBar;
  /** Null if nothing was measured. */
  readonly worst: ReportedMeasure | null;
  readonly isMet: boolean;
  /** Factor by which the limit is missed. Null if it is met, or if the limit is 0. */
  readonly missedBy: number | null;
}

/** Compares measures with the quality bars. A bar that nothing measured is not met. */
export function judgeBars(bars: readonly QualityBar[], measures: readonly ReportedMeasure[]): BarResult[] {
  return bars.map((bar) => {
    const figure = (measure: ReportedMeasure) => measure[bar.compared] ?? Number.NaN;
    const own = measures.filter(({ name }) => bar.measures?.test(name) ?? false);
    const [worst = null] = own.toSorted((a, b) =>
      bar.isMinimum ? figure(a) - figure(b) : figure(b) - figure(a),
    );
    if (worst === null) return { bar, worst, isMet: false, missedBy: null };
    const [reached, limit] = [figure(worst), bar.limit];
    const isMet = bar.isMinimum ? reached >= limit : reached <= limit;
    const missedBy = bar.isMinimum ? limit / reached : reached / limit;
    return { bar, worst, isMet, missedBy: isMet || limit === 0 ? null : missedBy };
  });
}

/** Formats results as a Markdown table of goal, measured value, baseline and ratio. */
export function formatReport(results: readonly BarResult[]): string {
  const header = ['bar', 'goal', 'measured', 'baseline', 'ratio', 'result', 'shown by'];
  const rows = results.map(({ bar, worst, isMet, missedBy }) => [
    bar.title,
    bar.measures === null
      ? ''
      : `${bar.isMinimum ? '≥' : '≤'} ${bar.limit}${bar.compared === 'ratio' ? ' ×' : ''}`,
    formatFigure(worst?.value),
    formatFigure(worst?.baseline),
    formatFigure(worst?.ratio),
    getVerdict(worst !== null, isMet, missedBy),
    bar.shownBy,
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function getVerdict(isMeasured: boolean, isMet: boolean, missedBy: number | null): string {
  if (!isMeasured) return 'not measured';
  if (isMet) return 'met';
  return missedBy === null ? 'missed' : `missed by ${missedBy.toPrecision(3)} ×`;
}

const formatFigure = (figure: number | null | undefined): string =>
  figure === null || figure === undefined ? '' : String(Number(figure.toPrecision(4)));
