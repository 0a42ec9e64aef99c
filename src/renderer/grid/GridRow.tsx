import { Check } from 'lucide-react';
import { memo } from 'react';
import type { Column } from './columns.ts';
import { type Id, isSelected, type Selection } from './selection.ts';

/** Where in the grid an element is: the row (-1 for the titles), the column, and whether on the tick. */
export function pressedAt(
  element: Element,
): { readonly index: number; readonly column: number | null; readonly tick: boolean } | null {
  const row = element.closest('[role="row"]');
  if (!row || element.closest('.grid-edge')) return null;
  const column = element.closest('[aria-colindex]')?.getAttribute('aria-colindex');
  return {
    index: Number(row.getAttribute('aria-rowindex')) - 2,
    column: column ? Number(column) - 1 : null,
    tick: element.closest('.grid-tick') !== null,
  };
}

interface GridRowProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly row: Row | undefined;
  readonly rowId: (row: Row) => Id;
  readonly columns: readonly Column<Row>[];
  readonly active: boolean;
  readonly activeColumn: number | null;
  readonly activeId: Id | null;
  readonly selection: Selection;
  readonly pickable: boolean;
}

/** The element of a row, or of one of its cells. */
export function rowDomId(grid: string, index: number, column: number | null = null): string {
  return column === null ? `${grid}-row-${index}` : `${grid}-row-${index}-${column}`;
}

/** One row; a row that is not read yet keeps its place. Keys are the grid's, which holds the focus. */
export function GridRow<Row>(props: GridRowProps<Row>) {
  const { id, index, top, row, columns, active, activeColumn, selection, pickable } = props;
  const selected = row !== undefined && isSelected(selection, props.rowId(row), props.activeId);
  const picked = selected && selection.kind !== 'following';
  return (
    <div
      id={rowDomId(id, index)}
      className={`grid-row${active ? ' grid-active' : ''}${picked ? ' grid-picked' : ''}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={selected}
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
        <span role="gridcell" className="grid-waiting">
          <span className="unseen">loading</span>
        </span>
      ) : (
        columns.map((column, place) => (
          <span
            key={column.id}
            id={rowDomId(id, index, place)}
            role="gridcell"
            tabIndex={-1}
            aria-colindex={place + 1}
            className={`grid-cell${column.end ? ' grid-end' : ''}${place === activeColumn ? ' grid-cell-active' : ''}`}
          >
            <CellContent column={column} row={row} />
          </span>
        ))
      )}
    </div>
  );
}

/** A cell's content changes with its row only, while rows move and states around it change often. */
const CellContent = memo(function CellContent<Row>(props: {
  readonly column: Column<Row>;
  readonly row: Row;
}) {
  return <>{props.column.cell(props.row)}</>;
}) as <Row>(props: { readonly column: Column<Row>; readonly row: Row }) => React.ReactNode;
