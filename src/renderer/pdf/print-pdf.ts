/**
 * Prints the original PDF and not a rendered image of it: opens it in a new window with the browser's PDF viewer and its print dialog.
 * Returns false if the browser blocks the window.
 */
export function printInNewWindow(bytes: Uint8Array<ArrayBuffer>): boolean {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
  const printWindow = window.open(url, '_blank');
  if (!printWindow) {
    URL.revokeObjectURL(url);
    return false;
  }
  printWindow.addEventListener('load', () => printWindow.print(), { once: true });
  // Ten minutes, chosen by judgment: the window may still show the file. It also ends with this page.
  setTimeout(() => URL.revokeObjectURL(url), 10 * 60_000);
  return true;
}

/** Prints a one-time file in Electron, where pages cannot open windows: the main process handles this address and prints the file. */
export function printInElectron(blob: string): void {
  window.open(`/print/${encodeURIComponent(blob)}`);
}
