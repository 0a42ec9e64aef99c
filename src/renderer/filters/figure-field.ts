import type { FigureOf } from '../../contract/index.ts';
import { monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import type { FilterField } from './fields.ts';

/** The rows of a figure of the workpaper alone, as one comes from there. */
export function figureField<F extends { readonly figure?: FigureOf | undefined }>(): FilterField<F> {
  return {
    kind: 'fixed',
    id: 'figure',
    label: words.filters.figure,
    text: ({ figure }) =>
      figure ? words.filters.figureOf(figure.figure, monthText(figure.period), figure.currency) : null,
    clear: (filter) => ({ ...filter, figure: undefined }),
  };
}
