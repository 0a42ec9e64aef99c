import { ArrowDown, ArrowUp, Check } from 'lucide-react';
import { useRef } from 'react';
import { type ColumnLayout, useChosen } from '../settings/chosen.ts';
import { words } from '../words/words.ts';
import { rowGroupAria, titleAria, titleRowAria } from './aria.ts';
import { type Column, layoutNow, withWidth } from './columns.ts';
import type { Sort } from './use-sort.ts';

interface GridHeaderProps<Row> {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly declared: readonly Column<Row>[];
  readonly sort: Sort | undefined;
  /** The header cell the keys act on. */
  readonly active: number | null;
  readonly pickable: boolean;
  readonly allPicked: boolean;
  readonly onLayout: (layout: ColumnLayout) => void;
}

/** The titles: a click sorts, an edge drags the width. By keys: up from the first row, then left, right and Enter. */
export function GridHeader<Row>(props: GridHeaderProps<Row>) {
  const { columns, sort, active } = props;
  return (
    <div {...rowGroupAria} className="grid-head">
      <div {...titleRowAria} className="grid-head-row">
        <span className={props.pickable ? 'grid-tick' : ''} aria-hidden="true">
          {props.pickable && (
            <span className={`tick${props.allPicked ? ' tick-on' : ''}`} title={words.grid.pickAll}>
              {props.allPicked && <Check size={11} strokeWidth={3.5} />}
            </span>
          )}
        </span>
        {columns.map((column, place) => (
          <HeaderCell
            key={column.id}
            {...props}
            column={column}
            place={place}
            active={active === place}
            direction={column.sort !== undefined && sort?.by === column.sort ? sort.direction : null}
          />
        ))}
      </div>
    </div>
  );
}

interface HeaderCellProps<Row> extends Omit<GridHeaderProps<Row>, 'active'> {
  readonly column: Column<Row>;
  readonly place: number;
  readonly active: boolean;
  readonly direction: 'asc' | 'desc' | null;
}

function HeaderCell<Row>(props: HeaderCellProps<Row>) {
  const { column, direction, active } = props;
  const dragged = useRef<{ from: number; width: number } | null>(null);
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  const layout = () => layoutNow(props.declared, useChosen.getState().columns[props.name]);
  const resized = (event: React.PointerEvent) => {
    const drag = dragged.current;
    if (drag) props.onLayout(withWidth(layout(), column.id, drag.width + event.clientX - drag.from));
  };
  return (
    <span
      {...titleAria(props.id, props.place, direction, column.sort !== undefined)}
      className={`grid-title${column.end ? ' grid-end' : ''}${column.sort ? ' grid-sortable' : ''}${active ? ' grid-cell-active' : ''}`}
    >
      <span className="grid-title-text">{column.title}</span>
      {direction && <Arrow size={12} strokeWidth={2.5} aria-hidden="true" />}
      <span
        className="grid-edge"
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const width = event.currentTarget.parentElement?.getBoundingClientRect().width ?? column.width;
          dragged.current = { from: event.clientX, width };
        }}
        onPointerMove={resized}
        onPointerUp={() => {
          dragged.current = null;
        }}
        onDoubleClick={() => {
          const widths = { ...layout().widths };
          delete widths[column.id];
          props.onLayout({ ...layout(), widths });
        }}
      />
    </span>
  );
}
