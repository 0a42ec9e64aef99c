import type { VerifiableLine, VerifiablePayment } from './verifiable-rows.ts';

/** Words that name nobody: legal forms and forms of address. */
const IGNORED =
  /^(mr|mrs|ms|dr|prof|herr|frau|the|and|und|et|inc\w*|llc|ltd|limited|plc|gmbh|mbh|ag|kg|kgaa|ohg|ug|sas?|sarl|srl|spa|bv|nv|co|corp\w*|company|llp|lp|pty|gbr|e|k|ek|ev|ab|oy|as|aps|firma)$/;

export const listIds = (payment: VerifiablePayment): string[] =>
  [payment.id, payment.statement_id, payment.payment_id, payment.gateway_transaction_id].map((each) =>
    String(each ?? ''),
  );

export function quotes(line: VerifiableLine, id: string): boolean {
  const compact = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return [line.reference, line.description, line.gateway_transaction_id].some((text) =>
    compact(text ?? '').includes(compact(id)),
  );
}

/** Returns true if one digit is wrong, missing or added, or if two neighbors are swapped. */
export function isOneSlip(quoted: string, id: string): boolean {
  if (Math.abs(quoted.length - id.length) > 1 || quoted === id) return false;
  let from = 0;
  while (quoted[from] === id[from] && from < quoted.length) from++;
  const [a, b] = [quoted.slice(from), id.slice(from)];
  return (
    a.slice(1) === b.slice(1) || a === b.slice(1) || a.slice(1) === b || `${a[1]}${a[0]}${a.slice(2)}` === b
  );
}

const splitWords = (text: string): string[] => {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l');
  const joined = plain
    .replace(/[\p{M}'’\x60]/gu, '')
    .replace(/([aou])e/g, '$1')
    .replace(/æ/g, 'a');
  return joined.match(/\p{L}+/gu) ?? [];
};

const listWords = (text: string): string[] => splitWords(text).filter((word) => !IGNORED.test(word));

function isSimilar(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a) || (a.length > 3 && b.length > 3 && isOneSlip(a, b));
}

/** Returns true if the text names another person or company than each of the names. */
export function contradicts(text: string | null, customerNames: readonly string[]): boolean {
  const words = listWords(text ?? '');
  if (words.length === 0 || customerNames.length === 0) return false;
  return customerNames.every((name) => {
    const own = listWords(name);
    const isJoined =
      words.join('') === own.join('') || [...words].sort().join('') === [...own].sort().join('');
    const foreign = words.filter((word) => !own.some((other) => isSimilar(word, other)));
    const missing = own.filter((word) => !words.some((other) => isSimilar(word, other)));
    return !isJoined && (foreign.length === words.length || (foreign.length > 0 && missing.length > 0));
  });
}

/** Returns true if the words of a line that name its customer or another one do not name the other one. */
export function excludesCustomer(
  line: VerifiableLine,
  own: readonly string[],
  other: readonly string[],
): boolean {
  const [ownWords, otherWords] = [own.flatMap(listWords), other.flatMap(listWords)];
  const isAmong = (word: string, words: string[]) => words.some((each) => isSimilar(word, each));
  const words = listWords([line.counterparty, line.description, line.reference].join(' '));
  const known = words.filter((word) => isAmong(word, ownWords) || isAmong(word, otherWords));
  return known.some((word) => isAmong(word, ownWords)) && contradicts(known.join(' '), other);
}

/** Returns true if the line contains each word of one of the customer's names, of which the last one may be cut. */
export function names(line: VerifiableLine, payment: VerifiablePayment): boolean {
  const texts = [line.counterparty, line.description, line.reference].map((text) => listWords(text ?? ''));
  return payment.names.some((name) => {
    const own = listWords(name);
    return texts.some((words) => {
      const joined = words.join('');
      return (
        own.every((word) => words.includes(word) || joined.includes(word)) ||
        (joined.length > 9 && own.join('').startsWith(joined))
      );
    });
  });
}

/** Returns true if the payer's name has a word, or the text a legal form, that none of the customer's names has. */
export function hasForeignWord(line: VerifiableLine, payment: VerifiablePayment): boolean {
  const own = payment.names.flatMap((name) => splitWords(name));
  const isForeign = (word: string): boolean => word.length > 1 && !own.includes(word);
  const inText = splitWords(`${line.description} ${line.reference ?? ''}`).filter((word) =>
    IGNORED.test(word),
  );
  return splitWords(line.counterparty ?? '').some(isForeign) || inText.some(isForeign);
}
