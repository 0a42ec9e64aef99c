import { memo } from 'react';
import { texts } from '../../texts/texts.ts';
import type { GridColumn } from '../columns/columns.ts';
import { cellAria, rowAria } from './grid-aria.ts';
import { RowCheckbox } from './row-checkbox.tsx';

interface GridRowProps<Row> {
  readonly id: string;
  readonly index: number;
  /** Offset of the row within the scrolled content, in px. */
  readonly top: number;
  /** Data of the row, or undefined until it has loaded. */
  readonly row: Row | undefined;
  readonly columns: readonly GridColumn<Row>[];
  readonly isActive: boolean;
  readonly activeColumn: number | null;
  readonly isSelected: boolean;
  /** True if the row was selected explicitly. False if it only counts as selected because it is the active row. */
  readonly isChecked: boolean;
  readonly isSelectable: boolean;
}

/**
 * One row of the grid, or its placeholder while loading. The grid handles keys and focus. The component is memoized
 * because its neighbors are added and removed with every scroll step.
 */
export const GridRow = memo(function GridRow<Row>(props: GridRowProps<Row>) {
  const { id, index, row, columns, activeColumn, isChecked } = props;
  return (
    <div
      {...rowAria(id, index, props.isSelected)}
      className={`grid-row${props.isActive ? ' grid-row-active' : ''}${isChecked ? ' grid-row-selected' : ''}`}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      <RowCheckbox isShown={props.isSelectable} isChecked={isChecked} />
      {row === undefined ? (
        <span {...cellAria(id, index, 0)} className="grid-loading">
          <span className="visually-hidden">{texts.grid.loading}</span>
        </span>
      ) : (
        columns.map((column, columnIndex) => (
          <span
            key={column.id}
            {...cellAria(id, index, columnIndex)}
            className={cellClassName(column, columnIndex === activeColumn)}
          >
            {column.cell(row)}
          </span>
        ))
      )}
    </div>
  );
}) as <Row>(props: GridRowProps<Row>) => React.ReactNode;

function cellClassName<Row>({ alignEnd, wrapsText }: GridColumn<Row>, isActive: boolean): string {
  return `grid-cell${alignEnd ? ' grid-end' : ''}${wrapsText ? ' grid-wraps' : ''}${isActive ? ' grid-cell-active' : ''}`;
}
