import { useRef, useState } from 'react';
import { toContractError } from '../../../contract/index.ts';
import { formatError } from '../../errors/error-texts.ts';
import { announceToScreenReader, showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { copyCellText } from '../clipboard/tsv.ts';
import type { GridColumn } from '../columns/column-layout.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';

/** Time in milliseconds after which typing starts a new search. As in the WAI-ARIA practices, chosen by judgment. */
const TYPING_PAUSE_MS = 1_000;

/** Text typed in a column, and the function that finds the next row whose value starts with it. */
export interface TypeAhead<Row> {
  readonly column: GridColumn<Row> | null;
  readonly typed: string;
  /** Adds a character and moves to the next matching row. */
  type(column: GridColumn<Row>, character: string): void;
}

/** Text to find in a column. A later search has a higher serial number. */
interface Search<Row> {
  readonly column: GridColumn<Row>;
  readonly typed: string;
  readonly serial: number;
}

/** Returns the type-ahead of a grid. While a cell is active, typing finds the next row by that column. */
export function useTypeAhead<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  scrollToRow: (index: number) => void,
): TypeAhead<Row> {
  const [search, setSearch] = useState<{ column: GridColumn<Row>; typed: string } | null>(null);
  const latest = useRef({ typed: '', timer: 0, serial: 0 });
  const type = (column: GridColumn<Row>, character: string) => {
    const typed = (search?.column.id === column.id ? latest.current.typed : '') + character.toLowerCase();
    clearTimeout(latest.current.timer);
    const timer = window.setTimeout(() => {
      latest.current.typed = '';
      setSearch(null);
    }, TYPING_PAUSE_MS);
    const serial = latest.current.serial + 1;
    latest.current = { typed, timer, serial };
    setSearch({ column, typed });
    find({ column, typed, serial }).catch(showReadError);
  };
  const find = async ({ column, typed, serial }: Search<Row>) => {
    const { activeIndex, total } = grid.state.getState();
    // Further characters refine the search, so the active row may still match.
    const start = (Math.max(0, activeIndex) + (typed.length > 1 ? 0 : 1)) % Math.max(1, total);
    const index = await grid.findNextIndex(start, (row) => readText(column, row).startsWith(typed));
    // A later character has started another search.
    if (latest.current.serial !== serial) return;
    if (index === null) return announceToScreenReader(texts.grid.find.none(column.title, typed));
    grid.moveToRow(index);
    scrollToRow(index);
  };
  return { column: search?.column ?? null, typed: search?.typed ?? '', type };
}

/** Shows why the rows of a list could not be read. */
export function showReadError(thrown: unknown): void {
  showNotice(formatError(toContractError(thrown)), 'bad');
}

const readText = <Row>(column: GridColumn<Row>, row: Row) => copyCellText(column.copy(row)).toLowerCase();
