import type { Cents } from '../../ledger/index.ts';
import type { DecimalMark } from '../model/profile.ts';
import { getCurrencyDecimals, parseCurrencyCode, parseCurrencySign } from './currency.ts';

/** A parsed amount in minor units with the currency that its text names, or the reason why it is invalid. */
export type ParsedAmount =
  | { readonly cents: Cents; readonly currency: string | null }
  | { readonly reason: string };

const MAX_LENGTH = 64;
const UNIT = String.raw`(\p{Sc}|R\$|C\$|A\$|US\$|kr\.?|Fr\.?|zł|Kč|Rs\.?|TL|Ft|lei|円|원|[A-Za-z]{3})?`;
const SHAPE = new RegExp(
  String.raw`^(\()?\s*([+-])?\s*${UNIT}\s*([+-])?\s*(\d[\d.,' ]*|[.,]\d+)\s*${UNIT}\s*([+-]|CR|DR|[CDHS])?\s*(\))?$`,
  'iu',
);
const OUTGOING = new Set(['-', 'DR', 'D', 'S']);

/** Patterns of digit grouping in the integer part, by decimal mark. Indian lakhs use a comma. */
const GROUPED = {
  '.': /^\d{1,3}(?:(?:,\d{3})+|(?:,\d{2})+,\d{3}|(?: \d{3})+|(?:'\d{3})+)$/,
  ',': /^\d{1,3}(?:(?:\.\d{3})+|(?: \d{3})+|(?:'\d{3})+)$/,
};

/**
 * Parses an amount in one of the forms that banks use (`1,234.50`, `1 234,50`, `(12.00)`, `€ 5`, `3,20 CR`) to minor
 * units. Works on digits only and never rounds: extra decimals are rejected unless they are zeros.
 */
export function parseAmount(text: string, mark: DecimalMark, currency: string | null): ParsedAmount {
  const plain = normalizeAmountText(text);
  if (plain.length > MAX_LENGTH) return { reason: 'is too long to be an amount' };
  const parts = SHAPE.exec(plain);
  if (parts === null) return { reason: 'is not an amount' };
  const [, open, lead, before, inner, digits = '', after, trail, close] = parts;
  if ((open === undefined) !== (close === undefined)) return { reason: 'has an unpaired parenthesis' };
  const signs = [open && '-', lead, inner, trail?.toUpperCase()].filter((sign) => sign !== undefined);
  if (signs.length > 1) return { reason: 'has two signs' };

  const namedCurrency = findUnit(before, after);
  if (namedCurrency === undefined) return { reason: 'names two currencies or an unknown currency' };
  const minor = toMinorUnits(digits.trim(), mark, getCurrencyDecimals(namedCurrency ?? currency));
  if (typeof minor === 'string') return { reason: minor };
  return { cents: signs.some((sign) => OUTGOING.has(sign)) ? 0 - minor : minor, currency: namedCurrency };
}

/** Removes the `="…"` that exports use to prevent conversion, and normalizes spaces, minus signs and apostrophes. */
function normalizeAmountText(text: string): string {
  const quoted = /^="(.*)"$/s.exec(text);
  return (quoted?.[1] ?? text)
    .replace(/[\s\u00a0\u2007\u2009\u202f]+/g, ' ')
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/[\u2019\u02bc`]/g, "'")
    .trim();
}

/** Returns the currency next to an amount; null if absent or ambiguous, undefined if the text is no currency. */
function findUnit(before: string | undefined, after: string | undefined): string | null | undefined {
  if (before !== undefined && after !== undefined) {
    const [a, b] = [parseCurrencySign(before), parseCurrencySign(after)];
    return a === null ? b : b === null || a === b ? a : undefined;
  }
  const unit = before ?? after;
  if (unit === undefined) return null;
  return /^[a-z]{3}$/i.test(unit) ? (parseCurrencyCode(unit) ?? undefined) : parseCurrencySign(unit);
}

function toMinorUnits(digits: string, mark: DecimalMark, decimals: number): Cents | string {
  const at = digits.lastIndexOf(mark);
  if (at !== digits.indexOf(mark)) return `has two decimal marks (${mark})`;
  const whole = at < 0 ? digits : digits.slice(0, at);
  const fraction = at < 0 ? '' : digits.slice(at + 1);
  if (!/^\d*$/.test(fraction) || !(/^\d*$/.test(whole) || GROUPED[mark].test(whole)))
    return `is not an amount with ${mark === '.' ? 'a decimal point' : 'a decimal comma'}`;
  if (/[1-9]/.test(fraction.slice(decimals))) return `has more than the ${decimals} decimals of its currency`;
  const minor = Number(whole.replace(/\D/g, '') + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return Number.isSafeInteger(minor) ? minor : 'is too large to represent exactly';
}

/** Parses whole minor units, which some reports use (`1999` for 19.99). */
export function parseMinorUnits(text: string): ParsedAmount {
  const plain = normalizeAmountText(text);
  if (!/^[+-]?\d{1,16}$/.test(plain)) return { reason: 'is not a whole number of minor units' };
  const cents = Number(plain);
  return Number.isSafeInteger(cents)
    ? { cents: cents === 0 ? 0 : cents, currency: null }
    : { reason: 'is too large to represent exactly' };
}

/**
 * Parses an amount of a format without thousands separators (OFX, MT940). The last point or comma is the decimal
 * mark. If both occur, the other one is a thousands separator, because some banks deviate from the standard.
 */
export function parsePlainAmount(text: string, currency: string | null): ParsedAmount {
  const mark = text.lastIndexOf(',') > text.lastIndexOf('.') ? ',' : '.';
  return parseAmount(text, mark, currency);
}
