import { ArrowDown, ArrowUp } from 'lucide-react';
import { useRef } from 'react';
import { texts } from '../../texts/texts.ts';
import { type ColumnLayout, useUserSettings } from '../../user-settings/user-settings.ts';
import { type GridColumn, getColumnLayout, setColumnWidth } from '../columns/column-layout.ts';
import type { ListSort } from '../columns/use-list-sort.ts';
import { getHeaderCellAriaProps, headerRowAriaProps, rowGroupAriaProps } from './grid-aria.ts';
import { RowCheckbox } from './grid-row.tsx';

interface GridHeaderProps<Row> {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly GridColumn<Row>[];
  /** All columns that the screen declares, including hidden ones. */
  readonly declaredColumns: readonly GridColumn<Row>[];
  readonly sort: ListSort | undefined;
  /** Header cell that key presses act on, or null if a row is active. */
  readonly activeColumn: number | null;
  readonly isSelectable: boolean;
  readonly allSelected: boolean;
  readonly onLayout: (layout: ColumnLayout) => void;
}

/** Row of column headers. A click or Enter sorts the list; dragging a header's edge resizes the column. */
export function GridHeader<Row>(props: GridHeaderProps<Row>) {
  const { columns, sort, activeColumn } = props;
  return (
    <div {...rowGroupAriaProps} className="grid-head">
      <div {...headerRowAriaProps} className="grid-head-row">
        <RowCheckbox
          isShown={props.isSelectable}
          isChecked={props.allSelected}
          title={texts.grid.selectAllMatching}
        />
        {columns.map((column, index) => (
          <HeaderCell
            key={column.id}
            {...props}
            column={column}
            index={index}
            isActive={activeColumn === index}
            direction={column.sortKey !== undefined && sort?.by === column.sortKey ? sort.direction : null}
          />
        ))}
      </div>
    </div>
  );
}

interface HeaderCellProps<Row> extends Omit<GridHeaderProps<Row>, 'activeColumn'> {
  readonly column: GridColumn<Row>;
  readonly index: number;
  readonly isActive: boolean;
  readonly direction: 'asc' | 'desc' | null;
}

function HeaderCell<Row>(props: HeaderCellProps<Row>) {
  const { id, name, declaredColumns, column, index, direction, isActive, onLayout } = props;
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  const isSortable = column.sortKey !== undefined;
  return (
    <span
      {...getHeaderCellAriaProps({ grid: id, column: index, direction, isSortable })}
      className={`grid-header-cell${column.alignEnd ? ' grid-end' : ''}${isSortable ? ' grid-sortable' : ''}${isActive ? ' grid-cell-active' : ''}`}
    >
      <span className="grid-header-text">{column.title}</span>
      {direction && <Arrow size={12} strokeWidth={2.5} aria-hidden="true" />}
      <ResizeHandle
        column={column}
        layout={() => getColumnLayout(declaredColumns, useUserSettings.getState().columns[name])}
        onLayout={onLayout}
      />
    </span>
  );
}

interface ResizeHandleProps<Row> {
  readonly column: GridColumn<Row>;
  /** Returns the current column layout, on which a change is based. */
  readonly layout: () => ColumnLayout;
  readonly onLayout: (layout: ColumnLayout) => void;
}

/** Edge of a column header. Dragging the edge sets the column's width. A double-click resets the width. */
function ResizeHandle<Row>({ column, layout, onLayout }: ResizeHandleProps<Row>) {
  const drag = useRef<{ startX: number; width: number } | null>(null);
  return (
    <span
      className="grid-resize-handle"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const width = event.currentTarget.parentElement?.getBoundingClientRect().width ?? column.width;
        drag.current = { startX: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (!drag.current) return;
        const { startX, width } = drag.current;
        onLayout(setColumnWidth(layout(), column.id, width + event.clientX - startX));
      }}
      onPointerUp={() => {
        drag.current = null;
      }}
      onDoubleClick={() => {
        const { [column.id]: _, ...widths } = layout().widths;
        onLayout({ ...layout(), widths });
      }}
    />
  );
}
