import { showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useWindowShell } from './window-shell.ts';

/** Prints a PDF after asking for the printer. Shows a notice if it could not be printed here. */
export async function printPdf(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { shell } = useWindowShell.getState();
  const pdf = new Blob([bytes], { type: 'application/pdf' });
  if (!shell) return printInNewWindow(pdf);
  const { result } = await shell.print({ name, pdf });
  if (result === 'opened') showNotice(texts.pdf.printOpened);
  if (result === 'failed') showNotice(texts.pdf.printFailed, 'bad');
}

/** Prints with the browser's PDF viewer. */
function printInNewWindow(pdf: Blob): void {
  const url = URL.createObjectURL(pdf);
  const printWindow = window.open(url, '_blank');
  if (!printWindow) {
    URL.revokeObjectURL(url);
    showNotice(texts.pdf.printBlocked, 'bad');
    return;
  }
  printWindow.addEventListener('load', () => printWindow.print(), { once: true });
  // The print window may still read the file. The delay of ten minutes was chosen by judgment.
  setTimeout(() => URL.revokeObjectURL(url), 10 * 60_000);
}
