import type { FigureOf } from '../../contract/index.ts';
import { formatMonth } from '../texts/moments.ts';
import { texts } from '../texts/texts.ts';
import type { FilterField } from './filter-field.ts';

/**
 * Creates a filter field that limits the list to the rows of one workpaper figure. A link from the workpaper sets this
 * filter.
 */
export function createFigureFilterField<
  F extends { readonly figure?: FigureOf | undefined },
>(): FilterField<F> {
  return {
    kind: 'fixed',
    id: 'figure',
    label: texts.filters.figure,
    text: ({ figure }) =>
      figure ? texts.filters.figureOf(figure.figure, formatMonth(figure.period), figure.currency) : null,
    clear: (filter) => ({ ...filter, figure: undefined }),
  };
}
