/** Prints the original PDF with the browser's PDF viewer. Returns false if the browser blocks the new window. */
export function printInNewWindow(bytes: Uint8Array<ArrayBuffer>): boolean {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
  const printWindow = window.open(url, '_blank');
  if (!printWindow) {
    URL.revokeObjectURL(url);
    return false;
  }
  printWindow.addEventListener('load', () => printWindow.print(), { once: true });
  // The window may still show the file. Ten minutes were chosen by judgment.
  setTimeout(() => URL.revokeObjectURL(url), 10 * 60_000);
  return true;
}

/** Prints a one-time file in Electron. Pages cannot open windows there, so the main process handles this URL. */
export function printInElectron(blob: string): void {
  window.open(`/print/${encodeURIComponent(blob)}`);
}
