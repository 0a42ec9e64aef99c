import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react';
import { useRef } from 'react';
import { texts } from '../../texts/texts.ts';
import { type ColumnLayout, useUserSettings } from '../../user-settings/user-settings.ts';
import { type GridColumn, getColumnLayout, setColumnWidth } from '../columns/column-layout.ts';
import type { ListSort } from '../columns/use-list-sort.ts';
import { getHeaderCellAriaProps, headerRowAriaProps, rowGroupAriaProps } from './grid-aria.ts';
import { frozenClassName, frozenStyle, RowCheckbox } from './grid-row.tsx';
import { type ColumnDrag, useColumnDrag } from './use-column-drag.ts';

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
  /** Left offsets in px of the frozen columns. */
  readonly frozen: readonly number[];
  readonly onLayout: (layout: ColumnLayout) => void;
  readonly onMove: (from: number, to: number) => void;
}

/**
 * Row of column headers. A click or Enter sorts the list. Dragging a header moves the column, and dragging its edge
 * resizes it.
 */
export function GridHeader<Row>(props: GridHeaderProps<Row>) {
  const { columns, sort, activeColumn, frozen } = props;
  const { drag, handlersOf } = useColumnDrag(({ from, to }) => props.onMove(from, to));
  return (
    <div {...rowGroupAriaProps} className="grid-head">
      <div {...headerRowAriaProps} className="grid-head-row">
        <RowCheckbox
          isShown={props.isSelectable}
          isChecked={props.allSelected}
          isFrozen={frozen.length > 0}
          title={texts.grid.selectAllMatching}
        />
        {columns.map((column, index) => (
          <HeaderCell
            key={column.id}
            {...props}
            column={column}
            index={index}
            isActive={activeColumn === index}
            dragClassName={dragClassName(drag, index)}
            dragHandlers={handlersOf(index)}
            direction={column.sortKey !== undefined && sort?.by === column.sortKey ? sort.direction : null}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the class that shows a running drag: the dragged column, or the edge at which it would be placed. */
function dragClassName(drag: ColumnDrag | null, index: number): string {
  if (drag === null) return '';
  if (index === drag.from) return ' grid-dragged';
  if (index !== drag.to) return '';
  return drag.to < drag.from ? ' grid-drop-before' : ' grid-drop-after';
}

interface HeaderCellProps<Row> extends Omit<GridHeaderProps<Row>, 'activeColumn'> {
  readonly column: GridColumn<Row>;
  readonly index: number;
  readonly isActive: boolean;
  readonly direction: 'asc' | 'desc' | null;
  readonly dragClassName: string;
  readonly dragHandlers: React.HTMLAttributes<HTMLElement>;
}

function HeaderCell<Row>(props: HeaderCellProps<Row>) {
  const { id, name, declaredColumns, column, index, direction, isActive, onLayout } = props;
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  const isSortable = column.sortKey !== undefined;
  const flags = [
    column.alignEnd && 'grid-end',
    isSortable && 'grid-sortable',
    isActive && 'grid-cell-active',
  ];
  return (
    <span
      {...getHeaderCellAriaProps({ grid: id, column: index, direction, isSortable })}
      {...props.dragHandlers}
      className={`${['grid-header-cell', ...flags].filter(Boolean).join(' ')}${frozenClassName(props.frozen, index)}${props.dragClassName}`}
      style={frozenStyle(props.frozen, index)}
    >
      <span className="grid-header-text">{column.title}</span>
      {direction && <Arrow size={12} strokeWidth={2.5} aria-hidden="true" />}
      <span className="grid-header-menu" title={texts.grid.header.menu} aria-hidden="true">
        <ChevronDown size={13} />
      </span>
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
