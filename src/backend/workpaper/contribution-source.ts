import type { DateRange } from '../../domain/ledger/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { FigureSums, RowContribution } from '../../domain/workpaper/index.ts';
import type { FigureTotal } from '../store/workpaper/workpaper-money.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

/** Computes the rows behind some figures. The schedules, their rows and the closed figures all use the same sources. */
export interface ContributionSource {
  /** Returns true if the source computes the rows of the figure. Exactly one source covers a figure. */
  covers(figure: string): boolean;
  /** Yields the contributions of a period to the covered figures, or at least those to `figure`. Null ends a step without a contribution. */
  read(
    site: WorkpaperSite,
    period: DateRange,
    figure?: Pick<RowContribution, 'figure' | 'currency'>,
  ): Iterable<RowContribution | null>;
  /** True if the figures are for information only, so that they do not add a currency to the workpaper. */
  readonly isMemo?: true;
  /** Yields the totals of the covered figures, if this is faster than reading the contributions. */
  sum?(site: WorkpaperSite, period: DateRange): Iterable<FigureTotal>;
  /** Adds the totals of the covered figures to the totals of all earlier sources, from which they follow. */
  addTotals?(site: WorkpaperSite, period: DateRange, sumsOf: (currency: string) => FigureSums): WorkSteps;
}
