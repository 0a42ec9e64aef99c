/** Maximum number of days from a date in a text to the line's booking day. Chosen by judgment. */
const MAX_DAYS_TO_DATE = 400;
/** The same for a date without a year, which is the day of the payment. Chosen by judgment. */
const MAX_DAYS_TO_SHORT_DATE = 31;

const CURRENCY = '(?:eur|usd|gbp|chf|sek|nok|dkk|pln|czk|huf|cad|aud|nzd|jpy|[€$£¥])';
/** A number that follows a currency, or whose first digits and decimal point precede it. */
const BEFORE_AMOUNT = new RegExp(`${CURRENCY}[ :.]?$|(?<!\\d)\\d{1,3}[.,]$`);
/** Decimals or a currency after a number, unless the currency belongs to the next number. */
const AFTER_AMOUNT = new RegExp(`^[.,]\\d\\d(?!\\d)|^ ?${CURRENCY}(?![a-z]| ?\\d)`);
const WITH_DECIMALS = /[.,]\d\d$/;
const CONTEXT_LENGTH = 6;

/** A number and its position in a text in lower case. */
export interface NumberInText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly value: number;
}

/** Returns true if a number may be an amount: the line's own, or one written with decimals or a currency. */
export function resemblesAmount({ text, start, end, value }: NumberInText, lineCents: number): boolean {
  const cents = Math.abs(lineCents);
  if (value === cents || value * 100 === cents) return true;
  if (WITH_DECIMALS.test(text.slice(start, end))) return true;
  return (
    BEFORE_AMOUNT.test(text.slice(Math.max(0, start - CONTEXT_LENGTH), start)) ||
    AFTER_AMOUNT.test(text.slice(end, end + CONTEXT_LENGTH))
  );
}

/** Words before numbers that are no references: of telephones, accounts, cards, authorizations, towns and taxes. */
const OTHER_NUMBER =
  /(?<![a-z])(?:tel|telefon|telephone|phone|fax|mob|mobil|mobile|cell|handy|call|iban|bic|swift|blz|konto|kto|auth|authorization|approval|card|karte|carte|tarjeta|terminal|plz|zip|cp|vat|ust|tin|hrb|siret|siren|nif|cif|kvk)[ .:#]*(?:(?:no|nr|num|id)[ .:#]*)?(?:x+ ?)?(?:\+?\d{1,4}[ /-]?){0,2}$/;
const AFTER_COUNTRY_CODE = /\+\d{1,3}[ -]?$/;
const IN_IBAN = /(?<![a-z0-9])[a-z]{2}\d{2}(?: ?[a-z0-9]{4})* ?$/;
const LABEL_CONTEXT_LENGTH = 40;

/** Returns true if the text says that a number is a telephone, account, card or tax number. */
export function resemblesOtherNumber({ text, start }: NumberInText): boolean {
  const before = text.slice(Math.max(0, start - LABEL_CONTEXT_LENGTH), start);
  return OTHER_NUMBER.test(before) || AFTER_COUNTRY_CODE.test(before) || IN_IBAN.test(before);
}

/** Returns true if a number consists of a year near a day and further groups, as invoice numbers of many companies do. */
export function startsWithYear({ text, start, end }: NumberInText, day: number): boolean {
  const year = new Date(day * 86_400_000).getUTCFullYear();
  const first = text.slice(start, end).match(/^\d+(?=\D)/)?.[0];
  return first?.length === 4 && Math.abs(Number(first) - year) <= 1;
}

/** Returns true if a number can be read as a date or a month near a day, or as its year. */
export function resemblesDate(value: number, day: number): boolean {
  const digits = String(value);
  if (digits.length < 3 || digits.length > 8) return false;
  const year = new Date(day * 86_400_000).getUTCFullYear();
  if (value >= year - 1 && value <= year + 1) return true;
  if (digits.length < 5) return readShortDates(digits.padStart(4, '0'), year, day);
  return readDates(digits).some((date) => Math.abs(date - day) <= MAX_DAYS_TO_DATE);
}

/** Returns true if four digits are a day and a month near a day. */
function readShortDates(digits: string, year: number, day: number): boolean {
  const [first, last] = [digits.slice(0, 2), digits.slice(2)];
  const readings = [year - 1, year, year + 1].flatMap((each) => [
    ...toDays(each, first, last),
    ...toDays(each, last, first),
  ]);
  return readings.some((date) => Math.abs(date - day) <= MAX_DAYS_TO_SHORT_DATE);
}

/** Returns the day numbers of all readings of digits as a date. Six digits may also be a year and a month. */
function readDates(text: string): number[] {
  const isLong = text.length > 6;
  const digits = text.padStart(isLong ? 8 : 6, '0');
  const width = isLong ? 4 : 2;
  const toYear = (year: string): number => (isLong ? Number(year) : 2000 + Number(year));
  const middle = digits.slice(2, 4);
  return [
    ...toDays(toYear(digits.slice(0, width)), digits.slice(width, width + 2), digits.slice(width + 2)),
    ...toDays(toYear(digits.slice(4)), middle, digits.slice(0, 2)),
    ...toDays(toYear(digits.slice(4)), digits.slice(0, 2), middle),
    ...(isLong ? [] : toDays(Number(digits.slice(0, 4)), digits.slice(4), '1')),
    ...(isLong ? [] : toDays(Number(digits.slice(2)), digits.slice(0, 2), '1')),
  ];
}

/** Returns the day number of a date in a list, which is empty if the month or the day is impossible. */
function toDays(year: number, month: string, day: string): number[] {
  const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  return isDate ? [Date.UTC(year, Number(month) - 1, Number(day)) / 86_400_000] : [];
}
