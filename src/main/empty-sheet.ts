/**
 * Returns true if the pages of a printed PDF are empty. If a PDF has not been loaded, Chromium prints a sheet with an
 * empty content stream and reports success.
 */
export function isEmptySheet(pdf: Buffer): boolean {
  return !/(?<!end)stream\r?\n(?!\r?\n?endstream)/.test(pdf.toString('latin1'));
}
