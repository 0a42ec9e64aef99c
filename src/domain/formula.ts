/** What a spreadsheet may take for a formula: also behind blanks, those without width too, and in full-width form. */
const formula = /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/u;

/** A text that people or services wrote, for a spreadsheet: one that it could calculate gets a leading `'`. */
export function guarded(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}
