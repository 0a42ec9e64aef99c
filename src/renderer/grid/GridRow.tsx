import { Check } from 'lucide-react';
import { memo } from 'react';
import { words } from '../words/words.ts';
import { cellAria, rowAria } from './aria.ts';
import type { Column } from './columns.ts';
import { type Id, isSelected, type Selection } from './selection.ts';

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

/** One row; a row that is not read yet keeps its place. Keys are the grid's, which holds the focus. */
export function GridRow<Row>(props: GridRowProps<Row>) {
  const { id, index, top, row, columns, active, activeColumn, selection, pickable } = props;
  const selected = row !== undefined && isSelected(selection, props.rowId(row), props.activeId);
  const picked = selected && selection.kind !== 'following';
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
