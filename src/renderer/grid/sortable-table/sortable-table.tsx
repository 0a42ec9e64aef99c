import { ArrowDown, ArrowUp, Copy } from 'lucide-react';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { Button } from '../../controls/button.tsx';
import type { MenuEntry } from '../../controls/menu.tsx';
import { texts } from '../../texts/texts.ts';
import { CellMenu, type CellMenuState } from '../clipboard/cell-context-menu.tsx';
import { createCopyCellEntry } from '../clipboard/copy-rows.ts';
import { type CopyableTable, copyTableAndNotify, handleCopyEvent } from '../clipboard/copy-table.ts';
import { copyCellText } from '../clipboard/tsv.ts';
import type { CopyableCell } from '../columns/column-layout.ts';
import { describeList } from '../export/list-content.ts';
import { ListExportMenu } from '../export/list-export-menu.tsx';
import type { ListContent } from '../export/list-file.ts';
import { getNextSortOrder, sortRows, type TableSort } from './table-sort.ts';
import './sortable-table.css';

export interface TableColumn<Row> {
  readonly id: string;
  readonly title: string;
  readonly alignEnd?: boolean;
  readonly className?: string;
  /** Returns the value to sort by. Omitted if the table cannot be sorted by this column. */
  readonly sortValue?: (row: Row) => string | number | null;
  readonly cell: (row: Row) => ReactNode;
  readonly copy: (row: Row) => CopyableCell;
}

/** Row that stays at the top or bottom, for example a total, with a title and a value in the last column. */
export interface TableSummaryRow {
  readonly title: string;
  readonly cell: ReactNode;
  readonly copy: CopyableCell;
}

interface SortableTableProps<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string | number;
  readonly classOf?: (row: Row) => string;
  readonly topRow?: TableSummaryRow;
  readonly bottomRow?: TableSummaryRow;
}

/** Short table. Users sort it by clicking a column header and copy it with a key, button, or menu. */
export function SortableTable<Row>(props: SortableTableProps<Row>) {
  const { label, columns, rows, idOf, classOf, topRow, bottomRow } = props;
  const [sort, setSort] = useState<TableSort | null>(null);
  const [menu, setMenu] = useState<CellMenuState | null>(null);
  const sorted = sortRows(rows, columns, sort);
  const createCopy = () => toCopyTable({ ...props, rows: sorted });

  function openMenu(event: MouseEvent): void {
    event.preventDefault();
    const cell = (event.target as Element).closest('td');
    const row = sorted[Number(cell?.parentElement?.dataset['row'] ?? -1)];
    const column = columns[cell?.cellIndex ?? -1];
    const entries = [
      ...(row === undefined ? [] : rowMenuEntries(columns, row, column)),
      {
        id: 'table',
        label: texts.grid.copyTable,
        icon: Copy,
        run: () => void copyTableAndNotify(createCopy()),
      },
    ];
    setMenu({ at: { x: event.clientX, y: event.clientY }, entries });
  }

  return (
    <section
      className="sortable-table-frame"
      aria-label={texts.grid.tableOf(label)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the table must be focusable so that keys can copy it
      tabIndex={0}
      onCopy={(event) => handleCopyEvent(event, createCopy)}
      onContextMenu={openMenu}
    >
      <table className="sortable-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHeader key={column.id} column={column} sort={sort} onSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {topRow && <EdgeRow edge={topRow} columnCount={columns.length} />}
          {sorted.map((row, index) => (
            <tr key={idOf(row)} data-row={index} className={classOf?.(row) ?? ''}>
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={`${column.alignEnd ? 'sortable-table-end ' : ''}${column.className ?? ''}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {bottomRow && (
          <tfoot>
            <EdgeRow edge={bottomRow} columnCount={columns.length} />
          </tfoot>
        )}
      </table>
      <div className="sortable-table-tools">
        <Button kind="quiet" size="small" icon={Copy} onPress={() => void copyTableAndNotify(createCopy())}>
          {texts.grid.copyTable}
        </Button>
        <ListExportMenu read={() => toListContent(label, createCopy())} />
      </div>
      {menu && <CellMenu state={menu} onClose={() => setMenu(null)} />}
    </section>
  );
}

const headerCells = <Row,>(columns: readonly TableColumn<Row>[]): CopyableCell[] =>
  columns.map(({ title }) => ({ text: title }));
const rowCells = <Row,>(columns: readonly TableColumn<Row>[], row: Row): CopyableCell[] =>
  columns.map((column) => column.copy(row));

function toCopyTable<Row>(props: SortableTableProps<Row>): CopyableTable {
  const { columns, rows, topRow, bottomRow } = props;
  const edgeCells = ({ title, copy }: TableSummaryRow): CopyableCell[] =>
    columns.map((_, index) => (index === columns.length - 1 ? copy : { text: index === 0 ? title : '' }));
  return [
    headerCells(columns),
    ...(topRow ? [edgeCells(topRow)] : []),
    ...rows.map((row) => rowCells(columns, row)),
    ...(bottomRow ? [edgeCells(bottomRow)] : []),
  ];
}

/** Returns a copied table as the content of an exported or printed list. */
function toListContent(title: string, [header = [], ...rows]: CopyableTable): ListContent {
  return {
    title,
    facts: describeList({ title, filters: [] }),
    columns: header.map(copyCellText),
    batches: (async function* () {
      yield rows;
    })(),
  };
}

function rowMenuEntries<Row>(
  columns: readonly TableColumn<Row>[],
  row: Row,
  column: TableColumn<Row> | undefined,
): MenuEntry[] {
  const text = column ? copyCellText(column.copy(row)) : '';
  const copyRow = {
    id: 'row',
    label: texts.grid.copyRows(1),
    run: () => void copyTableAndNotify([headerCells(columns), rowCells(columns, row)]),
  };
  return text === '' ? [copyRow] : [createCopyCellEntry(text), copyRow];
}

function EdgeRow({ edge, columnCount }: { readonly edge: TableSummaryRow; readonly columnCount: number }) {
  return (
    <tr className="sortable-table-edge">
      <td colSpan={columnCount - 1}>{edge.title}</td>
      <td className="sortable-table-end">{edge.cell}</td>
    </tr>
  );
}

interface ColumnHeaderProps<Row> {
  readonly column: TableColumn<Row>;
  readonly sort: TableSort | null;
  readonly onSort: (sort: TableSort | null) => void;
}

function ColumnHeader<Row>({ column, sort, onSort }: ColumnHeaderProps<Row>) {
  const { id, title, alignEnd, sortValue } = column;
  const direction = sort?.id === id ? sort.direction : null;
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown;
  const ariaSort = direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th
      scope="col"
      className={alignEnd ? 'sortable-table-end' : ''}
      {...(sortValue ? { 'aria-sort': ariaSort } : {})}
    >
      {sortValue ? (
        <button type="button" onClick={() => onSort(getNextSortOrder(sort, id))}>
          {title}
          {direction && <Arrow size={12} strokeWidth={2.5} aria-hidden="true" />}
        </button>
      ) : (
        title
      )}
    </th>
  );
}
