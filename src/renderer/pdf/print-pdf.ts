/**
 * Prints the original PDF instead of a rendered image of it. Opens the PDF in a new window with the browser's PDF viewer
 * and print dialog. Returns false if the browser blocks the window.
 */
export function printInNewWindow(bytes: Uint8Array<ArrayBuffer>): boolean {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
  const printWindow = window.open(url, '_blank');
  if (!printWindow) {
    URL.revokeObjectURL(url);
    return false;
  }
  printWindow.addEventListener('load', () => printWindow.print(), { once: true });
  // The URL stays valid for ten minutes, chosen by judgment, because the window may still show the file. It also becomes
  // invalid when this page closes.
  setTimeout(() => URL.revokeObjectURL(url), 10 * 60_000);
  return true;
}

/**
 * Prints a one-time file in Electron. Pages cannot open windows there, so the main process handles this URL and prints
 * the file.
 */
export function printInElectron(blob: string): void {
  window.open(`/print/${encodeURIComponent(blob)}`);
}
