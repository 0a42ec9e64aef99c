import { ArrowDown, ArrowUp, Copy } from 'lucide-react';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { words } from '../words/words.ts';
import { CellMenu, type CellMenuState } from './cell-menu.tsx';
import type { Cell } from './copy.ts';
import { type LedgerSort, nextSort, sortedBy } from './ledger-sort.ts';
import { copyTable, onCopyTable, type Table } from './table.ts';
import './ledger.css';

export interface LedgerColumn<Row> {
  readonly id: string;
  readonly title: string;
  readonly end?: boolean;
  readonly className?: string;
  /** What it is ordered by, where it can be. */
  readonly by?: (row: Row) => string | number | null;
  readonly cell: (row: Row) => ReactNode;
  readonly copy: (row: Row) => Cell;
}

/** A line above or below the rows that stays there in every order: a title, and what stands in the last column. */
export interface LedgerEdge {
  readonly title: string;
  readonly cell: ReactNode;
  readonly copy: Cell;
}

interface LedgerProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly LedgerColumn<Row>[];
  /** In their own order. */
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string | number;
  readonly classOf?: (row: Row) => string;
  readonly top?: LedgerEdge;
  readonly bottom?: LedgerEdge;
}

/** A short table, all of it in the page: its titles sort it, and it is copied whole by keys, button and menu. */
export function Ledger<Row>(props: LedgerProps<Row>) {
  const { label, columns, rows, idOf, classOf, top, bottom } = props;
  const [sort, setSort] = useState<LedgerSort | null>(null);
  const [menu, setMenu] = useState<CellMenuState | null>(null);
  const shown = sortedBy(rows, columns, sort);

  const line = (row: Row): Cell[] => columns.map((column) => column.copy(row));
  const edge = ({ title, copy }: LedgerEdge): Cell[] =>
    columns.map((_, place) => (place === columns.length - 1 ? copy : { text: place === 0 ? title : '' }));
  const table = (): Table => [
    columns.map(({ title }) => ({ text: title })),
    ...(top ? [edge(top)] : []),
    ...shown.map(line),
    ...(bottom ? [edge(bottom)] : []),
  ];

  function openMenu(event: MouseEvent): void {
    const at = (event.target as Element).closest('td');
    const row = shown[Number(at?.parentElement?.dataset['row'] ?? -1)];
    const column = columns[at?.cellIndex ?? -1];
    const value = row !== undefined && column ? column.copy(row) : null;
    const text = value && ('exact' in value ? value.exact : value.text);
    event.preventDefault();
    setMenu({
      at: { x: event.clientX, y: event.clientY },
      entries: [
        ...(text
          ? [
              {
                id: 'cell',
                label: words.grid.copyCell,
                run: () => void navigator.clipboard.writeText(text),
              },
            ]
          : []),
        ...(row === undefined
          ? []
          : [
              {
                id: 'row',
                label: words.grid.copyRows(1),
                run: () => void copyTable([columns.map(({ title }) => ({ text: title })), line(row)]),
              },
            ]),
        { id: 'table', label: words.grid.copyTable, icon: Copy, run: () => void copyTable(table()) },
      ],
    });
  }

  return (
    <section
      className="ledger-box"
      aria-label={words.grid.tableOf(label)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is copied by keys
      tabIndex={0}
      onCopy={(event) => onCopyTable(event, table)}
      onContextMenu={openMenu}
    >
      <table className="ledger">
        <thead>
          <tr>
            {columns.map((column) => (
              <LedgerTitle key={column.id} column={column} sort={sort} onSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {top && <EdgeLine edge={top} columns={columns.length} />}
          {shown.map((row, place) => (
            <tr key={idOf(row)} data-row={place} className={classOf?.(row) ?? ''}>
              {columns.map((column) => (
                <td key={column.id} className={`${column.end ? 'ledger-end ' : ''}${column.className ?? ''}`}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {bottom && (
          <tfoot>
            <EdgeLine edge={bottom} columns={columns.length} />
          </tfoot>
        )}
      </table>
      <div className="ledger-tools">
        <Button kind="quiet" size="small" icon={Copy} onPress={() => void copyTable(table())}>
          {words.grid.copyTable}
        </Button>
      </div>
      {menu && <CellMenu state={menu} onClose={() => setMenu(null)} />}
    </section>
  );
}

function EdgeLine({ edge, columns }: { readonly edge: LedgerEdge; readonly columns: number }) {
  return (
    <tr className="ledger-edge">
      <td colSpan={columns - 1}>{edge.title}</td>
      <td className="ledger-end">{edge.cell}</td>
    </tr>
  );
}

interface LedgerTitleProps<Row> {
  readonly column: LedgerColumn<Row>;
  readonly sort: LedgerSort | null;
  readonly onSort: (sort: LedgerSort | null) => void;
}

function LedgerTitle<Row>({ column, sort, onSort }: LedgerTitleProps<Row>) {
  const { id, title, end, by } = column;
  const direction = sort?.id === id ? sort.direction : null;
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      className={end ? 'ledger-end' : ''}
      {...(by
        ? { 'aria-sort': direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending' }
        : {})}
    >
      {by ? (
        <button type="button" onClick={() => onSort(nextSort(sort, id))}>
          {title}
          {direction && <Arrow size={12} strokeWidth={2.5} aria-hidden="true" />}
        </button>
      ) : (
        title
      )}
    </th>
  );
}
