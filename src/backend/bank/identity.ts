import type { BankLine } from '../../domain/bankfiles/index.ts';
import type { LineKey } from '../store/bank/bank-line.ts';

/** Returns the currency of a line, or the default if neither file nor profile names one. */
export const lineCurrency = (line: BankLine, otherwise: string): string => line.currency ?? otherwise;

/**
 * Returns what distinguishes a line from others of its account, except the occurrence: the bank's id, or a hash of its
 * texts.
 */
export function lineKey(line: BankLine, currency: string): LineKey {
  const bank_id = line.bank_id?.trim() ?? '';
  return {
    booked_on: line.booked_on,
    amount_in_cents: line.amount_in_cents,
    currency,
    bank_id,
    words: bank_id === '' ? wordsHash(line) : 0,
  };
}

/** Returns a key as text. */
export function lineKeyText({ booked_on, amount_in_cents, currency, bank_id, words }: LineKey): string {
  return `${booked_on} ${amount_in_cents} ${currency} ${words} ${bank_id}`;
}

/** Returns true if the hashed texts contain a number, as references do. Such lines are rarely alike by chance. */
export const hashContainsNumber = (words: number): boolean => words % 2 === 1;

/**
 * Returns a hash of the line's texts that ignores case and spacing, so that another export of the line has the same hash.
 * 53 bits, never 0, odd if the texts contain a number of at least four digits.
 */
function wordsHash({ description, reference, counterparty }: BankLine): number {
  const text = `${description}\u0000${reference ?? ''}\u0000${counterparty ?? ''}`
    .toLowerCase()
    .replace(/ +/g, ' ')
    .trim();
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  const hash = (4_294_967_296 * (1_048_575 & low) + (high >>> 0)) * 2 || 2;
  return /\d{4}/.test(text) ? hash + 1 : hash;
}
