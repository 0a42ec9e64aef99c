/**
 * Reads files from banks and payment processors: CSV, XLSX, OFX/QFX, CAMT.052/053/054, MT940 and QIF. A wrong format,
 * an unreadable row or a balance that does not foot becomes a problem with location, reason and text. If dates or
 * decimals are ambiguous, `questions` lists the possible formats. The caller then reads the same bytes again with
 * `answers`, and can save the completed `profile`. A line is identified within its account, across all files, by
 * bank_id, amount, currency and booking date.
 */

export * from './model/bank-file.ts';
export { type BankLineKind, bankLineKinds } from './model/line-kind.ts';
export * from './model/profile.ts';
export { builtInBankProfiles } from './profiles/index.ts';
export { readBankFile } from './read-bank-file.ts';
export type { BankFileBytes } from './text/file-bytes.ts';
export { validateProfile } from './validate-profile.ts';
export { formatAmountInCurrency, getCurrencyDecimals, parseCurrencyCode } from './values/currency.ts';
export { listIbanCurrencies } from './values/iban.ts';
