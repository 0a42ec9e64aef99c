import type { BankLine } from '../../domain/bankfiles/index.ts';
import type { LineKey } from '../store/bank/bank-line.ts';

/** The currency of a line; another where neither file nor profile names one. */
export const currencyOf = (line: BankLine, otherwise: string): string => line.currency ?? otherwise;

/** What tells a line from others of its account, but for the occurrence: the bank's id, or without one its words. */
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

/** One text for a key. */
export function keyText({ booked_on, amount_in_cents, currency, bank_id, words }: LineKey): string {
  return `${booked_on} ${amount_in_cents} ${currency} ${words} ${bank_id}`;
}

/** Whether the words hold a number, as references do: such lines are seldom alike by chance. */
export const hasNumber = (words: number): boolean => words % 2 === 1;

/**
 * Of its texts without case and spacing, so that another export of the same line has the same. 53 bits, never 0; odd where there is a
 * number of four digits or more among them.
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
