import { FigureParts } from '../../../src/backend/workpaper/figure-parts.ts';
import { contributionsTo, pageOfParts } from '../../../src/backend/workpaper/rows.ts';
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
  pageOfParts(site, runToCompletion(FigureParts.of(contributionsTo(site, asked), asked)), asked);
