import type { BankLine } from '../../domain/bankfiles/index.ts';
import type { BankLineKey } from '../store/bank/bank-line.ts';

/**
 * Returns the key that identifies a line within its account: date, amount, currency and the bank's id. Without a bank id,
 * a hash of the line's texts is used.
 */
export function toBankLineKey(line: BankLine, defaultCurrency: string): BankLineKey {
  const bank_id = line.bank_id?.trim() ?? '';
  return {
    booked_on: line.booked_on,
    amount_in_cents: line.amount_in_cents,
    currency: line.currency ?? defaultCurrency,
    bank_id,
    text_hash: bank_id === '' ? hashTexts(line) : 0,
  };
}

/** Formats a bank line's key as text. */
export function formatBankLineKey(key: BankLineKey): string {
  const { booked_on, amount_in_cents, currency, bank_id, text_hash } = key;
  return `${booked_on} ${amount_in_cents} ${currency} ${text_hash} ${bank_id}`;
}

/** Returns true if the hashed texts contain a number, as references do. Such lines rarely coincide by chance. */
export const doesHashedTextContainNumber = (text_hash: number): boolean => text_hash % 2 === 1;

/**
 * Returns a 53-bit hash of the line's texts. It ignores case and spacing, so that another export of the same line has the
 * same hash. It is never 0, and odd if the texts contain a number of at least four digits.
 */
function hashTexts({ description, reference, counterparty }: BankLine): number {
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
