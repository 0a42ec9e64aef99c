/** CSV as RFC 4180 has it, with text cells that no spreadsheet takes for a formula. */

/** What a spreadsheet may take for a formula, as `domain/formula.ts` has it, which is out of reach from here. */
const formula = /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/u;

const number = /^-?\d+(\.\d+)?$/;

/**
 * One cell. Numbers stay as they are (`-500`, and a quantity's exact `-1.50`); a text that a spreadsheet could run
 * gets a leading `'`. Objects and lists are their JSON.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const guarded = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
