/**
 * Files of banks and payment processors, as lines: CSV, XLSX, OFX/QFX, CAMT.052/053/054, MT940 and QIF.
 *
 * `readBankFile(bytes, options, findings)` tells the format from the bytes, reads them from the start as often as it must, and never throws for what is in them: a file that is not
 * what it says, a row that makes no sense, a balance that does not foot are problems, each with place, reason and text. Lines and
 * problems are handed over one by one, for a file may have more of them than should be held. `rows` counts what was found, so that
 * lines, failed and skipped rows can be held against it. Where two readings of dates or decimals fit, `questions` asks; the same bytes
 * are read again with `answers`, and the completed `profile` can be saved so that nobody is asked again.
 *
 * What tells a line from others of its account, over all its files, is bank_id, amount, currency and booking date.
 */

export type { FileBytes } from './bytes.ts';
export { checkProfile } from './check-profile.ts';
export { decimalsOf } from './currency.ts';
export * from './file.ts';
export { inCurrency } from './finish.ts';
export { type LineKind, lineKinds } from './line-kind.ts';
export * from './profile.ts';
export { builtInProfiles } from './profiles/index.ts';
export { readBankFile } from './read.ts';
