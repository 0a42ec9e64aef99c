import { FigureContributions } from '../../../src/backend/workpaper/figure-contributions.ts';
import { listFigureRows, readContributionsToFigures } from '../../../src/backend/workpaper/figure-rows.ts';
import type { WorkpaperSite } from '../../../src/backend/workpaper/workpaper-site.ts';
import { runAllSteps } from '../../../src/domain/work-steps/work-steps.ts';

interface FigureQuery {
  readonly period: string;
  readonly currency: string;
  readonly figure: string;
  readonly limit: number;
  readonly after?: string;
}

/** Returns a page of the current rows behind a figure. */
export const readFigureRows = (site: WorkpaperSite, asked: FigureQuery) =>
  listFigureRows(
    site,
    runAllSteps(FigureContributions.of(readContributionsToFigures(site, asked.period, [asked]), asked)),
    asked,
  );
