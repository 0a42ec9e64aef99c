import { type Cents, formatMoney } from '../../ledger/index.ts';

const decimals = new Map<string, number>([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV'].map(
    (code) => [code, 0] as const,
  ),
  ...['XAF', 'XOF', 'XPF'].map((code) => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3] as const),
  ...['CLF', 'UYW'].map((code) => [code, 4] as const),
]);

const knownCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Returns the number of decimals of a currency (ISO 4217), for example 0 for yen; 2 if it is unknown. */
export const getCurrencyDecimals = (currency: string | null): number =>
  currency === null ? 2 : (decimals.get(currency) ?? 2);

/** Returns the currency code in upper case; null if the text is not a currency code. */
export function parseCurrencyCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (/^EURO[SA]?$/.test(code)) return 'EUR';
  return knownCodes.has(code) ? code : null;
}

const signs = new Map(
  Object.entries({
    '€': 'EUR',
    '£': 'GBP',
    '₹': 'INR',
    '₪': 'ILS',
    zł: 'PLN',
    Kč: 'CZK',
    R$: 'BRL',
    '₺': 'TRY',
    TL: 'TRY',
    円: 'JPY',
    원: 'KRW',
    '₩': 'KRW',
    Ft: 'HUF',
    лв: 'BGN',
    '₴': 'UAH',
    '₽': 'RUB',
    lei: 'RON',
  }),
);

/** Returns the currency of a currency sign; null if the sign is ambiguous (`$`, `¥`, `kr`). */
export const parseCurrencySign = (sign: string): string | null => signs.get(sign) ?? parseCurrencyCode(sign);

/** Formats an amount with its currency and decimals, for example `1,234.50 EUR` or `-1,234 JPY`. */
export function formatAmountInCurrency(amount: Cents, currency: string | null): string {
  const decimals = getCurrencyDecimals(currency);
  const hundredths = formatMoney(amount);
  const figure =
    decimals === 2 ? hundredths : `${amount < 0 ? '-' : ''}${formatDecimals(Math.abs(amount), decimals)}`;
  return currency === null ? figure : `${figure} ${currency}`;
}

function formatDecimals(amount: Cents, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}
