/**
 * Reads files of banks and payment processors: CSV, XLSX, OFX/QFX, CAMT.052/053/054, MT940 and QIF.
 *
 * `readBankFile(bytes, options, findings)` detects the format from the bytes, reads them as often as necessary, and never
 * throws for their content: a wrong format, an unreadable row or a balance that does not foot become problems with
 * location, reason and text. Lines and problems are passed on one by one, because a file may have more of them than
 * should be held in memory. `rows` counts what was found, so that lines, failed and skipped rows can be compared with it.
 * If two readings of dates or decimals are possible, `questions` asks. The same bytes are then read again with `answers`,
 * and the completed `profile` can be saved.
 *
 * A line is identified within its account, over all files, by bank_id, amount, currency and booking date.
 */

export { checkProfile } from './check-profile.ts';
export * from './model/bank-file.ts';
export { type LineKind, lineKinds } from './model/line-kind.ts';
export * from './model/profile.ts';
export { builtInProfiles } from './profiles/index.ts';
export { readBankFile } from './read-bank-file.ts';
export type { FileBytes } from './text/file-bytes.ts';
export { currencyDecimals, formatInCurrency } from './values/currency.ts';
