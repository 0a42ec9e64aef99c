import { Check } from 'lucide-react';
import { memo } from 'react';
import { words } from '../words/words.ts';
import { cellAria, rowAria } from './aria.ts';
import type { Column } from './columns.ts';

interface GridRowProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly row: Row | undefined;
  readonly columns: readonly Column<Row>[];
  readonly active: boolean;
  readonly activeColumn: number | null;
  readonly selected: boolean;
  /** Selected by itself, not for being the active one. */
  readonly picked: boolean;
  readonly pickable: boolean;
}

/**
 * One row; a row that is not read yet keeps its place. Keys are the grid's, which holds the focus. It is drawn again only when
 * something of its own changed: rows around it come and go with every step of the scrollbar.
 */
export const GridRow = memo(function GridRow<Row>(props: GridRowProps<Row>) {
  const { id, index, top, row, columns, active, activeColumn, selected, picked, pickable } = props;
  return (
    <div
      {...rowAria(id, index, selected)}
      className={`grid-row${active ? ' grid-active' : ''}${picked ? ' grid-picked' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className={pickable ? 'grid-tick' : ''} aria-hidden="true">
        {pickable && (
          <span className={`tick${picked ? ' tick-on' : ''}`}>
            {picked && <Check size={11} strokeWidth={3.5} />}
          </span>
        )}
      </span>
      {row === undefined ? (
        <span {...cellAria(id, index, 0)} className="grid-waiting">
          <span className="unseen">{words.grid.loading}</span>
        </span>
      ) : (
        columns.map((column, place) => (
          <span
            key={column.id}
            {...cellAria(id, index, place)}
            className={classOf(column, place === activeColumn)}
          >
            {column.cell(row)}
          </span>
        ))
      )}
    </div>
  );
}) as <Row>(props: GridRowProps<Row>) => React.ReactNode;

function classOf({ end, wraps }: Pick<Column<never>, 'end' | 'wraps'>, active: boolean): string {
  return `grid-cell${end ? ' grid-end' : ''}${wraps ? ' grid-wraps' : ''}${active ? ' grid-cell-active' : ''}`;
}
