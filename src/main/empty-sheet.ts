/**
 * Returns true if nothing is drawn on the pages of a printed PDF. Chromium prints a page whose PDF has not been loaded as a
 * sheet with an empty content stream, and reports success.
 */
export function isEmptySheet(pdf: Buffer): boolean {
  return !/(?<!end)stream\r?\n(?!\r?\n?endstream)/.test(pdf.toString('latin1'));
}
