import type { DateRange } from '../../domain/ledger/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { FigureSums, RowContribution } from '../../domain/workpaper/index.ts';
import type { FigureTotal } from '../store/workpaper/workpaper-money.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

/** Computes the rows behind some figures. Schedules, their rows and closed figures share the same sources. */
export interface ContributionSource {
  /** Returns true if this source computes the rows of the figure. Each figure has exactly one source. */
  covers(figure: string): boolean;
  /**
   * Yields the contributions of a period to the covered figures, or at least to `figure`. Yields null to end a step
   * without a contribution.
   */
  read(
    site: WorkpaperSite,
    period: DateRange,
    figure?: Pick<RowContribution, 'figure' | 'currency'>,
  ): Iterable<RowContribution | null>;
  /** True if the figures are only informative, so that they do not add a currency to the workpaper. */
  readonly isMemo?: true;
  /** Yields the totals of the covered figures, if this is faster than reading the contributions. */
  sum?(site: WorkpaperSite, period: DateRange): Iterable<FigureTotal>;
  /** Adds the totals of the covered figures to those of all earlier sources, from which they are computed. */
  addTotals?(site: WorkpaperSite, period: DateRange, sumsOf: (currency: string) => FigureSums): WorkSteps;
}
