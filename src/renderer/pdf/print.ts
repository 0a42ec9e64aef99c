/**
 * Prints the very bytes of a PDF, and no picture of them: they are opened in a window of their own, with the browser's own PDF view,
 * whose print dialog comes up at once. False where the browser lets no window open.
 */
export function printBytes(bytes: Uint8Array<ArrayBuffer>): boolean {
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
  const printing = window.open(address, '_blank');
  if (!printing) {
    URL.revokeObjectURL(address);
    return false;
  }
  printing.addEventListener('load', () => printing.print(), { once: true });
  // For as long as somebody may look at it; with the page it ends anyway.
  setTimeout(() => URL.revokeObjectURL(address), 10 * 60_000);
  return true;
}

/** The same in Electron, where no page may open a window: the app takes up the offered file, and prints it. */
export function printOffered(blob: string): void {
  window.open(`/print/${encodeURIComponent(blob)}`);
}
