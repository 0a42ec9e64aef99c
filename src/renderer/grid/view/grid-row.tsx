import { Check } from 'lucide-react';
import { memo } from 'react';
import { texts } from '../../texts/texts.ts';
import type { GridColumn } from '../columns/column-layout.ts';
import { getCellAriaProps, getRowAriaProps } from './grid-aria.ts';

interface GridRowProps<Row> {
  readonly id: string;
  readonly index: number;
  /** Offset of the row within the scrolled content, in px. */
  readonly top: number;
  readonly row: Row | undefined;
  readonly columns: readonly GridColumn<Row>[];
  readonly isActive: boolean;
  readonly activeColumn: number | null;
  readonly isSelected: boolean;
  /** True if the row was selected explicitly. False if it only counts as selected because it is the active row. */
  readonly isChecked: boolean;
  readonly isSelectable: boolean;
}

/** One row of the grid or its placeholder. Memoized, because each scroll step changes its neighbors. */
export const GridRow = memo(function GridRow<Row>(props: GridRowProps<Row>) {
  const { id, index, row, columns, activeColumn, isChecked } = props;
  return (
    <div
      {...getRowAriaProps(id, index, props.isSelected)}
      className={`grid-row${props.isActive ? ' grid-row-active' : ''}${isChecked ? ' grid-row-selected' : ''}`}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      <RowCheckbox isShown={props.isSelectable} isChecked={isChecked} />
      {row === undefined ? (
        <span {...getCellAriaProps(id, index, 0)} className="grid-loading">
          <span className="visually-hidden">{texts.grid.loading}</span>
        </span>
      ) : (
        columns.map((column, columnIndex) => (
          <span
            key={column.id}
            {...getCellAriaProps(id, index, columnIndex)}
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

interface RowCheckboxProps {
  readonly isShown: boolean;
  readonly isChecked: boolean;
  readonly title?: string;
}

/** Checkbox to the left of the first column. Assistive technology reads the row's `aria-selected` attribute instead. */
export function RowCheckbox({ isShown, isChecked, title }: RowCheckboxProps) {
  return (
    <span className={isShown ? 'grid-checkbox' : ''} aria-hidden="true">
      {isShown && (
        <span className={`row-checkbox${isChecked ? ' row-checkbox-on' : ''}`} title={title}>
          {isChecked && <Check size={11} strokeWidth={3.5} />}
        </span>
      )}
    </span>
  );
}
