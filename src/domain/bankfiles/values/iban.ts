/** Currencies of accounts by the country code of their IBAN. */
const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'AD AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK'
      .split(' ')
      .map((country) => [country, ['EUR']]),
  ),
  BG: ['EUR', 'BGN'],
  CH: ['CHF', 'EUR'],
  CZ: ['CZK'],
  DK: ['DKK'],
  GB: ['GBP'],
  GI: ['GIP', 'GBP'],
  HU: ['HUF'],
  IS: ['ISK'],
  LI: ['CHF', 'EUR'],
  NO: ['NOK'],
  PL: ['PLN'],
  RO: ['RON'],
  SE: ['SEK'],
  TR: ['TRY'],
};

/** Returns true if a text has the form of an IBAN. The check digits are not verified, because exports mask them. */
export const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(text.replace(/\s+/g, ''));

/** Returns the usual currencies of an account by the country of its IBAN, most likely first; empty if it is no IBAN. */
export const listIbanCurrencies = (account: string): readonly string[] =>
  isIban(account) ? (CURRENCIES[account.trim().slice(0, 2)] ?? []) : [];
