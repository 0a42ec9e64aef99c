import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { create } from 'zustand';
import { toContractError } from '../../../contract/index.ts';
import { formatError } from '../../errors/error-texts.ts';
import { showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { copyCellText } from '../clipboard/tsv.ts';
import type { CopyableCell } from '../columns/column-layout.ts';
import type { ListContentReader } from './export-list.ts';
import type { ListContent } from './list-file.ts';
import './print-list.css';

const text = texts.grid.export;

/** Maximum number of rows to print, about 250 pages. Chosen by judgment. */
const MAX_PRINTED_ROWS = 10_000;

interface PrintedList extends Omit<ListContent, 'batches'> {
  readonly rows: readonly (readonly CopyableCell[])[];
}

const usePrintedList = create<{ readonly list: PrintedList | null }>(() => ({ list: null }));

/** Prints a list with the system's print dialog. Shows a notice if the list is too long or cannot be read. */
export async function printList(read: ListContentReader): Promise<void> {
  const content = read(new AbortController().signal);
  if (content === null) return;
  const rows: (readonly CopyableCell[])[] = [];
  try {
    for await (const batch of content.batches) {
      rows.push(...batch);
      if (rows.length > MAX_PRINTED_ROWS) return showNotice(text.tooLongToPrint(MAX_PRINTED_ROWS), 'bad');
    }
  } catch (thrown) {
    return showNotice(`${text.failed(content.title)} ${formatError(toContractError(thrown))}`, 'bad');
  }
  usePrintedList.setState({ list: { ...content, rows } });
}

/** Renders the list to be printed, visible only on paper, and opens the print dialog. */
export function PrintedListHost() {
  const list = usePrintedList((state) => state.list);
  useEffect(() => {
    if (list === null) return;
    const end = () => usePrintedList.setState({ list: null });
    window.addEventListener('afterprint', end, { once: true });
    document.documentElement.classList.add('is-printing-list');
    window.print();
    return () => {
      document.documentElement.classList.remove('is-printing-list');
      window.removeEventListener('afterprint', end);
    };
  }, [list]);
  return list && createPortal(<PrintedTable list={list} />, document.body);
}

function PrintedTable({ list: { title, facts, columns, rows } }: { readonly list: PrintedList }) {
  return (
    <section className="printed-list" aria-hidden="true">
      <h1>{title}</h1>
      <p>
        {facts.map(([label, value]) => (
          <span key={label + value}>
            {label}: {value}
          </span>
        ))}
        <span>{text.rows(rows.length)}</span>
      </p>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the printed rows never change
            <tr key={index}>
              {cells.map((cell, column) => (
                <td key={columns[column]} className={'exact' in cell ? 'printed-number' : undefined}>
                  {copyCellText(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
