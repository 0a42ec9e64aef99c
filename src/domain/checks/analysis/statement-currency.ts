import type { StatementFooting } from './statement-footing.ts';

/** Matches the currency code or symbol beside a printed balance, from the end of the word “balance”. */
const PRINTED_CURRENCY = /[\s.:]*[-−(]?\s?(?:([A-Z]{3}\b|[A-Z]{0,2}[$€£¥])|[\d.,’']+\s?([A-Z]{3}\b|[$€£¥]))/y;
const BALANCE = 'alance';

/** Currencies by symbol, for symbols that stand for exactly one currency. */
const CURRENCY_BY_SYMBOL = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['US$', 'USD'],
]);
/** Currencies that are never written with a dollar symbol. */
const NO_DOLLARS = new Set(['EUR', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'JPY', 'PLN', 'INR']);

/** Returns the currency printed beside a statement's balance: a code in capitals, or a symbol; null if there is none. */
export function findPrintedCurrency({ statement: { text_view } }: StatementFooting): string | null {
  const at = text_view?.indexOf(BALANCE) ?? -1;
  if (text_view === null || at < 0) return null;
  PRINTED_CURRENCY.lastIndex = at + BALANCE.length;
  const match = PRINTED_CURRENCY.exec(text_view);
  return match?.[1] ?? match?.[2] ?? null;
}

/** Returns the currency of a statement: from its field, else from its transactions if they agree, else as printed. */
export function findStatementCurrency(footing: StatementFooting): string | null {
  const { statement, transactions } = footing;
  if (statement.currency !== null) return statement.currency.toUpperCase();
  if (transactions.some(({ currency }) => currency !== null)) {
    const [named = null, ...others] = new Set(
      transactions.flatMap(({ currency }) => currency?.toUpperCase() ?? []),
    );
    return others.length === 0 ? named : null;
  }
  return findPrintedCurrency(footing);
}

/** Returns true if two currencies, each a code or a symbol, cannot be the same one. */
export function areCurrenciesDistinct(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => CURRENCY_BY_SYMBOL.get(text) ?? text) as [
    string,
    string,
  ];
  if (first === second) return false;
  if (first === '$' || second === '$') return NO_DOLLARS.has(first) || NO_DOLLARS.has(second);
  return /^[A-Z]{3}$/.test(first) && /^[A-Z]{3}$/.test(second);
}
