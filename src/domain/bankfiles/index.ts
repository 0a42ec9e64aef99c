/**
 * Files of banks and payment processors, as lines: CSV, XLSX, OFX/QFX, CAMT.052/053/054, MT940 and QIF.
 *
 * `readBankFile(bytes, options)` tells the format from the bytes, and never throws for what is in them: a file that is not what
 * it says, a row that makes no sense, a balance that does not foot are `problems`, each with place, reason and text. `rows` counts
 * what was found, so that lines, failed and skipped rows can be held against it. Where two readings of dates or decimals
 * fit, `questions` asks; the same bytes are read again with `answers`, and the completed `profile` can be saved so
 * that nobody is asked again.
 *
 * The identity of a line over imports is account, bank_id, amount, currency, booking date and `occurrence`. Within a file occurrence is
 * counted here; a file that overlaps another one gives the same numbers as long as it holds whole days.
 */

export { checkProfile } from './checkProfile.ts';
export { decimalsOf } from './currency.ts';
export * from './file.ts';
export { inCurrency } from './finish.ts';
export { type LineKind, lineKinds } from './lineKind.ts';
export * from './profile.ts';
export { builtInProfiles } from './profiles/index.ts';
export { readBankFile } from './read.ts';
