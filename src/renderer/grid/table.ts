import { guarded } from '../../domain/formula.ts';
import { notify } from '../view/view.ts';
import { words } from '../words/words.ts';
import { type Cell, tsvOf } from './copy.ts';

/** A table as it is copied; its first row are the titles, unless it says otherwise. */
export type Table = readonly (readonly Cell[])[];

/** More rows than this go as text alone: a letter with a longer table is nobody's wish. */
const MOST_AS_HTML = 5_000;

/** The table as HTML, for letters and documents; guarded like the text, as spreadsheets read it too. */
export function htmlOf(table: Table, titled = true): string {
  const rows = table.map(
    (cells, at) => `<tr>${cells.map((cell) => htmlCell(cell, titled && at === 0)).join('')}</tr>`,
  );
  return `<table>${rows.join('')}</table>`;
}

function htmlCell(cell: Cell, title: boolean): string {
  const tag = title ? 'th' : 'td';
  if ('exact' in cell) return `<${tag} align="right">${escaped(cell.exact)}</${tag}>`;
  return `<${tag}>${escaped(guarded(cell.text)).replaceAll('\n', '<br>')}</${tag}>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Puts a table on the clipboard, for spreadsheets and for letters. @throws where the browser does not let it. */
export async function writeTable(table: Table, titled = true): Promise<void> {
  const part = (type: string, text: string) => ({ [type]: new Blob([text], { type }) });
  await navigator.clipboard.write([
    new ClipboardItem({
      ...part('text/plain', tsvOf(table)),
      ...(table.length <= MOST_AS_HTML ? part('text/html', htmlOf(table, titled)) : {}),
    }),
  ]);
}

/** Copies a table for a person: says that it was done, or that it could not be. */
export async function copyTable(table: Table): Promise<void> {
  try {
    await writeTable(table);
    notify(words.grid.copied(table.length - 1));
  } catch {
    notify(words.controls.noClipboard, 'bad');
  }
}

/** Answers a copy by keys with a table, where no text is marked: the text is meant then. */
export function onCopyTable(event: React.ClipboardEvent, table: () => Table): void {
  if (getSelection()?.isCollapsed === false) return;
  const made = table();
  event.preventDefault();
  event.clipboardData.setData('text/plain', tsvOf(made));
  event.clipboardData.setData('text/html', htmlOf(made));
  notify(words.grid.copied(made.length - 1));
}
