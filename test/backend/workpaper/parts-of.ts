import { FigureContributions } from '../../../src/backend/workpaper/figure-contributions.ts';
import { listFigureRows, readContributionsToFigure } from '../../../src/backend/workpaper/figure-rows.ts';
import type { WorkpaperSite } from '../../../src/backend/workpaper/workpaper.ts';
import { runToCompletion } from '../../../src/domain/work-steps/work-steps.ts';

interface Asked {
  readonly period: string;
  readonly currency: string;
  readonly figure: string;
  readonly limit: number;
  readonly after?: string;
}

/** A page of what a figure opens to, as the records stand. */
export const partsOf = (site: WorkpaperSite, asked: Asked) =>
  listFigureRows(
    site,
    runToCompletion(FigureContributions.of(readContributionsToFigure(site, asked), asked)),
    asked,
  );
