import type { ImportPlanQuestion } from '../../contract/index.ts';
import { type BankFile, listIbanCurrencies, parseCurrencyCode } from '../../domain/bankfiles/index.ts';

/** Key of the answer that states the account's currency. */
export const CURRENCY_ANSWER_KEY = 'currency';

/** Currencies that are offered for an account, besides those of its country and of the site. */
const COMMON_CURRENCIES =
  'EUR USD GBP CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF RON JPY SGD HKD INR BRL MXN ZAR AED'.split(' ');

/** Returns the currency that the user stated; null if there is no valid answer. */
export const readCurrencyAnswer = (answers: Readonly<Record<string, string>>): string | null =>
  Object.hasOwn(answers, CURRENCY_ANSWER_KEY) ? parseCurrencyCode(answers[CURRENCY_ANSWER_KEY] ?? '') : null;

/** Returns the question about the account's currency if lines of the file name none; otherwise null. */
export function askForCurrency({ statements }: BankFile, siteCurrency: string): ImportPlanQuestion | null {
  if (!statements.some(({ currencies }) => currencies.includes(null))) return null;
  const national = statements.flatMap(({ account }) => (account === null ? [] : listIbanCurrencies(account)));
  const offered = [...new Set([...national, siteCurrency, ...COMMON_CURRENCIES])];
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  return {
    key: CURRENCY_ANSWER_KEY,
    text: 'What is the currency of the account? The file does not state it.',
    readings: offered.map((value) => ({
      value,
      label: `${value} (${names.of(value) ?? value})`,
      examples: [],
    })),
  };
}

/** Returns why a file cannot be imported into the account because of its currency; null if it can. */
export function findCurrencyConflict(
  { statements }: Pick<BankFile, 'statements'>,
  { name, currency }: { readonly name: string; readonly currency: string | null },
): string | null {
  const stated = [
    ...new Set(statements.flatMap(({ currencies }) => currencies.filter((each) => each !== null))),
  ];
  if (currency === null || stated.length === 0 || stated.includes(currency)) return null;
  return `The file is in ${stated.join(', ')}, but “${name}” is an account in ${currency}. Choose another account.`;
}

/** Returns the file with a profile that contains the answered currency, so that it can be saved. */
export function withAnsweredCurrency(file: BankFile, answers: Readonly<Record<string, string>>): BankFile {
  const currency = readCurrencyAnswer(answers);
  return currency === null || file.profile === null
    ? file
    : { ...file, profile: { ...file.profile, currency: file.profile.currency ?? currency } };
}
