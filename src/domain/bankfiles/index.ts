/**
 * Reads files from banks and payment processors: CSV, XLSX, OFX/QFX, CAMT.052/053/054, MT940 and QIF.
 *
 * `readBankFile(bytes, options, findings)` detects the format and never throws because of a file's content. A wrong
 * format, an unreadable row or a balance that does not foot becomes a problem with location, reason and text.
 * Lines and problems are passed on one by one, because large files would not fit in memory. `rows` counts all rows, so
 * that it can be compared with the lines, failed rows and skipped rows.
 * If dates or decimals are ambiguous, `questions` lists the possible readings. The same bytes are then read again with
 * `answers`, and the completed `profile` can be saved.
 *
 * A line is identified within its account, across all files, by bank_id, amount, currency and booking date.
 */

export { checkProfile } from './check-profile.ts';
export * from './model/bank-file.ts';
export { type LineKind, lineKinds } from './model/line-kind.ts';
export * from './model/profile.ts';
export { builtInProfiles } from './profiles/index.ts';
export { readBankFile } from './read-bank-file.ts';
export type { FileBytes } from './text/file-bytes.ts';
export { currencyDecimals, formatInCurrency } from './values/currency.ts';
