import { decomposeAccents } from './search-pattern.ts';

/** A search hit with the surrounding text, as a single line. */
export interface SearchPassage {
  /** Page number of the hit, starting at 1; null if the document has no page breaks. */
  readonly page: number | null;
  readonly before: string;
  readonly hit: string;
  readonly after: string;
}

/** Character that marks the start of each page. */
export const PAGE_BREAK = '\f';

/** Maximum number of characters shown before a search hit. Chosen by judgment. */
const MAX_CHARACTERS_BEFORE = 40;
const MAX_CHARACTERS_AFTER = 56;

/** Counts the hits of a search pattern and returns the first passages. */
export function findTextPassages(
  text: string,
  pattern: RegExp,
  maxPassages: number,
): { readonly count: number; readonly passages: SearchPassage[] } {
  const words = decomposeAccents(text);
  const passages: SearchPassage[] = [];
  let count = 0;
  for (const { index, 0: hit } of words.matchAll(pattern)) {
    count += 1;
    if (passages.length < maxPassages) passages.push(extractTextPassage(words, index, hit));
  }
  return { count, passages };
}

/** Returns the passage around a search hit at position `at`. */
export function extractTextPassage(text: string, at: number, hit: string): SearchPassage {
  const end = at + hit.length;
  const before = text.slice(Math.max(0, at - MAX_CHARACTERS_BEFORE), at);
  const after = text.slice(end, end + MAX_CHARACTERS_AFTER);
  return {
    page: findPageNumber(text, at),
    before: toSingleLine(at > MAX_CHARACTERS_BEFORE ? before.replace(/^\S*\s/, '… ') : before).trimStart(),
    hit: toSingleLine(hit),
    after: toSingleLine(
      end + MAX_CHARACTERS_AFTER < text.length ? after.replace(/\s\S*$/, ' …') : after,
    ).trimEnd(),
  };
}

const findPageNumber = (text: string, at: number): number | null =>
  text.startsWith(PAGE_BREAK) ? text.slice(0, at + 1).split(PAGE_BREAK).length - 1 : null;

const toSingleLine = (text: string): string => text.replace(/\s+/g, ' ').normalize('NFC');
