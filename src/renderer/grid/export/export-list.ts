import { create } from 'zustand';
import { toContractError } from '../../../contract/index.ts';
import { formatError } from '../../errors/error-texts.ts';
import { showNotice, useWindowState } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { saveStream } from '../../window-shell/save-file.ts';
import { formatListCsv, formatListXlsx, type ListContent } from './list-file.ts';

const text = texts.grid.export;

export type ListFileFormat = 'csv' | 'xlsx';

const mediaTypes: Readonly<Record<ListFileFormat, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The running export, or null. Only one export runs at a time. */
export const useRunningExport = create<{
  readonly running: { readonly title: string; readonly rows: number; cancel(): void } | null;
}>(() => ({ running: null }));

/** Returns the content of a list, whose rows can be read until the signal aborts. */
export type ListContentReader = (signal: AbortSignal) => ListContent | null;

/** Asks the user for a location and exports a list there. Shows a notice when the export has ended or failed. */
export async function exportList(read: ListContentReader, format: ListFileFormat): Promise<void> {
  if (useRunningExport.getState().running !== null) return showNotice(text.alreadyRunning);
  const controller = new AbortController();
  const content = read(controller.signal);
  if (content === null) return;
  const { title } = content;
  const setRows = (rows: number) =>
    useRunningExport.setState({ running: { title, rows, cancel: () => controller.abort() } });
  const list = { ...content, batches: countRows(content.batches, setRows) };
  // Marks the export as running before the save dialog opens, so that no second export starts.
  setRows(0);
  try {
    const file = { name: formatFileName(title, format), type: mediaTypes[format] };
    await saveStream(file, () => (format === 'csv' ? formatListCsv(list) : readStream(list)));
  } catch (thrown) {
    if (controller.signal.aborted) showNotice(text.canceled);
    else showNotice(`${text.failed(title)} ${formatError(toContractError(thrown))}`, 'bad');
  } finally {
    useRunningExport.setState({ running: null });
  }
}

async function* readStream(list: ListContent): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = (await formatListXlsx(list)).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read())
    yield read.value as Uint8Array<ArrayBuffer>;
}

async function* countRows(
  batches: ListContent['batches'],
  report: (rows: number) => void,
): ListContent['batches'] & AsyncGenerator {
  let rows = 0;
  for await (const batch of batches) {
    rows += batch.length;
    report(rows);
    yield batch;
  }
}

/** Returns the suggested name of a file, for example `demo-bank-lines-2026-10-31.csv`. */
function formatFileName(title: string, format: ListFileFormat): string {
  const { site } = useWindowState.getState().route;
  const day = new Date().toISOString().slice(0, 10);
  const name = [site, title, day].filter((part) => part !== null).join('-');
  return `${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}.${format}`;
}
