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
  /** Left offsets in px of the frozen columns. */
  readonly frozen: readonly number[];
  /** Index of the column by which rows are grouped, or null. */
  readonly groupColumn: number | null;
  /** Position in the group: `start` for its first row, `repeat` for a row that repeats the value of the row above. */
  readonly groupPart: 'start' | 'repeat' | null;
}

/** One row of the grid or its placeholder. Memoized, because each scroll step changes its neighbors. */
export const GridRow = memo(function GridRow<Row>(props: GridRowProps<Row>) {
  const { id, index, row, columns, activeColumn, isChecked, frozen, groupPart } = props;
  return (
    <div
      {...getRowAriaProps(id, index, props.isSelected)}
      className={`grid-row${props.isActive ? ' grid-row-active' : ''}${isChecked ? ' grid-row-selected' : ''}${groupPart === 'start' ? ' grid-group-start' : ''}`}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      <RowCheckbox isShown={props.isSelectable} isChecked={isChecked} isFrozen={frozen.length > 0} />
      {row === undefined ? (
        <span {...getCellAriaProps(id, index, 0)} className="grid-loading">
          <span className="visually-hidden">{texts.grid.loading}</span>
        </span>
      ) : (
        columns.map((column, columnIndex) => (
          <span
            key={column.id}
            {...getCellAriaProps(id, index, columnIndex)}
            className={`${cellClassName(column, columnIndex === activeColumn)}${
              columnIndex === props.groupColumn && groupPart ? ` grid-group-${groupPart}` : ''
            }${frozenClassName(frozen, columnIndex)}`}
            style={frozenStyle(frozen, columnIndex)}
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

/** Returns the class of a frozen cell, with a space before it, or an empty text if the column is not frozen. */
export function frozenClassName(frozen: readonly number[], column: number): string {
  if (column >= frozen.length) return '';
  return column === frozen.length - 1 ? ' grid-frozen grid-frozen-last' : ' grid-frozen';
}

/** Returns the style that keeps a frozen cell in place while the list scrolls sideways. */
export function frozenStyle(frozen: readonly number[], column: number): React.CSSProperties | undefined {
  const left = frozen[column];
  return left === undefined ? undefined : { left };
}

interface RowCheckboxProps {
  readonly isShown: boolean;
  readonly isChecked: boolean;
  readonly isFrozen: boolean;
  readonly title?: string;
}

/** Checkbox to the left of the first column. Assistive technology reads the row's `aria-selected` attribute instead. */
export function RowCheckbox({ isShown, isChecked, isFrozen, title }: RowCheckboxProps) {
  const className = `${isShown ? 'grid-checkbox' : ''}${isFrozen ? ' grid-frozen' : ''}`;
  return (
    <span className={className} style={isFrozen ? { left: 0 } : undefined} aria-hidden="true">
      {isShown && (
        <span className={`row-checkbox${isChecked ? ' row-checkbox-on' : ''}`} title={title}>
          {isChecked && <Check size={11} strokeWidth={3.5} />}
        </span>
      )}
    </span>
  );
}
