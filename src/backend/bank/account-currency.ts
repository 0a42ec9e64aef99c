import type { ImportPlanQuestion } from '../../contract/index.ts';
import { type BankFile, listIbanCurrencies, parseCurrencyCode } from '../../domain/bankfiles/index.ts';

/** Key of the import question about the account's currency. */
export const CURRENCY_ANSWER_KEY = 'currency';

/** Currencies offered for an account, in addition to those of its country and of the site. */
const COMMON_CURRENCIES =
  'EUR USD GBP CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF RON JPY SGD HKD INR BRL MXN ZAR AED'.split(' ');

/** Returns the currency that the user entered, or null if there is no valid answer. */
export const readCurrencyAnswer = (answers: Readonly<Record<string, string>>): string | null =>
  Object.hasOwn(answers, CURRENCY_ANSWER_KEY) ? parseCurrencyCode(answers[CURRENCY_ANSWER_KEY] ?? '') : null;

/** Returns the question about the account's currency if some lines of the file have no currency. Otherwise null. */
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

/** Returns why the account's currency prevents the import of a file, or null if nothing prevents it. */
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

/** Returns the file with the entered currency in its profile, so that the profile can be saved. */
export function withAnsweredCurrency(file: BankFile, answers: Readonly<Record<string, string>>): BankFile {
  const currency = readCurrencyAnswer(answers);
  return currency === null || file.profile === null
    ? file
    : { ...file, profile: { ...file.profile, currency: file.profile.currency ?? currency } };
}
