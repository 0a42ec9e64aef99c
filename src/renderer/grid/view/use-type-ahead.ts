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

/** Returns the type-ahead of a grid. While a cell is active, typing finds the next row by that column. */
export function useTypeAhead<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  scrollToRow: (index: number) => void,
): TypeAhead<Row> {
  const [search, setSearch] = useState<Pick<TypeAhead<Row>, 'column' | 'typed'> | null>(null);
  const latest = useRef({ typed: '', timer: 0 });
  const type = (column: GridColumn<Row>, character: string) => {
    const typed = (search?.column?.id === column.id ? latest.current.typed : '') + character.toLowerCase();
    clearTimeout(latest.current.timer);
    const timer = window.setTimeout(() => {
      latest.current.typed = '';
      setSearch(null);
    }, TYPING_PAUSE_MS);
    latest.current = { typed, timer };
    setSearch({ column, typed });
    find(column, typed).catch(showReadError);
  };
  const find = async (column: GridColumn<Row>, typed: string) => {
    const matches = (row: Row) => readText(column, row).startsWith(typed);
    // Further characters refine the search, so the active row may still match.
    const found = await grid.findNextIndex(matches, { afterActive: typed.length === 1 });
    // A later character has started another search.
    if (found === null) return;
    if (found.done === null) return announceToScreenReader(texts.grid.find.none(column.title, typed));
    grid.moveToRow(found.done);
    scrollToRow(found.done);
  };
  return { column: search?.column ?? null, typed: search?.typed ?? '', type };
}

/** Shows why the rows of a list could not be read. */
export function showReadError(thrown: unknown): void {
  showNotice(formatError(toContractError(thrown)), 'bad');
}

const readText = <Row>(column: GridColumn<Row>, row: Row) => copyCellText(column.copy(row)).toLowerCase();
