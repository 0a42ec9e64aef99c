/** Matches text that a spreadsheet may treat as a formula, even after spaces or in full-width form. */
const FORMULA_START = /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/u;

/** Prefixes text with `'` if a spreadsheet could treat it as a formula. Use it for text from users or services. */
export const escapeSpreadsheetFormula = (text: string): string =>
  FORMULA_START.test(text) ? `'${text}` : text;
