import { escapeSpreadsheetFormula } from './escape-formula.ts';

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Returns one CSV cell. Text that a spreadsheet could execute is prefixed with `'`; numbers (`-1.50`) are not. */
export function formatCsvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const guarded = DECIMAL.test(text) ? text : escapeSpreadsheetFormula(text);
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Returns a CSV row (RFC 4180), including the line break. */
export const formatCsvRow = (cells: readonly unknown[]): string =>
  `${cells.map(formatCsvCell).join(',')}\r\n`;
